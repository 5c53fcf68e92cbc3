//! Reads a repository's refs.

use patch::sort::{sort, sort_by};
use std::collections::{HashMap, HashSet};

use bytes::Bytes;
use gix_hash::ObjectId;
use gix_object::Kind;
use serde::de::DeserializeOwned;

use super::{
    Fault, FaultKind, LeftOut, Listing, RefEntry, Repository, Response, Running,
    answer::{About, Peeled, Reference, Tag},
    api::{Api, ok, parse},
    exchange, fault,
    repository::heads,
};
use crate::refname::{BranchRef, check_name};

/// Refs that a listing takes.
const MOST_REFS: usize = 100_000;

/// Entries of one page, the most that GitHub gives.
pub(super) const PAGE: usize = 100;

/// Annotated tags that are looked up one by one, where the list of tags does not have them.
const MOST_TAGS: usize = 100;

/// git follows at most so many tags of tags here.
const MOST_NESTED: usize = 5;

/// Lists the branches and tags.
pub struct Refs(Running<Listing>);

exchange!(Refs => Listing);

impl Refs {
    /// Lists those of `repository`.
    pub fn new(repository: Repository) -> Self {
        Refs(Running::new(|wire| async move { list(&Api::new(wire, repository)).await }))
    }
}

/// Reads the head of one branch, `None` if the branch does not exist.
pub struct Tip(Running<Option<ObjectId>>);

exchange!(Tip => Option<ObjectId>);

impl Tip {
    /// Reads that of `reference` in `repository`.
    pub fn new(repository: Repository, reference: BranchRef) -> Self {
        Tip(Running::new(|wire| async move { tip(&Api::new(wire, repository), &reference).await }))
    }
}

/// The head of a branch, `None` if the repository does not have it.
pub(super) async fn tip(api: &Api, reference: &BranchRef) -> Result<Option<ObjectId>, Fault> {
    let response = api.get(&format!("/git/ref/{}", heads(reference))).await?;
    match response.status {
        // Whoever may not see a repository gets the same answer for all that is in it.
        404 => about(api).await.map(|_| None),
        409 if fault::is_empty(&fault::said(&response)) => Ok(None),
        _ => {
            let found: Reference = parse(&ok(response)?)?;
            if found.name != reference.as_str() {
                return Err(fault::malformed("it is about another branch"));
            }
            Ok(Some(found.object.sha.0))
        }
    }
}

/// What the server says of the repository, if that has the name that the host knows it by.
pub(super) async fn about(api: &Api) -> Result<About, Fault> {
    let about: About = api.read("").await?;
    match about.full_name.parse::<Repository>() {
        Ok(name) if name == api.repository => Ok(about),
        // The host, or something on the way, has followed a redirect.
        to => Err(Fault::new(
            FaultKind::Renamed { to: to.ok().map(|to| to.to_string()) },
            format!("{} has another name now", api.repository),
        )
        .with_hint("use the repository by its new name")),
    }
}

async fn list(api: &Api) -> Result<Listing, Fault> {
    let about = about(api).await?;
    let mut listing = Listing { head: None, is_archived: about.archived, refs: Vec::new(), left_out: Vec::new() };
    if let Some(name) = about.default_branch.map(|branch| format!("refs/heads/{branch}")) {
        match check_name(&name) {
            Ok(()) => listing.head = Some(name),
            Err(fault) => listing.left_out.push(LeftOut { name, reason: fault.message }),
        }
    }
    let mut annotated = Vec::new();
    for (folder, below) in [("heads", "refs/heads/"), ("tags", "refs/tags/")] {
        let found: Vec<Reference> = pages(api, &format!("/git/matching-refs/{folder}/")).await?;
        let mut names = HashSet::new();
        for Reference { name, object } in found {
            let is_new = names.insert(name.clone());
            if !name.starts_with(below) || !is_new {
                return Err(fault::malformed("it lists a ref twice, or one that was not asked for"));
            }
            if let Err(fault) = check_name(&name) {
                listing.left_out.push(LeftOut { name, reason: fault.message });
                continue;
            }
            match object.kind() {
                Some(Kind::Commit) => {}
                Some(Kind::Tag) if folder == "tags" => annotated.push(listing.refs.len()),
                Some(Kind::Tree | Kind::Blob) if folder == "tags" => {}
                _ => return Err(fault::malformed("a ref points to what it cannot point to")),
            }
            listing.refs.push(RefEntry { name, id: object.sha.0, peeled: None });
        }
    }
    peel(api, &mut listing, annotated).await?;
    sort_by(&mut listing.refs, |a, b| a.name.cmp(&b.name));
    sort(&mut listing.left_out);
    listing.left_out.dedup();
    Ok(listing)
}

