//! The tools over the Model Context Protocol: the answers of every server to a client, and
//! streamable HTTP without sessions. The protocol's types come from `rmcp`.
//!
//! | file | what it does |
//! |---|---|
//! | `tool` | describes a tool to a client |
//! | `result` | the outcome of a call |
//! | `head` | the headers that repeat parts of a message |
//! | `asked` | the request in a message |
//! | `speaking` | a running call of a client |

mod asked;
mod head;
mod result;
mod speaking;
mod tool;

pub use result::{ERROR, failed, result};
pub use tool::{Form, tool};

pub(crate) use asked::{Heard, hear};
pub(crate) use head::Head;
pub(crate) use speaking::Speaking;

/// Instructions for an agent in a sandbox.
pub const INSTRUCTIONS: &str = include_str!("instructions.md");
