//! What was done before, and how far it can be undone.

/// A call that has changed something.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Past {
    /// The host's name for the call.
    pub id: String,
    /// The tool.
    pub tool: String,
    /// What it did, in a line.
    pub summary: String,
    /// `agent` or `user`.
    pub caller: String,
    /// When, in RFC 3339.
    pub at: String,
    /// Whether an undo would take it back: it is a call that can be undone, and the tree before it is still kept.
    pub undoable: bool,
    /// The first of the paths that it added, modified or deleted: as many as are noted.
    pub changed: Vec<String>,
    /// How many paths that were.
    pub changed_count: u64,
}

/// What an undo does not go back beyond.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Horizon {
    /// The beginning of the sandbox.
    Beginning,
    /// Calls whose trees are no longer kept.
    Kept,
    /// A call of this tool, which brought what no tree before it has.
    Call(String),
    /// The sandbox's opening with zones that it did not have before.
    Zones,
}
