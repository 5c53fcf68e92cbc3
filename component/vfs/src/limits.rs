//! The limits of a tree.

/// Limits of a filesystem. A call that would exceed one fails and changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of all file contents and link targets together, including unlinked open files:
    /// `ENOSPC`.
    pub bytes: u64,
    /// Files, directories and links together: `ENOSPC`.
    pub files: u64,
    /// Bytes of one file: `EFBIG`.
    pub file_bytes: u64,
    /// Bytes of one path, and of a link's target: `ENAMETOOLONG`.
    pub path_bytes: usize,
    /// Open descriptors, including the three standard ones and the preopened root: `EMFILE`.
    pub open_files: usize,
}

impl Limits {
    /// The same limits, without those on what the tree holds: bytes, files, bytes of one file.
    pub fn of_size_lifted(self) -> Self {
        Self { bytes: u64::MAX, files: u64::MAX, file_bytes: u64::MAX, ..self }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 2 << 30, files: 2_000_000, file_bytes: 1 << 30, path_bytes: 4095, open_files: 1024 }
    }
}
