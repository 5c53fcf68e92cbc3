//! The host's record of pushes: an intent before anything is written, an outcome after.
//!
//! Pure data. The host appends the bytes of [`Record::line`] and syncs them. Its order is: the intent, which spends
//! the nonce; the objects and the ref; the sandbox is told, and that is in its journal; the outcome. So an intent
//! without an outcome is settled from the target's ref, and the sandbox may be told again what it knows.

mod line;
mod settle;

use std::collections::BTreeMap;

use gix_hash::ObjectId;
use serde::{Deserialize, Serialize};

pub use settle::{Settlement, settle};

use crate::{
    digest::Digest,
    error::{Fault, FaultKind},
    id::{Nonce, SandboxId},
    refname::BranchRef,
    target::CanonicalTarget,
    time::Timestamp,
};

/// What is about to be written, and all that is needed to finish or settle it after a crash.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Intent {
    /// The sandbox that pushes.
    pub sandbox: SandboxId,
    /// The id of the tool call.
    pub call_id: String,
    /// The tool call, to be made again with the answer.
    pub call: serde_json::Value,
    /// Spent by this record.
    pub nonce: Nonce,
    /// What was approved.
    pub digest: Digest,
    /// Where it is written.
    pub target: CanonicalTarget,
    /// The branch.
    pub reference: BranchRef,
    /// Where the branch was.
    #[serde(with = "line::optional_id")]
    pub old: Option<ObjectId>,
    /// Where the branch shall be.
    #[serde(with = "line::id")]
    pub new: ObjectId,
    /// When.
    pub at: Timestamp,
    /// What else the host needs to finish, such as the paths of a worktree and the name of a lock; this
    /// crate does not look into it.
    #[serde(default)]
    pub host: serde_json::Value,
}

/// How a push ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// The intent's nonce.
    pub nonce: Nonce,
    /// How.
    pub result: PushResult,
    /// When.
    pub at: Timestamp,
}

/// The ways a push ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PushResult {
    /// The branch is at the new head, or beyond.
    Landed,
    /// The branch is where it was.
    NotLanded,
    /// The branch is elsewhere. It is blocked until the person settles it.
    InDoubt,
    /// The person settled it.
    Settled,
}

/// One line of the ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Record {
    /// A push is about to be written. It is the largest by far, and boxed for that.
    Intent(Box<Intent>),
    /// A push has ended.
    Outcome(Outcome),
}

/// All records of a ledger, by nonce.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ledger {
    /// In the order of their lines.
    intents: Vec<Intent>,
    /// The last outcome of each.
    results: BTreeMap<Nonce, PushResult>,
}

impl Ledger {
    /// Reads a ledger. The second value is the length of its whole lines: a host cuts the file to it
    /// before it appends, as a last line without its end was never synced.
    ///
    /// # Errors
    /// [`FaultKind::DamagedLedger`] for a whole line that is damaged, a nonce that is spent twice, or an
    /// outcome without an intent. A ledger that cannot be trusted must not be appended to.
    pub fn parse(bytes: &[u8]) -> Result<(Ledger, usize), Fault> {
        let (mut ledger, mut at) = (Ledger::default(), 0);
        for (number, line) in (1..).zip(bytes.split_inclusive(|byte| *byte == b'\n')) {
            let Some(line) = line.strip_suffix(b"\n") else {
                break;
            };
            let record = Record::parse(line).map_err(|why| damaged(&format!("line {number} {why}")))?;
            ledger.add(record).map_err(|fault| damaged(&format!("line {number}: {fault}")))?;
            at += line.len() + 1;
        }
        Ok((ledger, at))
    }

    /// Adds a record that the host has appended and synced.
    ///
    /// # Errors
    /// [`FaultKind::Spent`] for an intent whose nonce is spent, [`FaultKind::DamagedLedger`] for an outcome
    /// that no open intent waits for.
    pub fn add(&mut self, record: Record) -> Result<(), Fault> {
        match record {
            Record::Intent(intent) if self.spent(intent.nonce) => {
                Err(Fault::new(FaultKind::Spent, format!("the nonce {} was used before", intent.nonce))
                    .with_hint("show the push again and approve it anew"))
            }
            Record::Intent(intent) => {
                self.intents.push(*intent);
                Ok(())
            }
            Record::Outcome(outcome) => {
                let may_follow = match self.results.get(&outcome.nonce) {
                    None => self.spent(outcome.nonce) && outcome.result != PushResult::Settled,
                    Some(PushResult::InDoubt) => outcome.result != PushResult::InDoubt,
                    Some(_) => false,
                };
                if !may_follow {
                    return Err(damaged(&format!("an outcome for {} that nothing waits for", outcome.nonce)));
                }
                self.results.insert(outcome.nonce, outcome.result);
                Ok(())
            }
        }
    }

    /// Whether an intent has spent this nonce.
    pub fn spent(&self, nonce: Nonce) -> bool {
        self.intents.iter().any(|intent| intent.nonce == nonce)
    }

    /// Intents without an outcome, oldest first: to be settled before anything else.
    pub fn open_intents(&self) -> impl Iterator<Item = &Intent> {
        self.intents.iter().filter(|intent| !self.results.contains_key(&intent.nonce))
    }

    /// Intents that are in doubt, oldest first: to be settled by the person.
    pub fn in_doubt(&self) -> impl Iterator<Item = &Intent> {
        self.intents.iter().filter(|intent| self.results.get(&intent.nonce) == Some(&PushResult::InDoubt))
    }

    /// The push that keeps a branch from being pushed to: one that is open or in doubt.
    pub fn blocks(&self, target: &CanonicalTarget, reference: &BranchRef) -> Option<&Intent> {
        self.open_intents()
            .chain(self.in_doubt())
            .find(|intent| intent.target == *target && intent.reference == *reference)
    }

    /// How the push with this nonce ended, if it did.
    pub fn result(&self, nonce: Nonce) -> Option<PushResult> {
        self.results.get(&nonce).copied()
    }
}

fn damaged(what: &str) -> Fault {
    Fault::new(FaultKind::DamagedLedger, format!("the ledger of pushes is damaged: {what}"))
        .with_hint("look at the target's branches by hand before you repair or remove the ledger")
}
