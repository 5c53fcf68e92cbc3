//! What a session keeps of its repository from call to call.

use crate::git::history::{graph, tracking};
use crate::git::staged::records::trail;
use crate::git::store::{flat_tree, index, repo};

/// One cache for each module that keeps something. A function takes the one that it uses, so no module below needs to know the others.
///
/// Everything in them is true only as long as the tree moves forward: they are dropped together.
#[derive(Default)]
pub struct Caches {
    /// gix's handle.
    pub repo: repo::Cache,
    /// The index.
    pub index: index::Cache,
    /// Trees as lists of files.
    pub trees: flat_tree::Cache,
    /// Commits as a walk needs them.
    pub history: graph::Cache,
    /// What commits record of tasks.
    pub records: trail::Cache,
    /// How the branch stands to its upstream.
    pub tracking: tracking::Cache,
}
