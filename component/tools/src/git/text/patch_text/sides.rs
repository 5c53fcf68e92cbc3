//! The two sides of a change with their contents, as the patch is made of them.

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use patch::{Content, Driver, Side};

use crate::error::ToolError;
use crate::git::store::version::{Place, SUBMODULE, Version, is_file};
use crate::git::worktree::attributes::DiffKind;
use crate::git::worktree::changes::Change;
use crate::git::worktree::content::Contents;

/// The contents of both sides of a change, and what attributes make of them.
pub struct Sides {
    old: Option<Vec<u8>>,
    new: Option<Vec<u8>>,
    /// What they are shown as.
    pub kind: DiffKind,
    /// What finds the functions in them.
    pub driver: Driver,
}

impl Sides {
    /// Sides whose contents nobody looks at.
    pub fn unread() -> Sides {
        Sides { old: None, new: None, kind: DiffKind::Auto, driver: Driver::Default }
    }

    /// The sides of `change`. Where they are the same blob, a patch does not need it, but a summary does, to say that it is binary.
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
            // To the diff of two sides attributes are about files, not about links and submodules.
            let kind = match is_file(version.mode) {
                true => contents.attributes.diff_kind(path)?,
                false => DiffKind::Auto,
            };
            let looks_binary = content.as_deref().is_some_and(patch::binary::is_binary);
            kinds.push((kind, looks_binary));
        }
        // The old path's driver, unless only the new one's knows functions.
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

    /// `change` with these contents.
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
            // Of an unmerged path that was renamed, git shows where it was.
            (None, None, _) => patch::Change::Unmerged { path: old_path(change) },
        }
    }

    /// The same for a summary. When git makes it, it knows no id of what is in the working tree, and so not that it is the same.
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

/// Whether no content changes: not where another kind of object has the same id, for that is a deletion and an addition.
fn is_same(change: &Change) -> bool {
    change.letter() != 'T' && change.old.map(|old| old.id) == change.new.map(|new| new.id)
}

fn old_path(change: &Change) -> &BStr {
    change.from.as_ref().map_or(&change.path, |from| &from.path).as_bstr()
}

/// What stands at `path`, of which `content` is not known for a submodule and for a blob that is not here.
pub fn side<'c>(path: &'c BStr, version: &Version, content: Option<&'c [u8]>) -> Side<'c> {
    let content = match content {
        _ if version.mode == SUBMODULE => Content::Submodule,
        Some(bytes) => Content::Bytes(bytes),
        None => Content::Absent,
    };
    Side { path, mode: version.mode, id: version.id, content }
}
