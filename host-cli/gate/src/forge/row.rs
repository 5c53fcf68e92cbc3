//! What is to be said of a forge.

use super::{ChangeRequest, Conversation, Fault, Proposed, Server, Standing};
use crate::refname::BranchRef;

/// Opens the repository at a canonical location.
type Open = fn(&str) -> Result<Box<dyn Server>, Fault>;

/// Opens a change request in the repository at a canonical location, or finds the one that is open.
type Propose = fn(&str, Proposed) -> Result<Conversation<ChangeRequest>, Fault>;

/// Asks how the latest change request of a branch stands, `None` if it has none.
type Stands = fn(&str, BranchRef) -> Result<Conversation<Option<Standing>>, Fault>;

/// A forge, in the words that are shown and read.
pub(crate) struct Row {
    /// The word before the colon of a target, and the `type` in a tool's arguments.
    pub word: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What stands behind the colon, as usage shows it.
    pub place: &'static str,
    /// An example of that.
    pub example: &'static str,
    /// What stands behind `word` and a colon for an address of a repository, `None` for any other text.
    pub address: fn(&str) -> Option<&str>,
    /// The location that approvals are bound to, or why it is none.
    pub canonical: fn(&str) -> Result<String, &'static str>,
    /// The place that a person has written, or what is wrong with it.
    pub read: fn(&str) -> Result<String, Misspelt>,
    /// The repository at a canonical location.
    pub open: Open,
    /// Whether a request with this path is about a repository at one of these canonical locations.
    pub is_about: fn(path: &str, locations: &[&str]) -> bool,
    /// `None` if the forge has no change requests.
    pub propose: Option<Propose>,
    /// The same.
    pub stands: Option<Stands>,
}

/// What is wrong with a place that a person has written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misspelt {
    /// One sentence without a full stop.
    pub message: String,
    /// How to write it, if there is more to say than for any target.
    pub hint: Option<&'static str>,
}

impl Misspelt {
    pub(crate) fn new(message: String) -> Self {
        Misspelt { message, hint: None }
    }
}
