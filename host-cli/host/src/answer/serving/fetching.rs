//! Answers a client of git that fetches.

use std::rc::Rc;

use gate::git::serve::{Advertised, Asked, Fetch, Filter, Listing, Protocol, Sent, Service, Unfit, refused};
use gate::policy::{Caller, Policy};
use serde::Deserialize;
use serde_json::json;

use super::refs::{Told, id_of};
use crate::answer::{Advance, Call, Given, Reply, Run, Wanted, misbehaved};
use crate::error::Result;
use crate::sandbox::Sandbox;
use crate::wit;

/// A request of a client, answered step by step.
pub struct Fetching {
    run: Option<Box<Run>>,
    wants: Wants,
}

enum Wants {
    /// What a server says first.
    First(Service, Protocol),
    /// The refs.
    Refs(Listing),
    /// A pack.
    Objects(Box<Fetch>),
    /// Nothing: a client looks whether it may ask.
    Nothing,
}

/// The structured result of `sandbox_upload`.
#[derive(Deserialize)]
struct Uploaded {
    common: Vec<String>,
    ready: bool,
    shallow: Vec<String>,
    unshallow: Vec<String>,
}

impl Fetching {
    /// What a server says first of this sandbox.
    pub fn first(service: Service, protocol: Protocol, policy: Rc<Policy>) -> Self {
        let is_push = service == Service::ReceivePack;
        Fetching { run: Some(refs(is_push, policy)), wants: Wants::First(service, protocol) }
    }

    /// The answer to a request to `upload-pack`.
    ///
    /// # Errors
    /// If it is no request that can be answered here.
    pub fn asked(body: &[u8], protocol: Protocol, policy: Rc<Policy>) -> std::result::Result<Self, Unfit> {
        Ok(match Asked::read(body, protocol)? {
            Asked::Nothing => Fetching { run: None, wants: Wants::Nothing },
            Asked::Refs(listing) => Fetching { run: Some(refs(false, policy)), wants: Wants::Refs(listing) },
            Asked::Objects(fetch) => {
                let run = Some(call("sandbox_upload", &upload(&fetch), policy));
                Fetching { run, wants: Wants::Objects(Box::new(fetch)) }
            }
        })
    }

    /// Goes on as far as it can. Ends with the body of the answer.
    ///
    /// # Errors
    /// Errors of the host, which end it. What the sandbox refuses is an answer.
    pub fn advance(&mut self, sandbox: &mut Sandbox) -> Result<Advance<Vec<u8>>> {
        let Some(run) = &mut self.run else { return Ok(Advance::Done(Vec::new())) };
        let result = match run.advance(sandbox)? {
            Advance::Need(need) => return Ok(Advance::Need(need)),
            Advance::Done(Reply::Done(Ok(result))) => result,
            Advance::Done(Reply::Done(Err(error))) => return Ok(Advance::Done(refused(&words(&error)).to_vec())),
            Advance::Done(Reply::NotApproved(not)) => return Ok(Advance::Done(refused(&not.reason).to_vec())),
        };
        let pack = run.take_pack();
        let advertised = |service| Told::read(&result.structured)?.advertised(service);
        Ok(Advance::Done(match &self.wants {
            Wants::Nothing => Vec::new(),
            Wants::First(service, protocol) => {
                let advertised: Advertised = advertised(*service)?;
                advertised.first(*service, *protocol).to_vec()
            }
            Wants::Refs(listing) => advertised(Service::UploadPack)?.listing(listing).to_vec(),
            Wants::Objects(fetch) => sent(fetch, &result.structured, &pack)?,
        }))
    }

    /// Answers what the last step needed.
    pub fn give(&mut self, given: Given) {
        if let Some(run) = &mut self.run {
            run.give(given);
        }
    }
}

fn refs(with_bases: bool, policy: Rc<Policy>) -> Box<Run> {
    call("sandbox_refs", &json!({ "bases": with_bases }), policy)
}

/// A call that only reads. It is the host's own, and no agent could make it.
fn call(tool: &str, arguments: &serde_json::Value, policy: Rc<Policy>) -> Box<Run> {
    Box::new(Run::new(Wanted::new(Call::new(tool, arguments.to_string(), Caller::User), policy)))
}

fn upload(fetch: &Fetch) -> serde_json::Value {
    let hex = |ids: &[gix_hash::ObjectId]| ids.iter().map(ToString::to_string).collect::<Vec<_>>();
    let pack = match (fetch.sends(false), fetch.sends(true)) {
        (true, _) => "always",
        (false, true) => "if_ready",
        (false, false) => "never",
    };
    json!({
        "wants": hex(&fetch.wants),
        "haves": hex(&fetch.haves),
        "shallow": hex(&fetch.shallow),
        "depth": fetch.depth,
        "omitBlobs": fetch.filter == Some(Filter::Blobs),
        "pack": pack,
    })
}

fn sent(fetch: &Fetch, structured: &str, pack: &[u8]) -> Result<Vec<u8>> {
    let Uploaded { common, ready, shallow, unshallow } =
        serde_json::from_str(structured).map_err(|_| misbehaved("it describes a pack in no known form"))?;
    let ids = |hex: Vec<String>| hex.iter().map(|id| id_of(id)).collect::<Result<Vec<_>>>();
    let sent = Sent { common: ids(common)?, ready, shallow: ids(shallow)?, unshallow: ids(unshallow)? };
    let mut answer = sent.head(fetch);
    if fetch.sends(ready) {
        if pack.is_empty() {
            return Err(misbehaved("it made no pack"));
        }
        answer.reserve(pack.len() + pack.len() / 1000 + 16);
        fetch.band().data(pack, &mut answer);
        fetch.band().end(&mut answer);
    }
    Ok(answer)
}

/// An error of a tool, in the one line that a client shows.
fn words(error: &wit::ToolError) -> String {
    format!("{} ({})", error.message.trim_end(), error.hint.trim_end())
}
