//! Fetches what a sandbox lacks of a repository, as a whole pack.
//!
//! The pack goes through [`import::check_supply`](crate::import::check_supply) like one of a local repository.
//! Nothing is fetched that no branch or tag reaches: some servers give out whatever they have.

use std::{collections::HashSet, num::NonZeroU32, rc::Rc};

use gix_hash::ObjectId;
use gix_object::Kind;
use patch::sort::sort;

use super::{
    BlobAt, Fault, Fetched, Running, Wanted,
    advertised::Advertised,
    exchange, fault,
    location::Location,
    pack::{Ask, Came, Filter, common, fetch},
    remote::{Remote, Service},
};
use crate::{
    forge::ensure_stands,
    history,
    objects::Objects,
    pack::{Origin, PackLimits, PackWriter, verify},
};

/// Commits that a server is told of, so that it finds what both have.
const MOST_HAVE: usize = 64;

/// Fetches a commit and the history that the sandbox lacks, with all their trees.
pub struct Fetch(Running<Fetched>);

exchange!(Fetch => Fetched);

impl Fetch {
    pub(super) fn new(location: Location, wanted: Wanted) -> Self {
        Fetch(Running::new(|wire| async move {
            let remote = Remote::new(wire, location);
            let advertised = remote.advertised(Service::UploadPack).await?;
            let want = wanted.want;
            if !wanted.tips.contains(&want) && !reaches(&remote, &advertised, &wanted.tips, want).await? {
                return Err(Fault::missing(want, format!("no branch or tag of the repository reaches {want}")));
            }
            let filter = (!wanted.blobs).then_some(Filter::Blobs);
            let have = offered(&wanted)?;
            let mut ask = Ask { want: vec![want], have, shallow: wanted.shallow.clone(), depth: None, filter };
            if wanted.depth.is_some() && !ask.have.is_empty() {
                ask.have = common(&remote, &advertised, &ask).await?;
            }
            if ask.have.is_empty() {
                // With nothing in common, the sandbox wants no more than so much.
                (ask.depth, ask.shallow) = (wanted.depth, Vec::new());
            }
            finish(fetch(&remote, &advertised, &ask).await?)
        }))
    }
}

/// Fetches single blobs.
pub struct Blobs(Running<Fetched>);

exchange!(Blobs => Fetched);

impl Blobs {
    /// Fetches what stands at its path in a commit of `known`, which is what the host has verified and given to
    /// the sandbox.
    pub(super) fn new(location: Location, blobs: Vec<BlobAt>, known: Rc<dyn Objects>) -> Self {
        Blobs(Running::new(|wire| async move {
            let remote = Remote::new(wire, location);
            let mut want = Vec::new();
            for blob in &blobs {
                ensure_stands(&*known, blob)?;
                if !known.contains(&blob.id)? {
                    want.push(blob.id);
                }
            }
            sort(&mut want);
            want.dedup();
            if want.is_empty() {
                return Ok(Fetched { pack: PackWriter::new().finish()?, shallow: Vec::new() });
            }
            let advertised = remote.advertised(Service::UploadPack).await?;
            let came = fetch(&remote, &advertised, &Ask { want, ..Ask::default() }).await;
            finish(came.map_err(|fault| without_files(fault, &advertised))?)
        }))
    }
}

/// Fetches single objects for the host itself, such as what a push is compared with.
pub struct Read(Running<Fetched>);

exchange!(Read => Fetched);

