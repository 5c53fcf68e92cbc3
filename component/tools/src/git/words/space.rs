//! White space as git sees it in commits: no form feed and no vertical tab (git's `isspace`).

/// Whether `byte` is white space to git.
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Whether `line` has only white space.
pub fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| is_space(*byte))
}

/// Trims white space as git sees it.
pub trait TrimSpace {
    /// Trims the beginning.
    fn trim_space_start(&self) -> &[u8];
    /// Trims the end.
    fn trim_space_end(&self) -> &[u8];
    /// Trims both ends.
    fn trim_space(&self) -> &[u8];
}

impl TrimSpace for [u8] {
    fn trim_space_start(&self) -> &[u8] {
        let start = self.iter().position(|byte| !is_space(*byte)).unwrap_or(self.len());
        &self[start..]
    }

    fn trim_space_end(&self) -> &[u8] {
        let end = self.iter().rposition(|byte| !is_space(*byte)).map_or(0, |last| last + 1);
        &self[..end]
    }

    fn trim_space(&self) -> &[u8] {
        self.trim_space_start().trim_space_end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn form_feeds_and_what_is_no_character_are_kept() {
        for (text, start, end) in [
            (&b" \t\r\na b \n"[..], &b"a b \n"[..], &b" \t\r\na b"[..]),
            (b"\x0c a \x0b", b"\x0c a \x0b", b"\x0c a \x0b"),
            (b" \xff ", b"\xff ", b" \xff"),
            (b" \n", b"", b""),
            (b"", b"", b""),
        ] {
            assert_eq!((text.trim_space_start(), text.trim_space_end()), (start, end));
            assert_eq!(text.trim_space(), start.trim_space_end());
        }
    }
}
