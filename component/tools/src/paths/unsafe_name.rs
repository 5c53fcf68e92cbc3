//! Names that some filesystem treats as `.git`, `.gitmodules`, `.` or `..`.
//!
//! A repository may go to any kind of machine, so a name means everything that any of them would open for it. The rules are those of git's
//! `verify_path` with `core.protectHFS` and `core.protectNTFS` on. A commit with such a name could be staged but never leave, because
//! receivers refuse it. So this module refuses it first.
//!
//! The gate reads names by code of its own, `gate::format`, on purpose: a mistake on one side of the wall must not be a mistake on both. The
//! fuzz target `paths` compares the two on every name that it makes up, and each test run repeats its kept inputs.

use std::borrow::Cow;

/// What some filesystem opens for a name.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Alias {
    /// The repository's own folder.
    GitFolder,
    /// This folder or its parent.
    ThisOrAbove,
}

/// What some filesystem treats `name`, one component of a path, as. The repository's folder takes precedence.
pub fn alias(name: &[u8]) -> Option<Alias> {
    // Windows treats a backslash as a separator, so each part is a name of its own.
    let parts = || name.split(|byte| *byte == b'\\').map(without_ignorable);
    if parts().any(|part| is_git_folder(&part)) {
        return Some(Alias::GitFolder);
    }
    parts().any(|part| matches!(&*part, b"." | b"..")).then_some(Alias::ThisOrAbove)
}

/// Whether some filesystem treats `name`, or a part of it after a backslash, as `.gitmodules`.
pub fn is_gitmodules(name: &[u8]) -> bool {
    let is_one = |name: &[u8]| {
        let rest = after(name, b".gitmodules").or_else(|| short_name(name)).or_else(|| hashed_short_name(name));
        rest.is_some_and(is_dropped)
    };
    name.split(|byte| *byte == b'\\').any(|part| is_one(&without_ignorable(part)))
}

fn is_git_folder(name: &[u8]) -> bool {
    let rest = after(name, b".git").or_else(|| after(name, b"git~1"));
    rest.is_some_and(is_dropped)
}

/// The rest of `name` after `start`, ignoring case.
fn after<'n>(name: &'n [u8], start: &[u8]) -> Option<&'n [u8]> {
    let (head, rest) = name.split_at_checked(start.len())?;
    head.eq_ignore_ascii_case(start).then_some(rest)
}

/// The rest after one of the first short names that NTFS gives `.gitmodules`: `gitmod~1` to `gitmod~4`.
fn short_name(name: &[u8]) -> Option<&[u8]> {
    match after(name, b"gitmod~")? {
        [b'1'..=b'4', rest @ ..] => Some(rest),
        _ => None,
    }
}

/// The rest after the short name that NTFS gives `.gitmodules` if those are taken. It has eight bytes: the beginning of a hash, a tilde and
/// a number.
fn hashed_short_name(name: &[u8]) -> Option<&[u8]> {
    const HASHED: &[u8] = b"gi7eba";
    let (short, rest) = name.split_at_checked(8)?;
    let tilde = short.iter().position(|byte| *byte == b'~')?;
    let (letters, number) = (&short[..tilde], &short[tilde + 1..]);
    let is_number = number.first().is_some_and(|first| *first != b'0') && number.iter().all(u8::is_ascii_digit);
    let is_hash = HASHED.get(..tilde).is_some_and(|hashed| letters.eq_ignore_ascii_case(hashed));
    (is_number && is_hash).then_some(rest)
}

/// Whether NTFS drops `rest` from the end of a name: dots and spaces, or a stream after them.
fn is_dropped(rest: &[u8]) -> bool {
    let kept = rest.iter().find(|byte| !matches!(byte, b'.' | b' '));
    kept.is_none_or(|byte| *byte == b':')
}

/// The name without the characters that HFS+ ignores: U+200C to U+200F, U+202A to U+202E, U+206A to U+206F, and U+FEFF.
fn without_ignorable(name: &[u8]) -> Cow<'_, [u8]> {
    if !name.iter().any(|byte| matches!(byte, 0xe2 | 0xef)) {
        return Cow::Borrowed(name);
    }
    let is_ignorable = |character: &[u8]| {
        matches!(
            character,
            [0xe2, 0x80, 0x8c..=0x8f | 0xaa..=0xae] | [0xe2, 0x81, 0xaa..=0xaf] | [0xef, 0xbb, 0xbf]
        )
    };
    let mut seen = Vec::with_capacity(name.len());
    let mut at = 0;
    while at < name.len() {
        if name.get(at..at + 3).is_some_and(is_ignorable) {
            at += 3;
        } else {
            seen.push(name[at]);
            at += 1;
        }
    }
    Cow::Owned(seen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attack_07_every_alias_of_dot_git_and_of_a_folder_above_is_unsafe() {
        let git_folder = [
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
            "..\\.git",
        ];
        for name in git_folder {
            assert_eq!(alias(name.as_bytes()), Some(Alias::GitFolder), "{name:?}");
        }
        for name in [".", "..", ".\u{200c}.", "..\\x", ".\\x", "a\\..\\b", "\\.."] {
            assert_eq!(alias(name.as_bytes()), Some(Alias::ThisOrAbove), "{name:?}");
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
            assert_eq!(alias(name.as_bytes()), None, "{name:?}");
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
            ".gitmodules\\a",
        ] {
            assert!(is_gitmodules(name.as_bytes()), "{name:?}");
        }
        for name in
            [".gitmodulesx", "gitmod~5", "gitmod~0", "gi7eba~0", "gi7ebx~1", "gitmodules", ".gitmodule", "gi7d29~1"]
        {
            assert!(!is_gitmodules(name.as_bytes()), "{name:?}");
        }
    }
}
