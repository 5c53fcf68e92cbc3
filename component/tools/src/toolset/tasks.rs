//! The tools of the toolset `tasks`: they record how the steps of tasks went, and tell the state that
//! follows from the records.
//!
//! | file | what it does |
//! |---|---|
//! | `record`, `state`, `list`, `next`, `lessons` | the tools |
//! | `plan` | a task file: which tasks there are, and what each depends on |
//! | `append_only` | refuses calls by which an agent would make records vanish |
//! | `reading` | what every tool that reads records begins with |
//! | `task` | a task in a result |

pub mod append_only;
pub mod lessons;
pub mod list;
pub mod next;
mod plan;
mod reading;
pub mod record;
pub mod state;
mod task;
#[cfg(all(test, not(target_os = "wasi")))]
mod tests;
