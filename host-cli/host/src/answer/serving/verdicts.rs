//! What was decided about pushes, for a client to fetch: `refs/gate/verdicts/ID` leads to a blob of JSON about the push whose newest
//! commit is ID. It is read from the log of decisions, so it stays when the push is made again.

use std::collections::{BTreeMap, BTreeSet};

use gate::comment::Comment;
use gate::forge::RefEntry;
use gate::ledger::{Brief, PushResult, Record};
use gate::time::Timestamp;
use gix_hash::ObjectId;
use gix_object::Kind;
use serde_json::{Value, json};

use crate::error::{HostError, Result};
use crate::sandbox::Sandbox;
use crate::screen;
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

/// What a person has decided about a push.
pub(super) struct Decision {
    /// Its newest commit.
    new: ObjectId,
    topic: Topic,
    at: Timestamp,
    what: What,
}

/// What was decided.
pub(super) enum What {
    /// It was approved, and has landed.
    Landed,
    /// It was rejected, for this reason.
    Rejected(Brief),
    /// Changes were asked for, in these words besides the comments.
    Changes(Brief),
}

impl What {
    fn name(&self) -> &'static str {
        match self {
            What::Landed => "landed",
            What::Rejected(_) => "rejected",
            What::Changes(_) => "changes-requested",
        }
    }

    fn reason(&self) -> Option<&Brief> {
        match self {
            What::Landed => None,
            What::Rejected(reason) | What::Changes(reason) => Some(reason),
        }
    }
}

/// All decisions in the log, the newest first: a push may be decided about again.
fn decisions(sandbox: &Sandbox) -> Result<Vec<Decision>> {
    let ledger = sandbox.store.ledger.read().map_err(HostError::from)?;
    let mut landed = BTreeSet::new();
    let mut decisions = Vec::new();
    for entry in ledger.entries().iter().rev() {
        match &entry.record {
            Record::Outcome(outcome) if outcome.result == PushResult::Landed => {
                landed.insert(outcome.nonce);
            }
            Record::Intent(intent) if landed.contains(&intent.nonce) => {
                let topic = Topic { target: intent.target.clone(), reference: intent.reference.clone() };
                decisions.push(Decision { new: intent.new, topic, at: intent.at, what: What::Landed });
            }
            Record::Rejection(rejection) => {
                let topic = Topic { target: rejection.target.clone(), reference: rejection.reference.clone() };
                let reason = rejection.reason.clone();
                let what = if rejection.comments.is_some() { What::Changes(reason) } else { What::Rejected(reason) };
                decisions.push(Decision { new: rejection.new, topic, at: rejection.at, what });
            }
            _ => {}
        }
    }
    Ok(decisions)
}

/// What was decided last about the push whose newest commit this is, in words for its client: lines, and why it was not taken, if so.
///
/// # Errors
/// If the log or the comments cannot be read.
pub(super) fn about_push(sandbox: &Sandbox, commit: ObjectId) -> Result<Option<(String, Option<String>)>> {
    let Some(decision) = decisions(sandbox)?.into_iter().find(|decision| decision.new == commit) else {
        return Ok(None);
    };
    let (words, refused) = match &decision.what {
        What::Landed => (format!("landed on {}\n", screen::line(decision.topic.reference.branch())), None),
        What::Rejected(reason) => {
            let why = format!("rejected: {}", screen::line(reason.as_str()));
            (format!("{why}\n"), Some(why))
        }
        What::Changes(reason) => {
            let why = format!("changes requested: {}", screen::line(reason.as_str()));
            let comments = comments(sandbox, &decision)?;
            let lines =
                comments.iter().map(|comment| format!("{}: {}\n", comment.place.line(), screen::line(&comment.text)));
            (format!("{why}\n{}", lines.collect::<String>()), Some(why))
        }
    };
    Ok(Some((words, refused)))
}

/// Those of the sandbox, sorted by name.
///
/// # Errors
/// If the log or the comments cannot be read.
pub(super) fn all(sandbox: &Sandbox) -> Result<Vec<Verdict>> {
    let mut told: BTreeMap<ObjectId, Value> = BTreeMap::new();
    for decision in decisions(sandbox)? {
        if told.len() < MOST && !told.contains_key(&decision.new) {
            told.insert(decision.new, json_of(sandbox, &decision)?);
        }
    }
    told.into_iter().map(|(new, verdict)| of(new, &verdict)).collect()
}

/// The comments on the push that the agent was told of.
fn comments(sandbox: &Sandbox, decision: &Decision) -> Result<Vec<Comment>> {
    let mut comments = sandbox.store.reviews.comments(&decision.topic)?;
    comments.retain(|comment| comment.sent && comment.commit == decision.new);
    Ok(comments)
}

/// The verdict, with where the push goes and with what was said of it.
fn json_of(sandbox: &Sandbox, decision: &Decision) -> Result<Value> {
    let Decision { new, topic, at, what } = decision;
    let comments = comments(sandbox, decision)?.into_iter().map(|comment| {
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
    Ok(json!({
        "verdict": what.name(),
        "reason": what.reason(),
        "at": at,
        "commit": new.to_string(),
        "target": topic.target,
        "branch": topic.reference.branch(),
        "comments": comments.collect::<Vec<_>>(),
    }))
}

fn of(new: ObjectId, verdict: &Value) -> Result<Verdict> {
    let text = format!("{}\n", serde_json::to_string_pretty(verdict).expect("it has only string keys")).into_bytes();
    let id = gix_object::compute_hash(gix_hash::Kind::Sha1, Kind::Blob, &text)
        .map_err(|error| HostError::new(crate::error::ErrorKind::Component, error.to_string()))?;
    Ok(Verdict { name: format!("{PREFIX}{new}"), id, text })
}
