//! The function name that a hunk header shows after `@@`.

/// The longest function name that a hunk header shows, in bytes.
const LONGEST_NAME: usize = 80;

/// Which lines start a function (git's userdiff drivers).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Driver {
    /// A line that starts with an ASCII letter, `_` or `$`.
    #[default]
    Default,
}

impl Driver {
    /// The name that `line` gives to the lines after it, or `None` if it starts no function.
    ///
    /// The line is cut to 80 bytes first and trailing white space is dropped after, as git does it.
    pub fn name(self, line: &[u8]) -> Option<&[u8]> {
        match self {
            Self::Default => {
                let first = *line.first()?;
                if !(first.is_ascii_alphabetic() || first == b'_' || first == b'$') {
                    return None;
                }
                let cut = &line[..line.len().min(LONGEST_NAME)];
                let end = cut.iter().rposition(|byte| !is_space(*byte))?;
                Some(&cut[..=end])
            }
        }
    }
}

/// White space as git's own `isspace` has it: no form feed, no vertical tab.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(line: &[u8]) -> Option<&[u8]> {
        Driver::Default.name(line)
    }

    #[test]
    fn a_letter_underscore_or_dollar_starts_a_function() {
        assert_eq!(name(b"fn main() {\r\n"), Some(&b"fn main() {"[..]));
        assert_eq!(name(b"_start:\n"), Some(&b"_start:"[..]));
        assert_eq!(name(b"$ENTRY"), Some(&b"$ENTRY"[..]));
        assert_eq!(name(b" indented\n"), None);
        assert_eq!(name(b"1. list\n"), None);
        assert_eq!(name("é\n".as_bytes()), None);
        assert_eq!(name(b""), None);
    }

    #[test]
    fn the_cut_comes_before_the_trim() {
        let line = [vec![b'a'; 70], vec![b' '; 20], b"end\n".to_vec()].concat();
        assert_eq!(name(&line), Some(&line[..70]));
    }
}
