//! Reads notes on commits as `git notes` stores them: in a tree whose paths are the commits' ids (git-notes, "Notes").

#[cfg(all(test, not(target_os = "wasi")))]
mod tests;

use std::cell::RefCell;
use std::rc::Rc;

use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};
use gix::hashtable::HashMap;
use patch::sort::{sort_by, sort_by_key};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::history::tracking;
use crate::git::store::blob;
use crate::git::store::repo::{Repo, damaged};

/// The default ref of notes.
const REF: &str = "refs/notes/commits";

/// Size limit of all notes on one commit, in bytes. Nobody reads more.
const LARGEST: usize = 64 << 20;

/// The notes of a repository.
pub struct Notes<'a> {
    repo: &'a Repo,
    deadline: &'a Deadline,
    tree: Option<ObjectId>,
    /// The trees read so far.
    folders: RefCell<HashMap<ObjectId, Rc<[Entry]>>>,
}

/// An entry in a tree of notes. Entries are sorted by name.
#[derive(Debug)]
struct Entry {
    /// In lower case, because git accepts digits in either case.
    name: BString,
    /// The position in the tree.
    place: usize,
    is_folder: bool,
    id: ObjectId,
}

impl<'a> Notes<'a> {
    /// The notes of `repo`.
    pub fn of(repo: &'a Repo, deadline: &'a Deadline) -> Result<Notes<'a>, ToolError> {
        let head = tracking::resolve(repo, REF.into())?;
        let tree = head.map(|head| repo.tree_of(head)).transpose()?;
        Ok(Notes { repo, deadline, tree, folders: RefCell::default() })
    }

    /// The note on `commit`. If the tree has several, which `git notes` does not write, they are
    /// joined.
    ///
    /// # Errors
    ///
    /// If the notes are too large, the tree cannot be read, or time runs out.
    pub fn on(&self, commit: &ObjectId) -> Result<Option<Vec<u8>>, ToolError> {
        let name = commit.to_string();
        let mut note: Option<Vec<u8>> = None;
        // The folders and notes to visit, each with the remaining digits of the id. The next one is last.
        let mut open: Vec<(bool, ObjectId, &str)> =
            self.tree.map(|tree| (true, tree, name.as_str())).into_iter().collect();
        while let Some((is_folder, id, rest)) = open.pop() {
            self.deadline.poll()?;
            if is_folder {
                let entries = self.folder(id)?;
                let mut found: Vec<(&Entry, &str)> = named(&entries, rest, false).map(|entry| (entry, "")).collect();
                // In a large tree, each folder takes two digits.
                if let Some((two, rest)) = rest.split_at_checked(2).filter(|(_, rest)| !rest.is_empty()) {
                    found.extend(named(&entries, two, true).map(|entry| (entry, rest)));
                }
                sort_by_key(&mut found, |(entry, _)| std::cmp::Reverse(entry.place));
                open.extend(found.into_iter().map(|(entry, rest)| (entry.is_folder, entry.id, rest)));
            } else if let Some(new) = blob::read(self.repo, id)? {
                note = Some(joined(note, new)?);
            }
        }
        Ok(note)
    }

    /// The entries of a tree. Each tree is read once.
    fn folder(&self, id: ObjectId) -> Result<Rc<[Entry]>, ToolError> {
        if let Some(known) = self.folders.borrow().get(&id) {
            return Ok(known.clone());
        }
        let tree = self.repo.gix.find_tree(id).map_err(|error| damaged(&error))?;
        let mut entries = Vec::new();
        for (place, entry) in tree.iter().enumerate() {
            self.deadline.poll()?;
            let entry = entry.map_err(|error| damaged(&error))?;
            let (is_folder, is_note) = (entry.mode().is_tree(), entry.mode().is_blob());
            // git takes neither a link nor a submodule as a note.
            if is_folder || is_note {
                let name = entry.filename().to_ascii_lowercase().into();
                entries.push(Entry { name, place, is_folder, id: entry.object_id() });
            }
        }
        sort_by(&mut entries, |one, other| one.name.cmp(&other.name));
        let entries: Rc<[Entry]> = entries.into();
        self.folders.borrow_mut().insert(id, entries.clone());
        Ok(entries)
    }
}

/// The entries with this name.
fn named<'e>(entries: &'e [Entry], name: &str, is_folder: bool) -> impl Iterator<Item = &'e Entry> {
    let start = entries.partition_point(|entry| entry.name.as_bstr() < name.as_bytes().as_bstr());
    let same = entries[start..].iter().take_while(move |entry| entry.name == name.as_bytes());
    same.filter(move |entry| entry.is_folder == is_folder)
}

/// Appends `new` to `note`, with an empty line between them.
fn joined(note: Option<Vec<u8>>, new: Vec<u8>) -> Result<Vec<u8>, ToolError> {
    let Some(mut note) = note.filter(|note| !note.is_empty()) else { return Ok(new) };
    // The tree can have the same note twice.
    if new.is_empty() || note == new {
        return Ok(note);
    }
    if note.len() + new.len() > LARGEST {
        return Err(ToolError::failed(format!("more than {LARGEST} bytes of notes on one commit"))
            .hint("Use a format without %N to leave notes out."));
    }
    note.truncate(note.strip_suffix(b"\n").unwrap_or(&note).len());
    note.extend_from_slice(b"\n\n");
    note.extend_from_slice(&new);
    Ok(note)
}

/// Appends the lines of `note`, each with `indent` before it and a line feed after it.
pub fn append(note: &[u8], indent: &str, out: &mut Vec<u8>) {
    let note = note.strip_suffix(b"\n").unwrap_or(note);
    if note.is_empty() {
        return;
    }
    for line in note.split(|byte| *byte == b'\n') {
        out.extend_from_slice(indent.as_bytes());
        out.extend_from_slice(line);
        out.push(b'\n');
    }
}
