//! Selects the files of a repository for a pull.

use std::collections::BTreeSet;
use std::ops::Range;

use gix::bstr::{BStr, BString, ByteSlice};
use patch::sort::sort_by_key;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::flat_tree::FlatTree;
use crate::git::store::version::Version;
use crate::git::worktree::sparse::Sparse;
use crate::paths::{WORKSPACE, check_name};

/// The paths that a pull names, from the root of the repository. `None` for all files.
#[derive(Debug)]
pub struct Wanted(Option<Vec<BString>>);

impl Wanted {
    /// Parses the paths of a call. As in file tools, a path may begin with `/workspace/`.
    pub fn parse(paths: Option<&[String]>) -> Result<Wanted, ToolError> {
        let Some(paths) = paths else {
            return Ok(Wanted(None));
        };
        if paths.is_empty() {
            return Err(
                ToolError::bad_args("paths is empty").hint("Name files or folders, or omit paths to pull everything.")
            );
        }
        paths.iter().map(|path| parse(path)).collect::<Result<Vec<_>, _>>().map(|paths| Wanted(Some(paths)))
    }

    /// Whether the call wants all files.
    pub fn is_all(&self) -> bool {
        self.0.is_none()
    }

    /// The named paths.
    pub fn paths(&self) -> &[BString] {
        self.0.as_deref().unwrap_or_default()
    }

    /// The sparse working folder with the named paths. `None` for all files.
    pub fn sparse(&self) -> Option<Sparse> {
        self.0.clone().map(Sparse::of)
    }

    /// The wanted files of `tree`.
    ///
    /// # Errors
    ///
    /// In git's words, if the tree does not have a named path.
    pub fn select<'t>(&self, tree: &'t FlatTree, deadline: &Deadline) -> Result<Vec<(&'t BStr, Version)>, ToolError> {
        let Some(paths) = &self.0 else {
            return Ok((0..tree.len()).filter_map(|at| tree.get(at)).collect());
        };
        let mut ranges = Vec::new();
        for path in paths {
            deadline.poll()?;
            let found = tree.at_and_below(path.as_bstr());
            if found.iter().all(Range::is_empty) {
                return Err(ToolError::not_found(format!("pathspec '{path}' did not match any file(s) known to git"))
                    .hint("Name files and folders by their paths from the root of the repository."));
            }
            ranges.extend(found);
        }
        sort_by_key(&mut ranges, |range| range.start);
        let mut files = Vec::new();
        let mut next = 0;
        for range in ranges {
            // The call may name a path twice, or together with a folder that contains it.
            files.extend((range.start.max(next)..range.end).filter_map(|at| tree.get(at)));
            next = next.max(range.end);
        }
        Ok(files)
    }
}

fn parse(named: &str) -> Result<BString, ToolError> {
    let relative = match named.strip_prefix('/') {
        None => named,
        Some(absolute) => match absolute.split_once('/') {
            Some((WORKSPACE, below)) => below,
            None if absolute == WORKSPACE => "",
            _ => return Err(ToolError::outside(named)),
        },
    };
    // The sparse-checkout file has one path a line.
    if named.is_empty() || named.contains(['\0', '\n', '\r']) {
        return Err(
            ToolError::bad_args(format!("Not a path: {named:?}")).hint("Name a file or folder. Use . for everything.")
        );
    }
    if named.starts_with(':') {
        return Err(ToolError::bad_args(format!("pathspec magic is not supported: {named}"))
            .hint("Write ./:name for a path that begins with a colon."));
    }
    let mut names = Vec::new();
    for name in relative.split('/').filter(|name| !name.is_empty() && *name != ".") {
        if name == ".." {
            return Err(ToolError::outside(named));
        }
        check_name(name.as_bytes(), named)?;
        names.push(name);
    }
    Ok(names.join("/").into())
}

/// The rule files for `paths`: `.gitattributes` and `.gitignore` in their parent folders.
pub fn rules_above<'t>(tree: &'t FlatTree, paths: &[(&BStr, Version)]) -> Vec<(&'t BStr, Version)> {
    let mut folders = BTreeSet::from([b"".as_bstr()]);
    for (path, _) in paths {
        folders.extend(path.find_iter(b"/").map(|slash| &path[..=slash]));
    }
    let is_rule = |path: &BStr| {
        let start = path.rfind_byte(b'/').map_or(0, |slash| slash + 1);
        let (folder, name) = path.split_at(start);
        (name == b".gitattributes" || name == b".gitignore") && folders.contains(folder.as_bstr())
    };
    (0..tree.len()).filter_map(|at| tree.get(at)).filter(|(path, _)| is_rule(path)).collect()
}

#[cfg(all(test, not(target_os = "wasi")))]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::error::ErrorKind;
    use crate::git::store::flat_tree;
    use crate::testing::Sandbox;

    fn tree(paths: &[&str]) -> Rc<FlatTree> {
        let mut sandbox = Sandbox::with_repository();
        for path in paths {
            sandbox.write(path, *path);
        }
        sandbox.git(&["add", "."]);
        sandbox.git(&["commit", "--quiet", "-m", "All"]);
        let repo = sandbox.session.repo().unwrap();
        let tree = repo.head_tree().unwrap();
        flat_tree::load(&mut sandbox.session.caches.trees, &repo, tree, &endless()).unwrap()
    }

    fn endless() -> Deadline {
        Deadline::after(|| 0, u64::MAX)
    }

    fn wanted(paths: &[&str]) -> Wanted {
        Wanted::parse(Some(&paths.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>())).unwrap()
    }

    #[test]
    fn files_and_folders_are_selected_once_each_and_in_order() {
        let tree = tree(&["a", "b-c", "b.d", "b/c/e", "b/d", "b0", "c/a"]);
        for (paths, expected) in [
            (&["b"][..], &["b/c/e", "b/d"][..]),
            (&["c", "b/c/e", "b", "a", "b/c"], &["a", "b/c/e", "b/d", "c/a"]),
            (&["b0", "b.d", "b-c", "b0"], &["b-c", "b.d", "b0"]),
            (&[".", "a"], &["a", "b-c", "b.d", "b/c/e", "b/d", "b0", "c/a"]),
        ] {
            let selected = wanted(paths).select(&tree, &endless()).unwrap();
            assert_eq!(selected.into_iter().map(|(path, _)| path).collect::<Vec<_>>(), expected, "{paths:?}");
        }
        let missing = wanted(&["a", "b/c/e/f", "z"]).select(&tree, &endless()).unwrap_err();
        assert_eq!(missing.message, "pathspec 'b/c/e/f' did not match any file(s) known to git");
    }

    #[test]
    fn looking_up_many_paths_ends_in_time() {
        let tree = tree(&["a"]);
        let late = wanted(&["a"; 2000]).select(&tree, &Deadline::after(|| 0, 0));
        assert!(matches!(late.unwrap_err().kind, ErrorKind::Timeout { .. }));
    }
}
