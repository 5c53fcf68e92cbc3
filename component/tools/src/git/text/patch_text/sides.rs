//! The two sides of a change with their contents, for a patch.

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use patch::{Content, Driver, Side};

use crate::error::ToolError;
use crate::git::store::version::{Place, SUBMODULE, Version, is_file};
use crate::git::worktree::attributes::DiffKind;
use crate::git::worktree::changes::Change;
use crate::git::worktree::content::Contents;

/// The contents of both sides of a change, with their attributes.
pub struct Sides {
    old: Option<Vec<u8>>,
    new: Option<Vec<u8>>,
    /// How a diff treats them.
    pub kind: DiffKind,
    /// The driver that finds functions in them.
    pub driver: Driver,
}

impl Sides {
    /// Sides without contents, for a form that needs none.
    pub fn unread() -> Sides {
        Sides { old: None, new: None, kind: DiffKind::Auto, driver: Driver::Default }
    }

    /// Reads the sides of `change`. If they are the same blob, only a summary needs it, to see whether it is binary.
    pub fn load(contents: &Contents<'_>, change: &Change, is_summary: bool) -> Result<Sides, ToolError> {
        let mut sides = Sides::unread();
        if !is_summary && is_same(change) {
            return Ok(sides);
        }
        let mut kinds = Vec::new();
        for (version, path, content) in
            [(&change.old, old_path(change), &mut sides.old), (&change.new, change.path.as_bstr(), &mut sides.new)]
        {
            let Some(version) = version else { continue };
            *content = contents.read(path, version)?;
            // In a diff of two sides, attributes apply only to regular files.
            let kind = match is_file(version.mode) {
                true => contents.attributes.diff_kind(path)?,
                false => DiffKind::Auto,
            };
            let looks_binary = content.as_deref().is_some_and(patch::binary::is_binary);
            kinds.push((kind, looks_binary));
        }
        // The driver of the old path, or else that of the new path.
        sides.driver =
            kinds.iter().map(|(kind, _)| kind.driver()).find(|driver| *driver != Driver::Default).unwrap_or_default();
        sides.kind = if kinds.iter().any(|(kind, _)| *kind == DiffKind::Binary) {
            DiffKind::Binary
        } else if kinds.iter().any(|(_, binary)| *binary)
            && kinds.iter().all(|(kind, binary)| !binary || *kind == DiffKind::Text)
        {
            DiffKind::Text
        } else {
            DiffKind::Auto
        };
        Ok(sides)
    }

    /// `change` with these contents, for `patch`.
    pub fn pair<'c>(&'c self, change: &'c Change) -> patch::Change<'c> {
        let one = |path, version: &Option<Version>, content: &'c Option<Vec<u8>>| {
            Some(side(path, version.as_ref()?, content.as_deref()))
        };
        let old = one(old_path(change), &change.old, &self.old);
        let new = one(change.path.as_bstr(), &change.new, &self.new);
        match (old, new, &change.from) {
            (Some(old), Some(new), Some(from)) => patch::Change::Rename { old, new, similarity: from.similarity },
            (Some(old), Some(new), None) => patch::Change::Modify { old, new },
            (Some(old), None, _) => patch::Change::Delete(old),
            (None, Some(new), _) => patch::Change::Add(new),
            // For a renamed unmerged path, git shows the old path.
            (None, None, _) => patch::Change::Unmerged { path: old_path(change) },
        }
    }

    /// Like [`pair`](Self::pair), for a summary. There git does not know the id of a file in the working tree, so no ids are equal.
    pub fn in_summary<'c>(&'c self, change: &'c Change) -> patch::Change<'c> {
        let mut pair = self.pair(change);
        let is_in_worktree = change.new.is_some_and(|new| new.place == Place::Worktree);
        if let patch::Change::Modify { new, .. } | patch::Change::Rename { new, .. } = &mut pair
            && is_in_worktree
        {
            new.id = ObjectId::null(new.id.kind());
        }
        pair
    }
}

/// Whether the content stays the same. A change of type with equal ids is a deletion and an addition instead.
fn is_same(change: &Change) -> bool {
    change.letter() != 'T' && change.old.map(|old| old.id) == change.new.map(|new| new.id)
}

fn old_path(change: &Change) -> &BStr {
    change.from.as_ref().map_or(&change.path, |from| &from.path).as_bstr()
}

/// The side at `path`. Without `content`, it is a submodule or a missing blob.
pub fn side<'c>(path: &'c BStr, version: &Version, content: Option<&'c [u8]>) -> Side<'c> {
    let content = match content {
        _ if version.mode == SUBMODULE => Content::Submodule,
        Some(bytes) => Content::Bytes(bytes),
        None => Content::Absent,
    };
    Side { path, mode: version.mode, id: version.id, content }
}
