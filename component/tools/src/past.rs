//! Earlier calls, and how far they can be undone.

/// A call that changed something.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Past {
    /// The host's name for the call.
    pub id: String,
    /// The tool's name.
    pub tool: String,
    /// A one-line summary of what it did.
    pub summary: String,
    /// `agent` or `user`.
    pub caller: String,
    /// The time of the call, in RFC 3339.
    pub at: String,
    /// Whether an undo could take the call back: the call can be undone, and the tree before it is still kept.
    pub undoable: bool,
    /// The first paths that the call added, modified or deleted, as many as the host notes.
    pub changed: Vec<String>,
    /// How many paths the call changed in total.
    pub changed_count: u64,
}

/// Where undo has to stop.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Horizon {
    /// The beginning of the sandbox.
    Beginning,
    /// The host no longer keeps the trees of earlier calls.
    Kept,
    /// A call of this tool brought something that no earlier tree has.
    Call(String),
    /// The sandbox was opened with additional zones.
    Zones,
}
