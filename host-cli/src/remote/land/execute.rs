//! Carries out a plan. A failure before the branch is renamed is undone; after that, recovery
//! finishes the rest.

use gate::objects::Overlay;
use gate::pack::VerifiedPack;
use gix::bstr::ByteSlice;

use super::apply::{Apply, Fate};
use super::changes::Finder;
use super::dir::Dir;
use super::disk::Disk;
use super::error::Doing;
use super::plan::{PathPlan, Plan, WorktreePlan};
use super::rules::Rules;
use super::scan::{Abilities, blob_id, content_for_disk};
use super::survey::{Update, ensure_ref_can_move, survey};
use super::{folder, index, lock, reference, store, undo};
use crate::remote::{LandError, Landed, Stage, Target, TargetError, TargetErrorKind};

/// Lands the objects of `pack` according to `plan`.
pub(super) fn execute(disk: &Disk<'_>, target: &Target, pack: &VerifiedPack, plan: &Plan) -> Result<Landed, LandError> {
    let git = folder::git_dir(target, plan)?.ok_or_else(worktree_gone)?;
    if folder::open(&git, plan)?.is_some() {
        return Err(LandError::Failed(
            TargetError::new(TargetErrorKind::Locked, "this push is already running, or was interrupted")
                .hint("if it is not running, run `gitgate status` to finish it"),
        ));
    }
    if let Err(error) = prepare(disk, target, pack, plan, &git) {
        return Err(match undo::undo(disk, target, plan, &git) {
            Ok(_) => error,
            Err(source) => LandError::Unfinished { landed: false, source: Box::new(source) },
        });
    }
    let finished = reference::sync(disk, target, plan)
        .and_then(|()| folder::open(&git, plan)?.ok_or_else(worktree_gone))
        .and_then(|own| finish(disk, target, plan, &git, &own, &|_| true));
    finished.map_err(|source| LandError::Unfinished { landed: true, source: Box::new(source) })
}

fn worktree_gone() -> LandError {
    LandError::Failed(
        TargetError::new(TargetErrorKind::NotARepository, "the worktree of the branch is missing")
            .hint("push again: the branch may be checked out elsewhere now"),
    )
}

/// Everything up to and including renaming the branch.
fn prepare(disk: &Disk<'_>, target: &Target, pack: &VerifiedPack, plan: &Plan, git: &Dir) -> Result<(), LandError> {
    let update = Update::of(plan);
    // Before the first change, so that a branch that moved leaves not even an empty folder.
    ensure_ref_can_move(&target.fresh()?, &update)?;
    let own = folder::create(disk, git, plan)?;
    if plan.worktree.is_some() {
        lock::take(disk, git, &own, plan)?;
    }
    let objects = target.objects()?;
    let overlay = Overlay { pack, below: &objects };
    let find = Finder(&overlay);
    if survey(target, &update, find, plan.worktree.is_some())? != *plan {
        return Err(LandError::Failed(
            TargetError::new(TargetErrorKind::Locked, "the repository changed between the check and the push")
                .hint("push again"),
        ));
    }
    if let Some(worktree) = &plan.worktree {
        stage(disk, target, plan, worktree, &own, find)?;
    }
    store::store(disk, target, &own, plan, pack)?;
    reference::move_branch(disk, target, &own, plan)
}

/// Writes all new content to the landing's folder, so that a full disk is detected before the
/// branch moves.
fn stage(
    disk: &Disk<'_>,
    target: &Target,
    plan: &Plan,
    worktree: &WorktreePlan,
    own: &Dir,
    find: Finder<'_>,
) -> Result<(), LandError> {
    let repo = target.fresh()?;
    let tree = find.tree_of(Some(plan.new))?;
    let mut rules = Rules::of_tree(&repo, tree, worktree.paths.iter().map(|path| path.path.as_bstr()), find)?;
    let apply = Apply::new(disk, own, worktree, Abilities::of(&repo))?;
    let mut files = Vec::new();
    for (number, path) in worktree.paths.iter().enumerate() {
        disk.progress.at(Stage::Writing, number as u64, Some(worktree.paths.len() as u64));
        let Some(form) = path.new.filter(|_| path.on_disk) else {
            continue;
        };
        let content = content_for_disk(&mut rules, find, path.path.as_bstr(), &form)?;
        if blob_id(&content) != form.raw {
            return Err(LandError::Failed(TargetError::new(
                TargetErrorKind::Damaged,
                format!("`{}` no longer converts as it did in the check", path.path.escape_ascii()),
            )));
        }
        files.extend(apply.stage(number, &form, &content).doing("write new content")?);
    }
    disk.sync_files(&apply.staged, &files).doing("sync new content")
}

/// Everything after the branch is renamed. Can be repeated from any point.
pub(super) fn finish(
    disk: &Disk<'_>,
    target: &Target,
    plan: &Plan,
    git: &Dir,
    own: &Dir,
    wanted: &dyn Fn(&PathPlan) -> bool,
) -> Result<Landed, LandError> {
    let mut landed = Landed { updated: Vec::new(), kept: Vec::new(), kept_copies: Vec::new() };
    if let Some(worktree) = &plan.worktree {
        let repo = target.open_git_dir(&worktree.git_dir)?;
        let apply = Apply::new(disk, own, worktree, Abilities::of(&repo))?;
        let fates = apply.bring_all(&worktree.paths, wanted)?;
        let mut index = index::read(&repo)?;
        let written = git.stat(b"index").doing("check the index")?;
        index::keep_doubts(&mut index, &apply.root, written.as_ref());
        let brought = worktree.paths.iter().zip(&fates).filter_map(|(path, fate)| match fate {
            Some(Fate::InPlace(stat)) => Some((path, *stat)),
            Some(Fate::Kept) => Some((path, None)),
            None => None,
        });
        index::update(&mut index, brought);
        disk.recreate(own, b"index", &index::to_bytes(&index)?, 0o666).doing("write the index")?;
        disk.replace(own, b"index", git, b"index").doing("write the index")?;
        disk.sync(git).doing("sync the index")?;
        landed.kept_copies = folder::keep_strays(disk, git, own, plan, worktree, apply.abilities)?;
        for (path, fate) in worktree.paths.iter().zip(fates) {
            match fate {
                Some(Fate::InPlace(_)) => landed.updated.push(path.path.clone()),
                Some(Fate::Kept) => landed.kept.push(path.path.clone()),
                None => {}
            }
        }
    }
    close(disk, plan, git)?;
    Ok(landed)
}

/// The last steps: mark the landing as over, release the lock, remove the folder.
fn close(disk: &Disk<'_>, plan: &Plan, git: &Dir) -> Result<(), LandError> {
    folder::mark_done(disk, git, plan)?;
    lock::release(disk, git, plan)?;
    folder::clear_done(disk, git, plan)
}
