//! The tools named after git's commands, and those for staged commits.

pub mod add;
pub mod blame;
pub mod branch;
pub mod branches;
pub mod checkout;
pub mod commit;
pub mod diff;
pub mod discard;
pub mod log;
pub mod merge;
pub mod pull;
pub mod push;
pub mod restore;
pub mod revise;
pub mod show;
pub mod stage;
pub mod stash;
pub mod status;
pub mod upstream;
