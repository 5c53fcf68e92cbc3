//! Opens a target: finds the repository behind the path, and checks that it is trusted and has a
//! supported format.

use std::path::{Path, PathBuf};

use gate::refname::BranchRef;
use gate::target::{CanonicalTarget, TargetKind};

use super::layout::{Layout, canonical};
use super::sharing::Sharing;
use crate::home::git_config::GitPlace;
use crate::home::safe_directory;

use super::{Location, TargetError, TargetErrorKind, TargetObjects, TargetSpec, error, plain};

/// One of the person's repositories, opened with configuration isolated from the environment.
///
/// A linked worktree stands for its repository, so a repository has one name however it is reached.
/// The worktree's own HEAD gives the default branch.
#[derive(Debug)]
pub struct Target {
    layout: Layout,
    /// The git folder of the worktree that was named.
    named: PathBuf,
    repo: gix::Repository,
    sharing: Sharing,
    canonical: CanonicalTarget,
    branch: Option<BranchRef>,
}

impl Target {
    /// Opens what `spec` names. Relative paths start at `base`, which is absolute.
    pub fn open(spec: &TargetSpec, base: &Path) -> Result<Self, TargetError> {
        let named = spec.folder(base)?;
        // A `.git` that is a link leads away from its worktree.
        let folder = named.parent().filter(|_| named.ends_with(".git")).unwrap_or(&named);
        let folder = folder.canonicalize().map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => {
                not_a_repository(&named, "there is no such folder").caused_by(error)
            }
            _ => error::io("open", &named, error),
        })?;
        let repo = trusted(&folder)?;
        ensure_supported(&repo)?;
        let (layout, named) = (Layout::of(&repo)?, repo.git_dir().to_owned());
        let is_linked = canonical(&named)? != layout.common;
        plain::ensure_whole(&layout.common)?;
        let repo = layout.open()?;
        ensure_supported(&repo)?;

        let canonical = match (&spec.location, &layout.workdir) {
            (Location::Local(_), Some(_)) => name(TargetKind::Local, layout.place()?)?,
            (Location::Bare(_), None) => name(TargetKind::Bare, layout.place()?)?,
            // A worktree of a bare repository stands for it.
            (Location::Local(_), None) if is_linked => name(TargetKind::Bare, layout.place()?)?,
            (Location::Local(_), None) => {
                return Err(wrong_kind(&folder, "is a bare repository", TargetKind::Bare));
            }
            (_, _) => return Err(wrong_kind(&folder, "is not a bare repository", TargetKind::Local)),
        };
        let sharing = Sharing::of(repo.config_snapshot().plumbing())?;
        Ok(Target { layout, named, repo, sharing, canonical, branch: spec.branch.clone() })
    }

    /// Opens a repository by its canonical name.
    pub fn known(target: &CanonicalTarget, branch: Option<&BranchRef>) -> Result<Self, TargetError> {
        Target::open(&TargetSpec::of_canonical(target, branch)?, Path::new("/"))
    }

    /// The folders that a push may write to: the git folder, and every worktree, because any may
    /// have the branch checked out.
    pub fn folders(&self) -> Result<Vec<PathBuf>, TargetError> {
        let repo = self.fresh()?;
        let unlisted = |error| TargetError::damaged("cannot list the worktrees", error);
        let linked = repo.worktrees().map_err(unlisted)?;
        // A push never writes to a missing worktree.
        let linked = linked.iter().filter_map(|worktree| worktree.base().ok()?.canonicalize().ok());
        Ok(self.layout.workdir.iter().chain([&self.layout.common]).cloned().chain(linked).collect())
    }

    /// The canonical name of this repository, to which approvals are bound.
    pub fn canonical(&self) -> &CanonicalTarget {
        &self.canonical
    }

    /// The `user.name` and `user.email` of the repository's own configuration, if it has both.
    pub fn identity(&self) -> Option<(String, String)> {
        let config = self.repo.config_snapshot();
        Some((config.string("user.name")?.to_string(), config.string("user.email")?.to_string()))
    }

    /// The branch that was asked for, else HEAD's branch (born or not), or `None` if HEAD is
    /// detached.
    pub fn branch(&self) -> Result<Option<BranchRef>, TargetError> {
        if self.branch.is_some() {
            return Ok(self.branch.clone());
        }
        let Some(name) = self.head_name()? else {
            return Ok(None);
        };
        name.parse().map(Some).map_err(|fault: gate::Fault| {
            TargetError::new(TargetErrorKind::NoSuchBranch, format!("HEAD names the unusable branch `{name}`: {fault}"))
                .hint("name a branch with #BRANCH")
                .caused_by(fault)
        })
    }

    /// The commit at the tip of `branch`. Fails if there is none.
    pub fn existing_branch(&self, branch: &BranchRef) -> Result<gix::ObjectId, TargetError> {
        self.tip(branch)?.ok_or_else(|| {
            TargetError::new(
                TargetErrorKind::NoSuchBranch,
                format!("{} has no branch `{}`", self.canonical, branch.branch()),
            )
            .hint("run `git branch --list` there to see its branches")
        })
    }

    /// The commit at the tip of `branch`, or `None` if the branch does not exist. Always reads the
    /// disk.
    pub fn tip(&self, branch: &BranchRef) -> Result<Option<gix::ObjectId>, TargetError> {
        let repo = self.fresh()?;
        super::refs::tip_of(&repo, branch.as_str())
    }

    /// True if `descendant` has `ancestor` in its history. A commit is its own descendant, and an
    /// absent commit has no ancestors.
    pub fn descends_from(&self, descendant: gix::ObjectId, ancestor: gix::ObjectId) -> Result<bool, TargetError> {
        if descendant == ancestor {
            return Ok(true);
        }
        let repo = self.fresh()?;
        if !repo.has_object(descendant) || !repo.has_object(ancestor) {
            return Ok(false);
        }
        for commit in
            repo.rev_walk([descendant]).all().map_err(|e| TargetError::damaged("cannot walk the history", e))?
        {
            let commit = commit.map_err(|e| TargetError::damaged("cannot walk the history", e))?;
            if commit.id == ancestor {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The objects this repository has, for the gate's checks.
    pub fn objects(&self) -> Result<TargetObjects, TargetError> {
        Ok(TargetObjects::new(self.fresh()?))
    }

    /// Reopens the repository, so that no cached index, ref or pack list is older than this call.
    pub(super) fn fresh(&self) -> Result<gix::Repository, TargetError> {
        self.layout.open()
    }

    /// The full name of HEAD's branch, born or not, in the named worktree, or `None` if HEAD is
    /// detached.
    pub(super) fn head(&self) -> Result<Option<gix::refs::FullName>, TargetError> {
        super::refs::resolved_head(&self.open_git_dir(&self.named)?)
    }

    /// HEAD's object in the named worktree.
    pub(super) fn head_tip(&self) -> Result<Option<gix::ObjectId>, TargetError> {
        super::refs::tip_of(&self.open_git_dir(&self.named)?, "HEAD")
    }

    /// The repository as the worktree that was named sees it, for its configuration.
    ///
    /// # Errors
    /// If HEAD cannot be read.
    pub fn git_place(&self) -> Result<GitPlace, TargetError> {
        let layout = &self.layout;
        Ok(GitPlace {
            own: self.named.clone(),
            common: layout.common.clone(),
            worktree: layout.workdir.clone(),
            branch: self.head()?,
        })
    }

    /// The git folder that all worktrees share.
    pub(super) fn common_dir(&self) -> &Path {
        &self.layout.common
    }

    /// Who may use new files in its git folder.
    pub(super) fn sharing(&self) -> Sharing {
        self.sharing
    }

    /// The repository as one of its worktrees sees it, by that worktree's git folder.
    pub(super) fn open_git_dir(&self, git_dir: &Path) -> Result<gix::Repository, TargetError> {
        as_is(git_dir)
    }

    /// The repository as it was when opened. Use it for configuration and paths, not for refs and
    /// objects.
    pub(super) fn repo(&self) -> &gix::Repository {
        &self.repo
    }
}

fn name(kind: TargetKind, folder: &Path) -> Result<CanonicalTarget, TargetError> {
    let text = folder.to_str().ok_or_else(|| {
        TargetError::new(TargetErrorKind::Unsupported, format!("the path {} is not UTF-8", folder.display()))
            .hint("rename the folder: an approval must show the path as it is")
    })?;
    CanonicalTarget::new(kind, text).map_err(|fault| {
        TargetError::new(TargetErrorKind::BadSpec, format!("cannot use {text} as a target: {fault}")).caused_by(fault)
    })
}

/// Options that isolate configuration from the environment and ignore `refs/replace/`: gitgate
/// packs, checks and lands exactly the objects that the ids name.
fn options() -> gix::open::Options {
    gix::open::Options::isolated().config_overrides(["core.useReplaceRefs=false"])
}

/// Opens the repository that a folder holds or is, if it belongs to this user.
pub(super) fn trusted(folder: &Path) -> Result<gix::Repository, TargetError> {
    plain::ensure_openable(folder)?;
    let repo = gix::open_opts(folder, options()).map_err(|error| explain(folder, error))?;
    if repo.git_dir_trust() == gix::sec::Trust::Full {
        return Ok(repo);
    }
    let place = canonical(repo.workdir().unwrap_or(repo.git_dir()))?;
    if safe_directory::is_safe(&place) {
        return gix::open_opts(folder, options().with(gix::sec::Trust::Full)).map_err(|error| explain(folder, error));
    }
    Err(TargetError::new(
        TargetErrorKind::Untrusted,
        format!("{} belongs to another user, so gitgate does not trust its configuration", folder.display()),
    )
    .hint(format!(
        "run gitgate as the owner of that repository, clone it into one of your own, or tell git that you trust it: git config --global \
         --add safe.directory {}",
        crate::screen::shell::word(&place.display().to_string())
    )))
}

/// Opens the repository with this git folder, and with its worktree if the git folder names one.
pub(super) fn as_is(git_dir: &Path) -> Result<gix::Repository, TargetError> {
    plain::ensure_top(git_dir)?;
    // Whether it is trusted was settled when the repository was named.
    gix::open_opts(git_dir, options().open_path_as_is(true).with(gix::sec::Trust::Full))
        .map_err(|error| explain(git_dir, error))
}

fn wrong_kind(folder: &Path, what: &str, kind: TargetKind) -> TargetError {
    TargetError::new(TargetErrorKind::BadSpec, format!("{} {what}", folder.display())).hint(format!(
        "write {}:{}",
        kind.as_str(),
        folder.display()
    ))
}

fn not_a_repository(folder: &Path, why: &str) -> TargetError {
    TargetError::new(TargetErrorKind::NotARepository, format!("{} is not a git repository: {why}", folder.display()))
        .hint("name the top folder of a repository, or make one there with `git init`")
}

/// Explains a failure to open by checking the folder.
fn explain(folder: &Path, error: gix::Error) -> TargetError {
    let Some(git_dir) = git_dir_of(folder) else {
        return not_a_repository(folder, "it has no `.git`").caused_by(error);
    };
    if let Ok(config) = gix::config::File::from_path_no_includes(git_dir.join("config"), gix::config::Source::Local)
        && let Err(unsupported) = ensure_format(&config)
    {
        return unsupported.caused_by(error);
    }
    TargetError::damaged(format!("the repository at {} is damaged and cannot be opened", folder.display()), error)
}

fn git_dir_of(folder: &Path) -> Option<PathBuf> {
    let looks_like_one = |dir: &Path| dir.join("HEAD").exists() || dir.join("objects").is_dir();
    [folder.join(".git"), folder.to_owned()].into_iter().find(|dir| looks_like_one(dir) || dir.is_file())
}

pub(super) fn ensure_supported(repo: &gix::Repository) -> Result<(), TargetError> {
    let config = repo.config_snapshot();
    ensure_format(config.plumbing())?;
    if repo.object_hash() != gix::hash::Kind::Sha1 {
        return Err(unsupported("it uses SHA-256 object names"));
    }
    Ok(())
}

/// Refuses repository formats that gitgate does not support, according to the configuration.
fn ensure_format(config: &gix::config::File) -> Result<(), TargetError> {
    let is = |key: &str, value: &str| config.string(key).is_some_and(|v| v.eq_ignore_ascii_case(value.as_bytes()));
    if is("extensions.objectFormat", "sha256") {
        return Err(unsupported("it uses SHA-256 object names"));
    }
    if is("extensions.refStorage", "reftable") {
        return Err(unsupported("it stores its refs in reftables").hint(
            "use a clone that `git clone --ref-format=files` makes; git 2.48 and later also convert it: \
                 `git refs migrate --ref-format=files`",
        ));
    }
    let promisor = config.sections_by_name("remote").into_iter().flatten().any(|remote| {
        remote.value("promisor").is_some_and(|value| gix::config::Boolean::try_from(value).is_ok_and(|value| value.0))
    });
    if promisor || config.string("extensions.partialClone").is_some() {
        return Err(unsupported("it is a partial clone, which lacks objects")
            .hint("remove its filter and run `git fetch --refetch`, or use a full clone"));
    }
    Ok(())
}

fn unsupported(why: &str) -> TargetError {
    TargetError::new(TargetErrorKind::Unsupported, format!("gitgate cannot use this repository: {why}"))
        .hint("use an ordinary clone: SHA-1, refs stored as files, no filter")
}
