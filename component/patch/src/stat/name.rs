//! The single name that `--stat` prints for a rename.

use bstr::{BStr, BString};

use crate::quote::quote_path;

/// `a/{b => c}/d`: the common parts at folder borders appear once. Names that need quotes appear
/// whole on both sides of the arrow.
pub(crate) fn rename_name(old: &BStr, new: &BStr) -> BString {
    let (quoted_old, quoted_new) = (quote_path(old), quote_path(new));
    if quoted_old.as_ref() != old || quoted_new.as_ref() != new {
        return join(&[&quoted_old, b" => ", &quoted_new]);
    }
    let prefix = common_prefix(old, new);
    let suffix = common_suffix(old, new, prefix);
    let middle = |path: &BStr| {
        let end = path.len().saturating_sub(suffix).max(prefix);
        BString::from(&path[prefix..end])
    };
    let (old_middle, new_middle) = (middle(old), middle(new));
    if prefix + suffix == 0 {
        return join(&[&old_middle, b" => ", &new_middle]);
    }
    join(&[&old[..prefix], b"{", &old_middle, b" => ", &new_middle, b"}", &old[old.len() - suffix..]])
}

fn join(parts: &[&[u8]]) -> BString {
    parts.concat().into()
}

/// The length of the folders that both paths start with, including the last slash.
fn common_prefix(old: &BStr, new: &BStr) -> usize {
    let same = old.iter().zip(new.iter()).take_while(|(a, b)| a == b).count();
    old[..same].iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1)
}

/// The length of what both paths end with, including its first slash. The slash that ends the
/// prefix may also start the suffix, so a removed folder leaves `a/{b => }/c`.
fn common_suffix(old: &BStr, new: &BStr, prefix: usize) -> usize {
    let from = prefix.saturating_sub(1);
    let same = old[from..].iter().rev().zip(new[from..].iter().rev()).take_while(|(a, b)| a == b).count();
    let tail = &old[old.len() - same..];
    tail.iter().position(|&byte| byte == b'/').map_or(0, |slash| tail.len() - slash)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(old: &str, new: &str) -> String {
        rename_name(old.into(), new.into()).to_string()
    }

    #[test]
    fn shared_folders_stand_once() {
        assert_eq!(name("a/b/c", "a/d/c"), "a/{b => d}/c");
        assert_eq!(name("a/x", "a/y"), "a/{x => y}");
        assert_eq!(name("x/c", "y/c"), "{x => y}/c");
        assert_eq!(name("x", "y"), "x => y");
        assert_eq!(name("a/b/c", "a/c"), "a/{b => }/c");
        assert_eq!(name("a/c", "a/b/c"), "a/{ => b}/c");
        assert_eq!(name("a/a/a/c", "a/a/c"), "a/a/{a => }/c");
    }

    #[test]
    fn a_name_in_quotes_stays_whole() {
        assert_eq!(name("a/\t", "a/y"), "\"a/\\t\" => a/y");
    }
}
