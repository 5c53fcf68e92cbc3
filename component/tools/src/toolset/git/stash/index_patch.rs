//! Applies the index changes of an entry to another index, as a patch: `git diff-tree --binary … | git apply --cached`.

mod hunks;
mod whitespace;

use std::collections::BTreeSet;
use std::rc::Rc;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::State;
use gix::index::entry::{Mode, Stat};

use self::hunks::{Failure, patched};
use self::whitespace::Whitespace;
use crate::deadline::Deadline;
use crate::error::{ErrorKind, ToolError};
use crate::git::store::edit_tree::edit_tree;
use crate::git::store::flat_tree::FlatTree;
use crate::git::store::index_edit::{Edits, Slot};
use crate::git::store::repo::{Repo, damaged};
use crate::git::store::version::{LINK, SUBMODULE, Version, is_file};
use crate::git::store::{blob, missing};
use crate::git::text::patch_text::form::Form;
use crate::git::text::patch_text::queue::Queue;
use crate::git::text::patch_text::writer::Writer;
use crate::git::words::streams::Streams;
use crate::git::worktree::attributes::{Attributes, DiffKind};
use crate::git::worktree::changes::{self, Change};
use crate::git::worktree::content::Contents;
use crate::session::Context;

/// Applies the difference of the trees `patch` to the tree `onto`, whose files are `files`.
///
/// # Errors
///
/// In git's words, if the patch does not apply.
pub fn apply(
    context: &Context<'_>,
    repo: &Repo,
    patch: (ObjectId, ObjectId),
    files: &FlatTree,
    onto: ObjectId,
    streams: &mut Streams,
) -> Result<ObjectId, ToolError> {
    let deadline = context.deadline;
    let attributes = Attributes::of(repo, Rc::new(State::new(repo.gix.object_hash())), deadline);
    let contents = Contents { repo, attributes: &attributes };
    let changes = changes::tree_to_tree(repo, patch.0, patch.1, deadline)?;
    let mut writer = Writer::new(&contents, Form::Patch(Form::CONTEXT), usize::MAX / 2, deadline)?;
    let texts = changes.iter().map(|change| text(&mut writer, change));
    let whitespace = Whitespace::of(texts, streams, deadline)?;
    let changes = parts(changes);
    let deleted = changes.iter().filter(|change| change.new.is_none()).map(|change| change.path.as_bstr()).collect();
    let mut applying =
        Applying { contents: &contents, files, deleted, deadline, whitespace, edits: Edits::new(), failed: false };
    for (number, change) in changes.iter().enumerate() {
        deadline.poll_units(8)?;
        if let Err(refused) = applying.change(number, change, streams)? {
            streams.error_line(&[b"error: ", &refused]);
            applying.failed = true;
        }
    }
    if !applying.failed {
        applying.ensure_room(streams);
    }
    if applying.failed {
        streams.error_line(&[b"error: conflicts in index. Try without --index."]);
        let error = streams.failed();
        return Err(ToolError { kind: ErrorKind::Conflict, ..error }
            .hint("Nothing has changed. Omit restore_index to bring all changes back to the working tree."));
    }
    applying.whitespace.conclude(streams);
    edit_tree(repo, onto, &applying.edits)
}

/// The text of the patch for this path.
fn text(writer: &mut Writer<'_>, change: &Change) -> Result<Vec<u8>, ToolError> {
    let (changes, warnings) = (vec![change.clone()], String::new());
    writer.queue(&Queue { combined: Vec::new(), changes, needed_limit: None, warnings })?;
    Ok(writer.take())
}

/// Splits a change of file type (file, link, submodule) into a deletion and an addition, as git's patch does.
fn parts(changes: Vec<Change>) -> Vec<Change> {
    let kind = |version: &Option<Version>| version.as_ref().map(|version| version.mode & 0o170_000);
    let split = |change: Change| match (change.old, change.new) {
        (Some(_), Some(_)) if kind(&change.old) != kind(&change.new) => {
            let (gone, new) = (Change::new(change.path.clone(), change.old, None), change.new);
            vec![gone, Change::new(change.path, None, new)]
        }
        _ => vec![change],
    };
    changes.into_iter().flat_map(split).collect()
}

/// git's message after `error: `.
type Refused = Vec<u8>;

struct Applying<'a> {
    contents: &'a Contents<'a>,
    files: &'a FlatTree,
    /// Paths that the patch removes.
    deleted: BTreeSet<&'a BStr>,
    deadline: &'a Deadline,
    whitespace: Whitespace,
    edits: Edits,
    failed: bool,
}

