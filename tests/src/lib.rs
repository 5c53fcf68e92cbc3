//! What the end-to-end tests are made of. They know the built component and the built command line, and nothing inside them.
//!
//! | module | what it is |
//! |---|---|
//! | `agent` | an agent that `gitgate run` starts, on Unix |
//! | `batch` | the command line as a process that stays open |
//! | `built` | builds both, once, so that `cargo test` needs no earlier step |
//! | `cli` | runs the command line in a home folder of its own |
//! | `environment` | what every process is started with |
//! | `host` | the smallest host: one instance of the component, its journal in memory |
//! | `import` | a real repository on its way into an instance |
//! | `operation` | random tool calls |
//! | `reference` | the reference of the tools in their README |
//! | `repo` | real repositories, made by git |
//! | `session`, `served` | a call to its end, with a world outside that is made up, or with a real repository |
//! | `terminal` | a command at a terminal, on Unix |
//! | `tree` | folders as values that can be compared |
//! | `wasm` | runs test binaries of wasm32-wasip1 |

#![forbid(unsafe_code)]

#[cfg(unix)]
pub mod agent;
pub mod batch;
pub mod built;
pub mod cli;
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
