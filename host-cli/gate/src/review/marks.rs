//! Detects Git LFS pointers.

/// The first line of every pointer of Git LFS.
const LFS: &[u8] = b"version https://git-lfs.github.com/spec/v1\n";
/// The most bytes of a pointer.
const POINTER: usize = 1024;

/// True if a file is only a pointer to content in Git LFS.
pub(super) fn lfs_pointer(content: &[u8]) -> bool {
    content.len() <= POINTER && content.starts_with(LFS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_is_small_and_starts_as_one() {
        let pointer = [LFS, b"oid sha256:0\nsize 1\n"].concat();
        assert!(lfs_pointer(&pointer));
        assert!(!lfs_pointer(&pointer[1..]));
        assert!(!lfs_pointer(&[&pointer[..], &[b'x'; POINTER]].concat()));
    }
}
