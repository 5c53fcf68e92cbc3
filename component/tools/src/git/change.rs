//! Changes of what is checked out: merging, re-applying, switching and restoring, and the operations that wait for their end.

pub mod branch_state;
pub mod follow_head;
pub mod labels;
pub mod operation;
pub mod replay;
pub mod restoring;
pub mod tree_merge;
pub mod two_way;
pub mod unfinished;
