//! Progress of a long operation. The command line draws bars from it.

/// The current stage of a long operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Objects are found and counted; the total is not known.
    Counting,
    /// Pack bytes are read or written; the unit is objects.
    Packing,
    /// The pack is verified; the unit is bytes.
    Verifying,
    /// New files are written beside the worktree; the unit is files.
    Writing,
    /// They are moved into the worktree; the unit is files.
    Updating,
}

/// Receives stages and counts, from any thread, as often as the work finds convenient.
pub trait Progress: Sync {
    /// `done` units of `total` (when known) in this stage are finished. Counts of one stage never
    /// decrease.
    fn at(&self, stage: Stage, done: u64, total: Option<u64>);
}

/// Progress nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn at(&self, _: Stage, _: u64, _: Option<u64>) {}
}
