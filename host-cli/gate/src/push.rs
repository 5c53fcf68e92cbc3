//! Checks a push that the component requests.

use bytes::Bytes;
use gix_hash::ObjectId;

use crate::{
    connectivity,
    error::{Fault, FaultKind},
    history::{self, History},
    id::SandboxId,
    leftover,
    objects::{Objects, Overlay, Supplied},
    pack::{self, PackLimits, VerifiedPack},
    protected::Protected,
    refname::BranchRef,
    secrets::Allowed,
    signing::Signed,
    target::CanonicalTarget,
    time::Timestamp,
};

/// The component's request. Nothing in it is trusted.
#[derive(Debug, Clone)]
pub struct PushRequest {
    /// The sandbox that asks; the host fills it in.
    pub sandbox: SandboxId,
    /// The target, as the host resolved it.
    pub target: CanonicalTarget,
    /// The branch to move or make.
    pub reference: BranchRef,
    /// The branch's head as the sandbox knows it, or `None` to create the branch.
    pub old: Option<ObjectId>,
    /// Where the branch shall be.
    pub new: ObjectId,
    /// The objects that the target lacks, in a whole pack.
    pub pack: Bytes,
}

/// What the host knows about the target at the time of the check.
#[derive(Debug, Clone, Default)]
pub struct TargetFacts {
    /// The branch's current head, or `None` if it does not exist.
    pub current_head_of_ref: Option<ObjectId>,
    /// What all refs of the target point to, tags peeled or not. `None` if the host does not know.
    /// The target vouches that everything they and [`Self::current_head_of_ref`] reach is whole. If
    /// a push builds on another commit that the target happens to have, everything below it must
    /// exist, and the review says that the push restores it. Without the refs, the check follows
    /// everything, which takes long.
    pub tips: Option<Vec<ObjectId>>,
    /// The protected branches.
    pub protected: Protected,
    /// What a person has to know of the target beside its name.
    pub peculiarities: Vec<Peculiarity>,
    /// What the host has verified and given to the sandbox itself; for pushes of whole histories to
    /// where nothing is, such as a file. Such objects are held to the rules of
    /// [`Origin::Supplied`](crate::pack::Origin::Supplied), and such commits count as what was
    /// there before: the review compares with them, says how many there are, and does not list them
    /// or what they changed. The digest covers them like all others.
    pub supplied: Supplied,
    /// The commits of the push that the host has signed itself. No other may have a signature.
    pub signed: Signed,
    /// Secrets that the person allows; none by default. They come from the person's own
    /// configuration and never from the repository, whose content the sandbox controls.
    pub allowed: Allowed,
    /// Who the sandbox commits as, `Name <email>`, and what time it is. A review says which commits name somebody else, or another time.
    /// `None` if the host does not know.
    pub commits: Option<Usual>,
}

/// What commits that a sandbox has just made say of themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usual {
    /// The author, `Name <email>`, if the sandbox has an identity.
    pub identity: Option<String>,
    /// The committer. Default: the author.
    pub committer: Option<String>,
    /// The host's time.
    pub now: Timestamp,
}

/// What a person has to know of a target beside its name, as the host found it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Peculiarity {
    /// The push writes to this path outside the folder that names the target.
    Writes(String),
    /// Objects of the target are read from this path outside of it.
    Reads(String),
    /// Its hooks with these names would run if the person committed and pushed with git. None of them runs.
    Hooks(Vec<String>),
    /// The person's commits to it are signed. Those that the sandbox only passes on may not be.
    Signs,
}

/// Bounds of a push.
#[derive(Debug, Clone)]
pub struct PushLimits {
    /// Bounds of its pack.
    pub pack: PackLimits,
    /// Commits of the target's own history that may be visited where a push joins other branches.
    pub history: usize,
    /// Bytes that a review takes: of a file its content, or twice its patch, once for the review
    /// and once for what is printed of it, whichever is more; of a commit its texts, and those in
    /// the log.
    pub review_bytes: u64,
    /// Bytes of trees that a review reads, each as often as it is compared.
    pub review_tree_bytes: u64,
    /// Bytes of paths that a review lists, and 96 more for each, over all commits.
    pub review_path_bytes: u64,
    /// Bytes of one path.
    pub path_bytes: usize,
}

impl Default for PushLimits {
    fn default() -> Self {
        PushLimits {
            pack: PackLimits::push(),
            history: 2_000_000,
            review_bytes: 1 << 30,
            review_tree_bytes: 8 << 30,
            review_path_bytes: 512 << 20,
            path_bytes: 4096,
        }
    }
}

/// A push that may be shown to a person: its pack is verified, its commits are whole and build on
/// the branch's actual head, and it brings nothing else. Only [`check`] makes one.
#[derive(Debug)]
pub struct CheckedPush {
    pub(crate) sandbox: SandboxId,
    pub(crate) target: CanonicalTarget,
    pub(crate) reference: BranchRef,
    pub(crate) old: Option<ObjectId>,
    pub(crate) new: ObjectId,
    pub(crate) pack: VerifiedPack,
    pub(crate) history: History,
    pub(crate) protected: Protected,
    pub(crate) peculiarities: Vec<Peculiarity>,
    pub(crate) supplied: Supplied,
    pub(crate) signed: Signed,
    pub(crate) allowed: Allowed,
    pub(crate) commits: Option<Usual>,
    /// The refs of the target are known.
    pub(crate) tips_known: bool,
    pub(crate) limits: PushLimits,
}

impl CheckedPush {
    /// Where the commits shall go.
    pub fn target(&self) -> &CanonicalTarget {
        &self.target
    }

    /// The branch to move or make.
    pub fn reference(&self) -> &BranchRef {
        &self.reference
    }

    /// Where the branch is; `None` if the push makes it.
    pub fn old(&self) -> Option<ObjectId> {
        self.old
    }

    /// Where the branch shall be.
    pub fn new_head(&self) -> ObjectId {
        self.new
    }

    /// The verified objects.
    pub fn pack(&self) -> &VerifiedPack {
        &self.pack
    }
}

/// Checks a push against the target's current state.
///
/// # Errors
/// [`FaultKind::Conflict`] if the branch is elsewhere or `new` does not build on it; otherwise what
/// [`pack::verify`] finds, [`FaultKind::MissingObject`], [`FaultKind::UnneededObject`], or
/// [`FaultKind::Refused`] if there is nothing to push.
pub fn check(
    request: PushRequest,
    target: &dyn Objects,
    facts: TargetFacts,
    limits: &PushLimits,
) -> Result<CheckedPush, Fault> {
    let PushRequest { sandbox, target: place, reference, old, new, pack } = request;
    if facts.current_head_of_ref != old {
        return Err(history::not_fast_forward(new, facts.current_head_of_ref));
    }
    if old == Some(new) {
        return Err(Fault::new(FaultKind::Refused, "nothing to push: the branch is already at that commit"));
    }
    let pack = pack::verify_push(pack, &limits.pack, &facts.supplied, &facts.signed)?;
    let all = Overlay { pack: &pack, below: target };
    let history = history::of(all, new, &facts, limits.history)?;
    leftover::whole(target, &history.leftover)?;
    connectivity::exact(all, &history, &facts.supplied)?;
    Ok(CheckedPush {
        sandbox,
        target: place,
        reference,
        old,
        new,
        pack,
        history,
        protected: facts.protected,
        peculiarities: facts.peculiarities,
        supplied: facts.supplied,
        signed: facts.signed,
        allowed: facts.allowed,
        commits: facts.commits,
        tips_known: facts.tips.is_some(),
        limits: limits.clone(),
    })
}
