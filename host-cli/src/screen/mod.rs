//! What a person reads: text that a terminal shows and does not obey.

pub mod progress;
pub mod status;

/// A size as the screens have it: bytes below 100, then `0.1 KB`, `1.2 KB`, `3.4 MB` (of 1024 each).
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KB", "MB", "GB", "TB"];
    if bytes < 100 {
        return format!("{bytes} B");
    }
    let (mut value, mut unit) = (bytes as f64 / 1024.0, 0);
    while value >= 1023.95 && unit < UNITS.len() - 1 {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

/// Text of several lines: what a terminal would obey, hide or reorder stands as what it is.
pub fn block(text: &str) -> String {
    patch::escape::reveal(&patch::escape::escape(text.as_bytes()))
}

/// Text of one line; line ends and tabs are shown, too.
pub fn line(text: &str) -> String {
    block(text).replace('\n', "\\n").replace('\r', "\\r").replace('\t', "\\t")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_as_the_screens_have_them() {
        for (bytes, words) in
            [(0, "0 B"), (99, "99 B"), (820, "0.8 KB"), (1229, "1.2 KB"), (2150, "2.1 KB"), (1_048_570, "1.0 MB")]
        {
            assert_eq!(size(bytes), words);
        }
    }

    #[test]
    fn attack_15_a_line_stays_one_line_and_obeys_nothing() {
        assert_eq!(line("a\tb\r\nc\x1b[2J\u{202e}d\u{7f}"), "a\\tb\\r\\nc\\x1b[2J<U+202E>d\\x7f");
        assert_eq!(block("a\nb\x1b]52;c;x\x07"), "a\nb\\x1b]52;c;x\\x07");
    }
}
