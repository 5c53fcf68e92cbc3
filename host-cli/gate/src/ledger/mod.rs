//! The audit log of a sandbox: what somebody approved or rejected, what was then to be written, and how that ended.
//!
//! Pure data. The host appends what [`Ledger::append`] gives and syncs it. For a push its order is: the intent, which is the approval and
//! spends the nonce; the objects and the ref; the sandbox is told, and that is in its journal; the outcome. So an intent without an outcome
//! is settled from the target's ref, and the sandbox may be told again what it knows.
//!
//! Each line has a hash over the line before it, and the first over the sandbox's id. A log that was changed anywhere but at its end is found
//! out; one that was cut at its end, or made anew as a whole, only by whoever has noted a hash of it elsewhere.

mod line;
mod record;
mod settle;
mod who;

use std::collections::BTreeMap;

pub use line::LineHash;
pub use record::{CallVerdict, CallWord, Intent, Outcome, PushResult, Record, Rejection, Remembered};
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
    /// What the first line follows.
    first: LineHash,
    entries: Vec<Entry>,
    /// Which of them are intents.
    intents: Vec<usize>,
    /// Every nonce that was spent, with the last outcome of its push.
    nonces: BTreeMap<Nonce, Option<PushResult>>,
}

/// A line, as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Its hash.
    pub hash: LineHash,
    /// What it says.
    pub record: Record,
}

impl Ledger {
    /// The log of a sandbox in which nothing was recorded yet.
    pub fn new(sandbox: &SandboxId) -> Self {
        let first = LineHash::first(sandbox);
        Ledger { first, entries: Vec::new(), intents: Vec::new(), nonces: BTreeMap::new() }
    }

    /// Reads the log of `sandbox`. The second value is the length of its whole lines: a host cuts the file to it
    /// before it appends, as a last line without its end was never synced.
    ///
    /// # Errors
    /// As [`Ledger::extend`]. A log that cannot be trusted must not be appended to.
    pub fn parse(bytes: &[u8], sandbox: &SandboxId) -> Result<(Ledger, usize), Fault> {
        let mut ledger = Ledger::new(sandbox);
        let len = ledger.extend(bytes)?;
        Ok((ledger, len))
    }

    /// Reads what stands behind the lines that are known, and gives the length of its whole lines. On an error the lines before the
    /// one that is damaged are known.
    ///
    /// # Errors
    /// [`FaultKind::DamagedLedger`] for a whole line that is not the one that was written in its place, a nonce that is spent twice, or an
    /// outcome without an intent.
    pub fn extend(&mut self, bytes: &[u8]) -> Result<usize, Fault> {
        let mut at = 0;
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let Some(text) = line.strip_suffix(b"\n") else {
                break;
            };
            let number = self.entries.len() + 1;
            let (record, hash) = Record::parse(text, self.head()).map_err(|damage| match damage {
                Damage::Chain(why) => damaged(&format!("line {number} {why}")),
                Damage::Unknown(why) => damaged(&format!("line {number} is no record that is known here: {why}"))
                    .with_hint("use a newer gitgate, if one has worked on this sandbox"),
            })?;
            self.push(record, hash).map_err(|fault| damaged(&format!("line {number}: {fault}")))?;
            at += line.len();
        }
        Ok(at)
    }

    /// Adds a record, and gives the line that the host is to append and sync. One that could not be appended is no part of the log: the
    /// host then reads it again.
    ///
    /// # Errors
    /// [`FaultKind::Spent`] for an intent whose nonce is spent, [`FaultKind::DamagedLedger`] for an outcome
    /// that no open intent waits for. Then nothing was added.
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
                        .with_hint("show the push again and approve it anew"));
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
                    return Err(damaged(&format!("an outcome for {} that nothing waits for", outcome.nonce)));
                }
                self.nonces.insert(outcome.nonce, Some(outcome.result));
            }
            Record::Rejection(_) | Record::Call(_) | Record::Remembered(_) => {}
        }
        self.entries.push(Entry { hash, record });
        Ok(())
    }

    /// All lines, oldest first.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The hash of the last line; in a log without lines what the first one will follow.
    pub fn head(&self) -> LineHash {
        self.entries.last().map_or(self.first, |entry| entry.hash)
    }

    /// Whether the log was ever as long as when [`Ledger::head`] gave `hash`, and is still the same up to there.
    pub fn contains(&self, hash: LineHash) -> bool {
        self.first == hash || self.entries.iter().any(|entry| entry.hash == hash)
    }

    /// Whether an intent has spent this nonce.
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

    /// Intents without an outcome, oldest first: to be settled before anything else.
    pub fn open_intents(&self) -> impl Iterator<Item = &Intent> {
        self.intents().filter(|intent| self.result(intent.nonce).is_none())
    }

    /// Intents that are in doubt, oldest first: to be settled by the person.
    pub fn in_doubt(&self) -> impl Iterator<Item = &Intent> {
        self.intents().filter(|intent| self.result(intent.nonce) == Some(PushResult::InDoubt))
    }

    /// The push that keeps a branch from being pushed to: one that is open or in doubt.
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
        .with_hint("look at the target's branches by hand before you repair or remove the log")
}
