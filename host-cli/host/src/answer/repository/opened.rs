//! A repository that a call has opened: on this disk, or on a server. For a call, this file alone chooses. Everything above it
//! knows an [`Opened`].

use std::path::Path;

use gate::approval::Redeemed;
use gate::forge::{self, Along, Conversation, Server};
use gate::id::Nonce;
use gate::objects::Objects;
use gate::push::{CheckedPush, Peculiarity};
use gate::refname::BranchRef;
use gate::target::CanonicalTarget;
use gix_hash::ObjectId;

use crate::answer::call::suspend::Halting;
use crate::answer::push::check::Shown;
use crate::answer::repository::exchanges::Exchanges;
use crate::answer::repository::near::OnDisk;
use crate::answer::repository::server::OnServer;
use crate::error::{HostError, Result};
use crate::platform::Platform;
use crate::sandbox::Sandbox;
use crate::target::{
    BlobAt, CommitsWanted, Committer, Fetched, LandError, Landed, Near, RawPlan, RefListing, TargetError, TargetSpec,
};
use crate::wit;

/// An open repository. One on this disk answers at once; what a server is asked halts the call.
pub(crate) trait Opened {
    /// Its canonical name, to which approvals are bound.
    fn canonical(&self) -> &CanonicalTarget;

    /// Lists its branches and tags.
    fn refs(&mut self, exchanges: &mut Exchanges) -> Halting<Result<RefListing, wit::ToolError>>;

    /// Fetches a commit, and what the sandbox lacks of its history.
    fn fetch_commits(
        &mut self,
        wanted: &CommitsWanted,
        exchanges: &mut Exchanges,
        sandbox: &mut Sandbox,
    ) -> Halting<Result<Fetched, wit::ToolError>>;

    /// Fetches blobs.
    fn fetch_blobs(
        &mut self,
        wanted: &[BlobAt],
        exchanges: &mut Exchanges,
        sandbox: &mut Sandbox,
    ) -> Halting<Result<Fetched, wit::ToolError>>;

    /// Calls `check` with what a push to `branch` is checked against.
    fn check(
        &mut self,
        branch: &BranchRef,
        check: &dyn Fn(&Basis<'_>, &Sandbox) -> Shown,
        exchanges: &mut Exchanges,
        sandbox: &mut Sandbox,
    ) -> Halting<Shown>;

    /// Whether a push to it could change the rules that the push is decided by.
    fn holds_policy(&self, sandbox: &Sandbox) -> Result<bool, TargetError>;

    /// Writes an approved push, or begins to. On this disk nothing goes `along` with one.
    ///
    /// # Errors
    /// If it cannot be begun: nothing has changed.
    fn land(
        self: Box<Self>,
        push: Redeemed,
        plan: &RawPlan,
        platform: &dyn Platform,
        along: Option<Along>,
    ) -> Result<Landing>;
}

/// What a push is checked against, and how its plan is made.
pub(crate) struct Basis<'a> {
    /// The objects that the repository has.
    pub(crate) objects: &'a dyn Objects,
    /// The head of the branch.
    pub(crate) tip: Option<ObjectId>,
    pub(crate) refs: &'a RefListing,
    /// What the person has to know of it beside its name.
    pub(crate) peculiarities: Vec<Peculiarity>,
    /// Writes down the steps that will write the push.
    pub(crate) plan: &'a dyn Fn(&CheckedPush, &Nonce, &Committer) -> Result<RawPlan, LandError>,
}

/// How far the writing of a push has come.
pub(crate) enum Landing {
    /// It is over.
    Ended(Ended),
    /// A server is to be asked for it.
    Asking(Conversation<forge::Landing>),
}

/// How the writing of a push ended.
pub(crate) enum Ended {
    /// The branch has the push.
    Landed(Landed),
    /// Nothing has changed.
    NotLanded(wit::AnswerBody),
    /// Nobody knows yet. The intent stays open.
    Open(HostError),
}

/// Opens what `spec` names. A server is not asked yet.
pub(crate) fn open(spec: &TargetSpec, sandbox: &Sandbox) -> Result<Box<dyn Opened>, TargetError> {
    match spec.location.server() {
        Some(server) => Ok(Box::new(OnServer::new(server?))),
        None => Ok(Box::new(OnDisk(sandbox.near().open(spec, &sandbox.file.base)?))),
    }
}

/// Opens a repository by its canonical name.
pub(crate) fn known(target: &CanonicalTarget, sandbox: &Sandbox) -> Result<Box<dyn Opened>, TargetError> {
    match server(target) {
        Some(server) => Ok(Box::new(OnServer::new(server.map_err(TargetError::bad_name)?))),
        None => Ok(Box::new(OnDisk(sandbox.near().known(target, None)?))),
    }
}

/// The canonical name of what `spec` names, if it can be opened at all.
pub(crate) fn canonical(spec: &TargetSpec, near: &dyn Near, base: &Path) -> Option<CanonicalTarget> {
    match spec.location.server() {
        Some(_) => spec.location.on_server()?.ok(),
        None => Some(near.open(spec, base).ok()?.canonical().clone()),
    }
}

/// The server that has a target, if one has.
pub(crate) fn server(target: &CanonicalTarget) -> Option<Result<Box<dyn Server>, forge::Fault>> {
    Some(target.kind().forge()?.open(target.location()))
}

/// Whether only a server can say what became of a push to `target`.
pub(crate) fn is_on_server(target: &CanonicalTarget) -> bool {
    target.kind().forge().is_some()
}
