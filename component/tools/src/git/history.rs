//! The history: the commit graph, the meaning of revisions and branch names, and the comparison of branches.

pub mod branch_name;
pub mod decorations;
pub mod detached_head;
pub mod diff_selection;
pub mod graph;
pub mod lookup;
pub mod merge_base;
pub mod paint;
pub mod peeling;
pub mod rev_list;
pub mod revisions;
pub mod tracking;
