//! Which contents git treats as binary.

use bstr::ByteSlice;

/// A content with a NUL among this many first bytes is binary.
const FIRST_FEW_BYTES: usize = 8000;

/// Beyond this size git shows no lines (`core.bigFileThreshold`, 512 MiB).
const BIG_FILE_THRESHOLD: usize = 512 << 20;

/// Whether git, without attributes, calls `content` binary: a NUL in its first 8000 bytes, or more
/// than 512 MiB.
pub fn is_binary(content: &[u8]) -> bool {
    is_too_big(content) || content[..content.len().min(FIRST_FEW_BYTES)].find_byte(0).is_some()
}

/// Whether `content` is too big for a line diff, even if the caller wants everything as text.
pub(crate) fn is_too_big(content: &[u8]) -> bool {
    content.len() > BIG_FILE_THRESHOLD
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_nul_in_the_first_8000_bytes_counts() {
        let mut content = vec![b'x'; 9000];
        assert!(!is_binary(&content));
        content[8000] = 0;
        assert!(!is_binary(&content));
        content[7999] = 0;
        assert!(is_binary(&content));
        assert!(!is_binary(b""));
    }
}