impl Read {
    /// The host knows their ids and kinds from objects that it has verified, or the id from a ref. They are not
    /// for the sandbox: nothing says that a branch or tag reaches them.
    pub(super) fn new(location: Location, objects: Vec<(ObjectId, Kind)>, limits: PackLimits) -> Self {
        Read(Running::new(|wire| async move {
            let remote = Remote::new(wire, location);
            let advertised = remote.advertised(Service::UploadPack).await?;
            let mut together = Together::default();
            for kind in [Kind::Tag, Kind::Commit, Kind::Tree, Kind::Blob] {
                let want: Vec<ObjectId> = objects.iter().filter(|(_, one)| *one == kind).map(|(id, _)| *id).collect();
                if want.is_empty() {
                    continue;
                }
                // A folder comes with all below it: whoever reads one reads on. A commit comes by itself.
                let (depth, filter) = match kind {
                    Kind::Blob => (None, None),
                    Kind::Tree => (None, Some(Filter::Blobs)),
                    Kind::Commit | Kind::Tag => (NonZeroU32::new(1), Some(Filter::Trees)),
                };
                let ask = Ask { want, depth, filter, ..Ask::default() };
                let Came { pack, .. } = fetch(&remote, &advertised, &ask).await?;
                together.add(pack, &limits)?;
            }
            Ok(Fetched { pack: together.pack.finish()?, shallow: Vec::new() })
        }))
    }
}

/// Several packs as one.
#[derive(Default)]
struct Together {
    pack: PackWriter,
    ids: HashSet<ObjectId>,
}

impl Together {
    fn add(&mut self, pack: bytes::Bytes, limits: &PackLimits) -> Result<(), Fault> {
        let (verified, mut content) = (verify(pack, limits, Origin::Supplied)?, Vec::new());
        for id in verified.ids().filter(|id| self.ids.insert(*id)) {
            if let Some(kind) = verified.find(&id, &mut content)? {
                self.pack.add(kind, &content)?;
            }
        }
        Ok(())
    }
}

/// Whether one of `tips` is `ancestor` or descends from it.
pub(super) async fn reaches(
    remote: &Remote,
    advertised: &Advertised,
    tips: &[ObjectId],
    ancestor: ObjectId,
) -> Result<bool, Fault> {
    if tips.contains(&ancestor) {
        return Ok(true);
    }
    let ask = Ask { want: tips.to_vec(), have: vec![ancestor], filter: Some(Filter::Trees), ..Ask::default() };
    if ask.want.is_empty() || common(remote, advertised, &ask).await?.is_empty() {
        return Ok(false);
    }
    // What the tips reach and it does not: if they reach it, one of those is its child.
    let Came { pack, .. } = fetch(remote, advertised, &ask).await?;
    let newer = verify(pack, &PackLimits::import(), Origin::Supplied)?;
    Ok(newer.parents().iter().any(|(_, parent)| *parent == ancestor))
}

/// The commits to tell the server of: those of the sandbox that the host has given to it, since only their
/// content is surely here, and some of their ancestors, in growing steps.
fn offered(wanted: &Wanted) -> Result<Vec<ObjectId>, Fault> {
    let (mut offered, mut content) = (Vec::new(), Vec::new());
    for have in &wanted.have {
        let (mut next, mut step, mut due) = (Some(*have), 1_u32, 0_u32);
        while let Some(id) = next.take() {
            let kind = wanted.known.find(&id, &mut content)?;
            if kind != Some(Kind::Commit) || offered.contains(&id) || offered.len() == MOST_HAVE {
                break;
            }
            if due == 0 {
                offered.push(id);
                (due, step) = (step, step.saturating_mul(2));
            }
            due -= 1;
            let commit = history::parse(&id, kind, &content)?;
            next = commit.parents.first().copied().filter(|_| !wanted.shallow.contains(&id));
        }
    }
    Ok(offered)
}

fn finish(came: Came) -> Result<Fetched, Fault> {
    let Came { pack, mut shallow } = came;
    if pack.is_empty() {
        return Err(fault::malformed("it has no pack"));
    }
    sort(&mut shallow);
    shallow.dedup();
    Ok(Fetched { pack, shallow })
}

/// Before version 2, most servers give out only what a branch or tag points to.
fn without_files(fault: Fault, advertised: &Advertised) -> Fault {
    match advertised {
        Advertised::Old { .. } => {
            fault.with_hint("this server gives out no single files: bring in all, without `paths`")
        }
        Advertised::Two(_) => fault,
    }
}
