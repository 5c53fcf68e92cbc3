//! Which files of a repository a pull is about.

use std::collections::BTreeSet;

use gix::bstr::{BStr, BString, ByteSlice};

use crate::error::ToolError;
use crate::git::changes::Version;
use crate::git::flat_tree::FlatTree;
use crate::git::sparse::Sparse;
use crate::paths::{WORKSPACE, check_name};

/// Paths from the root of the repository that a pull names; none for all.
#[derive(Debug)]
pub struct Wanted(Option<Vec<BString>>);

impl Wanted {
    /// What a call names. A path may also begin with `/workspace/`, as file tools have it.
    pub fn parse(paths: Option<&[String]>) -> Result<Wanted, ToolError> {
        let Some(paths) = paths else {
            return Ok(Wanted(None));
        };
        if paths.is_empty() {
            return Err(ToolError::bad_args("paths is empty").hint("Name files or folders, or leave it out for all."));
        }
        paths.iter().map(|path| parse(path)).collect::<Result<Vec<_>, _>>().map(|paths| Wanted(Some(paths)))
    }

    /// Whether everything is wanted.
    pub fn is_all(&self) -> bool {
        self.0.is_none()
    }

    /// The paths that were named.
    pub fn paths(&self) -> &[BString] {
        self.0.as_deref().unwrap_or_default()
    }

    /// The working folder that the call asks for: these paths, or everything.
    pub fn sparse(&self) -> Option<Sparse> {
        self.0.clone().map(Sparse::of)
    }

    /// The files of `tree` that are wanted.
    ///
    /// # Errors
    ///
    /// In git's words, if a path that was named is none of the tree.
    pub fn select<'t>(&self, tree: &'t FlatTree) -> Result<Vec<(&'t BStr, Version)>, ToolError> {
        let all = || (0..tree.len()).filter_map(|at| tree.get(at));
        for path in self.paths() {
            let one = Sparse::of([path.clone()]);
            if !all().any(|(file, _)| one.contains(file)) {
                return Err(ToolError::not_found(format!("pathspec '{path}' did not match any file(s) known to git"))
                    .hint("Name files and folders as the repository has them, from its root."));
            }
        }
        Ok(match self.sparse() {
            Some(sparse) => all().filter(|(file, _)| sparse.contains(file)).collect(),
            None => all().collect(),
        })
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
    // A line of the file that lists them is a path.
    if named.is_empty() || named.contains(['\0', '\n', '\r']) {
        return Err(ToolError::bad_args(format!("Not a path: {named:?}")).hint("Name a file or folder; . is all."));
    }
    if named.starts_with(':') {
        return Err(ToolError::bad_args(format!("pathspec magic is not supported: {named}"))
            .hint("A path that begins with a colon is written ./:name."));
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

/// The files that say how those at `paths` are read and written: `.gitattributes` and `.gitignore` in the folders above them.
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
