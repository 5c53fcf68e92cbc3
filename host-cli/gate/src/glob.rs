//! Patterns for names with slashes: branches, paths, targets.
//!
//! Neither globset nor gix-glob matches as this does: here `hot**fix` matches `hot/a/b/fix`, and `a[b]` itself; in both neither does.

use crate::look;

/// A piece of a pattern.
#[derive(Clone, Copy)]
enum Piece {
    /// `**`: anything.
    Any,
    /// `**/` at the start of a folder's name: any number of folders, or none.
    Folders,
    /// `*`: anything but a slash.
    Part,
    /// `?`: one character but a slash.
    One,
    /// A literal byte.
    Byte(u8),
}

fn pieces(glob: &[u8]) -> impl Iterator<Item = Piece> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let begins = at == 0 || glob[at - 1] == b'/';
        let (piece, len) = match &glob[at..] {
            [] => return None,
            [b'*', b'*', b'/', ..] if begins => (Piece::Folders, 3),
            [b'*', b'*', ..] => (Piece::Any, 2),
            [b'*', ..] => (Piece::Part, 1),
            [b'?', ..] => (Piece::One, 1),
            [b'\\', byte, ..] => (Piece::Byte(*byte), 2),
            [byte, ..] => (Piece::Byte(*byte), 1),
        };
        at += len;
        Some(piece)
    })
}

/// Whether `glob` matches all of `name`, in time proportional to the product of their lengths.
///
/// `*` is anything but a slash, `**` anything, `**/` at the start of a name any folders or none,
/// `?` one character but a slash. A backslash makes the next character literal.
pub fn matches(glob: &[u8], name: &[u8]) -> bool {
    // reachable[n]: the glob so far matches the first n bytes of the name.
    let mut reachable = vec![false; name.len() + 1];
    reachable[0] = true;
    for piece in pieces(glob) {
        let mut next = vec![false; name.len() + 1];
        // Whether an earlier start of the piece can extend to here.
        let mut begun = false;
        for n in 0..=name.len() {
            let before = n.checked_sub(1).map(|before| (reachable[before], next[before], name[before]));
            next[n] = match (piece, before) {
                (Piece::Any | Piece::Part | Piece::Folders, _) if reachable[n] => true,
                (_, None) => false,
                (Piece::Any, Some((_, matched, _))) => matched,
                (Piece::Part, Some((_, matched, byte))) => matched && byte != b'/',
                (Piece::Folders, Some((_, _, byte))) => begun && byte == b'/',
                // All bytes of a character in UTF-8.
                (Piece::One, Some((before, matched, byte))) => before && byte != b'/' || matched && byte & 0xc0 == 0x80,
                (Piece::Byte(wanted), Some((matched, _, byte))) => matched && byte == wanted,
            };
            begun |= reachable[n];
        }
        reachable = next;
    }
    reachable[name.len()]
}

/// Whether `glob` matches `name` exactly, or after both are folded as by a filesystem.
pub(crate) fn matches_alike(glob: &str, name: &[u8]) -> bool {
    matches(glob.as_bytes(), name) || matches(&folded(&unescaped(glob)), &folded(name))
}

/// A path or another name with slashes. Each part is folded as filesystems do.
pub(crate) fn folded(name: &[u8]) -> Vec<u8> {
    let parts: Vec<String> = name.split(|byte| *byte == b'/').map(look::fold).collect();
    parts.join("/").into_bytes()
}

/// The pattern without needless backslashes, so that folding the next character away leaves none
/// behind.
fn unescaped(glob: &str) -> Vec<u8> {
    let mut out = Vec::new();
    for piece in pieces(glob.as_bytes()) {
        match piece {
            Piece::Any => out.extend(b"**"),
            Piece::Folders => out.extend(b"**/"),
            Piece::Part => out.push(b'*'),
            Piece::One => out.push(b'?'),
            Piece::Byte(byte @ (b'*' | b'?' | b'\\')) => out.extend([b'\\', byte]),
            Piece::Byte(byte) => out.push(byte),
        }
    }
    out
}

