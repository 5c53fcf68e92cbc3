//! Errors, questions and ends in words, for a person, a program or the component.
//!
//! | file | what it has |
//! |---|---|
//! | `tool_error` | the host's errors as the component's |
//! | `words` | errors in words |
//! | `json` | questions and ends as JSON, for programs |

pub mod json;
pub(crate) mod tool_error;
pub(crate) mod words;
