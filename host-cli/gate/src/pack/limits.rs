//! What a pack may ask of the host before it is refused.

/// Who made the objects of a pack, which decides how strictly their format is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// They come out of a sandbox: the path rules hold, every rule of `git fsck --strict` that one object can
    /// break, and those that keep a review true (no signature, no encoding, no empty folder). What
    /// `.gitmodules` and `.gitattributes` hold, [`crate::push::check`] looks into, as a blob does not say
    /// which name a tree gives it.
    New,
    /// The host read them from the person's own repository: faults of format that old histories have
    /// (zero-padded modes, odd headers, unsorted trees) pass; unsafe paths and duplicate names never do.
    Supplied,
}

/// Upper bounds, all inclusive. Every one is checked against what headers state before memory is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackLimits {
    /// Bytes of the pack itself.
    pub pack_bytes: u64,
    /// Objects in the pack.
    pub objects: u32,
    /// Bytes of one object, inflated and with deltas applied.
    pub object_bytes: u64,
    /// Bytes of all objects together, inflated and with deltas applied, and of the inflated deltas.
    pub total_bytes: u64,
    /// The same bytes for each byte of the pack. [`PackLimits::FREE_BYTES`] are free of it, so that
    /// a small push of one well-compressed file passes.
    pub ratio: u64,
    /// Deltas between an object and the whole object at the root of its chain.
    pub delta_depth: u32,
    /// Bytes of intermediate content kept at once; more is recomputed instead of kept.
    pub memory: usize,
    /// Threads to verify with, on hosts that have them.
    pub threads: usize,
}

impl PackLimits {
    /// How many threads there really are: wasm has one.
    pub(super) fn workers(&self) -> usize {
        if cfg!(target_family = "wasm") { 1 } else { self.threads }
    }

    /// Inflated bytes that the ratio does not count.
    pub const FREE_BYTES: u64 = 256 << 20;

    /// For packs that come out of a sandbox.
    pub fn push() -> Self {
        PackLimits {
            pack_bytes: 512 << 20,
            objects: 500_000,
            object_bytes: 256 << 20,
            total_bytes: 4 << 30,
            ratio: 200,
            delta_depth: 4095,
            memory: 128 << 20,
            threads: 2,
        }
    }

    /// For packs that the host read from the person's own repository.
    pub fn import() -> Self {
        PackLimits {
            pack_bytes: 4 << 30,
            objects: 20_000_000,
            object_bytes: 1 << 30,
            total_bytes: 1 << 40,
            ratio: 10_000,
            delta_depth: 4095,
            memory: 256 << 20,
            threads: 2,
        }
    }
}

impl Default for PackLimits {
    fn default() -> Self {
        PackLimits::push()
    }
}
