//! The review that a person reads before they decide: the commits, the files against the target's
//! actual head, contents that only intermediate commits hold, and the risks.

mod commits;
mod deletions;
mod diff;
mod file;
mod flags;
mod frame;
mod ignored;
mod leaks;
mod listed;
mod lookalike;
mod manifest;
mod marks;
mod privileged;
mod question;
mod renames;
mod risks;
mod screens;
mod sentences;
mod shown;
mod sides;
mod signed;
mod words;

use patch::sort::sort_by_key;
use std::collections::{BTreeSet, HashSet};

use bstr::{BString, ByteSlice};
use gix_hash::ObjectId;
use serde::Serialize;

pub use commits::{CommitLine, IntermediateFile};
pub use file::{FileChange, Status, Version};
pub use flags::{Flag, Secret, Severity};
pub use frame::{Screen, in_rows, one_row};
pub use listed::{ListedFile, Unit, UnitKey};
pub use question::KEYS;
pub use renames::Rename;
pub use sentences::quoted;
pub use sides::{HunkLine, Side, hunk_lines};
pub(crate) use signed::is_person;
pub use words::size;

use crate::{
    error::Fault,
    history,
    objects::{Objects, Overlay},
    push::CheckedPush,
    refname::BranchRef,
    target::CanonicalTarget,
};

/// A push as a person sees it. Created only from a [`CheckedPush`]. An approval is bound to the
/// digest, not to this text.
#[derive(Debug, Clone, Serialize)]
pub struct Review {
    /// The destination of the commits.
    pub target: CanonicalTarget,
    /// The branch to move or create.
    pub reference: BranchRef,
    /// The branch's current head.
    #[serde(serialize_with = "words::optional_hex")]
    pub old: Option<ObjectId>,
    /// The branch's new head.
    #[serde(serialize_with = "words::hex")]
    pub new: ObjectId,
    /// The commit that the files are compared with: the branch's head, or for a new branch the
    /// point where it leaves the target's history or the host's supply; `None` for a history of its
    /// own.
    #[serde(serialize_with = "words::optional_hex")]
    pub base: Option<ObjectId>,
    /// The push creates the branch.
    pub new_branch: bool,
    /// The commits, oldest first.
    pub commits: Vec<CommitLine>,
    /// The number of earlier commits that the push includes and the host itself gave to the
    /// sandbox.
    pub supplied: usize,
    /// The changed files, by path.
    pub files: Vec<FileChange>,
    /// The deleted and new files among them that a person sees as one file that moved.
    pub renames: Vec<Rename>,
    /// Contents that only intermediate commits hold.
    pub intermediate: Vec<IntermediateFile>,
    /// What each commit changes, in their order. Empty if there are fewer than two, or more than a person goes through one by one.
    #[serde(skip)]
    pub steps: Vec<Vec<FileChange>>,
    /// Every path that a commit of the push changes, even if a later commit undoes it. Path rules
    /// use these.
    #[serde(skip)]
    pub touched: BTreeSet<BString>,
    /// The risks, the most severe first.
    pub flags: Vec<Flag>,
}

impl Review {
    /// Compares the push with the target.
    ///
    /// # Errors
    /// [`FaultKind::TooLarge`](crate::FaultKind::TooLarge) if there is more to compare than the
    /// limits of the push allow, or an error of `target`.
    pub fn of(push: &CheckedPush, target: &dyn Objects) -> Result<Self, Fault> {
        let all = Overlay { pack: &push.pack, below: target };
        let base = push.history.base;
        let base_tree = base.as_ref().map(|base| history::tree_of(&all, base)).transpose()?;
        let new_tree = history::tree_of(&all, &push.new)?;
        let mut bounds = diff::Bounds::of(&push.limits);
        let deltas = diff::diff(&all, base_tree, Some(new_tree), &mut bounds)?;
        let leaks = leaks::Leaks::new(&push.allowed, &push.supplied, &deltas, push.limits.review_bytes);
        let mut reader = file::Reader { objects: &all, left: push.limits.review_bytes, leaks, kept: file::KEPT };
        reader.leaks.branch(push.reference.branch());
        let files = deltas.iter().map(|delta| reader.change(delta, None)).collect::<Result<Vec<_>, _>>()?;
        let ends = commits::Ends { base: base_tree, new: new_tree, deltas: &deltas, supplied: &push.supplied };
        let commits::OnTheWay { files: intermediate, touched } =
            commits::intermediate(&mut reader, &push.history.new, &ends, &mut bounds)?;
        let commits = commits::lines(&mut reader, &push.history.new)?;
        // Last, so that they take no room from what a review must show.
        let renames = renames::find(&mut reader, &deltas, &files)?;
        let steps = commits::steps(&mut reader, &push.history.new, diff::Bounds::of(&push.limits))?;
        let mut review = Review {
            target: push.target.clone(),
            reference: push.reference.clone(),
            old: push.old,
            new: push.new,
            base,
            new_branch: push.old.is_none(),
            commits,
            supplied: push.history.supplied.len(),
            files,
            renames,
            intermediate,
            steps,
            touched,
            flags: Vec::new(),
        };
        review.flags = risks::of(&review, push);
        review.flags.extend(reader.leaks.flags());
        review.flags.extend(deletions::flag(&all, base_tree, &deltas, &mut bounds)?);
        review.flags.extend(ignored::find(&all, new_tree, &deltas, &mut bounds)?);
        let added = review.files.iter().filter(|file| file.old.is_none()).map(|file| file.path.as_bstr());
        review.flags.extend(lookalike::find(&all, new_tree, added, &mut bounds)?);
        sort_by_key(&mut review.flags, |flag| std::cmp::Reverse(flag.severity()));
        let mut seen = HashSet::new();
        review.flags.retain(|flag| seen.insert((flag.sentence(), flag.fingerprint())));
        Ok(review)
    }

    /// The highest severity.
    pub fn severity(&self) -> Severity {
        self.flags.iter().map(Flag::severity).max().unwrap_or(Severity::Low)
    }
}
