//! The tools named after git's commands, and those for staged commits.

pub mod add;
pub mod blame;
pub mod branch;
pub mod branches;
pub mod checkout;
pub mod cherry_pick;
pub mod commit;
pub mod diff;
pub mod discard;
mod integrate;
pub mod log;
pub mod merge;
pub mod merge_branch;
mod picking;
pub mod pull;
pub mod push;
pub mod restore;
pub mod revert;
pub mod review;
pub mod revise;
pub mod show;
pub mod stage;
pub mod stash;
pub mod status;
pub mod tag;
pub mod upstream;
