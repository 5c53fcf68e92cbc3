//! This body's repositories, as the host asks of them.

use std::io::Write;
use std::path::{Path, PathBuf};

use gate::approval::Redeemed;
use gate::id::Nonce;
use gate::objects::Objects;
use gate::push::{CheckedPush, Peculiarity};
use gate::refname::BranchRef;
use gate::target::{CanonicalTarget, TargetKind};
use gix::ObjectId;

use super::land::{self, Plan};
use super::{
    BlobAt, CommitsWanted, Committer, Fetched, LandError, Landed, Near, Progress, RawPlan, RecoveryReport, RefListing,
    Remotes, Repository, Target, TargetError, TargetErrorKind, TargetSpec,
};
use crate::error::{Doing, ErrorKind, HostError};
use crate::home;
use crate::screen;
use crate::store::disk::{self, RealDisk};

/// The repositories in the folders of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Folders;

impl Near for Folders {
    fn open(&self, spec: &TargetSpec, base: &Path) -> Result<Box<dyn Repository>, TargetError> {
        Ok(Box::new(Target::open(spec, base)?))
    }

    fn known(&self, target: &CanonicalTarget, branch: Option<&BranchRef>) -> Result<Box<dyn Repository>, TargetError> {
        Ok(Box::new(Target::known(target, branch)?))
    }

    fn create(&self, file: &Path, content: &[u8]) -> crate::error::Result<()> {
        disk::create(&RealDisk, file, |out| out.write_all(content)).doing("write", file)
    }
}

/// The canonical name of what `spec` names. A repository nearby is opened for it, and a server is not
/// asked.
pub fn canonical(spec: &TargetSpec, base: &Path) -> Result<CanonicalTarget, TargetError> {
    match spec.location.on_server() {
        Some(named) => named.map_err(|fault| {
            TargetError::new(TargetErrorKind::BadSpec, fault.message.clone()).hint(fault.hint.clone()).caused_by(fault)
        }),
        None => Ok(Target::open(spec, base)?.canonical().clone()),
    }
}

/// The same as a sandbox may name them: not in gitgate's own folder, where an agent could write its
/// own approvals, and not in the directory of a sandbox, where an agent has written everything.
#[derive(Clone, Debug)]
pub struct Outside {
    sandbox: PathBuf,
}

impl Outside {
    /// As the sandbox in `folder` may name them.
    pub fn of(folder: &Path) -> Self {
        Outside { sandbox: folder.to_owned() }
    }
}

impl Near for Outside {
    fn open(&self, spec: &TargetSpec, base: &Path) -> Result<Box<dyn Repository>, TargetError> {
        let opened = Folders.open(spec, base)?;
        home::ensure_elsewhere(&self.sandbox, Path::new(opened.canonical().location())).map_err(|error| {
            TargetError::new(TargetErrorKind::Refused, error.message).hint(screen::hint::words(&error.hint))
        })?;
        Ok(opened)
    }

    fn known(&self, target: &CanonicalTarget, branch: Option<&BranchRef>) -> Result<Box<dyn Repository>, TargetError> {
        Folders.known(target, branch)
    }

    fn create(&self, file: &Path, content: &[u8]) -> crate::error::Result<()> {
        Folders.create(file, content)
    }
}

/// The same for a sandbox that others use over HTTP: nothing of this machine is theirs but the
/// repositories that the sandbox was given here.
#[derive(Clone, Debug)]
pub struct Given {
    outside: Outside,
    targets: Vec<String>,
}

impl Given {
    /// The repositories of the sandbox in `folder` that are among these canonical names.
    pub fn of(folder: &Path, targets: Vec<String>) -> Self {
        Given { outside: Outside::of(folder), targets }
    }

    fn has(&self, target: &CanonicalTarget) -> bool {
        self.targets.contains(&target.to_string())
    }
}

/// Why a client may not have this target. It says the same of what exists and of what does not.
fn refused(kind: TargetKind, target: &str) -> TargetError {
    match kind {
        TargetKind::Local | TargetKind::Bare => TargetError::not_over_http(target),
        TargetKind::Server(_) => TargetError::not_near(target),
    }
}

impl Near for Given {
    fn open(&self, spec: &TargetSpec, base: &Path) -> Result<Box<dyn Repository>, TargetError> {
        // Whatever is wrong with any other, it is told nothing but this of it.
        let opened = self.outside.open(spec, base).ok().filter(|opened| self.has(opened.canonical()));
        opened.ok_or_else(|| refused(spec.location.kind(), &spec.to_string()))
    }

    fn known(&self, target: &CanonicalTarget, branch: Option<&BranchRef>) -> Result<Box<dyn Repository>, TargetError> {
        if self.has(target) {
            self.outside.known(target, branch)
        } else {
            Err(refused(target.kind(), &target.to_string()))
        }
    }

    fn create(&self, file: &Path, _: &[u8]) -> crate::error::Result<()> {
        let what = format!("{} cannot be written for a client", file.display());
        Err(HostError::new(ErrorKind::Refused, what).hint("export it on the machine that serves the sandbox"))
    }
}

impl Repository for Target {
    fn canonical(&self) -> &CanonicalTarget {
        self.canonical()
    }

    fn branch(&self) -> Result<Option<BranchRef>, TargetError> {
        self.branch()
    }

    fn refs(&self, remotes: Remotes) -> Result<RefListing, TargetError> {
        self.refs(remotes)
    }

    fn tip(&self, branch: &BranchRef) -> Result<Option<ObjectId>, TargetError> {
        self.tip(branch)
    }

    fn descends_from(&self, descendant: ObjectId, ancestor: ObjectId) -> Result<bool, TargetError> {
        self.descends_from(descendant, ancestor)
    }

    fn objects(&self) -> Result<Box<dyn Objects>, TargetError> {
        Ok(Box::new(self.objects()?))
    }

    fn peculiarities(&self, branch: &BranchRef) -> Result<Vec<Peculiarity>, TargetError> {
        Ok(self.elsewhere(branch)?.into_iter().chain(self.habits()?).collect())
    }

    fn folders(&self) -> Result<Vec<PathBuf>, TargetError> {
        self.folders()
    }

    fn fetch_commits(&self, wanted: &CommitsWanted, progress: &dyn Progress) -> Result<Fetched, TargetError> {
        self.fetch_commits(wanted, progress)
    }

    fn fetch_blobs(&self, wanted: &[BlobAt], progress: &dyn Progress) -> Result<Fetched, TargetError> {
        self.fetch_blobs(wanted, progress)
    }

    fn plan(&self, push: &CheckedPush, nonce: &Nonce, committer: &Committer) -> Result<RawPlan, LandError> {
        Ok(RawPlan::of(&land::plan(self, push, nonce, committer)?)?)
    }

    fn execute(&self, push: &Redeemed, plan: &RawPlan, progress: &dyn Progress) -> Result<Landed, LandError> {
        land::execute(self, push, &plan.steps::<Plan>()?, progress)
    }

    fn recover(&self, plan: &RawPlan, observed: Option<ObjectId>) -> Result<RecoveryReport, LandError> {
        land::recover(self, &plan.steps::<Plan>()?, observed)
    }
}
