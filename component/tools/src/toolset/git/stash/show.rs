//! Shows the changes of an entry (`git stash show`).

use std::rc::Rc;

use gix::index::State;
use serde::Serialize;

use super::entries::{Entry, Stash};
use super::{GitStash, Told};
use crate::budget::{Room, is_zero};
use crate::error::ToolError;
use crate::git::store::flat_tree;
use crate::git::store::repo::Repo;
use crate::git::text::patch_text::form::Form;
use crate::git::text::patch_text::queue::between;
use crate::git::text::patch_text::writer::Writer;
use crate::git::text::summary;
use crate::git::worktree::attributes::Attributes;
use crate::git::worktree::changes;
use crate::git::worktree::content::Contents;
use crate::output::Output;
use crate::session::Context;

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    #[cfg_attr(test, schemars(extend("const" = "show")))]
    action: &'static str,
    stash: Entry,
    /// Tracked files that it changes.
    count: usize,
    files: Vec<summary::File>,
    /// Files that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    files_omitted: usize,
    /// Untracked files that it has besides.
    #[serde(skip_serializing_if = "is_zero")]
    untracked: usize,
}

/// The summary of the changes to tracked files in `stash`, against its base commit.
pub fn run(context: &mut Context<'_>, repo: &Repo, stash: &Stash) -> Result<Output, ToolError> {
    let max_bytes = context.session.options.git.max_bytes;
    let deadline = context.deadline;
    // For a diff of two trees git does not read the index, not even for attributes.
    let attributes = Attributes::of(repo, Rc::new(State::new(repo.gix.object_hash())), deadline);
    let contents = Contents { repo, attributes: &attributes };
    let mut writer = Writer::new(&contents, Form::Stat(None), max_bytes, deadline)?;
    writer.queue(&between(&contents, stash.base, stash.tree, deadline)?)?;
    let changes = changes::tree_to_tree(repo, stash.base, stash.tree, deadline)?;
    let mut files = summary::files(repo, &changes, deadline)?;
    let count = files.len();
    let files_omitted = Room::new(max_bytes).cut(&mut files);
    let untracked = match stash.untracked {
        Some(tree) => flat_tree::read(repo, tree, deadline)?.len(),
        None => 0,
    };
    let stash = stash.entry(max_bytes);
    let shown = Shown { action: "show", stash, count, files, files_omitted, untracked };
    Ok(Output::new::<GitStash>(writer.finish().0, Told::Shown(shown)).max_bytes(max_bytes))
}
