//! Detects names that git distinguishes and the disk does not. On a disk that folds case or
//! normalises Unicode, checking out one would overwrite the other.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use gix::bstr::{BStr, BString, ByteSlice};

use super::changes::Sides;
use super::checkout::Checkout;
use super::dir::Dir;
use super::error::Doing;
use crate::remote::{LandError, Obstacle};

/// No new name folds onto another name that the worktree will have.
pub(super) fn ensure_none(
    checkout: &Checkout,
    index: &gix::index::File,
    changes: &BTreeMap<BString, Sides>,
) -> Result<(), LandError> {
    if !folds(&checkout.repo)? {
        return Ok(());
    }
    let added =
        || changes.iter().filter(|(_, (old, new))| old.is_none() && new.is_some()).map(|(path, _)| path.as_bstr());
    let kept = index
        .entries()
        .iter()
        .map(|entry| entry.path(index))
        .filter(|path| !matches!(changes.get(*path), Some((_, None))));
    let mut collisions = Vec::new();
    let mut names: HashMap<Vec<u8>, &BStr> = HashMap::new();
    for path in kept {
        for prefix in prefixes(path) {
            names.entry(fold(prefix)).or_insert(prefix);
        }
    }
    for path in added() {
        for prefix in prefixes(path) {
            if *names.entry(fold(prefix)).or_insert(prefix) != prefix {
                collisions.push(path.to_owned());
            }
        }
    }
    collisions.dedup();
    if collisions.is_empty() {
        return Ok(());
    }
    Err(LandError::paths(
        Obstacle::Collision,
        "this disk cannot distinguish these names from others in the branch",
        collisions,
        "rename them in the sandbox, or push to another branch",
    ))
}

/// True if the disk treats names as equal that git distinguishes, by configuration or by a test in
/// the git folder.
fn folds(repo: &gix::Repository) -> Result<bool, LandError> {
    let config = repo.config_snapshot();
    if config.boolean("core.ignoreCase").unwrap_or(false) || config.boolean("core.precomposeUnicode").unwrap_or(false) {
        return Ok(true);
    }
    let dir = Dir::open(repo.git_dir()).doing("open the git folder")?;
    let upper = dir.stat(b"HEAD").doing("check the git folder")?;
    let lower = dir.stat(b"head").doing("check the git folder")?;
    Ok(matches!((upper, lower), (Some(upper), Some(lower)) if upper.st_ino == lower.st_ino))
}

/// The path and each of its folders.
fn prefixes(path: &BStr) -> impl Iterator<Item = &BStr> {
    path.find_iter(b"/").map(|slash| path[..slash].as_bstr()).chain([path])
}

/// A key that is equal for names which some folding disk takes for equal. It may be equal for a few
/// more.
fn fold(path: &BStr) -> Vec<u8> {
    match path.to_str() {
        Ok(text) => {
            let composed = gix::utils::str::precompose(Cow::Borrowed(text));
            // Upper case first: `ß` and `ẞ`, `ſ` and `s` meet only there.
            gix::utils::str::precompose(Cow::Owned(composed.to_uppercase().to_lowercase())).into_owned().into_bytes()
        }
        Err(_) => path.to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_some_disk_takes_for_equal_fold_together() {
        for (one, other) in [("README", "readme"), ("\u{e4}", "a\u{308}"), ("\u{c4}", "a\u{308}"), ("\u{17f}", "S")] {
            assert_eq!(fold(one.into()), fold(other.into()), "{one} {other}");
        }
        assert_ne!(fold("a".into()), fold("b".into()));
    }
}
