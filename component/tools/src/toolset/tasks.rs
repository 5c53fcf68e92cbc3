//! The tools of the toolset `tasks`. They record the steps of tasks, and derive the state of tasks from the records.
//!
//! | file | what it does |
//! |---|---|
//! | `record`, `state`, `list`, `next`, `lessons` | the tools |
//! | `plan` | a task file: its tasks and their dependencies |
//! | `append_only` | refuses an agent's calls that would remove records |
//! | `reading` | the common start of every tool that reads records |
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
