//! Lands an approved push by `receive-pack` (gitprotocol-pack, "Pushing Data To a Server").
//!
//! The server compares the branch with the old head itself, in the transaction that moves it. The pack is sent as it
//! was verified, in the same request: so there is nothing to tidy up after one that was refused.

use bytes::Bytes;
use gix_hash::ObjectId;

use super::{
    Along, Fault, FaultKind, Landing, Once, Response, Running,
    advertised::{AGENT, Advertised, Capabilities, nothing},
    clean, exchange, fault,
    fetch::reaches,
    location::Location,
    packet::{Bands, Lines, Packets},
    refs,
    remote::{Remote, Service},
};
use crate::{
    approval::Redeemed,
    forge::{Branch, Moved, moving},
    refname::BranchRef,
};

/// Lands an approved push.
pub struct Land(Running<Landing>);

exchange!(Land => Landing);

impl Land {
    pub(super) fn new(location: Location, push: Redeemed, along: Option<Along>) -> Self {
        Land(Running::new(|wire| async move {
            let remote = Remote::new(wire, location);
            let advertised = remote.advertised(Service::ReceivePack).await?;
            let Advertised::Old { capabilities, refs } = advertised else {
                return Err(fault::malformed("it answers a push in a version that has none"));
            };
            let (reference, old, new) = (push.reference(), push.old(), push.new_head());
            let there = refs.iter().find(|entry| entry.name == reference.as_str()).map(|entry| entry.id);
            let request = request(&push, &capabilities, along.as_ref())?;
            let mut branch = OnServer { remote: &remote, reference, new, request };
            if there != old {
                return moving::elsewhere(&branch, there, new).await;
            }
            moving::go(&remote.wire, &mut branch, old, new).await
        }))
    }
}

/// The one request of a push: the command, what the server shall do besides, and the pack behind it.
fn request(push: &Redeemed, can: &Capabilities, along: Option<&Along>) -> Result<Bytes, Fault> {
    let Some(report) = ["report-status-v2", "report-status"].into_iter().find(|name| can.has(name)) else {
        return Err(Fault::new(FaultKind::Refused, "the git server would not say what became of a push")
            .with_hint("push to a clone of the repository, and from there with git"));
    };
    let option = along.map(|_| "push-options");
    if option.is_some_and(|option| !can.has(option)) {
        return Err(Fault::new(FaultKind::Refused, "the git server makes no merge request of a push")
            .with_hint("push without it: the server may say how to ask for a merge"));
    }
    let used = ["side-band-64k", "atomic", "ofs-delta", "quiet"].into_iter().filter(|name| can.has(name));
    let mut used = used.chain([report]).chain(option).collect::<Vec<_>>().join(" ");
    for (name, value) in [("object-format", "sha1"), ("agent", AGENT)] {
        if can.has(name) {
            used.push_str(&format!(" {name}={value}"));
        }
    }
    let (old, new, name) = (push.old().unwrap_or_else(nothing), push.new_head(), push.reference().as_str());
    let mut packets = Packets::default();
    packets.line(format_args!("{old} {new} {name}\0{used}")).flush();
    if let Some(Along { title, is_draft }) = along {
        // GitLab's documentation, "Push options". Other servers pass over what they do not know.
        packets.line(format_args!("merge_request.create"));
        if let Some(title) = title {
            packets.line(format_args!("merge_request.title={}", clean(title)));
        }
        if *is_draft {
            packets.line(format_args!("merge_request.draft"));
        }
        packets.flush();
    }
    Ok(packets.then(push.pack().bytes()))
}

/// The branch of a push.
struct OnServer<'a> {
    remote: &'a Remote,
    reference: &'a BranchRef,
    new: ObjectId,
    request: Bytes,
}

impl Branch for OnServer<'_> {
    const SERVER: &'static str = "the git server";

    async fn tip(&self) -> Result<Option<ObjectId>, Fault> {
        refs::tip(self.remote, self.reference).await
    }

    async fn descends(&self, tip: ObjectId, ancestor: ObjectId) -> Result<bool, Fault> {
        descends(self.remote, tip, ancestor).await
    }

    fn compares(&self) -> bool {
        true
    }

    async fn send(&mut self) -> Moved {
        match self.remote.receive_pack(self.request.clone()).await {
            Ok(Once::Answered(response)) => reported(&response, self.reference, self.new),
            Ok(Once::Unknown(fault)) => Moved::Unknown(fault),
            Ok(Once::Unreached(fault)) => Moved::Never(fault),
            Err(fault) => Moved::Never(fault),
        }
    }
}

