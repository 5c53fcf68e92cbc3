//! File name patterns of commands, with short ways for the usual ones.

use bstr::ByteSlice;

use crate::expand::pattern::Pattern;

/// A pattern as fnmatch reads it, without options: a star matches slashes and dots as well.
#[derive(Clone, Debug)]
pub enum Glob {
    /// This text.
    Text(Vec<u8>),
    /// What ends like this.
    End(Vec<u8>),
    /// What begins like this.
    Begin(Vec<u8>),
    /// What has this in it.
    Inside(Vec<u8>),
    /// Any other.
    Pattern(Pattern),
}

impl Glob {
    /// Reads a pattern.
    pub fn new(written: &[u8], ignores_case: bool) -> Glob {
        let is_plain = |text: &[u8]| !text.iter().any(|byte| b"*?[\\".contains(byte));
        if !ignores_case {
            if is_plain(written) {
                return Glob::Text(written.to_vec());
            }
            let behind = written.strip_prefix(b"*");
            let before = written.strip_suffix(b"*");
            match (behind, before) {
                (Some(text), _) if is_plain(text) => return Glob::End(text.to_vec()),
                (_, Some(text)) if is_plain(text) => return Glob::Begin(text.to_vec()),
                (Some(text), Some(_)) if text.len() > 1 && is_plain(&text[..text.len() - 1]) => {
                    return Glob::Inside(text[..text.len() - 1].to_vec());
                }
                _ => (),
            }
        }
        Glob::Pattern(pattern(written).ignoring_case(ignores_case))
    }

    /// Whether it matches the whole text.
    pub fn matches(&self, text: &[u8]) -> bool {
        match self {
            Glob::Text(whole) => whole == text,
            Glob::End(end) => text.ends_with(end),
            Glob::Begin(begin) => text.starts_with(begin),
            Glob::Inside(part) => text.contains_str(part),
            Glob::Pattern(pattern) => pattern.matches(text),
        }
    }
}

/// The shell's extended patterns are none here: their parentheses stand for themselves.
fn pattern(written: &[u8]) -> Pattern {
    let mut plain = Vec::new();
    let mut quoted = Vec::new();
    let mut escapes = false;
    for byte in written {
        if *byte == b'\\' && !escapes {
            escapes = true;
            continue;
        }
        plain.push(*byte);
        quoted.push(escapes || *byte == b'(');
        escapes = false;
    }
    Pattern::of(&plain, &quoted)
}
