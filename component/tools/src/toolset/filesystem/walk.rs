//! Lists everything below a folder.

use std::path::{Path, PathBuf};

use patch::sort::sort_by;

use super::ignoring::Ignoring;
use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::paths::{SandboxPath, is_git_folder_name};
use crate::platform::{self, Entry, Kind, Stat};

/// An entry that the walk found.
pub struct Found {
    /// The real path.
    pub real: PathBuf,
    /// The path as callers see it: `/workspace/src/`, with a slash after a folder. It need not be UTF-8.
    pub shown: Vec<u8>,
    /// The metadata.
    pub stat: Stat,
}

/// A walk in the bytewise order of the shown paths, so a folder comes right before its content. It shows links without following them, and
/// skips `.git`.
pub struct Walk<'a> {
    deadline: &'a Deadline,
    recursive: bool,
    /// What it leaves out.
    ignoring: Option<Ignoring<'a>>,
    /// The folders on the way, each with its remaining entries. A list instead of recursion: a tree can be deeper than the stack.
    folders: Vec<Folder>,
}

struct Folder {
    real: PathBuf,
    shown: Vec<u8>,
    left: std::vec::IntoIter<Entry>,
}

impl<'a> Walk<'a> {
    /// Walks through `folder`, and with `recursive` through all its subfolders.
    pub fn new(folder: &SandboxPath, recursive: bool, deadline: &'a Deadline) -> Result<Walk<'a>, ToolError> {
        let mut shown = folder.shown().into_bytes();
        shown.push(b'/');
        let first = Folder::open(folder.real(), shown)?;
        Ok(Walk { deadline, recursive, ignoring: None, folders: vec![first] })
    }

    /// The same walk without what git ignores.
    #[must_use]
    pub fn without(self, ignoring: Option<Ignoring<'a>>) -> Walk<'a> {
        Walk { ignoring, ..self }
    }

    /// How many folders lie between the one where the walk began and the entry found last.
    pub fn depth(&self, found: &Found) -> usize {
        // A folder is on the way to what is in it.
        self.folders.len() - 1 - usize::from(self.recursive && found.stat.kind == Kind::Folder)
    }

    /// Leaves the content of the folder found last out.
    pub fn skip(&mut self, found: &Found) {
        if self.recursive && found.stat.kind == Kind::Folder {
            self.leave();
        }
    }

    fn leave(&mut self) {
        self.folders.pop();
        if let Some(ignoring) = &mut self.ignoring {
            ignoring.leave();
        }
    }

    /// The next entry. `None` at the end.
    pub fn next(&mut self) -> Result<Option<Found>, ToolError> {
        while let Some(folder) = self.folders.last_mut() {
            self.deadline.poll()?;
            let Some(entry) = folder.left.next() else {
                self.leave();
                continue;
            };
            let found = folder.found(entry);
            let is_folder = found.stat.kind == Kind::Folder;
            if let Some(ignoring) = &mut self.ignoring
                && ignoring.leaves_out(&found.shown, is_folder)?
            {
                continue;
            }
            if self.recursive && is_folder {
                if let Some(ignoring) = &mut self.ignoring {
                    ignoring.enter(&found.shown)?;
                }
                self.folders.push(Folder::open(found.real.clone(), found.shown.clone())?);
            }
            return Ok(Some(found));
        }
        Ok(None)
    }
}

impl Folder {
    fn open(real: PathBuf, shown: Vec<u8>) -> Result<Folder, ToolError> {
        let mut entries = list(&real, &shown)?;
        entries.retain(|entry| !is_git_folder_name(&entry.name));
        // Compares as if a folder's name ended in a slash, which is git's order of a tree.
        sort_by(&mut entries, |a, b| order(a).cmp(order(b)));
        Ok(Folder { real, shown, left: entries.into_iter() })
    }

    fn found(&self, entry: Entry) -> Found {
        let mut shown = self.shown.clone();
        shown.extend_from_slice(&entry.name);
        if entry.stat.kind == Kind::Folder {
            shown.push(b'/');
        }
        Found { real: platform::join(&self.real, &entry.name), shown, stat: entry.stat }
    }
}

fn order(entry: &Entry) -> impl Iterator<Item = &u8> {
    let slash: &[u8] = if entry.stat.kind == Kind::Folder { b"/" } else { b"" };
    entry.name.iter().chain(slash)
}

fn list(real: &Path, shown: &[u8]) -> Result<Vec<Entry>, ToolError> {
    platform::list(real).map_err(|error| ToolError::io(&super::names::structured(shown), &error))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::Sandbox;

    #[test]
    fn attack_21_a_deep_tree_needs_no_deep_stack() {
        let mut sandbox = Sandbox::new();
        let folder = "d/".repeat(900);
        sandbox.write(&format!("{folder}bottom"), "here");
        let found = sandbox.ok("search_files", json!({"pattern": "here"}));
        assert_eq!(found.text, format!("{folder}bottom:1:here\n"));
        let deleted = sandbox.ok("delete_file", json!({"path": "d", "recursive": true}));
        assert_eq!(deleted.structured()["files"], 1);
        assert!(!sandbox.exists("d"));
    }
}
