//! A repository on a server, as a call uses it: what it has to be asked halts the call.

use std::collections::HashSet;
use std::rc::Rc;

use gate::approval::Redeemed;
use gate::forge::{self, Along, FaultKind, Listing, Server};
use gate::id::Nonce;
use gate::ledger::PushResult;
use gate::objects::{Nothing, Objects};
use gate::pack::PackLimits;
use gate::push::CheckedPush;
use gate::refname::BranchRef;
use gate::target::CanonicalTarget;
use gix_hash::ObjectId;
use gix_object::Kind;

use crate::answer::call::suspend::Halting;
use crate::answer::misbehaved;
use crate::answer::push::check::Shown;
use crate::answer::repository::exchanges::Exchanges;
use crate::answer::repository::known::Known;
use crate::answer::repository::opened::{Basis, Landing, Opened};
use crate::answer::repository::supply::{Had, room, supply};
use crate::answer::wording::tool_error;
use crate::error::{HostError, Result};
use crate::platform::Platform;
use crate::sandbox::Sandbox;
use crate::store::pushed::{self, PushedPack};
use crate::target::{BlobAt, CommitsWanted, Committer, Fetched, LeftOut, RawPlan, RefEntry, RefListing, TargetError};
use crate::wit;

/// A repository on a server.
pub(crate) struct OnServer {
    server: Box<dyn Server>,
    canonical: CanonicalTarget,
    /// Its refs, once they were read.
    listing: Option<RefListing>,
    /// The objects that this host has given to the sandbox, once they were needed.
    known: Option<Known>,
    /// Objects that this host is about to read for itself.
    reading: Vec<(ObjectId, Kind)>,
    /// Those that it has asked for already.
    asked: HashSet<ObjectId>,
}

/// How many objects a call reads for the host itself, unless the last of many come together.
const MOST_READ: usize = 1000;

impl Opened for OnServer {
    fn canonical(&self) -> &CanonicalTarget {
        &self.canonical
    }

    fn refs(&mut self, exchanges: &mut Exchanges) -> Halting<Result<RefListing, wit::ToolError>> {
        let read = exchanges.go_on(|| self.server.refs())?;
        Ok(read.map_err(|fault| tool_error::server(&fault)).map(|read| {
            let listing = listing(self.canonical.clone(), read);
            self.listing = Some(listing.clone());
            listing
        }))
    }

    fn fetch_commits(
        &mut self,
        wanted: &CommitsWanted,
        exchanges: &mut Exchanges,
        sandbox: &mut Sandbox,
    ) -> Halting<Result<Fetched, wit::ToolError>> {
        let known = self.known(sandbox)?;
        let tips = self.listing.iter().flat_map(|listing| &listing.refs);
        let wants = forge::Wanted {
            want: wanted.want,
            tips: tips.map(|entry| entry.peeled.unwrap_or(entry.id)).collect(),
            have: wanted.have.clone(),
            shallow: wanted.shallow.clone(),
            depth: wanted.depth,
            blobs: wanted.blobs,
            known: Rc::new(known.clone()),
            limits: room(sandbox),
        };
        let fetched = exchanges.go_on(|| self.server.fetch(wants))?;
        let had = Had { known: &known, commits: &wanted.have };
        Ok(fetched
            .map_err(|fault| tool_error::server(&fault))
            .and_then(|it| supply(it, !wanted.blobs, &had, &room(sandbox))))
    }

    fn fetch_blobs(
        &mut self,
        wanted: &[BlobAt],
        exchanges: &mut Exchanges,
        sandbox: &mut Sandbox,
    ) -> Halting<Result<Fetched, wit::ToolError>> {
        let known = self.known(sandbox)?;
        // Once the blobs are on their way, what the host had to read for them is there. To look for it at
        // every request would take longer than the requests.
        if !exchanges.is_under_way() || !self.reading.is_empty() {
            self.expect_pushed(&known, sandbox)?;
            let look = || wanted.iter().try_for_each(|blob| known.follow(&blob.commit, &blob.path));
            if let Err(error) = self.read_for(&known, exchanges, look)? {
                return Ok(Err(error));
            }
        }
        let begin = || {
            let blob =
                |BlobAt { commit, path, id }: &BlobAt| forge::BlobAt { commit: *commit, path: path.clone(), id: *id };
            let blobs = wanted.iter().map(blob).collect();
            self.server.blobs(blobs, Rc::new(known.clone()), room(sandbox))
        };
        let fetched = exchanges.go_on(begin)?;
        Ok(fetched
            .map_err(|fault| tool_error::server(&fault))
            .and_then(|it| supply(it, false, &Had { known: &known, commits: &[] }, &room(sandbox))))
    }

