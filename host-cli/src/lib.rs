//! The native host: everything outside the wall that a command line needs.
//!
//! | folder | what it does |
//! |---|---|
//! | `command` | the commands, one a file |
//! | `driver` | drives a call to its end, and asks who answers its questions |
//! | `approve` | how a person is asked |
//! | `sandbox` | the component, and one sandbox in it |
//! | `on_disk` | the same tools on a real directory |
//! | `store` | a sandbox's files |
//! | `home` | all sandboxes, and the person's configuration |
//! | `remote` | the person's repositories |
//! | `forge` | the servers that some of them are at |
//! | `github` | one of these servers |
//! | `screen` | what a person reads |
//! | `terminal` | where they read it: keys, pager, editor |
//! | `desk` | the thread that has a sandbox, for servers |
//! | `mcp` | the tools, for agents' clients |
//! | `serve` | sandboxes over HTTP |
//! | `setup` | what connects agents' programs to gitgate |
//! | `watch` | what goes on in sandboxes, live |
//! | `demo` | the main job, played on a repository of its own |

pub mod approve;
mod cli;
mod command;
mod demo;
mod desk;
mod driver;
pub mod error;
mod forge;
mod git_server;
pub mod github;
pub mod home;
pub mod interrupt;
mod listen;
mod mcp;
pub mod moment;
pub mod notify;
mod on_disk;
mod platform;
mod program;
pub mod remote;
pub mod report;
pub mod review;
pub mod sandbox;
pub mod screen;
mod serve;
pub mod setup;
mod signing;
pub mod store;
/// The model of GitHub and the makers of repositories are those of the gate's own tests.
#[cfg(test)]
#[path = "../gate/tests/suite/support/mod.rs"]
#[allow(dead_code, reason = "the gate's tests use the rest")]
mod support;
mod terminal;
mod user;
mod watch;
pub mod wire;

pub use cli::run;
pub(crate) use host::limits;
