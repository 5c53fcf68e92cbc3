//! Opens the sandbox's repository, and reads HEAD.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::rc::Rc;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};

use crate::error::{ErrorKind, ToolError};
use crate::git::store::config;
use crate::git::store::delta_cache::DeltaCache;
use crate::git::store::packs::Packs;
use crate::paths::SandboxPath;
use crate::platform::{self, Inflated, Stat};

/// The repository opened last.
#[derive(Default)]
pub struct Cache {
    gix: Option<Rc<gix::Repository>>,
    /// Missing blobs that calls asked for.
    pub missed: Missed,
    packs: Rc<OnceCell<Packs>>,
}

/// Blobs that were read and are not here, as in a sparse sandbox.
pub type Missed = Rc<RefCell<BTreeSet<ObjectId>>>;

/// The repository at the root of the workspace, as one call sees it.
#[derive(Clone)]
pub struct Repo {
    /// gix's handle, which keeps its object and delta caches from call to call.
    pub gix: Rc<gix::Repository>,
    /// The real path of the working tree.
    pub root: PathBuf,
    /// Notes the missing blobs.
    pub(super) missed: Missed,
    /// The packs, loaded on first use. When packs arrive, the repository is opened again.
    packs: Rc<OnceCell<Packs>>,
}

/// Size limit of the cache of decoded objects, in bytes. It lives from call to call.
const OBJECT_CACHE_BYTES: usize = 32 << 20;

impl Repo {
    /// Opens the repository at the root of `workspace` once, then takes it from `cache`.
    pub fn open(cache: &mut Cache, workspace: &SandboxPath) -> Result<Repo, ToolError> {
        let root = workspace.real();
        let (missed, packs) = (cache.missed.clone(), cache.packs.clone());
        if let Some(gix) = &cache.gix {
            return Ok(Repo { gix: gix.clone(), root, missed, packs });
        }
        if platform::stat(&root.join(".git")).is_err() {
            return Err(ToolError::not_a_repository(&workspace.shown()));
        }
        let mut gix = gix::open_opts(&root, options()).map_err(|error| damaged(&error))?;
        restrict(&mut gix)?;
        gix.object_cache_size(OBJECT_CACHE_BYTES);
        gix.objects.set_pack_cache(|| Box::<DeltaCache>::default());
        // gix assumes that this file is readable when it follows parents.
        gix.shallow_commits().map_err(|error| damaged(&error))?;
        // The repository is opened again when packs arrive, so a missing object needs no second search.
        gix.objects.refresh_never();
        let gix = Rc::new(gix);
        cache.gix = Some(gix.clone());
        Ok(Repo { gix, root, missed, packs })
    }

    /// The real path of `path`, which is relative to the root of the repository. A path that leaves the working tree is not found.
    pub fn real(&self, path: &BStr) -> std::io::Result<PathBuf> {
        let real = platform::join(&self.root, path);
        if platform::leaves(&self.root, &real) {
            return Err(std::io::ErrorKind::NotFound.into());
        }
        Ok(real)
    }

    /// The stat of `path`.
    pub fn stat(&self, path: &BStr) -> std::io::Result<Stat> {
        platform::stat(&self.real(path)?)
    }

    /// The stat of `path`, but `None` if a parent is a link.
    pub fn standing(&self, path: &BStr) -> Option<Stat> {
        for slash in path.find_iter(b"/") {
            let folder = platform::stat(&platform::join(&self.root, path[..slash].as_bstr())).ok()?;
            if folder.kind != platform::Kind::Folder {
                return None;
            }
        }
        platform::stat(&platform::join(&self.root, path)).ok()
    }

    /// The same repository, but it writes objects only to memory: for objects that are made to be looked at.
    pub fn in_memory(&self) -> Repo {
        let gix = (*self.gix).clone().with_object_memory();
        Repo { gix: Rc::new(gix), ..self.clone() }
    }

    /// The content of the blob `id`, inflated lazily, if a pack stores it without a delta.
    pub fn packed(&self, id: ObjectId) -> Option<Inflated> {
        self.packs().blob(id)
    }

    /// The packs.
    pub fn packs(&self) -> &Packs {
        self.packs.get_or_init(|| Packs::of(self.gix.git_dir()))
    }

    /// The real path of `.git`.
    pub fn git_dir(&self) -> PathBuf {
        self.gix.git_dir().to_owned()
    }

