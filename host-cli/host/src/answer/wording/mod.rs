//! Errors, questions and ends in words, for a person, a program or the component.
//!
//! | file | what it has |
//! |---|---|
//! | `tool_error` | the host's errors as the component's |
//! | `words` | errors in words |
//! | `json` | questions and ends as JSON, for programs |
//! | `listed` | the files of a push as a person goes through them, as JSON |

pub mod json;
mod listed;
pub(crate) mod tool_error;
pub(crate) mod words;
