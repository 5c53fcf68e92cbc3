//! Fetches commits or blobs from the target and verifies them. They are attached before the call is
//! made again.

use std::num::NonZeroU32;
use std::ops::ControlFlow;

use gate::policy::Caller;
use gate::target::CanonicalTarget;
use gix_hash::ObjectId;

use crate::answer::call::invocation::{Found, Invocation};
use crate::answer::call::suspend::Halting;
use crate::answer::repository::opened::{self, Opened};
use crate::answer::repository::refs;
use crate::answer::wording::tool_error;
use crate::answer::{approval, misbehaved};
use crate::attachment::Attachment;
use crate::error::Result;
use crate::sandbox::Sandbox;
use crate::target::{BlobAt, CommitsWanted, Fetched};
use crate::wit;

/// Answers a question for commits. They come only from a target whose refs the host has just read.
pub(crate) fn commits(
    invocation: &mut Invocation,
    wanted: &wit::CommitsWanted,
    sandbox: &mut Sandbox,
) -> Halting<Found> {
    sandbox.platform().ensure_wanted()?;
    let parsed = (|| {
        Ok(CommitsWanted {
            want: id(&wanted.want)?,
            have: ids(&wanted.have)?,
            shallow: ids(&wanted.shallow)?,
            depth: wanted.depth.and_then(NonZeroU32::new),
            blobs: wanted.blobs,
        })
    })();
    let wants = match parsed {
        Ok(wants) => wants,
        Err(refused) => return Ok(Found::Continue(refused)),
    };
    let Invocation { named, exchanges, .. } = invocation;
    let Some(target) = named.get_mut(&wanted.target) else {
        return Err(misbehaved("it wants commits from a target whose refs it did not ask for").into());
    };
    let fetched = target.fetch_commits(&wants, exchanges, sandbox)?;
    Ok(bring(invocation, fetched))
}

/// Answers a question for blobs. A sparse sandbox needs them in calls that name no target, so the
/// question gives the host's canonical name.
pub(crate) fn blobs(invocation: &mut Invocation, wanted: &wit::BlobsWanted, sandbox: &mut Sandbox) -> Halting<Found> {
    sandbox.platform().ensure_wanted()?;
    let parsed: Result<Vec<BlobAt>, _> = wanted
        .blobs
        .iter()
        .map(|blob| Ok(BlobAt { commit: id(&blob.commit)?, path: blob.path.clone().into(), id: id(&blob.id)? }))
        .collect();
    let blobs = match parsed {
        Ok(blobs) => blobs,
        Err(refused) => return Ok(Found::Continue(refused)),
    };
    if !invocation.named.contains_key(&wanted.target) {
        match open(invocation, &wanted.target, sandbox)? {
            ControlFlow::Continue(target) => drop(invocation.named.insert(wanted.target.clone(), target)),
            ControlFlow::Break(found) => return Ok(found),
        }
    }
    let Invocation { named, exchanges, .. } = invocation;
    let target = named.get_mut(&wanted.target).expect("it was opened just now");
    let fetched = target.fetch_blobs(&blobs, exchanges, sandbox)?;
    Ok(bring(invocation, fetched))
}

/// Opens a target by the host's name for it, if the caller may name it and the rules allow it.
fn open(
    invocation: &mut Invocation,
    name: &str,
    sandbox: &mut Sandbox,
) -> Halting<ControlFlow<Found, Box<dyn Opened>>> {
    let Ok(place) = name.parse::<CanonicalTarget>() else {
        return Err(misbehaved("it gives an invalid target name").into());
    };
    let failed = |error| Ok(ControlFlow::Break(Found::Continue(wit::AnswerBody::Failed(error))));
    if !refs::is_permitted(invocation, &place, &refs::own_targets(sandbox)?, sandbox) {
        let reason = "this call needs files from a repository that is not one of the sandbox's targets";
        let hint = match invocation.caller {
            Caller::Agent => "ask the user to make this call".to_owned(),
            Caller::User => refs::HOW_TO_ADOPT.to_owned(),
        };
        return failed(tool_error::not_permitted(reason.to_owned(), hint));
    }
    if let ControlFlow::Break(stop) = approval::of_target(invocation, &place, sandbox)? {
        return Ok(ControlFlow::Break(stop.found()));
    }
    opened::known(&place, sandbox)
        .map_or_else(|error| failed(tool_error::target(&error)), |opened| Ok(ControlFlow::Continue(opened)))
}

/// The answer that names what was fetched, which is kept until the call is made again.
fn bring(invocation: &mut Invocation, fetched: Result<Fetched, wit::ToolError>) -> Found {
    let Fetched { pack, index, shallow } = match fetched {
        Ok(fetched) => fetched,
        Err(error) => return Found::Continue(wit::AnswerBody::Failed(error)),
    };
    let [pack, index] = [pack, index].map(Attachment::new);
    let packs = vec![wit::AttachedPack { pack: pack.id.to_vec(), index: index.id.to_vec() }];
    invocation.brought.extend([pack, index]);
    let shallow = shallow.iter().map(ToString::to_string).collect();
    Found::Continue(wit::AnswerBody::Fetched(wit::Fetched { packs, shallow }))
}

fn id(hex: &str) -> Result<ObjectId, wit::AnswerBody> {
    ObjectId::from_hex(hex.as_bytes()).map_err(|_| tool_error::bad_id(hex))
}

fn ids(hex: &[String]) -> Result<Vec<ObjectId>, wit::AnswerBody> {
    hex.iter().map(|hex| id(hex)).collect()
}
