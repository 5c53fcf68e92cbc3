//! The syntax of ref names (git-check-ref-format).

/// Whether this is a valid full name for a new ref. A name without a slash, such as `HEAD`, is valid only with `one_level`.
pub fn is_valid(name: &[u8], one_level: bool) -> bool {
    let mut parts = name.split(|byte| *byte == b'/');
    let levels = parts.clone().count();
    name != b"@" && !name.ends_with(b".") && (one_level || levels > 1) && parts.all(is_part)
}

/// Whether this is valid between two slashes of a name.
fn is_part(part: &[u8]) -> bool {
    let is_bad = |byte: &u8| *byte <= b' ' || *byte == 0x7f || b"~^:?*[\\".contains(byte);
    let has = |pair: &[u8; 2]| part.windows(2).any(|two| two == pair);
    let is_odd = part.is_empty() || part.starts_with(b".") || part.ends_with(b".lock");
    !is_odd && !part.iter().any(is_bad) && !has(b"..") && !has(b"@{")
}

/// Whether the file of this ref, valid or not, lies below `refs` or at the top of `.git`. Only such refs are read or deleted.
pub fn is_safe(name: &[u8]) -> bool {
    if name.contains(&0) {
        return false;
    }
    match name.strip_prefix(b"refs/") {
        Some(rest) => rest.split(|byte| *byte == b'/').all(|part| !matches!(part, b"" | b"." | b"..")),
        None => !name.is_empty() && name.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_out_of_the_refs_is_not_safe() {
        for name in
            ["refs/heads/../../config", "refs/..", "refs/heads//x", "refs/heads/", "config", "", "refs/a\0b", "../x"]
        {
            assert!(!is_safe(name.as_bytes()), "{name}");
        }
        for name in ["refs/heads/x..y", "HEAD", "refs/heads/-x", "refs/heads/x.lock", "MERGE_HEAD"] {
            assert!(is_safe(name.as_bytes()), "{name}");
        }
    }

    #[cfg(not(target_os = "wasi"))]
    #[test]
    fn a_name_is_valid_if_git_says_so() {
        let sandbox = crate::testing::Sandbox::new();
        let says = |arguments: &[&str]| crate::testing::git(&sandbox.root(), arguments).status.success();
        let parts = [
            "a", ".a", "a.", "a.lock", "a.lockb", ".lock", "a..b", "a@{b", "@", "@{", "a{", "a b", "a~", "é", "日本",
            "a^", "a:", "a?", "a*", "a[", "a]", "a\\", "a\tb", "a\u{7f}", "..", ".", "", "HEAD", "con", "x.y",
        ];
        for first in parts {
            for name in [first.to_owned(), format!("refs/{first}"), format!("{first}/b"), format!("a/{first}/c")] {
                assert_eq!(is_valid(name.as_bytes(), false), says(&["check-ref-format", &name]), "{name:?}");
                let theirs = says(&["check-ref-format", "--allow-onelevel", &name]);
                assert_eq!(is_valid(name.as_bytes(), true), theirs, "{name:?}");
            }
        }
    }
}
