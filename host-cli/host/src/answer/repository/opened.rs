//! A repository that a call has opened: near, or on a server.

use std::collections::HashSet;
use std::path::Path;
use std::rc::Rc;

use gate::github;
use gate::import::{SupplyRequest, check_supply};
use gate::ledger::PushResult;
use gate::objects::{Nothing, Objects};
use gate::pack::PackLimits;
use gate::target::{CanonicalTarget, TargetKind};
use gix_hash::{ObjectId, oid};
use gix_object::Kind;

use crate::answer::call::suspend::Halting;
use crate::answer::repository::exchanges::Exchanges;
use crate::answer::repository::known::Known;
use crate::answer::wording::tool_error;
use crate::error::HostError;
use crate::sandbox::Sandbox;
use crate::target::{
    BlobAt, CommitsWanted, Fetched, LeftOut, Location, Near, RefEntry, RefListing, Remotes, Repository, TargetError,
    TargetErrorKind, TargetSpec,
};
use crate::wit;

/// An open repository.
pub(crate) enum Opened {
    /// One that answers at once.
    Near(Box<dyn Repository>),
    /// One on GitHub, and its refs as this call has read them.
    Far(Box<Server>),
}

/// A repository on a server.
pub(crate) struct Server {
    /// Its name there.
    pub(crate) repository: github::Repository,
    canonical: CanonicalTarget,
    /// Its refs, once they were read.
    pub(crate) listing: Option<RefListing>,
    /// The objects that this host has given to the sandbox, once they were needed.
    pub(crate) known: Option<Known>,
    /// Objects that this host is about to read for itself.
    reading: Vec<(ObjectId, Kind)>,
    /// Those that it has asked for already.
    asked: HashSet<ObjectId>,
}

/// How many objects a call reads for the host itself, unless the last of many come together.
const MOST_READ: usize = 1000;

impl Opened {
    /// Opens what `spec` names. A server is not asked yet.
    pub(crate) fn open(spec: &TargetSpec, sandbox: &Sandbox) -> Result<Self, TargetError> {
        match &spec.location {
            Location::GitHub { owner, repo } => Opened::on_github(&format!("{owner}/{repo}")),
            _ => Ok(Opened::Near(sandbox.near().open(spec, &sandbox.file.base)?)),
        }
    }

    /// Opens a repository by its canonical name.
    pub(crate) fn known(target: &CanonicalTarget, sandbox: &Sandbox) -> Result<Self, TargetError> {
        match target.kind() {
            TargetKind::Github => Opened::on_github(target.location()),
            _ => Ok(Opened::Near(sandbox.near().known(target, None)?)),
        }
    }

    fn on_github(name: &str) -> Result<Self, TargetError> {
        let repository: github::Repository = name.parse().map_err(|fault: github::Fault| {
            TargetError::new(TargetErrorKind::BadSpec, fault.message).hint(fault.hint)
        })?;
        let canonical = repository.target();
        let (reading, asked) = (Vec::new(), HashSet::new());
        Ok(Opened::Far(Box::new(Server { repository, canonical, listing: None, known: None, reading, asked })))
    }

    /// Its canonical name, to which approvals are bound.
    pub(crate) fn canonical(&self) -> &CanonicalTarget {
        match self {
            Opened::Near(repository) => repository.canonical(),
            Opened::Far(server) => &server.canonical,
        }
    }

    /// Lists its branches and tags.
    pub(crate) fn refs(&mut self, exchanges: &mut Exchanges) -> Halting<Result<RefListing, wit::ToolError>> {
        match self {
            Opened::Near(repository) => {
                Ok(repository.refs(Remotes::Without).map_err(|error| tool_error::target(&error)))
            }
            Opened::Far(server) => {
                let read = exchanges.go_on(|| github::Refs::new(server.repository.clone()))?;
                Ok(read.map_err(|fault| tool_error::server(&fault)).map(|read| {
                    let listing = listing(server.canonical.clone(), read);
                    server.listing = Some(listing.clone());
                    listing
                }))
            }
        }
    }
}