    /// The state of HEAD.
    pub fn head(&self) -> Result<Head, ToolError> {
        let head = self.gix.head().map_err(|error| damaged(&error))?;
        let id = head.id().map(gix::Id::detach);
        Ok(match (head.referent_name(), id) {
            (Some(name), Some(id)) => Head::Branch { name: name.as_bstr().to_owned(), id },
            (Some(name), None) => Head::Unborn { name: name.as_bstr().to_owned() },
            (None, Some(id)) => Head::Detached { id },
            (None, None) => return Err(ToolError::failed("HEAD names neither a branch nor a commit")),
        })
    }

    /// Whether the ref with this full name exists and resolves.
    pub fn has_ref(&self, full: &BStr) -> Result<bool, ToolError> {
        // Other names match files in `.git` that are not refs.
        let is_ref = full.starts_with(b"refs/") || full.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_');
        if !is_ref {
            return Ok(false);
        }
        let found = self.gix.try_find_reference(full).ok().flatten();
        let found = found.filter(|found| found.name().as_bstr() == full);
        Ok(found.is_some_and(|mut found| found.peel_to_id().is_ok()))
    }

    /// The boundary commits of a shallow clone. Their parents do not count.
    pub fn shallow(&self) -> Result<BTreeSet<ObjectId>, ToolError> {
        let shallow = self.gix.shallow_commits().map_err(|error| damaged(&error))?;
        Ok(shallow.iter().flat_map(|commits| commits.iter().copied()).collect())
    }

    /// The tree of the commit `id`.
    pub fn tree_of(&self, commit: ObjectId) -> Result<ObjectId, ToolError> {
        let commit = self.gix.find_commit(commit).map_err(|error| damaged(&error))?;
        Ok(commit.tree_id().map_err(|error| damaged(&error))?.detach())
    }

    /// The tree of HEAD, or the empty tree before the first commit.
    pub fn head_tree(&self) -> Result<ObjectId, ToolError> {
        match self.head()?.id() {
            Some(id) => self.tree_of(id),
            None => Ok(ObjectId::empty_tree(gix::hash::Kind::Sha1)),
        }
    }
}

/// The state of HEAD.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Head {
    /// On a branch that has a commit.
    Branch {
        /// `refs/heads/…`
        name: BString,
        /// Its latest commit.
        id: ObjectId,
    },
    /// On a branch without a commit.
    Unborn {
        /// `refs/heads/…`
        name: BString,
    },
    /// Detached, on a commit.
    Detached {
        /// The commit.
        id: ObjectId,
    },
}

impl Head {
    /// The commit, if there is one.
    pub fn id(&self) -> Option<ObjectId> {
        match self {
            Head::Branch { id, .. } | Head::Detached { id } => Some(*id),
            Head::Unborn { .. } => None,
        }
    }

    /// The full name of the branch, if HEAD is on one.
    pub fn branch(&self) -> Option<&BString> {
        match self {
            Head::Branch { name, .. } | Head::Unborn { name } => Some(name),
            Head::Detached { .. } => None,
        }
    }

    /// The name of the branch without `refs/heads/`.
    pub fn short_branch(&self) -> Option<String> {
        self.branch().map(|name| name.strip_prefix(b"refs/heads/").unwrap_or(name).to_str_lossy().into_owned())
    }
}

/// Reads nothing from outside the repository: no user or system configuration, and no environment.
fn options() -> gix::open::Options {
    let options = gix::open::Options::isolated().open_path_as_is(false).strict_config(false);
    options.filter_config_section(config::counts_at_once)
}

/// Drops every configuration key that does not count.
fn restrict(gix: &mut gix::Repository) -> Result<(), ToolError> {
    let mut all = gix.config_snapshot_mut();
    *all = config::counting(&all).map_err(|error| damaged(&error))?;
    all.commit().map_err(|error| damaged(&error))?;
    Ok(())
}

/// Converts an error of gix about objects, refs or files that the sandbox itself stores.
pub fn damaged(error: &(dyn std::error::Error + 'static)) -> ToolError {
    if let Some(error) = no_room(error) {
        return ToolError::io(".git/objects", error);
    }
    let mut message = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        message = format!("{message}: {cause}");
        source = cause.source();
    }
    ToolError::new(ErrorKind::ExecutionFailed, message).caused_by(error)
}

/// The I/O error behind `error`, if the disk is full. Then nothing is damaged.
fn no_room<'a>(error: &'a (dyn std::error::Error + 'static)) -> Option<&'a io::Error> {
    let cause = match error.downcast_ref::<gix::error::Error>() {
        Some(error) => error.downcast_any_ref::<io::Error>(),
        None => std::iter::successors(Some(error), |error| error.source()).find_map(|error| error.downcast_ref()),
    };
    cause.filter(|error: &&io::Error| {
        matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge)
    })
}
