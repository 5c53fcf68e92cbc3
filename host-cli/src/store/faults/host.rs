//! A host that drives the store, in the order in which the real one does, and a world that knows
//! what it has answered.

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;

use gate::ledger::{Brief, CallVerdict, Decided, DecidedCall, How, Intent, Outcome, PushResult, Record};
use gate::time::Timestamp;
use gix::ObjectId;

use super::super::{Attachment, Held, Journal, Pending, Store, Waiting, open_on};
use super::chaos::{Chaos, Random};
use super::numbers::{Change, Link, Numbers, record, replay};
use crate::error::{HostError, Result};

/// The kinds of calls.
#[derive(Clone, Copy, Debug)]
pub(super) enum Call {
    /// One record: a file is written, or the changes of one are discarded.
    Write,
    /// A record in many parts.
    Stage,
    /// One that somebody is asked about first.
    Approved,
    Undo,
    /// A record that needs attachments.
    Pull,
    /// Shown by one process, approved by another.
    Show,
    /// One that nobody could be asked about.
    Wait,
    Push,
    Compact,
}

impl Call {
    pub(super) const EVERY: [Call; 9] = [
        Call::Write,
        Call::Stage,
        Call::Approved,
        Call::Undo,
        Call::Pull,
        Call::Show,
        Call::Wait,
        Call::Push,
        Call::Compact,
    ];
}

/// What is outside of the sandbox, and what whoever calls knows.
#[derive(Debug, Default)]
pub(super) struct World {
    /// What has landed in the target.
    target: Vec<u64>,
    /// What the sandbox may hold: after a call that failed it may have it or not.
    possible: Vec<Numbers>,
    /// Approvals that were answered, pushes that were, what was shown, and what waits.
    approved: Vec<u64>,
    pushed: Vec<u64>,
    shown: Vec<u64>,
    waiting: Vec<u64>,
}

/// A process.
pub(super) struct Host<'w> {
    store: Store,
    running: Option<(Journal, Numbers, Link)>,
    world: &'w RefCell<World>,
}

impl<'w> Host<'w> {
    /// Makes the sandbox.
    pub(super) fn create(place: &Path, disk: Arc<Chaos>, world: &'w RefCell<World>) -> Self {
        let mut link = Link::default();
        let first = record(&Change::All(Numbers::default()), &mut link);
        std::fs::write(place.join("journal"), first).unwrap();
        world.borrow_mut().possible = vec![Numbers::default()];
        Host::open(place, disk, world)
    }

    pub(super) fn open(place: &Path, disk: Arc<Chaos>, world: &'w RefCell<World>) -> Self {
        Host { store: open_on(place, "s".parse().unwrap(), disk).unwrap(), running: None, world }
    }

    /// Makes no call, but what every call begins with.
    pub(super) fn open_again(&mut self) -> Result<()> {
        let held = self.store.lock.try_acquire()?;
        self.enter(&held)
    }

    /// As `Sandbox::lock` and `recover` do.
    fn enter(&mut self, held: &Held) -> Result<()> {
        if let Some((journal, ..)) = &self.running
            && journal.has_moved()?
        {
            self.running = None;
        }
        if self.running.is_none() {
            self.running = Some(self.restore(held)?);
        }
        let Some(ledger) = self.store.ledger.unsettled()? else { return Ok(()) };
        for intent in ledger.open_intents() {
            let number = number_of(intent);
            let has_landed = self.world.borrow().target.contains(&number);
            if has_landed {
                self.append(held, Change::Landed(number), 1)?;
            }
            self.conclude(held, number, if has_landed { PushResult::Landed } else { PushResult::NotLanded })?;
        }
        Ok(())
    }

