//! Reads a repository's refs.

use gix_hash::ObjectId;
use patch::sort::{sort, sort_by};

use super::{
    Fault, LeftOut, Listing, RefEntry, Running,
    advertised::{Advertised, Capabilities, ensure_few, head},
    exchange, fault,
    location::Location,
    packet::{Lines, id},
    remote::{Remote, Service},
};
use crate::refname::{BranchRef, check_name};

/// Lists the branches and tags.
pub struct Refs(Running<Listing>);

exchange!(Refs => Listing);

impl Refs {
    pub(super) fn new(location: Location) -> Self {
        Refs(Running::new(|wire| async move { list(&Remote::new(wire, location)).await }))
    }
}

/// Reads the head of one branch, `None` if the branch does not exist.
pub struct Tip(Running<Option<ObjectId>>);

exchange!(Tip => Option<ObjectId>);

impl Tip {
    pub(super) fn new(location: Location, reference: BranchRef) -> Self {
        Tip(Running::new(|wire| async move { tip(&Remote::new(wire, location), &reference).await }))
    }
}

/// The head of a branch, `None` if the repository does not have it.
pub(super) async fn tip(remote: &Remote, reference: &BranchRef) -> Result<Option<ObjectId>, Fault> {
    let refs = match remote.advertised(Service::UploadPack).await? {
        Advertised::Old { refs, .. } => refs,
        Advertised::Two(can) => said(remote, &can, &[reference.as_str()]).await?.refs,
    };
    Ok(refs.into_iter().find(|entry| entry.name == reference.as_str()).map(|entry| entry.id))
}

async fn list(remote: &Remote) -> Result<Listing, Fault> {
    let said = match remote.advertised(Service::UploadPack).await? {
        Advertised::Old { capabilities, refs } => Said { head: head(&capabilities, &refs), refs },
        Advertised::Two(can) => said(remote, &can, &["HEAD", "refs/heads/", "refs/tags/"]).await?,
    };
    let mut listing = Listing { head: None, is_archived: false, refs: Vec::new(), left_out: Vec::new() };
    if let Some(name) = said.head.filter(|head| head.starts_with("refs/heads/")) {
        match check_name(&name) {
            Ok(()) => listing.head = Some(name),
            Err(fault) => listing.left_out.push(LeftOut { name, reason: fault.message }),
        }
    }
    for entry in said.refs {
        if !entry.name.starts_with("refs/heads/") && !entry.name.starts_with("refs/tags/") {
            continue;
        }
        match check_name(&entry.name) {
            Ok(()) => listing.refs.push(entry),
            Err(fault) => listing.left_out.push(LeftOut { name: entry.name, reason: fault.message }),
        }
    }
    sort_by(&mut listing.refs, |a, b| a.name.cmp(&b.name));
    if listing.refs.windows(2).any(|pair| pair[0].name == pair[1].name) {
        return Err(fault::malformed("it lists a ref twice"));
    }
    sort(&mut listing.left_out);
    listing.left_out.dedup();
    Ok(listing)
}

/// Refs as the server says them.
struct Said {
    /// What `HEAD` leads to, even if that has no commit yet.
    head: Option<String>,
    refs: Vec<RefEntry>,
}

/// The refs whose names begin with one of `prefixes`, by the command `ls-refs` of version 2.
async fn said(remote: &Remote, can: &Capabilities, prefixes: &[&str]) -> Result<Said, Fault> {
    let mut packets = can.command("ls-refs");
    packets.line(format_args!("peel")).line(format_args!("symrefs"));
    if can.can("ls-refs", "unborn") {
        packets.line(format_args!("unborn"));
    }
    for prefix in prefixes {
        packets.line(format_args!("ref-prefix {prefix}"));
    }
    packets.flush();
    let response = remote.upload_pack(packets.then(&[])).await?;
    let (mut lines, mut said) = (Lines::of(&response.body), Said { head: None, refs: Vec::new() });
    while let Some(line) = lines.text()? {
        let mut words = line.split(' ');
        let (Some(hex), Some(name)) = (words.next(), words.next()) else {
            return Err(fault::malformed("a ref has no name"));
        };
        let (mut target, mut peeled) = (None, None);
        for word in words {
            match word.split_once(':') {
                Some(("symref-target", name)) => target = Some(name.to_owned()),
                Some(("peeled", hex)) => peeled = Some(id(hex)?),
                _ => {}
            }
        }
        if name == "HEAD" {
            said.head = target;
        }
        if hex != "unborn" {
            said.refs.push(RefEntry { name: name.to_owned(), id: id(hex)?, peeled });
        }
        ensure_few(said.refs.len())?;
    }
    Ok(said)
}
