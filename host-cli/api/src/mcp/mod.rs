//! The tools over the Model Context Protocol: what every body says to a client, and the whole of
//! streamable HTTP without sessions. The protocol's own types are `rmcp`'s.
//!
//! | file | what it does |
//! |---|---|
//! | `tool` | what a client is told of a tool |
//! | `result` | how a call ended |
//! | `head` | the headers that repeat what a message says |
//! | `asked` | what a message asks for |
//! | `speaking` | a call that a client has asked for, on its way |

mod asked;
mod head;
mod result;
mod speaking;
mod tool;

pub use result::{ERROR, failed, result};
pub use tool::tool;

pub(crate) use asked::{Heard, hear};
pub(crate) use head::Head;
pub(crate) use speaking::Speaking;

/// How to work in a sandbox, for an agent.
pub const INSTRUCTIONS: &str = include_str!("instructions.md");
