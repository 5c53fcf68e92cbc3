//! The caches of a session's repository, which live from call to call.

use crate::git::history::{graph, tracking};
use crate::git::staged::records::trail;
use crate::git::store::{flat_tree, index, repo};

/// The caches of all modules. Each function takes only the cache it uses, so the modules below need not know each other.
///
/// The caches are valid only while changes to the tree are followed. They are dropped together.
#[derive(Default)]
pub struct Caches {
    /// gix's repository handle.
    pub repo: repo::Cache,
    /// The index.
    pub index: index::Cache,
    /// Trees as lists of files.
    pub trees: flat_tree::Cache,
    /// Commits in the form that a walk needs.
    pub history: graph::Cache,
    /// The task records of commits.
    pub records: trail::Cache,
    /// How far each branch is ahead of and behind its upstream.
    pub tracking: tracking::Cache,
}
