//! Keeps the files of a set-up out of the repository that they are written into: no commit of the person's has them by accident.

use std::path::{Path, PathBuf};

use host::settings::Belonging;

use super::client::{Content, Edit};
use super::plan::Plan;
use crate::remote::{self, TargetError};

/// The repository around a project, and what it may be told to overlook.
#[derive(Clone, Debug)]
pub struct Exclusion {
    here: Belonging,
    project: PathBuf,
}

impl Exclusion {
    /// That of the repository around this folder. `None` where no files of it could be tracked.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn of(project: &Path) -> Result<Option<Self>, TargetError> {
        let here = remote::here(project)?.filter(|here| here.worktree.is_some());
        Ok(here.map(|here| Exclusion { here, project: project.to_owned() }))
    }

    /// The git folder that all worktrees share, which has the file.
    pub fn git_dir(&self) -> &Path {
        &self.here.git_dir
    }

    /// The file. git reads it for this repository only, and never commits it.
    pub fn file(&self) -> PathBuf {
        self.here.git_dir.join("info/exclude")
    }

    /// What the file says of the files that a plan creates, unless git tracks them already. `None` if there are none.
    ///
    /// # Errors
    /// If git's index cannot be read.
    pub fn edit(&self, plan: &Plan) -> Result<Option<Edit>, TargetError> {
        let (Some(worktree), created) = (&self.here.worktree, plan.created()) else { return Ok(None) };
        let below: Vec<&str> = created.iter().filter_map(|file| file.strip_prefix(worktree).ok()?.to_str()).collect();
        let untracked = remote::untracked(&self.project, &below)?;
        let patterns: Vec<String> = untracked.into_iter().filter_map(pattern).collect();
        let content = Content::Ignored(patterns);
        let is_empty = matches!(&content, Content::Ignored(patterns) if patterns.is_empty());
        Ok((!is_empty).then(|| Edit { file: self.file(), or: None, content }))
    }
}

/// The pattern that is this path and nothing else. `None` if a line cannot have it.
fn pattern(path: &str) -> Option<String> {
    if path.contains(['\n', '\r']) {
        return None;
    }
    let mut pattern = String::from("/");
    for char in path.chars() {
        if matches!(char, '\\' | '*' | '?' | '[') {
            pattern.push('\\');
        }
        pattern.push(char);
    }
    // git passes over blanks at the end of a line.
    match pattern.strip_suffix(' ') {
        Some(start) => Some(format!("{start}\\ ")),
        None => Some(pattern),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_one_path_whatever_is_in_it() {
        for (path, is) in [("a/AGENTS.md", "/a/AGENTS.md"), ("a*[b]\\ ", "/a\\*\\[b]\\\\\\ "), ("#x", "/#x")] {
            assert_eq!(pattern(path).as_deref(), Some(is));
        }
        assert_eq!(pattern("a\nb"), None);
    }
}
