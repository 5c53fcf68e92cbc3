//! gitgate's additions to git: staged commits, which wait for a push and have stable ids, their targets, the commits that have landed
//! there, and task records.

pub mod fetch;
pub mod ids;
pub mod landed;
pub mod new_commit;
pub mod records;
pub mod restack;
pub mod rewritten;
pub mod signed;
pub mod staged_commit;
pub mod target;
pub mod targets;
pub mod wanted_blobs;