/// Finds what the annotated tags lead to. The list of tags says it for a hundred at once, but only
/// for those that lead to a commit.
async fn peel(api: &Api, listing: &mut Listing, annotated: Vec<usize>) -> Result<(), Fault> {
    if annotated.is_empty() {
        return Ok(());
    }
    let listed: Vec<Peeled> = pages(api, "/tags").await?;
    let commits: HashMap<String, ObjectId> =
        listed.into_iter().map(|tag| (format!("refs/tags/{}", tag.name), tag.commit.sha.0)).collect();
    let (mut looked_up, mut unknown) = (0, HashSet::new());
    for at in annotated {
        let RefEntry { name, id, .. } = &listing.refs[at];
        let peeled = match commits.get(name) {
            Some(commit) => Some(*commit),
            None if looked_up < MOST_TAGS => {
                looked_up += 1;
                follow(api, *id).await?
            }
            None => None,
        };
        if peeled.is_none() {
            let reason = format!("the tag '{}' leads to an object that was not looked up", fault::clean(name));
            listing.left_out.push(LeftOut { name: name.clone(), reason });
            unknown.insert(name.clone());
        }
        listing.refs[at].peeled = peeled;
    }
    listing.refs.retain(|entry| !unknown.contains(&entry.name));
    Ok(())
}

/// What the tag object `id` leads to; `None` after too many tags of tags.
async fn follow(api: &Api, mut id: ObjectId) -> Result<Option<ObjectId>, Fault> {
    for _ in 0..MOST_NESTED {
        let tag: Tag = api.read(&format!("/git/tags/{id}")).await?;
        id = tag.object.sha.0;
        match tag.object.kind() {
            Some(Kind::Tag) => {}
            Some(_) => return Ok(Some(id)),
            None => return Err(fault::malformed("a tag has an object of no known kind")),
        }
    }
    Ok(None)
}

/// All entries of a list that GitHub gives in pages. `path` has no query. An empty repository has
/// none.
async fn pages<T: DeserializeOwned>(api: &Api, path: &str) -> Result<Vec<T>, Fault> {
    let (mut all, mut last) = (Vec::new(), Bytes::new());
    for page in 1.. {
        let response = api.get(&format!("{path}?per_page={PAGE}&page={page}")).await?;
        if response.status == 409 && fault::is_empty(&fault::said(&response)) {
            break;
        }
        let response = ok(response)?;
        if response.body == last {
            // The server knows no pages, and has listed everything at once.
            break;
        }
        let entries: Vec<T> = parse(&response)?;
        let more = has_more(&response, entries.len());
        all.extend(entries);
        if all.len() > MOST_REFS {
            return Err(Fault::too_large(format!("the repository has more than {MOST_REFS} branches or tags")));
        }
        if !more {
            break;
        }
        last = response.body;
    }
    Ok(all)
}

/// Whether another page follows one of `entries` entries. The address that the server gives for it
/// plays no part: it could be anywhere.
pub(super) fn has_more(response: &Response, entries: usize) -> bool {
    match &response.headers.link {
        Some(link) => link.contains("rel=\"next\"") && entries > 0,
        None => entries == PAGE,
    }
}
