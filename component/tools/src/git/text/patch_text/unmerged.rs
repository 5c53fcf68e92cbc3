//! The combined diff of an unmerged path: compares our side and theirs with the working tree.

use gix::ObjectId;
use gix::bstr::ByteSlice;
use patch::DiffAttribute;
use patch::combined::{Combined, Outcome};

use super::sides::side;
use crate::error::ToolError;
use crate::git::store::version::{LINK, SUBMODULE, Version};
use crate::git::worktree::changes::{Change, Stages};
use crate::git::worktree::content::Contents;
use crate::platform::Kind;

/// Whether a patch shows `change` as a combined diff. This requires that both sides have the path.
pub fn is_combined(change: &Change) -> bool {
    matches!(change.unmerged, Some(Stages([_, Some(_), Some(_)])))
}

/// The contents of an unmerged path.
pub struct Unmerged<'c> {
    change: &'c Change,
    stages: Vec<(Version, Option<Vec<u8>>)>,
    now: Now,
    /// How a diff treats the contents.
    pub attribute: DiffAttribute,
}

/// The state of the working tree.
enum Now {
    Nothing,
    Folder,
    Something(Version, Option<Vec<u8>>),
}

impl<'c> Unmerged<'c> {
    /// Reads both sides of `change` and the working tree.
    pub fn load(contents: &Contents<'_>, change: &'c Change) -> Result<Unmerged<'c>, ToolError> {
        let path = change.path.as_bstr();
        let Stages([_, ours, theirs]) = change.unmerged.unwrap_or_default();
        let stages = [ours, theirs].into_iter().flatten();
        let stages =
            stages.map(|version| Ok((version, contents.read(path, &version)?))).collect::<Result<_, ToolError>>()?;
        let attribute = contents.attributes.diff_kind(path)?.attribute();
        Ok(Unmerged { change, stages, now: now(contents, change)?, attribute })
    }

    /// Prints the combined diff.
    pub fn print(&self, options: &patch::Options<'_>, out: &mut Vec<u8>) -> Result<(), patch::Interrupted> {
        let path = self.change.path.as_bstr();
        let sides = self.stages.iter().map(|(version, content)| Some(side(path, version, content.as_deref())));
        let sides: Vec<_> = sides.collect();
        let outcome = match &self.now {
            Now::Nothing => Outcome::MissingInWorktree,
            Now::Folder => Outcome::FolderInWorktree,
            Now::Something(version, content) => Outcome::InWorktree(side(path, version, content.as_deref())),
        };
        let change = Combined::new(path, &sides, outcome).expect("only what has both sides is printed so");
        patch::combined::combined(&change, options, out)
    }
}

/// The state of the working tree at the path of `change`. As everywhere, the commit of a submodule is unknown.
fn now(contents: &Contents<'_>, change: &Change) -> Result<Now, ToolError> {
    let path = change.path.as_bstr();
    let nothing = ObjectId::null(contents.repo.gix.object_hash());
    let Ok(stat) = contents.repo.stat(path) else { return Ok(Now::Nothing) };
    let mode = match stat.kind {
        Kind::Link => LINK,
        // `core.fileMode` does not matter here.
        Kind::File if stat.executable => 0o100_755,
        Kind::File => 0o100_644,
        Kind::Folder => {
            // git decides by the lowest stage.
            let lowest = change.unmerged.and_then(|Stages(stages)| stages.into_iter().flatten().next());
            return Ok(match lowest.is_some_and(|lowest| lowest.mode == SUBMODULE) {
                true => Now::Something(Version::worktree(SUBMODULE, nothing), None),
                false => Now::Folder,
            });
        }
        Kind::Other => return Ok(Now::Nothing),
    };
    let version = Version::worktree(mode, nothing);
    let content = contents.read(path, &version)?;
    Ok(Now::Something(version, content))
}
