//! Estimates the work of matching a glob. git's matcher tries a `**` at every folder of a path, and for each of these places the next `**`
//! at every later folder.

/// The most placements of a glob's `**` that a match against one path may try.
const MOST: u128 = 1_000_000;

/// The number of `**` in a glob, or an upper bound if `line` holds more than a glob.
pub fn double_stars(line: &[u8]) -> usize {
    line.split(|&byte| byte != b'*').filter(|stars| stars.len() > 1).count()
}

/// The most `**` in a line of `rules`.
pub fn most_double_stars(rules: &[u8]) -> usize {
    rules.split(|&byte| byte == b'\n').map(double_stars).max().unwrap_or_default()
}

/// Whether matching a glob with this many `**` against `path` takes a bearable time.
pub fn is_bounded(double_stars: usize, path: &[u8]) -> bool {
    // A single `**` has only as many places as there are folders.
    if double_stars < 2 {
        return true;
    }
    let folders = path.iter().filter(|&&byte| byte == b'/').count();
    // The binomial coefficient of `folders + double_stars` over `double_stars`. Each step yields a whole number, larger than the last.
    let mut ways: u128 = 1;
    for (folder, star) in (folders as u128 + 1..).zip(1..=double_stars as u128) {
        ways = ways * folder / star;
        if ways > MOST {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_stars_are_counted() {
        for (line, count) in [("", 0), ("*.rs text", 0), ("**", 1), ("**/a/**/b", 2), ("a***b", 1), ("*a*b**", 1)] {
            assert_eq!(double_stars(line.as_bytes()), count, "{line}");
        }
        assert_eq!(most_double_stars(b"a\n**/b/**\n**/c\n"), 2);
        assert_eq!(most_double_stars(b""), 0);
    }

    #[test]
    fn what_people_write_is_bounded_and_what_takes_for_ever_is_not() {
        let deep = |folders: usize| "a/".repeat(folders) + "a";
        for (stars, folders) in [(0, 2000), (1, 2000), (2, 1000), (3, 100), (5, 30), (60, 1), (1000, 0)] {
            assert!(is_bounded(stars, deep(folders).as_bytes()), "{stars} in {folders}");
        }
        for (stars, folders) in [(2, 2000), (3, 200), (40, 40), (60, 800), (2000, 2)] {
            assert!(!is_bounded(stars, deep(folders).as_bytes()), "{stars} in {folders}");
        }
    }
}
