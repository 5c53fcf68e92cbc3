//! What a long operation tells while it runs. The command line draws bars from it.

/// The part of a long operation that is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Objects are found and counted; the total is not known.
    Counting,
    /// Pack bytes are read or written; the unit is objects.
    Packing,
    /// The pack is verified; the unit is bytes.
    Verifying,
    /// What a push brings is written beside the worktree; the unit is files.
    Writing,
    /// It is put in its place in the worktree; the unit is files.
    Updating,
}

/// Receives stages and counts, from any thread, as often as the work finds convenient.
pub trait Progress: Sync {
    /// `done` units of `total` (when known) in this stage are finished. Counts of one stage never decrease.
    fn at(&self, stage: Stage, done: u64, total: Option<u64>);
}

/// Progress nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn at(&self, _: Stage, _: u64, _: Option<u64>) {}
}