    /// Against the refs that this call has read. What this host has not supplied itself is read from the
    /// server, and then `check` is called again.
    fn check(
        &mut self,
        branch: &BranchRef,
        check: &dyn Fn(&Basis<'_>, &Sandbox) -> Shown,
        exchanges: &mut Exchanges,
        sandbox: &mut Sandbox,
    ) -> Halting<Shown> {
        let known = self.known(sandbox)?;
        let Some(refs) = self.listing.clone() else {
            return Err(misbehaved("it pushes to a server whose refs it did not ask for").into());
        };
        let tip = refs.refs.iter().find(|entry| entry.name == branch.as_str()).map(|entry| entry.id);
        refs.refs.iter().for_each(|entry| known.expect(entry.peeled.unwrap_or(entry.id), Kind::Commit));
        // A server has no steps that a crash could interrupt: what became of a push, its branch says.
        let plan =
            |push: &CheckedPush, _: &Nonce, _: &Committer| Ok(RawPlan::of(&PushedPack::of(push.pack().bytes()))?);
        let there = known.there();
        let basis = Basis { objects: &there, tip, refs: &refs, peculiarities: Vec::new(), plan: &plan };
        loop {
            // What is on its way is waited for before the push is checked again.
            if let Err(error) = self.read(&known, exchanges)? {
                return Ok(Err(wit::AnswerBody::Failed(error)));
            }
            let (shown, lacking) = known.watching(|| check(&basis, sandbox));
            if !self.lacks(lacking) {
                return Ok(shown);
            }
        }
    }

    /// A policy file is on this machine.
    fn holds_policy(&self, _: &Sandbox) -> Result<bool, TargetError> {
        Ok(false)
    }

    fn land(self: Box<Self>, push: Redeemed, _: &RawPlan, _: &dyn Platform, along: Option<Along>) -> Result<Landing> {
        Ok(Landing::Asking(self.server.land(push, self.base(), along)))
    }
}

impl OnServer {
    /// The repository that `server` has. It is not asked yet.
    pub(crate) fn new(server: Box<dyn Server>) -> Self {
        let canonical = server.target();
        let (reading, asked) = (Vec::new(), HashSet::new());
        OnServer { server, canonical, listing: None, known: None, reading, asked }
    }

    /// What the server surely has of that: all that its branches and tags reach.
    fn base(&self) -> Rc<dyn Objects> {
        let (Some(known), Some(listing)) = (&self.known, &self.listing) else { return Rc::new(Nothing) };
        known.reached(listing.refs.iter().map(|entry| entry.peeled.unwrap_or(entry.id)))
    }

    /// What this host has given to the sandbox, and the sandbox still has: a fetch leaves that out.
    fn known(&mut self, sandbox: &mut Sandbox) -> Result<Known> {
        if let Some(known) = &self.known {
            return Ok(known.clone());
        }
        let held = sandbox.lock()?.attachments()?;
        let pushed = pushed::packs(&sandbox.store.ledger, Some(&self.canonical))?;
        Ok(self.known.insert(Known::read(&sandbox.store, &held, &pushed)?).clone())
    }

    /// Names the commits that this sandbox has pushed there. The host has not supplied them, so it
    /// may have to read them.
    fn expect_pushed(&self, known: &Known, sandbox: &Sandbox) -> Result<()> {
        let ledger = sandbox.store.ledger.read().map_err(HostError::from)?;
        let landed = ledger.intents().filter(|intent| {
            intent.target == self.canonical && ledger.result(intent.nonce) == Some(PushResult::Landed)
        });
        landed.for_each(|intent| known.expect(intent.new, Kind::Commit));
        Ok(())
    }

    /// Reads what `look` looks for and the host lacks.
    fn read_for(
        &mut self,
        known: &Known,
        exchanges: &mut Exchanges,
        look: impl Fn() -> Result<(), gate::Fault>,
    ) -> Halting<Result<(), wit::ToolError>> {
        loop {
            if let Err(error) = self.read(known, exchanges)? {
                return Ok(Err(error));
            }
            let (looked, lacking) = known.watching(&look);
            looked.map_err(HostError::from)?;
            if !self.lacks(lacking) {
                return Ok(Ok(()));
            }
        }
    }

    /// Notes what the host lacks. False if there is nothing that it has not asked for before: then
    /// the gate says what is missing.
    fn lacks(&mut self, lacking: Vec<(ObjectId, Kind)>) -> bool {
        if self.asked.len() <= MOST_READ {
            self.reading = lacking.into_iter().filter(|(id, _)| !self.asked.contains(id)).collect();
        }
        !self.reading.is_empty()
    }

    /// Reads that.
    fn read(&mut self, known: &Known, exchanges: &mut Exchanges) -> Halting<Result<(), wit::ToolError>> {
        if self.reading.is_empty() {
            return Ok(Ok(()));
        }
        let read = exchanges.go_on(|| self.server.read(self.reading.clone(), PackLimits::import()))?;
        self.asked.extend(self.reading.drain(..).map(|(id, _)| id));
        match read {
            Ok(fetched) => known.add_read(fetched.pack)?,
            Err(fault) if matches!(fault.kind, FaultKind::MissingObject { .. }) => {}
            Err(fault) => return Ok(Err(tool_error::server(&fault))),
        }
        Ok(Ok(()))
    }
}

fn listing(canonical: CanonicalTarget, read: Listing) -> RefListing {
    let refs = read.refs.into_iter();
    let left_out = read.left_out.into_iter();
    RefListing {
        canonical,
        head: read.head,
        detached: None,
        refs: refs.map(|entry| RefEntry { name: entry.name, id: entry.id, peeled: entry.peeled }).collect(),
        left_out: left_out.map(|one| LeftOut { name: one.name.into(), reason: one.reason }).collect(),
    }
}
