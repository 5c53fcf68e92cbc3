//! The agent's tools, on `std::fs` and gix.
//!
//! The same code runs in the sealed component, where `std::fs` is a tree in memory, and natively on a real directory. Only [`platform`]
//! knows the difference.
//!
//! A call passes through these steps: [`dispatch`] finds the tool in the [`registry`], checks who may call it and whether the call needs an
//! approval ([`approval`]), parses the JSON into the tool's typed arguments, and runs the tool on the [`Session`]. A tool that needs
//! something from outside asks a [`Question`]. The host answers it and repeats the call from the beginning.
//!
//! A tool is one file: its arguments, its structured result, its annotations, its `run` and its unit tests. The doc comments of arguments
//! and result become the schemas. To add a tool, write the file, add a line to the registry, and accept the schemas.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod answer;
pub mod approval;
mod arguments;
mod attachment;
mod budget;
pub mod call;
#[cfg(test)]
pub mod calling;
pub mod deadline;
pub mod dispatch;
pub mod embedding;
pub mod error;
mod git;
#[cfg(test)]
mod git_tests;
pub mod options;
pub mod output;
pub mod past;
pub mod paths;
pub mod platform;
pub mod question;
pub mod registry;
mod session;
#[cfg(test)]
pub mod testing;
pub mod tool;
mod toolset;

pub use crate::git::staged::landed::KEPT_BY_UNDO;
pub use answer::{Answer, Answers};
pub use call::{Caller, ToolCall};
pub use deadline::Deadline;
pub use dispatch::{Step, dispatch};
pub use embedding::Embedding;
pub use error::{ErrorKind, Stop, ToolError};
pub use gix::ObjectId;
pub use options::Options;
pub use output::Output;
pub use past::{Horizon, Past};
pub use question::Question;
pub use registry::REGISTRY;
pub use session::{Context, Session};
pub use tool::Tool;