    fn restore(&self, held: &Held) -> Result<(Journal, Numbers, Link)> {
        let _ = self.store.remove_leftovers(held);
        let given = self.store.attachments.list()?;
        for id in &given {
            self.store.attachments.verify(id).expect("what is stored is whole");
        }
        let (mut journal, mut bytes) = (self.store.journal()?, Vec::new());
        journal.read(7, |part| {
            bytes.extend_from_slice(part);
            Ok(())
        })?;
        let (numbers, whole, link) = replay(&bytes, &given);
        if whole < journal.len() {
            self.store.keep_torn(held, &journal, whole)?;
            journal.truncate(held, whole)?;
        }
        let mut world = self.world.borrow_mut();
        assert!(world.possible.contains(&numbers), "{numbers:?} is none of {:?}", world.possible);
        world.possible = vec![numbers.clone()];
        Ok((journal, numbers, link))
    }

    /// Makes a call. One that fails is told so, and what is running is dropped, as in
    /// `Locked::with`.
    pub(super) fn call(&mut self, number: u64, call: Call, random: &mut Random) -> Result<()> {
        let held = self.store.lock.try_acquire().expect("one calls at a time");
        let done = self.enter(&held).and_then(|()| self.make(&held, number, call, random));
        if done.is_err() {
            self.running = None;
        }
        drop(held);
        done
    }

    fn make(&mut self, held: &Held, number: u64, call: Call, random: &mut Random) -> Result<()> {
        match call {
            Call::Write => self.append(held, Change::Add(number, Vec::new()), 1),
            Call::Stage => self.append(held, Change::Add(number, Vec::new()), 2 + random.below(4)),
            Call::Undo => self.append(held, Change::Undo, 1),
            Call::Approved => {
                self.store.ledger.append(held, Record::Call(Box::new(word(number))))?;
                self.world.borrow_mut().approved.push(number);
                self.append(held, Change::Add(number, Vec::new()), 1)
            }
            Call::Pull => {
                let brought = [0, 1].map(|part| Attachment::new(format!("{part} of {number}").repeat(50)));
                brought.iter().try_for_each(|attachment| self.store.attachments.add(held, attachment))?;
                self.append(held, Change::Add(number, brought.iter().map(|attachment| attachment.id).collect()), 3)
            }
            Call::Show => {
                self.store.pending.add(held, &pending(number))?;
                self.world.borrow_mut().shown.push(number);
                Ok(())
            }
            Call::Wait => {
                self.store.waiting.add(held, waiting(number))?;
                self.world.borrow_mut().waiting.push(number);
                Ok(())
            }
            Call::Push => {
                self.store.ledger.append(held, Record::Intent(Box::new(intent(number))))?;
                self.world.borrow_mut().target.push(number);
                self.append(held, Change::Landed(number), 1)?;
                self.conclude(held, number, PushResult::Landed)?;
                self.world.borrow_mut().pushed.push(number);
                Ok(())
            }
            Call::Compact => self.compact(held),
        }
    }

    /// As `Running::call`: the record is durable when this returns.
    fn append(&mut self, held: &Held, change: Change, parts: usize) -> Result<()> {
        let (journal, numbers, link) = self.running.as_mut().expect("the sandbox was entered");
        let mut next = numbers.clone();
        next.apply(change.clone());
        let bytes = record(&change, link);
        let mut pieces = bytes.chunks(bytes.len().div_ceil(parts));
        let appended = journal.append_parts(held, || Ok(pieces.next().map(<[u8]>::to_vec)));
        let mut world = self.world.borrow_mut();
        match appended {
            Ok(()) => world.possible = vec![next.clone()],
            Err(_) => world.possible.push(next.clone()),
        }
        *numbers = next;
        appended
    }

    /// As `Locked::compact`.
    fn compact(&mut self, held: &Held) -> Result<()> {
        let (journal, numbers, link) = self.running.as_mut().expect("the sandbox was entered");
        let mut new = Link::default();
        let bytes = record(&Change::All(numbers.clone()), &mut new);
        let mut pieces = bytes.chunks(20);
        journal.replace(held, || Ok(pieces.next().map(<[u8]>::to_vec)))?;
        *link = new;
        self.store.attachments.keep_only(held, &numbers.needs())?;
        self.store.note_base(held, journal.len())
    }

