//! The audit log of a sandbox: approvals, rejections, intended pushes and their results.
//!
//! Pure data. The host appends and syncs the lines that [`Ledger::append`] returns. A push has this
//! order: the intent, which is the approval and spends the nonce; the objects and the ref; the
//! landed fact in the sandbox's journal; the outcome. An intent without an outcome is therefore
//! settled from the target's ref, and telling the sandbox the fact twice is harmless.
//!
//! Each line's hash covers the line before it, and the first line's hash the sandbox's id. Any
//! change before the end is detected. A log that was cut at its end or rewritten as a whole is
//! detected only with a hash that was kept elsewhere.

pub(crate) mod line;
mod record;
mod settle;
mod who;

use std::collections::BTreeMap;

pub use line::LineHash;
pub use record::{
    CallVerdict, CommentChange, CommentEvent, DecidedCall, Intent, Outcome, PushResult, Record, Rejection, Remembered,
};
pub use settle::{Settlement, settle};
pub use who::{Brief, Decided, How};

use crate::{
    error::{Fault, FaultKind},
    id::{Nonce, SandboxId},
    refname::BranchRef,
    target::CanonicalTarget,
};
use line::Damage;

/// All lines of a log.
#[derive(Debug, Clone, PartialEq)]
pub struct Ledger {
    /// The hash that precedes the first line.
    first: LineHash,
    entries: Vec<Entry>,
    /// The positions of the intents.
    intents: Vec<usize>,
    /// Every spent nonce with the last outcome of its push.
    nonces: BTreeMap<Nonce, Option<PushResult>>,
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Its hash.
    pub hash: LineHash,
    /// Its record.
    pub record: Record,
}

impl Ledger {
    /// The empty log of a sandbox.
    pub fn new(sandbox: &SandboxId) -> Self {
        let first = LineHash::first(sandbox);
        Ledger { first, entries: Vec::new(), intents: Vec::new(), nonces: BTreeMap::new() }
    }

    /// Parses the log of `sandbox`. The second value is the length of its whole lines. A host cuts
    /// the file to it before it appends, because a last line without its end was never synced.
    ///
    /// # Errors
    /// As [`Ledger::extend`]. A log that cannot be trusted must not be appended to.
    pub fn parse(bytes: &[u8], sandbox: &SandboxId) -> Result<(Ledger, usize), Fault> {
        let mut ledger = Ledger::new(sandbox);
        let len = ledger.extend(bytes)?;
        Ok((ledger, len))
    }

    /// Parses further lines, and returns the length of the whole ones. On an error, keeps the lines
    /// before the damaged one.
    ///
    /// # Errors
    /// [`FaultKind::DamagedLedger`] for a whole line that is not the one that was written in its
    /// place, a nonce that is spent twice, or an outcome without an intent.
    pub fn extend(&mut self, bytes: &[u8]) -> Result<usize, Fault> {
        let mut at = 0;
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let Some(text) = line.strip_suffix(b"\n") else {
                break;
            };
            let number = self.entries.len() + 1;
            let (record, hash) = Record::parse(text, self.head()).map_err(|damage| match damage {
                Damage::Chain(why) => damaged(&format!("line {number} {why}")),
                Damage::Unknown(why) => damaged(&format!("line {number} is not a known record: {why}"))
                    .with_hint("use the newer gitgate that has worked on this sandbox"),
            })?;
            self.push(record, hash).map_err(|fault| damaged(&format!("line {number}: {fault}")))?;
            at += line.len();
        }
        Ok(at)
    }

    /// Adds a record, and returns the line that the host must append and sync. If that fails, the
    /// record is not part of the log, and the host must read the log again.
    ///
    /// # Errors
    /// [`FaultKind::Spent`] for an intent whose nonce is spent, [`FaultKind::DamagedLedger`] for an
    /// outcome that no open intent waits for. Then nothing was added.
    pub fn append(&mut self, record: Record) -> Result<Vec<u8>, Fault> {
        let (line, hash) = record.line(self.head());
        self.push(record, hash)?;
        Ok(line)
    }

    fn push(&mut self, record: Record, hash: LineHash) -> Result<(), Fault> {
        match &record {
            Record::Intent(intent) => {
                if self.spent(intent.nonce) {
                    return Err(Fault::new(FaultKind::Spent, format!("the nonce {} was used before", intent.nonce))
                        .with_hint("review the push again, then approve it"));
                }
                self.intents.push(self.entries.len());
                self.nonces.insert(intent.nonce, None);
            }
            Record::Outcome(outcome) => {
                let may_follow = match self.nonces.get(&outcome.nonce) {
                    None => false,
                    Some(None) => outcome.result != PushResult::Settled,
                    Some(Some(PushResult::InDoubt)) => outcome.result != PushResult::InDoubt,
                    Some(Some(_)) => false,
                };
                if !may_follow {
                    return Err(damaged(&format!("an outcome for {} without an open push", outcome.nonce)));
                }
                self.nonces.insert(outcome.nonce, Some(outcome.result));
            }
            Record::Rejection(_) | Record::Call(_) | Record::Remembered(_) | Record::Comment(_) => {}
        }
        self.entries.push(Entry { hash, record });
        Ok(())
    }

    /// All lines, oldest first.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The hash of the last line, or the one that precedes the first line.
    pub fn head(&self) -> LineHash {
        self.entries.last().map_or(self.first, |entry| entry.hash)
    }

    /// True if the log once had the head `hash` and is unchanged up to there.
    pub fn contains(&self, hash: LineHash) -> bool {
        self.first == hash || self.entries.iter().any(|entry| entry.hash == hash)
    }

    /// True if an intent has spent this nonce.
    pub fn spent(&self, nonce: Nonce) -> bool {
        self.nonces.contains_key(&nonce)
    }

    /// All intents, oldest first.
    pub fn intents(&self) -> impl Iterator<Item = &Intent> {
        self.intents.iter().filter_map(|index| match &self.entries[*index].record {
            Record::Intent(intent) => Some(&**intent),
            _ => None,
        })
    }

    /// Intents without an outcome, oldest first. They must be settled before anything else.
    pub fn open_intents(&self) -> impl Iterator<Item = &Intent> {
        self.intents().filter(|intent| self.result(intent.nonce).is_none())
    }

    /// Intents in doubt, oldest first. The person must settle them.
    pub fn in_doubt(&self) -> impl Iterator<Item = &Intent> {
        self.intents().filter(|intent| self.result(intent.nonce) == Some(PushResult::InDoubt))
    }

    /// The open or doubtful push that blocks a branch.
    pub fn blocks(&self, target: &CanonicalTarget, reference: &BranchRef) -> Option<&Intent> {
        self.open_intents()
            .chain(self.in_doubt())
            .find(|intent| intent.target == *target && intent.reference == *reference)
    }

    /// How the push with this nonce ended, if it did.
    pub fn result(&self, nonce: Nonce) -> Option<PushResult> {
        self.nonces.get(&nonce).copied().flatten()
    }
}

fn damaged(what: &str) -> Fault {
    Fault::new(FaultKind::DamagedLedger, format!("the audit log is damaged: {what}"))
        .with_hint("check the target's branches yourself before you repair or remove the log")
}
