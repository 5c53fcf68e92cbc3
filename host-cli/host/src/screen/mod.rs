//! Formats text for a person. Escapes everything that a terminal would obey.

pub mod audit;
pub mod status;
pub mod tasks;
pub mod times;

/// Text of several lines. Characters that a terminal would obey, hide or reorder are escaped.
pub fn block(text: &str) -> String {
    gate::reveal::reveal(&patch::escape::escape(text.as_bytes())).into_owned()
}

/// Text of one line. Line ends and tabs are escaped, too.
pub fn line(text: &str) -> String {
    block(text).replace('\n', "\\n").replace('\r', "\\r").replace('\t', "\\t")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attack_15_a_line_stays_one_line_and_obeys_nothing() {
        assert_eq!(line("a\tb\r\nc\x1b[2J\u{202e}d\u{7f}"), "a\\tb\\r\\nc\\x1b[2J<U+202E>d\\x7f");
        assert_eq!(block("a\nb\x1b]52;c;x\x07"), "a\nb\\x1b]52;c;x\\x07");
    }
}
