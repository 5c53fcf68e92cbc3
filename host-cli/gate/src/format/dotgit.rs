//! The names that some filesystem takes for `.git`, `.gitmodules`, `.` or `..`.
//!
//! The rules are those of git's `verify_path` with both `core.protectHFS` and `core.protectNTFS`.
//! They refuse a name if any filesystem that a clone may land on would open another file for it.
//!
//! The tools read names by code of their own, `paths::unsafe_name`, on purpose: a mistake on one side of the wall must not be a mistake on
//! both. The fuzz target `paths` compares the two on every name that it makes up, and each test run repeats its kept inputs.

use std::borrow::Cow;

/// Why no tree may contain `name`, one component of a path.
pub(super) fn unsafe_name(name: &[u8]) -> Option<&'static str> {
    // Most names look like this and need no closer look.
    if name.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')) {
        return name.is_empty().then_some("an empty name");
    }
    if name.contains(&b'/') {
        return Some("a name with a slash");
    }
    if name.contains(&0) {
        return Some("a name with a NUL");
    }
    // On Windows a backslash separates folders, so each part must be harmless by itself.
    for part in name.split(|byte| *byte == b'\\') {
        let part = without_ignorable(part);
        if part.as_ref() == b"." || part.as_ref() == b".." {
            return Some("a name that means this folder or its parent");
        }
        if is_dotgit(&part) {
            return Some("a name that a filesystem takes for .git");
        }
    }
    None
}

/// Whether a checkout may write `name`, one component of a path, of a file, folder or symlink.
pub fn is_safe_name(name: &[u8], is_symlink: bool) -> bool {
    unsafe_name(name).is_none() && !(is_symlink && is_gitmodules(name))
}

/// Whether some filesystem takes `name`, or the part after a backslash in it, for `.gitmodules`.
pub(super) fn is_gitmodules(name: &[u8]) -> bool {
    let parts = without_ignorable(name);
    parts.split(|byte| *byte == b'\\').any(|part| is_ntfs_dot_generic(part, b"gitmodules", b"gi7eba"))
}

/// Whether some filesystem takes `name`, or the part after a backslash in it, for `.gitattributes`.
pub(super) fn is_gitattributes(name: &[u8]) -> bool {
    let parts = without_ignorable(name);
    parts.split(|byte| *byte == b'\\').any(|part| is_ntfs_dot_generic(part, b"gitattributes", b"gi7d29"))
}

/// `.git` or its NTFS short name, in any case, then only characters that NTFS drops.
fn is_dotgit(name: &[u8]) -> bool {
    [&b".git"[..], b"git~1"].iter().any(|alias| {
        name.split_at_checked(alias.len())
            .is_some_and(|(head, tail)| head.eq_ignore_ascii_case(alias) && ntfs_drops(tail))
    })
}

/// Whether NTFS drops `tail` from the end of a name: dots and spaces, then at most a stream.
fn ntfs_drops(tail: &[u8]) -> bool {
    matches!(tail.iter().find(|byte| !matches!(byte, b'.' | b' ')), None | Some(b':'))
}

/// `.<long>` under any alias that NTFS makes for it: the short name of the first six letters with
/// `~1` to `~4`, or the hashed one that starts with `hashed`.
fn is_ntfs_dot_generic(name: &[u8], long: &[u8], hashed: &[u8; 6]) -> bool {
    if let Some(rest) = name.strip_prefix(b".")
        && let Some((head, tail)) = rest.split_at_checked(long.len())
        && head.eq_ignore_ascii_case(long)
    {
        return ntfs_drops(tail);
    }
    let Some((short, tail)) = name.split_at_checked(8) else {
        return false;
    };
    if short[..6].eq_ignore_ascii_case(&long[..6]) && short[6] == b'~' && (b'1'..=b'4').contains(&short[7]) {
        return ntfs_drops(tail);
    }
    let Some(tilde) = short.iter().position(|byte| *byte == b'~') else {
        return false;
    };
    let (letters, digits) = (&short[..tilde], &short[tilde + 1..]);
    tilde <= 6
        && letters.eq_ignore_ascii_case(&hashed[..tilde])
        && digits.first().is_some_and(|first| (b'1'..=b'9').contains(first))
        && digits.iter().all(u8::is_ascii_digit)
        && ntfs_drops(tail)
}

