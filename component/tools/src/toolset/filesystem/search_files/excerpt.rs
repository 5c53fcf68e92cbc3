//! Chooses the part of a line to show.

use crate::toolset::filesystem::page::boundary;

/// Maximum number of bytes to show of a line.
const MAX_LINE: usize = 500;

/// Bytes to show before the match in a longer line.
const BEFORE_MATCH: usize = 100;

/// The line. Of a long line, the part where the match begins, with `...` for each omission.
pub fn excerpt(line: &[u8], start: usize, end: usize) -> Vec<u8> {
    if line.len() <= MAX_LINE {
        return line.to_vec();
    }
    let from = if end <= MAX_LINE { 0 } else { boundary(line, start.saturating_sub(BEFORE_MATCH)) };
    let to = boundary(line, (from + MAX_LINE).min(line.len()));
    let before: &[u8] = if from > 0 { b"..." } else { b"" };
    let after: &[u8] = if to < line.len() { b"..." } else { b"" };
    [before, &line[from..to], after].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t_search_files_07_of_a_long_line_the_part_around_the_match_is_shown() {
        assert_eq!(excerpt(b"short", 0, 1), b"short");
        let late = [&[b'a'; 2000][..], b"HIT", &[b'b'; 2000]].concat();
        let shown = String::from_utf8(excerpt(&late, 2000, 2003)).unwrap();
        assert!(
            shown.len() == MAX_LINE + 6
                && shown.starts_with("...a")
                && shown.ends_with("b...")
                && shown.contains("aHITb")
        );
        let umlauts = "é".repeat(2000);
        for start in (0..4000).step_by(2) {
            let shown = excerpt(umlauts.as_bytes(), start, start + 2);
            assert!(shown.len() <= MAX_LINE + 6 && std::str::from_utf8(&shown).is_ok(), "{start}");
        }
    }
}
