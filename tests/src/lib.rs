//! The building blocks of the end-to-end tests. They use the built component and command line, and nothing inside them.
//!
//! | module | what it does |
//! |---|---|
//! | `agent` | an agent that `gitgate run` starts, on Unix |
//! | `batch` | the command line as a process that stays open |
//! | `built` | builds both, once, so that `cargo test` needs no earlier step |
//! | `client` | a client of `gitgate mcp` |
//! | `cli` | runs the command line in a home folder of its own |
//! | `environment` | the environment of every process |
//! | `host` | the smallest host: one instance of the component, its journal in memory |
//! | `import` | imports a real repository into an instance |
//! | `operation` | random tool calls |
//! | `reference` | the reference of the tools in their README |
//! | `repo` | real repositories, made by git |
//! | `session`, `served` | runs a call to its end, with a fake world outside, or with a real repository |
//! | `terminal` | a command at a terminal, on Unix |
//! | `tree` | folders as comparable values |
//! | `wasm` | runs test binaries of wasm32-wasip1 |

#![forbid(unsafe_code)]

#[cfg(unix)]
pub mod agent;
pub mod batch;
pub mod built;
pub mod cli;
pub mod client;
pub mod environment;
pub mod host;
pub mod import;
pub mod operation;
pub mod reference;
pub mod repo;
pub mod served;
pub mod session;
#[cfg(unix)]
pub mod terminal;
pub mod tree;
pub mod wasm;