/// The name without the characters that HFS+ ignores: U+200C to U+200F, U+202A to U+202E, U+206A to
/// U+206F and U+FEFF.
fn without_ignorable(name: &[u8]) -> Cow<'_, [u8]> {
    if !name.iter().any(|byte| matches!(byte, 0xe2 | 0xef)) {
        return Cow::Borrowed(name);
    }
    let mut out = Vec::with_capacity(name.len());
    let mut rest = name;
    while let Some((&first, after)) = rest.split_first() {
        rest = match rest {
            [0xe2, 0x80, 0x8c..=0x8f | 0xaa..=0xae, tail @ ..]
            | [0xe2, 0x81, 0xaa..=0xaf, tail @ ..]
            | [0xef, 0xbb, 0xbf, tail @ ..] => tail,
            _ => {
                out.push(first);
                after
            }
        };
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attack_07_every_alias_of_dot_git_is_unsafe() {
        for name in [
            ".git",
            ".GIT",
            ".Git",
            ".git.",
            ".git ",
            ".git. . .",
            ".git::$INDEX_ALLOCATION",
            ".git:x",
            ".git...:stream",
            "git~1",
            "GIT~1",
            "git~1.",
            "git~1 ",
            "git~1:x",
            ".g\u{200c}it",
            "\u{200d}.git",
            ".git\u{feff}",
            ".gi\u{202e}t",
            ".\u{206a}git",
            "a\\.git",
            ".git\\hooks",
            "x\\git~1\\y",
            ".",
            "..",
            ".\u{200c}.",
            "..\\x",
            "a\\..\\b",
            "a/b",
            "/",
            "",
            "a\0b",
            "\\..",
        ] {
            assert!(unsafe_name(name.as_bytes()).is_some(), "{name:?}");
        }
    }

    #[test]
    fn ordinary_names_are_safe() {
        for name in [
            "a",
            ".gitignore",
            ".gitattributes",
            ".gitmodules",
            ".github",
            ".gita",
            "git",
            "git~2",
            "...",
            ".. a",
            "x.git",
            "a b",
            "a\\b",
            "äöü",
            "日本",
            "\u{e9}.txt",
            "\u{2026}",
            "gitx1",
            ".git-blame",
            "con",
            "a:b",
            "a\u{200d}b",
        ] {
            assert_eq!(unsafe_name(name.as_bytes()), None, "{name:?}");
        }
    }

    #[test]
    fn attack_09_every_alias_of_gitmodules_is_known() {
        for name in [
            ".gitmodules",
            ".GITMODULES",
            ".gitmodules ",
            ".gitmodules.",
            ".gitmodules:$DATA",
            "gitmod~1",
            "GITMOD~4 ",
            "gi7eba~1",
            "gi7eb~10",
            "g~123456",
            "~1234567",
            ".git\u{200c}modules",
            "a\\.gitmodules",
        ] {
            assert!(is_gitmodules(name.as_bytes()), "{name:?}");
        }
        for name in [".gitattributes", ".GitAttributes.", "gitatt~1", "gi7d29~9", ".git\u{200d}attributes:x"] {
            assert!(is_gitattributes(name.as_bytes()) && !is_gitmodules(name.as_bytes()), "{name:?}");
        }
        for name in
            [".gitmodulesx", "gitmod~5", "gitmod~0", "gi7eba~0", "gi7ebx~1", "gitmodules", ".gitmodule", "gi7d29~1"]
        {
            assert!(!is_gitmodules(name.as_bytes()), "{name:?}");
        }
    }
}
