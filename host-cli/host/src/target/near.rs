//! Repositories that a body reaches synchronously: on its own disk, not on a server.

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use gate::approval::Redeemed;
use gate::id::Nonce;
use gate::objects::Objects;
use gate::push::{CheckedPush, Peculiarity};
use gate::refname::BranchRef;
use gate::target::CanonicalTarget;
use gix_hash::ObjectId;

use super::{
    BlobAt, CommitsWanted, Committer, Fetched, LandError, Landed, Progress, RawPlan, RecoveryReport, RefListing,
    Remotes, TargetError, TargetSpec,
};

/// Opens repositories. A body that reaches none refuses with
/// [`Unsupported`](super::TargetErrorKind::Unsupported).
pub trait Near {
    /// Opens what `spec` names. Relative paths start at `base`, which is absolute.
    fn open(&self, spec: &TargetSpec, base: &Path) -> Result<Box<dyn Repository>, TargetError>;

    /// Writes a file that does not exist yet, whole or not at all.
    ///
    /// # Errors
    /// [`ErrorKind::Storage`](crate::error::ErrorKind::Storage) if it exists at the last moment, too.
    fn create(&self, file: &Path, content: &[u8]) -> crate::error::Result<()>;

    /// Opens a repository by its canonical name.
    fn known(&self, target: &CanonicalTarget, branch: Option<&BranchRef>) -> Result<Box<dyn Repository>, TargetError>;
}

/// An open repository. No answer is older than the call: refs and objects may change at any time.
pub trait Repository: Debug {
    /// Its canonical name, to which approvals are bound. However the repository was reached, it is
    /// the same.
    fn canonical(&self) -> &CanonicalTarget;

    /// The branch that was asked for, else HEAD's branch (born or not), or `None` if HEAD is
    /// detached.
    fn branch(&self) -> Result<Option<BranchRef>, TargetError>;

    /// Lists the refs, and separately those with an unusable name.
    fn refs(&self, remotes: Remotes) -> Result<RefListing, TargetError>;

    /// The commit at the tip of `branch`, or `None` if the branch does not exist.
    fn tip(&self, branch: &BranchRef) -> Result<Option<ObjectId>, TargetError>;

    /// True if `descendant` has `ancestor` in its history. A commit is its own descendant, and an
    /// absent commit has no ancestors.
    fn descends_from(&self, descendant: ObjectId, ancestor: ObjectId) -> Result<bool, TargetError>;

    /// The objects it has, for the gate's checks.
    fn objects(&self) -> Result<Box<dyn Objects>, TargetError>;

    /// What a person has to know of it beside its name before a push to `branch`: where it writes and reads outside its own folder, and
    /// what git would do and this does not.
    fn peculiarities(&self, branch: &BranchRef) -> Result<Vec<Peculiarity>, TargetError>;

    /// The folders that a push may write to, links resolved. A policy file in one of them could be
    /// changed by a push.
    fn folders(&self) -> Result<Vec<PathBuf>, TargetError>;

    /// Fetches a commit and the history that the sandbox lacks, with all their trees. Gives out
    /// only what branches, tags and HEAD reach.
    fn fetch_commits(&self, wanted: &CommitsWanted, progress: &dyn Progress) -> Result<Fetched, TargetError>;

    /// Fetches blobs. Gives out only what branches, tags and HEAD reach.
    fn fetch_blobs(&self, wanted: &[BlobAt], progress: &dyn Progress) -> Result<Fetched, TargetError>;

    /// Checks everything that the push needs of the repository and writes down what will be done.
    /// Changes nothing.
    fn plan(&self, push: &CheckedPush, nonce: &Nonce, committer: &Committer) -> Result<RawPlan, LandError>;

    /// Carries out an approved push as it was planned. The intent with the plan is durable before.
    ///
    /// On [`LandError::Conflict`] and [`LandError::Failed`] nothing has changed, and the intent's
    /// outcome is that it did not land. On [`LandError::Unfinished`] the intent stays open for
    /// [`recover`](Repository::recover).
    fn execute(&self, push: &Redeemed, plan: &RawPlan, progress: &dyn Progress) -> Result<Landed, LandError>;

    /// Brings a landing that was cut off to one of its two ends. `observed` is where the branch is
    /// now.
    ///
    /// A host calls it for each intent without an outcome before it does anything else with the
    /// repository. An error leaves the intent open. It can be called again at any time, whatever it
    /// did before.
    fn recover(&self, plan: &RawPlan, observed: Option<ObjectId>) -> Result<RecoveryReport, LandError>;
}
