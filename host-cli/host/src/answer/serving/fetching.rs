//! Answers a client of git that fetches.

use std::rc::Rc;

use bytes::Bytes;
use gate::git::serve::{Advertised, Asked, Fetch, Filter, Listing, Protocol, Sent, Service, Unfit, refused};
use gate::policy::{Caller, Policy};
use serde::Deserialize;
use serde_json::json;

use super::packed::{self, Part};
use super::refs::{Told, id_of};
use super::verdicts::{self, Verdict};
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
    Objects(Box<Objects>),
    /// Nothing: a client looks whether it may ask.
    Nothing,
}

/// Objects that a client wants.
struct Objects {
    /// What it asks for, but for verdicts.
    fetch: Fetch,
    /// The verdicts that it wants, once they are told from what the sandbox has.
    verdicts: Option<Vec<Verdict>>,
    policy: Rc<Policy>,
}

/// The structured result of `sandbox_upload`.
#[derive(Default, Deserialize)]
struct Uploaded {
    common: Vec<String>,
    ready: bool,
    shallow: Vec<String>,
    unshallow: Vec<String>,
    parts: Vec<Part>,
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
                Fetching { run: None, wants: Wants::Objects(Box::new(Objects { fetch, verdicts: None, policy })) }
            }
        })
    }

    /// Goes on as far as it can. Ends with the body of the answer.
    ///
    /// # Errors
    /// Errors of the host, which end it. What the sandbox refuses is an answer.
    pub fn advance(&mut self, sandbox: &mut Sandbox) -> Result<Advance<Vec<Bytes>>> {
        if let Wants::Objects(objects) = &mut self.wants
            && objects.verdicts.is_none()
        {
            self.run = objects.begin(sandbox)?;
        }
        let (structured, pack) = match &mut self.run {
            None => (None, Bytes::new()),
            Some(run) => match run.advance(sandbox)? {
                Advance::Need(need) => return Ok(Advance::Need(need)),
                Advance::Done(Reply::Done(Ok(result))) => (Some(result.structured), run.take_pack()),
                Advance::Done(Reply::Done(Err(error))) => return Ok(Advance::Done(vec![refused(&words(&error))])),
                Advance::Done(Reply::NotApproved(not)) => return Ok(Advance::Done(vec![refused(&not.reason)])),
            },
        };
        let advertised = |service| Told::read(structured.as_deref().unwrap_or_default())?.advertised(service);
        Ok(Advance::Done(match &self.wants {
            Wants::Nothing => Vec::new(),
            Wants::First(service, protocol) => {
                let mut repository: Advertised = advertised(*service)?;
                if (*service, *protocol) == (Service::UploadPack, Protocol::Zero) {
                    add_verdicts(&mut repository, sandbox)?;
                }
                vec![repository.first(*service, *protocol)]
            }
            Wants::Refs(listing) => {
                let mut repository = advertised(Service::UploadPack)?;
                if listing.may_name(verdicts::PREFIX) {
                    add_verdicts(&mut repository, sandbox)?;
                }
                vec![repository.listing(listing)]
            }
            Wants::Objects(objects) => objects.sent(structured.as_deref(), pack, sandbox)?,
        }))
    }

    /// Answers what the last step needed.
    pub fn give(&mut self, given: Given) {
        if let Some(run) = &mut self.run {
            run.give(given);
        }
    }
}

/// Adds the verdicts, whose names come before those of branches.
fn add_verdicts(repository: &mut Advertised, sandbox: &Sandbox) -> Result<()> {
    repository.refs.splice(0..0, verdicts::all(sandbox)?.iter().map(Verdict::entry));
    Ok(())
}

impl Objects {
    /// Begins to make the pack, unless it has nothing of the sandbox.
    fn begin(&mut self, sandbox: &Sandbox) -> Result<Option<Box<Run>>> {
        let Objects { fetch, policy, .. } = self;
        let mut wanted = verdicts::all(sandbox)?;
        wanted.retain(|verdict| fetch.wants.contains(&verdict.id));
        fetch.wants.retain(|id| wanted.iter().all(|verdict| verdict.id != *id));
        self.verdicts = Some(wanted);
        let is_run = !fetch.wants.is_empty();
        Ok(is_run.then(|| call("sandbox_upload", &upload(fetch), Rc::clone(policy))))
    }

    fn sent(&self, structured: Option<&str>, made: Bytes, sandbox: &mut Sandbox) -> Result<Vec<Bytes>> {
        let Objects { fetch, verdicts, .. } = self;
        let Uploaded { common, ready, shallow, unshallow, parts } = match structured {
            Some(structured) => {
                serde_json::from_str(structured).map_err(|_| misbehaved("it describes a pack in no known form"))?
            }
            // Nothing that the client has matters to a verdict. In version 0 it says itself when it has named enough.
            None => Uploaded { ready: !fetch.is_old(), ..Uploaded::default() },
        };
        let ids = |hex: Vec<String>| hex.iter().map(|id| id_of(id)).collect::<Result<Vec<_>>>();
        let sent = Sent { common: ids(common)?, ready, shallow: ids(shallow)?, unshallow: ids(unshallow)? };
        let mut answer = vec![Bytes::from(sent.head(fetch))];
        if fetch.sends(ready) {
            let verdicts = verdicts.as_deref().unwrap_or_default();
            let pack = packed::pack(&parts, structured.map(|_| made), verdicts, sandbox)?;
            answer.extend(pack.iter().flat_map(|part| fetch.band().parts(part)));
            let mut end = Vec::new();
            fetch.band().end(&mut end);
            answer.push(end.into());
        }
        Ok(answer)
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

/// An error of a tool, in the one line that a client shows.
fn words(error: &wit::ToolError) -> String {
    format!("{} ({})", error.message.trim_end(), error.hint.trim_end())
}