/// The pattern that matches only `name`.
pub fn escaped(name: &str) -> String {
    name.chars().flat_map(|char| ['*', '?', '\\'].contains(&char).then_some('\\').into_iter().chain([char])).collect()
}

/// The literal start of `glob`, before its first wildcard.
pub(crate) fn literal(glob: &str) -> String {
    let bytes = pieces(glob.as_bytes()).map_while(|piece| match piece {
        Piece::Byte(byte) => Some(byte),
        _ => None,
    });
    String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{escaped, literal, matches, matches_alike};

    fn check(glob: &str, yes: &[&str], no: &[&str]) {
        for name in yes {
            assert!(matches(glob.as_bytes(), name.as_bytes()), "{glob} {name}");
        }
        for name in no {
            assert!(!matches(glob.as_bytes(), name.as_bytes()), "{glob} {name}");
        }
    }

    #[test]
    fn a_pattern_is_of_the_whole_name() {
        check("main", &["main"], &["mainx", "xmain", "a/main", "main/a", ""]);
        check("release/*", &["release/1", "release/"], &["release/1/x", "release"]);
        check("v?.x", &["v1.x"], &["v10.x", "v/.x"]);
        check("", &[""], &["a"]);
    }

    #[test]
    fn one_sign_is_one_character() {
        check("caf?.txt", &["cafe.txt", "caf\u{e9}.txt", "caf\u{1f600}.txt"], &["caf.txt", "cafee.txt", "caf/.txt"]);
    }

    #[test]
    fn what_is_escaped_stands_for_itself() {
        for name in [r"a\b", "a*b", "a?", "plain"] {
            assert!(matches(escaped(name).as_bytes(), name.as_bytes()), "{name}");
        }
        assert!(!matches(escaped("a*b").as_bytes(), b"axb"));
    }

    #[test]
    fn what_filesystems_take_for_one_is_alike() {
        for (glob, name) in
            [(r"notes/v1\.", "NOTES/v1"), ("\u{3c3}", "\u{3c2}"), ("stra\u{df}e", "STRASSE"), (r"a\*", "A*")]
        {
            assert!(matches_alike(glob, name.as_bytes()), "{glob} {name}");
        }
        assert!(!matches_alike(r"a\*", b"ab"));
    }

    #[test]
    fn what_a_pattern_names_literally_ends_before_its_first_sign() {
        for (glob, expected) in
            [("a/b", "a/b"), ("a/*b", "a/"), ("a?", "a"), (r"a\*b/c/**", "a*b/c/"), ("**/x", ""), ("é/?", "é/")]
        {
            assert_eq!(literal(glob), expected, "{glob}");
        }
    }

    #[test]
    fn two_stars_cross_slashes() {
        check("hot**fix", &["hot/a/b/fix", "hotfix"], &["hotfixes"]);
        check("docs/**", &["docs/a", "docs/a/b", "docs/"], &["docs", "a/docs/b"]);
        check("**", &["", "a", "a/b"], &[]);
    }

    #[test]
    fn two_stars_and_a_slash_are_any_folders_or_none() {
        check("**/*.md", &["a.md", "b/a.md", "c/b/a.md"], &["a.mdx", "a.md/b"]);
        check("src/**/x", &["src/x", "src/a/x", "src/a/b/x"], &["src/ax", "srcx", "src/a/bx"]);
        check("a**/x", &["a/x", "ab/x", "ab/c/x"], &["x", "ax"]);
    }

    #[test]
    fn what_follows_a_backslash_stands_for_itself() {
        check(r"a\*b", &["a*b"], &["axb", r"a\*b", r"a\b"]);
        check(r"\?\\", &[r"?\"], &["x", "?"]);
        check(r"a\", &[r"a\"], &["a"]);
    }

    #[test]
    fn attack_21_patterns_take_linear_time_for_each_of_their_bytes() {
        let glob = "*a".repeat(2000) + "b";
        assert!(!matches(glob.as_bytes(), "a".repeat(4000).as_bytes()));
    }
}
