//! Changes to the checked-out state: merging, re-applying, switching and restoring, and git's unfinished operations.

pub mod branch_state;
pub mod concluded;
pub mod follow_head;
pub mod labels;
pub mod merged_index;
pub mod operation;
pub mod replay;
pub mod restoring;
pub mod three_way;
pub mod tree_merge;
pub mod two_way;
pub mod unfinished;