impl Opened {
    /// Fetches a commit, and what the sandbox lacks of its history.
    pub(crate) fn fetch_commits(
        &mut self,
        wanted: &CommitsWanted,
        exchanges: &mut Exchanges,
        sandbox: &mut Sandbox,
    ) -> Halting<Result<Fetched, wit::ToolError>> {
        match self {
            Opened::Near(repository) => {
                let fetched = repository.fetch_commits(wanted, &*sandbox.platform().progress());
                Ok(fetched.map_err(|error| tool_error::target(&error)))
            }
            Opened::Far(server) => {
                let known = server.known(sandbox)?;
                let tips = server.listing.iter().flat_map(|listing| &listing.refs);
                let wants = github::Wanted {
                    want: wanted.want,
                    tips: tips.map(|entry| entry.peeled.unwrap_or(entry.id)).collect(),
                    have: wanted.have.clone(),
                    depth: wanted.depth,
                    blobs: wanted.blobs,
                    known: Rc::new(known.clone()),
                    limits: room(sandbox),
                };
                let repository = server.repository.clone();
                let fetched = exchanges.go_on(|| github::Fetch::new(repository, wants))?;
                let had = Had { known: &known, commits: &wanted.have };
                Ok(fetched.map_err(|fault| tool_error::server(&fault)).and_then(|it| supply(it, !wanted.blobs, &had)))
            }
        }
    }

    /// Fetches blobs.
    pub(crate) fn fetch_blobs(
        &mut self,
        wanted: &[BlobAt],
        exchanges: &mut Exchanges,
        sandbox: &mut Sandbox,
    ) -> Halting<Result<Fetched, wit::ToolError>> {
        match self {
            Opened::Near(repository) => {
                let fetched = repository.fetch_blobs(wanted, &*sandbox.platform().progress());
                Ok(fetched.map_err(|error| tool_error::target(&error)))
            }
            Opened::Far(server) => {
                let known = server.known(sandbox)?;
                // Once the blobs are on their way, what the host had to read for them is there. To look for it at
                // every request would take longer than the requests.
                if !exchanges.is_under_way() || !server.reading.is_empty() {
                    server.expect_pushed(&known, sandbox)?;
                    let look = || wanted.iter().try_for_each(|blob| known.follow(&blob.commit, &blob.path));
                    if let Err(error) = server.read_for(&known, exchanges, look)? {
                        return Ok(Err(error));
                    }
                }
                let begin = || {
                    let blob = |BlobAt { commit, path, id }: &BlobAt| github::BlobAt {
                        commit: *commit,
                        path: path.clone(),
                        id: *id,
                    };
                    let blobs = wanted.iter().map(blob).collect();
                    github::Blobs::new(server.repository.clone(), blobs, Rc::new(known.clone()), room(sandbox))
                };
                let fetched = exchanges.go_on(begin)?;
                Ok(fetched
                    .map_err(|fault| tool_error::server(&fault))
                    .and_then(|it| supply(it, false, &Had { known: &known, commits: &[] })))
            }
        }
    }
}

impl Server {
    /// What the server surely has of that: all that its branches and tags reach.
    pub(crate) fn base(&self) -> crate::error::Result<Rc<dyn Objects>> {
        let (Some(known), Some(listing)) = (&self.known, &self.listing) else { return Ok(Rc::new(Nothing)) };
        known.reached(listing.refs.iter().map(|entry| entry.peeled.unwrap_or(entry.id)))
    }

    /// What this host has given to the sandbox, and the sandbox still has: a fetch leaves that out.
    pub(crate) fn known(&mut self, sandbox: &mut Sandbox) -> crate::error::Result<Known> {
        if let Some(known) = &self.known {
            return Ok(known.clone());
        }
        let held = sandbox.lock()?.attachments()?;
        Ok(self.known.insert(Known::read(&sandbox.store, &held)?).clone())
    }
}

