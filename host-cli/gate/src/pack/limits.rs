//! The limits of a pack.

/// Who made the objects of a pack. This decides how strictly their format is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The sandbox. The path rules apply, every rule of `git fsck --strict` about a single object, and the rules that keep a review true
    /// (no signature, no encoding, no empty folder). [`crate::push::check`] checks `.gitmodules` and `.gitattributes`, because a blob does
    /// not say which name a tree gives it.
    New,
    /// The sandbox, for a commit that the host has signed itself: it has the signature, and for the rest the rules for [`Origin::New`] apply.
    Signed,
    /// The person's own repository, read by the host. Faults of format that old histories have (zero-padded modes, odd headers, unsorted
    /// trees) pass. Unsafe paths and duplicate names never do.
    Supplied,
}

/// Upper bounds, all inclusive. Each is checked against stated sizes before memory is allocated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackLimits {
    /// Bytes of the pack itself.
    pub pack_bytes: u64,
    /// Objects in the pack.
    pub objects: u32,
    /// Bytes of one object, inflated and with deltas applied.
    pub object_bytes: u64,
    /// Bytes of all objects together, inflated and with deltas applied, plus the inflated deltas.
    pub total_bytes: u64,
    /// The same bytes for each byte of the pack. [`PackLimits::FREE_BYTES`] do not count, so that a small push of one well-compressed file
    /// passes.
    pub ratio: u64,
    /// Deltas between an object and the whole object at the root of its chain.
    pub delta_depth: u32,
    /// Bytes of intermediate contents kept at a time. Others are recomputed.
    pub memory: usize,
    /// Threads for verification, on hosts that have them.
    pub threads: usize,
}

impl PackLimits {
    /// The number of threads actually used: wasm has one.
    pub(super) fn workers(&self) -> usize {
        if cfg!(target_family = "wasm") { 1 } else { self.threads }
    }

    /// Inflated bytes that the ratio does not count.
    pub const FREE_BYTES: u64 = 256 << 20;

    /// For packs from a sandbox.
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
