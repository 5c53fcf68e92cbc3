//! What gitgate adds to git: staged commits, which wait for a push, with ids that stay; the targets that they go to; what has landed there;
//! and the records of tasks.

pub mod fetch;
pub mod ids;
pub mod landed;
pub mod new_commit;
pub mod records;
pub mod restack;
pub mod rewritten;
pub mod staged_commit;
pub mod target;
pub mod targets;
pub mod wanted_blobs;
