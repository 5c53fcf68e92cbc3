//! The names of the sides of a conflict.

/// The labels after conflict markers (seed 000).
pub const LABELS: patch::merge::Labels<'static> =
    patch::merge::Labels { ours: b"ours (sandbox)", base: b"base", theirs: b"theirs (incoming)" };