impl Applying<'_> {
    /// Applies one change.
    fn change(
        &mut self,
        number: usize,
        change: &Change,
        streams: &mut Streams,
    ) -> Result<Result<(), Refused>, ToolError> {
        let path = change.path.as_bstr();
        let words = |words: &str| Ok(Err([path.as_bytes(), b": ", words.as_bytes()].concat()));
        let current = self.files.find(path);
        let mut mode = change.new.map(|new| new.mode);
        match (change.old, current) {
            (Some(_), None) => return words("does not exist in index"),
            (Some(old), Some(current)) => {
                if old.mode & 0o170_000 != current.mode & 0o170_000 {
                    return words("wrong type");
                }
                if old.mode != current.mode {
                    let text = format!(" has type {:o}, expected {:o}", current.mode, old.mode);
                    streams.error_line(&[b"warning: ", path, text.as_bytes()]);
                }
                let is_same_mode = change.new.is_some_and(|new| new.mode == old.mode);
                mode = mode.map(|mode| if is_same_mode { current.mode } else { mode });
            }
            (None, Some(_)) if !self.deleted.contains(path) => return words("already exists in index"),
            (None, _) => {}
        }
        if mode.is_some() && self.is_beyond_link(path) {
            return Ok(Err([b"affected file '", path.as_bytes(), b"' is beyond a symbolic link"].concat()));
        }
        let before = change.old.and(current);
        let id = match self.content(number, change, before, streams)? {
            Ok(id) => id,
            Err(failure) => {
                streams.err.extend_from_slice(&failure.words(path));
                return words("patch does not apply");
            }
        };
        let slot =
            mode.zip(id).map(|(mode, id)| Slot { mode: Mode::from_bits_truncate(mode), id, stat: Stat::default() });
        self.edits.insert(path.to_owned(), slot);
        Ok(Ok(()))
    }

    /// Applies the change to the current content. Returns `None` if it removes the file.
    fn content(
        &mut self,
        number: usize,
        change: &Change,
        current: Option<Version>,
        streams: &mut Streams,
    ) -> Result<Result<Option<ObjectId>, Failure>, ToolError> {
        let id = |version: Option<Version>| version.map(|version| version.id);
        if id(change.old) == id(change.new) {
            return Ok(Ok(id(current)));
        }
        if self.is_binary(change)? {
            let other = id(current).filter(|_| id(current) != id(change.old));
            return Ok(other.map_or(Ok(id(change.new)), |other| Err(Failure::Binary(other))));
        }
        let text = |version: Option<Version>| version.map_or(Ok(Vec::new()), |version| self.text(version));
        let (old, new, target) = (text(change.old)?, text(change.new)?, text(current)?);
        let at_end = |hunk| self.whitespace.at_end(number, hunk, streams);
        let merged = match patched(&old, &new, &target, at_end, self.deadline)? {
            Ok(merged) => merged,
            Err(failure) => return Ok(Err(failure)),
        };
        let Some(version) = change.new else {
            return Ok(if merged.is_empty() { Ok(None) } else { Err(Failure::LeftOver) });
        };
        if version.mode == SUBMODULE {
            return Ok(Ok(Some(version.id)));
        }
        let written = self.contents.repo.gix.write_blob(merged).map_err(|error| damaged(&error))?;
        Ok(Ok(Some(written.detach())))
    }

    fn is_binary(&self, change: &Change) -> Result<bool, ToolError> {
        for version in change.old.iter().chain(&change.new) {
            let kind = match is_file(version.mode) {
                true => self.contents.attributes.diff_kind(change.path.as_bstr())?,
                false => DiffKind::Auto,
            };
            let is_binary = match kind {
                DiffKind::Binary => true,
                DiffKind::Text => false,
                _ => version.mode != SUBMODULE && patch::binary::is_binary(&self.text(*version)?),
            };
            if is_binary {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The text of a version in a patch.
    fn text(&self, version: Version) -> Result<Vec<u8>, ToolError> {
        if version.mode == SUBMODULE {
            return Ok(format!("Subproject commit {}\n", version.id).into_bytes());
        }
        let repo = self.contents.repo;
        blob::read(repo, version.id)?.ok_or_else(|| missing::blobs(repo, [version.id].into()))
    }

    fn is_beyond_link(&self, path: &BStr) -> bool {
        let is_link = |folder: &BStr| self.files.find(folder).is_some_and(|version| version.mode == LINK);
        let mut folders = path.find_iter(b"/").map(|slash| path[..slash].as_bstr());
        folders.any(|folder| match self.edits.get(folder) {
            Some(slot) => slot.is_some_and(|slot| slot.mode == Mode::SYMLINK),
            None => is_link(folder) && !self.deleted.contains(folder),
        })
    }

    /// Refuses to add a file where another file needs a folder.
    fn ensure_room(&mut self, streams: &mut Streams) {
        let goes = |path: &BStr| matches!(self.edits.get(path), Some(None));
        let stays = |path: &BStr| self.files.find(path).is_some() && !goes(path);
        let has_below = |path: &BStr| {
            let [_, below] = self.files.at_and_below(path);
            below.filter_map(|at| self.files.get(at)).any(|(path, _)| !goes(path))
        };
        let added =
            self.edits.iter().filter(|(path, slot)| slot.is_some() && self.files.find(path.as_bstr()).is_none());
        let collides = |path: &BString| {
            let mut folders = path.find_iter(b"/").map(|slash| path[..slash].as_bstr());
            folders.any(stays) || has_below(path.as_bstr())
        };
        let first = added.map(|(path, _)| path).find(|path| collides(path)).cloned();
        if let Some(path) = first {
            streams.error_line(&[b"error: '", &path, b"' appears as both a file and as a directory"]);
            streams.error_line(&[b"error: unable to add cache entry for ", &path]);
            self.failed = true;
        }
    }
}