    fn conclude(&self, held: &Held, number: u64, result: PushResult) -> Result<()> {
        let outcome = Outcome { nonce: intent(number).nonce, result, by: None, at: Timestamp(number) };
        self.store.ledger.append(held, Record::Outcome(outcome)).map_err(HostError::from)
    }

    /// Asserts that the sandbox, its log and the target say the same, and that all is there that
    /// was answered.
    pub(super) fn agrees(&self) {
        let (ledger, damage) = self.store.ledger.look().unwrap();
        assert_eq!(damage, None);
        let world = self.world.borrow();
        let (_, numbers, _) = self.running.as_ref().expect("the sandbox was entered");
        assert_eq!(world.possible, std::slice::from_ref(numbers));
        assert_eq!(numbers.landed, world.target, "what has landed, the sandbox knows");
        for intent in ledger.intents() {
            let has_landed = world.target.contains(&number_of(intent));
            let expected = if has_landed { PushResult::Landed } else { PushResult::NotLanded };
            assert_eq!(ledger.result(intent.nonce), Some(expected));
        }
        assert!(world.target.iter().all(|number| ledger.spent(intent(*number).nonce)));
        let landed = |number: &u64| ledger.result(intent(*number).nonce) == Some(PushResult::Landed);
        assert!(world.pushed.iter().all(landed), "what was answered is settled");
        let Intent { target, reference, .. } = intent(0);
        let shown = self.store.pending.to(&target, &reference, Timestamp(SHOWN + 1), None).unwrap();
        let is_shown = |number: &u64| shown.iter().any(|pending| pending.nonce == intent(*number).nonce);
        assert!(world.shown.iter().all(is_shown), "what was shown is lost");
        let waits = self.store.waiting.all().unwrap();
        let is_kept = |number: &u64| waits.iter().any(|waiting| waiting.id == id_of(*number));
        assert!(world.waiting.iter().all(is_kept), "what waits is lost");
        let approved = ledger.entries().iter().filter_map(|entry| match &entry.record {
            Record::Call(word) => Some(word.at.0),
            _ => None,
        });
        let approved: Vec<u64> = approved.collect();
        assert!(world.approved.iter().all(|number| approved.contains(number)), "an approval is lost");
    }

    pub(super) fn leftovers(&self) -> usize {
        self.store.leftovers().unwrap().len()
    }
}

fn word(number: u64) -> DecidedCall {
    DecidedCall {
        caller: gate::policy::Caller::Agent,
        call_id: Brief::of(&number.to_string()),
        tool: Brief::of("git_stage"),
        summary: Brief::default(),
        verdict: CallVerdict::Approved,
        decided: Decided { by: Brief::of("ada"), how: How::Prompt },
        at: Timestamp(number),
    }
}

fn intent(number: u64) -> Intent {
    Intent {
        sandbox: "s".parse().unwrap(),
        call_id: number.to_string(),
        call: serde_json::json!(null),
        nonce: format!("{number:032x}").parse().unwrap(),
        digest: "0".repeat(64).parse().unwrap(),
        approved: Decided { by: Brief::of("ada"), how: How::Digest },
        target: "local:/t".parse().unwrap(),
        reference: "refs/heads/main".parse().unwrap(),
        old: None,
        new: ObjectId::null(gix::hash::Kind::Sha1),
        at: Timestamp(number),
        host: serde_json::json!(null),
    }
}

fn number_of(intent: &Intent) -> u64 {
    intent.at.0
}

fn pending(number: u64) -> Pending {
    let Intent { target, reference, nonce, digest, .. } = intent(number);
    Pending { target, reference, nonce, digest, shown_at: Timestamp(SHOWN) }
}

/// When every push was shown.
const SHOWN: u64 = 1;

fn id_of(number: u64) -> String {
    format!("{number:016x}")
}

fn waiting(number: u64) -> Waiting {
    let (tool, arguments) = ("git_stage".to_owned(), number.to_string());
    Waiting { id: id_of(number), tool, arguments, at: Timestamp(number), inside: None, answer: None }
}