impl Server {
    /// Names the commits that this sandbox has pushed there. The host has not supplied them, so it
    /// may have to read them.
    fn expect_pushed(&self, known: &Known, sandbox: &Sandbox) -> crate::error::Result<()> {
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
    pub(crate) fn lacks(&mut self, lacking: Vec<(ObjectId, Kind)>) -> bool {
        if self.asked.len() <= MOST_READ {
            self.reading = lacking.into_iter().filter(|(id, _)| !self.asked.contains(id)).collect();
        }
        !self.reading.is_empty()
    }

    /// Reads that.
    pub(crate) fn read(&mut self, known: &Known, exchanges: &mut Exchanges) -> Halting<Result<(), wit::ToolError>> {
        if self.reading.is_empty() {
            return Ok(Ok(()));
        }
        let begin = || github::Read::new(self.repository.clone(), self.reading.clone(), PackLimits::import());
        let read = exchanges.go_on(begin)?;
        self.asked.extend(self.reading.drain(..).map(|(id, _)| id));
        match read {
            Ok(fetched) => known.add_read(fetched.pack)?,
            Err(fault) if matches!(fault.kind, github::FaultKind::MissingObject { .. }) => {}
            Err(fault) => return Ok(Err(tool_error::server(&fault))),
        }
        Ok(Ok(()))
    }
}

/// What may be brought in from a server. It is refused as soon as it is known to be more than the
/// sandbox has room for, however long the whole would take.
fn room(sandbox: &Sandbox) -> PackLimits {
    let import = PackLimits::import();
    PackLimits { total_bytes: import.total_bytes.min(sandbox.platform().most_bytes()), ..import }
}

/// What a sandbox has of a history: what this host has given to it, and the commits that it says it
/// has. Of those only the sandbox knows the content, and only itself would suffer from a lie.
struct Had<'a> {
    known: &'a Known,
    commits: &'a [ObjectId],
}

impl Objects for Had<'_> {
    fn find(&self, id: &oid, out: &mut Vec<u8>) -> Result<Option<Kind>, gate::Fault> {
        self.known.find(id, out)
    }

    fn header(&self, id: &oid) -> Result<Option<(Kind, u64)>, gate::Fault> {
        let known = self.known.header(id)?;
        Ok(known.or_else(|| self.commits.iter().any(|commit| **commit == *id).then_some((Kind::Commit, 0))))
    }
}

/// Checks what a server gave, like a pack of any other repository. What the call asks for next may
/// build on it.
fn supply(fetched: github::Fetched, absent_blobs: bool, had: &Had<'_>) -> Result<Fetched, wit::ToolError> {
    let github::Fetched { pack, shallow } = fetched;
    let request = SupplyRequest { pack, tips: &[], shallow: &shallow, absent_blobs, have: had, watch: &|_| {} };
    let checked = check_supply(request, &PackLimits::import()).and_then(|supply| {
        let (pack, index) = (supply.verified.bytes().clone(), supply.verified.index()?.into());
        had.known.add(supply.verified);
        Ok(Fetched { pack, index, shallow: supply.shallow })
    });
    checked.map_err(|fault| tool_error::server(&fault.into()))
}

fn listing(canonical: CanonicalTarget, read: github::Listing) -> RefListing {
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

/// The canonical name of what `spec` names, if it can be opened at all.
pub(crate) fn canonical(spec: &TargetSpec, near: &dyn Near, base: &Path) -> Option<CanonicalTarget> {
    match &spec.location {
        Location::GitHub { owner, repo } => CanonicalTarget::new(TargetKind::Github, format!("{owner}/{repo}")).ok(),
        _ => Some(near.open(spec, base).ok()?.canonical().clone()),
    }
}
