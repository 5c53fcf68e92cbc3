//! Task records: commits that describe the outcome of a step of a task (seed 004). Their history is the only place that stores the state of
//! a task.
//!
//! | file | what it does |
//! |---|---|
//! | `step` | the steps of a task, how they end, and the status that follows |
//! | `id` | names of tasks |
//! | `message` | reads and writes a record as a commit message |
//! | `trail` | the records of a branch, latest first |
//! | `chart` | the state that follows from the records of a task |

pub mod chart;
pub mod id;
pub mod message;
pub mod step;
pub mod trail;