/// Whether `tip` is `ancestor` or descends from it.
pub(super) async fn descends(remote: &Remote, tip: ObjectId, ancestor: ObjectId) -> Result<bool, Fault> {
    let advertised = remote.advertised(Service::UploadPack).await?;
    reaches(remote, &advertised, &[tip], ancestor).await
}

/// What the server reports of the push.
fn reported(response: &Response, reference: &BranchRef, new: ObjectId) -> Moved {
    match report(&response.body, reference, new) {
        Ok(Report::Moved(said)) => Moved::Yes(said),
        Ok(Report::Refused(why)) => Moved::No(
            Fault::new(FaultKind::Refused, format!("the git server refused the push: {why}"))
                .with_hint("check the rules of the repository and of its branch, or push to another branch"),
        ),
        // The server has had all of it, and may have acted before it broke off.
        Err(_) => Moved::Unknown(fault::malformed("it does not say whether the branch was moved")),
    }
}

enum Report {
    /// The branch is moved, and this is what the server says to the person.
    Moved(Vec<String>),
    /// Why, as the server says it.
    Refused(String),
}

/// Reads a report (gitprotocol-pack, "Report Status").
fn report(body: &[u8], reference: &BranchRef, new: ObjectId) -> Result<Report, Fault> {
    // With bands, the first byte of a line is the band's; a report itself begins with a word.
    let is_banded = body.get(4).is_some_and(|byte| *byte < 4);
    let bands = if is_banded { Some(Bands::of(Bytes::copy_from_slice(body), body.len())?) } else { None };
    let said = bands.as_ref().map(|bands| said(&bands.said)).unwrap_or_default();
    let mut lines = Lines::of(bands.as_ref().map_or(body, |bands| &bands.data));
    let refused = |why: &str| {
        let why = clean(why);
        let said = clean(&said.join("; "));
        Report::Refused(if said.is_empty() { why } else { format!("{why}; {said}") })
    };
    match lines.text()?.and_then(|line| line.strip_prefix("unpack ")) {
        Some("ok") => {}
        Some(why) => return Ok(refused(why)),
        None => return Err(fault::malformed("it does not report on the pack")),
    }
    while let Some(line) = lines.text()? {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (name, why) = rest.split_once(' ').unwrap_or((rest, ""));
        match word {
            "ok" if name == reference.as_str() => {
                ensure_as_asked(&mut lines, reference, new)?;
                return Ok(Report::Moved(said));
            }
            "ng" if name == reference.as_str() => return Ok(refused(why)),
            _ => {}
        }
    }
    Err(fault::malformed("it does not report on the branch"))
}

/// A server may have done something else in the push's place, such as asked for a review, and says so behind the `ok`
/// (`option refname`, `option new-oid`). Then the branch has to be looked at.
fn ensure_as_asked(lines: &mut Lines<'_>, reference: &BranchRef, new: ObjectId) -> Result<(), Fault> {
    while let Some(option) = lines.text()?.and_then(|line| line.strip_prefix("option ")) {
        let is_other = match option.split_once(' ') {
            Some(("refname", name)) => name != reference.as_str(),
            Some(("new-oid", hex)) => ObjectId::from_hex(hex.as_bytes()).ok() != Some(new),
            _ => false,
        };
        if is_other {
            return Err(fault::malformed("it has done something else than it was asked for"));
        }
    }
    Ok(())
}

/// Lines of what a server says that are shown.
const MOST_LINES: usize = 10;

/// What the server says to the person, line by line. Progress takes a line only once it is over.
fn said(said: &[u8]) -> Vec<String> {
    let said = String::from_utf8_lossy(said);
    let last = |line: &str| clean(line.rsplit('\r').find(|part| !part.trim().is_empty()).unwrap_or_default());
    said.split('\n').map(last).filter(|line| !line.is_empty()).take(MOST_LINES).collect()
}
