//! What was decided about pushes, for a client to fetch: `refs/gate/verdicts/ID` leads to a blob of JSON about the push whose newest
//! commit is ID. It is read from the log of decisions, so it stays when the push is made again.

use std::collections::{BTreeMap, BTreeSet};

use gate::forge::RefEntry;
use gate::ledger::{Brief, PushResult, Record};
use gix_hash::ObjectId;
use gix_object::Kind;
use serde_json::{Value, json};

use crate::error::{HostError, Result};
use crate::sandbox::Sandbox;
use crate::store::Topic;

/// What the names of their refs begin with.
pub(super) const PREFIX: &str = "refs/gate/verdicts/";

/// The most that are told, the newest ones.
const MOST: usize = 100;

/// What was decided about a push.
pub(super) struct Verdict {
    /// The full name of its ref.
    pub name: String,
    /// The blob's id.
    pub id: ObjectId,
    /// The blob.
    pub text: Vec<u8>,
}

impl Verdict {
    /// The ref.
    pub fn entry(&self) -> RefEntry {
        RefEntry { name: self.name.clone(), id: self.id, peeled: None }
    }
}

/// Those of the sandbox, sorted by name.
///
/// # Errors
/// If the log or the comments cannot be read.
pub(super) fn all(sandbox: &Sandbox) -> Result<Vec<Verdict>> {
    let ledger = sandbox.store.ledger.read().map_err(HostError::from)?;
    let mut landed = BTreeSet::new();
    let mut told: BTreeMap<ObjectId, Value> = BTreeMap::new();
    // The newest first: a push may be decided about again.
    for entry in ledger.entries().iter().rev() {
        let (new, topic, verdict) = match &entry.record {
            Record::Outcome(outcome) if outcome.result == PushResult::Landed => {
                landed.insert(outcome.nonce);
                continue;
            }
            Record::Intent(intent) if landed.contains(&intent.nonce) => {
                let topic = Topic { target: intent.target.clone(), reference: intent.reference.clone() };
                (intent.new, topic, json!({ "verdict": "landed", "at": intent.at }))
            }
            Record::Rejection(rejection) => {
                let topic = Topic { target: rejection.target.clone(), reference: rejection.reference.clone() };
                let verdict = if rejection.comments.is_some() { "changes-requested" } else { "rejected" };
                let reason: &Brief = &rejection.reason;
                (rejection.new, topic, json!({ "verdict": verdict, "reason": reason, "at": rejection.at }))
            }
            _ => continue,
        };
        if told.len() < MOST && !told.contains_key(&new) {
            told.insert(new, about(sandbox, new, &topic, verdict)?);
        }
    }
    told.into_iter().map(|(new, verdict)| of(new, &verdict)).collect()
}

/// The verdict, with where the push goes and with what was said of it.
fn about(sandbox: &Sandbox, new: ObjectId, topic: &Topic, mut verdict: Value) -> Result<Value> {
    let comments = sandbox.store.reviews.comments(topic)?;
    let told = comments.iter().filter(|comment| comment.sent && comment.commit == new).map(|comment| {
        let replies = comment.replies.iter().map(|reply| json!({ "agent": reply.agent, "text": reply.text }));
        json!({
            "id": comment.id,
            "place": comment.place,
            "weight": comment.weight,
            "text": comment.text,
            "replies": replies.collect::<Vec<_>>(),
            "open": comment.is_open(),
        })
    });
    verdict["comments"] = told.collect();
    verdict["commit"] = json!(new.to_string());
    verdict["target"] = json!(topic.target);
    verdict["branch"] = json!(topic.reference.branch());
    Ok(verdict)
}

fn of(new: ObjectId, verdict: &Value) -> Result<Verdict> {
    let text = format!("{}\n", serde_json::to_string_pretty(verdict).expect("it has only string keys")).into_bytes();
    let id = gix_object::compute_hash(gix_hash::Kind::Sha1, Kind::Blob, &text)
        .map_err(|error| HostError::new(crate::error::ErrorKind::Component, error.to_string()))?;
    Ok(Verdict { name: format!("{PREFIX}{new}"), id, text })
}
