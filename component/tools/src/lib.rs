//! The agent's tools, on `std::fs` and gix.
//!
//! The same code runs in the sealed component, where `std::fs` is a tree in memory, and natively on a real directory. What
//! differs between the two is in [`platform`], and nowhere else.
//!
//! The way of a call: [`dispatch`] finds the tool in the [`registry`], checks who may call it and whether the call needs an approval
//! ([`approval`]), turns the JSON into the tool's typed arguments, and runs it on the [`Session`]. A tool that needs something
//! from outside asks a [`Question`]; the host answers, and the same call is run again from the beginning.
//!
//! A tool is one file: its arguments and its structured result, whose doc comments become the schemas, its `run`, and its unit tests. To
//! add one, write the file, add a line to the registry and a row to the approval table, and accept the schemas.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod answer;
pub mod approval;
mod arguments;
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
