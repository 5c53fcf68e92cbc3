//! Fetches what a sandbox lacks of a repository, as a whole pack.
//!
//! The pack goes through [`import::check_supply`](crate::import::check_supply) like one of a local
//! repository. Gives out only what the repository's branches and tags reach: GitHub itself would
//! also serve what its owner has deleted, and whatever stands in a fork.

mod blobs;
mod found;
mod history;
mod trees;

use std::rc::Rc;

use gix_hash::ObjectId;
use gix_object::Kind;

use super::{
    BlobAt, Fault, Fetched, Repository, Running, Wanted,
    answer::{Pointed, Tag},
    api::{Api, ok, parse},
    exchange,
    rebuild::{self, Zones},
};
use crate::{
    forge::ensure_stands,
    objects::{Nothing, Objects},
    pack::PackLimits,
};
use found::Found;
use history::History;
pub(super) use history::descends;

/// Fetches a commit and the history that the sandbox lacks, with all their trees.
pub struct Fetch(Running<Fetched>);

exchange!(Fetch => Fetched);

impl Fetch {
    /// Fetches from `repository`.
    pub fn new(repository: Repository, wanted: Wanted) -> Self {
        Fetch(Running::new(|wire| async move {
            let api = Api::new(wire, repository);
            history::ensure_reached(&api, &wanted).await?;
            let mut found = Found::new(wanted.known.clone(), wanted.limits.clone());
            let History { trees, shallow, is_on_top } = history::of(&api, &wanted, &mut found).await?;
            let mut knows_trees = false;
            for have in wanted.have.iter().filter(|_| is_on_top) {
                knows_trees |= found.is_known(*have)?;
            }
            let mut blobs = wanted.blobs.then(Vec::new);
            for (number, tree) in trees.into_iter().enumerate() {
                // Where nothing is known, the first tree brings everything; others change a few
                // folders.
                let whole = number == 0 && !knows_trees;
                trees::below(&api, tree, whole, &mut found, blobs.as_mut()).await?;
            }
            for id in blobs.into_iter().flatten() {
                blobs::blob(&api, id, &mut found).await?;
            }
            found.finish(shallow)
        }))
    }
}

/// Fetches single blobs.
pub struct Blobs(Running<Fetched>);

exchange!(Blobs => Fetched);

impl Blobs {
    /// Fetches from `repository` what stands at its path in a commit of `known`, which is what the
    /// host has verified and given to the sandbox.
    pub fn new(repository: Repository, blobs: Vec<BlobAt>, known: Rc<dyn Objects>, limits: PackLimits) -> Self {
        Blobs(Running::new(|wire| async move {
            let api = Api::new(wire, repository);
            for blob in &blobs {
                ensure_stands(&*known, blob)?;
            }
            let mut found = Found::new(known, limits);
            for BlobAt { id, .. } in blobs {
                blobs::blob(&api, id, &mut found).await?;
            }
            found.finish(Vec::new())
        }))
    }
}

/// Fetches single objects for the host itself, such as what a push is compared with.
pub struct Read(Running<Fetched>);

exchange!(Read => Fetched);

impl Read {
    /// Fetches `objects` from `repository`. The host knows their ids and kinds from objects that it
    /// has verified, or the id from a ref. They are not for the sandbox: nothing says that a branch
    /// or tag reaches them.
    pub fn new(repository: Repository, objects: Vec<(ObjectId, Kind)>, limits: PackLimits) -> Self {
        Read(Running::new(|wire| async move {
            let api = Api::new(wire, repository);
            let (mut found, mut zones) = (Found::new(Rc::new(Nothing), limits), Zones::default());
            for (id, kind) in objects {
                match kind {
                    Kind::Commit => history::commit(&api, id, &mut found, &mut zones).await?,
                    Kind::Tree => trees::tree(&api, id, &mut found).await?,
                    Kind::Blob => blobs::blob(&api, id, &mut found).await?,
                    Kind::Tag => drop(tag(&api, id, &mut found, &mut zones).await?),
                }
            }
            found.finish(Vec::new())
        }))
    }
}

/// Fetches annotated tags, and the tags that they tag, but not what these lead to.
pub struct Tags(Running<Fetched>);

exchange!(Tags => Fetched);

impl Tags {
    /// Fetches the tag objects `tags`, which refs of `repository` point to.
    pub fn new(repository: Repository, tags: Vec<ObjectId>, known: Rc<dyn Objects>, limits: PackLimits) -> Self {
        Tags(Running::new(|wire| async move {
            let api = Api::new(wire, repository);
            let (mut found, mut zones, mut open) = (Found::new(known, limits), Zones::default(), tags);
            while let Some(id) = open.pop() {
                let tagged = tag(&api, id, &mut found, &mut zones).await?.into_iter();
                open.extend(tagged.filter(|object| object.kind() == Some(Kind::Tag)).map(|object| object.sha.0));
            }
            found.finish(Vec::new())
        }))
    }
}

/// Adds an annotated tag, and returns what it tags if it was lacking.
async fn tag(api: &Api, id: ObjectId, found: &mut Found, zones: &mut Zones) -> Result<Option<Pointed>, Fault> {
    if found.has(id)? {
        return Ok(None);
    }
    let response = api.get(&format!("/git/tags/{id}")).await?;
    if response.status == 404 {
        return Err(Fault::missing(id, format!("the repository has no tag {id}")));
    }
    let told: Tag = parse(&ok(response)?)?;
    found.add(Kind::Tag, id, &rebuild::tag(id, &told, zones)?)?;
    Ok(Some(told.object))
}
