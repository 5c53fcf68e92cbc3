//! The repository that a folder is in, as git finds it: the folder itself, or the nearest one above it.

use std::path::{Path, PathBuf};

use gate::target::CanonicalTarget;
use gix::discover::{self, upwards};
use host::settings::{Belonging, SandboxFile};

use super::layout::canonical;
use super::open::{ensure_supported, trusted};
use super::{Location, TargetError, TargetSpec, error};

/// The repository around `folder`, or `None` outside of any. Opens nothing in it, so a repository that gitgate cannot use is found, too.
///
/// # Errors
/// If the folder or what it leads to cannot be read.
pub fn here(folder: &Path) -> Result<Option<Belonging>, TargetError> {
    let Some(GitFolders { own, common, worktree }) = git_folders(folder)? else { return Ok(None) };
    // What leads to a bare repository, as a `.git` file does, is no worktree of it.
    let worktree = worktree.filter(|_| own != common || !is_bare(&common));
    let worktree = worktree.as_deref().map(canonical).transpose()?;
    Ok(Some(Belonging { git_dir: canonical(&common)?, worktree, root: None, tip: None }))
}

/// Whether the repository's own configuration says that it is bare. One that cannot be read says it when it is opened.
fn is_bare(common: &Path) -> bool {
    let config = gix::config::File::from_path_no_includes(common.join("config"), gix::config::Source::Local);
    config.is_ok_and(|config| config.boolean("core.bare").ok().flatten().unwrap_or_default())
}

/// The same repository with the commits that tell it from another one at its place: the one that is checked out, and the first of its history,
/// followed by first parents, which outlasts what changes the newer commits, such as a rebase.
///
/// # Errors
/// If the history cannot be read.
pub fn with_root(repository: Belonging) -> Result<Belonging, TargetError> {
    let place = repository.worktree.as_deref().unwrap_or(&repository.git_dir);
    let repo = trusted(place)?;
    ensure_supported(&repo)?;
    let Some(head) = super::refs::tip_of(&repo, "HEAD")? else { return Ok(repository) };
    let unreadable = |error| TargetError::damaged("cannot walk the history", error);
    let walk = repo.rev_walk([head]).first_parent_only().all().map_err(unreadable)?;
    let mut root = head;
    for commit in walk {
        root = commit.map_err(|error| TargetError::damaged("cannot walk the history", error))?.id;
    }
    Ok(Belonging { root: Some(root.to_string()), tip: Some(head.to_string()), ..repository })
}

/// The commits that a repository has.
#[derive(Debug)]
pub struct Commits(gix::Repository);

impl Commits {
    /// Those of the repository in this git folder. `None` if it cannot be read, or belongs to another user.
    pub fn of(git_dir: &Path) -> Option<Self> {
        trusted(git_dir).ok().map(Commits)
    }

    /// Whether HEAD has any.
    pub fn are_any(&self) -> bool {
        self.0.head_id().is_ok()
    }

    /// Whether the history that is checked out begins with this one, in hex, followed by first parents.
    pub fn begin_with(&self, commit: &str) -> bool {
        let (Ok(head), Ok(commit)) = (self.0.head_id(), gix::ObjectId::from_hex(commit.as_bytes())) else {
            return false;
        };
        let walk = self.0.rev_walk([head.detach()]).first_parent_only().all();
        let last = walk.ok().and_then(|walk| walk.map_while(Result::ok).last());
        last.is_some_and(|root| root.id == commit)
    }

    /// Whether this one, in hex, is among them.
    pub fn have(&self, commit: &str) -> bool {
        gix::ObjectId::from_hex(commit.as_bytes()).is_ok_and(|commit| self.0.has_object(commit))
    }
}

/// The git folders of a worktree.
pub(super) struct GitFolders {
    /// Its own, with its index.
    pub(super) own: PathBuf,
    /// That of the repository.
    pub(super) common: PathBuf,
    worktree: Option<PathBuf>,
}

/// Those around `folder`, or `None` outside of any repository.
pub(super) fn git_folders(folder: &Path) -> Result<Option<GitFolders>, TargetError> {
    let options =
        upwards::Options { trust: upwards::TrustPolicy::Assume(gix::sec::Trust::Reduced), ..Default::default() };
    let found = gix::discover::upwards_opts(folder, options).ok().map(|(found, _)| found);
    ensure_no_dead_end(folder, top_of(found.as_ref()))?;
    let Some(found) = found else { return Ok(None) };
    let (git_dir, worktree) = found.into_repository_and_work_tree_directories();
    let git_dir = match git_dir.is_file() {
        true => discover::path::from_gitdir_file(&git_dir)
            .map_err(|error| TargetError::damaged(format!("cannot read {}", git_dir.display()), error))?,
        false => git_dir,
    };
    let common = match discover::path::from_plain_file_relative_to_file(&git_dir.join("commondir")) {
        Some(common) => common.map_err(|error| error::io("read", &git_dir, error))?,
        None => git_dir.clone(),
    };
    Ok(Some(GitFolders { own: git_dir, common, worktree }))
}

fn top_of(found: Option<&gix::discover::repository::Path>) -> Option<&Path> {
    match found? {
        gix::discover::repository::Path::WorkTree(top)
        | gix::discover::repository::Path::LinkedWorkTree { work_dir: top, .. } => Some(top),
        gix::discover::repository::Path::Repository(_) => None,
    }
}

/// Refuses a `.git` file below the worktree `top` that leads to no repository, such as that of a linked worktree whose repository was moved.
/// Like git, nothing looks further up then: the folder is part of a repository, and not outside of any.
fn ensure_no_dead_end(folder: &Path, top: Option<&Path>) -> Result<(), TargetError> {
    for folder in folder.ancestors().take_while(|folder| Some(*folder) != top) {
        let git = folder.join(".git");
        if !git.is_file() {
            continue;
        }
        let leads_on = discover::path::from_gitdir_file(&git).is_ok_and(|place| place.is_dir());
        if !leads_on {
            let missing = std::io::Error::from(std::io::ErrorKind::NotFound);
            return Err(TargetError::damaged(format!("{} leads to no repository", git.display()), missing)
                .hint("if the repository was moved, run `git worktree repair` there"));
        }
        return Ok(());
    }
    Ok(())
}

/// The same target, named by the top of the repository if it names a folder further down.
///
/// # Errors
/// If the folder cannot be read.
pub fn from_top(spec: TargetSpec, base: &Path) -> Result<TargetSpec, TargetError> {
    let Location::Local(path) = &spec.location else { return Ok(spec) };
    let folder = base.join(path);
    if folder.join(".git").exists() || !folder.is_dir() {
        return Ok(spec);
    }
    let top = here(&folder)?.and_then(|here| here.worktree);
    Ok(match top {
        Some(top) => TargetSpec { location: Location::Local(top), ..spec },
        None => spec,
    })
}

/// The repository on this machine that the sandbox with these settings was made from. Settings that do not name it yet have the target
/// that it was made from first.
pub fn belonging(file: &SandboxFile) -> Option<Belonging> {
    file.repository.clone().or_else(|| {
        let target: CanonicalTarget = file.targets.first()?.parse().ok()?;
        let is_near = target.kind().forge().is_none();
        here(Path::new(target.location())).ok().flatten().filter(|_| is_near)
    })
}
