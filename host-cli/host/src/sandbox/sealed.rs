//! The tools in the component. The journal holds exactly what the instance holds.

use std::collections::{BTreeMap, HashSet};

use super::Tools;
use crate::attachment::{Attachment, AttachmentId};
use crate::component::Components;
use crate::error::{ErrorKind, HostError, Result};
use crate::hint::{Act, Hint};
use crate::session::{CHUNK, Session, Step};
use crate::store::{Held, Journal, Mark, Store};
use crate::wit;

/// An instance and its journal.
pub struct Sealed {
    session: Box<Session>,
    /// The attachments given to the running call.
    given: HashSet<AttachmentId>,
    journal: Journal,
}

impl Sealed {
    /// The tools of a new sandbox, which has no journal.
    pub fn create(store: &Store, held: &Held, options: &wit::Options, components: &dyn Components) -> Result<Self> {
        let mut session = Box::new(Session::open(components, options)?);
        let restoration = session.start()?;
        Ok(Sealed::of(session, store.create_journal(held, &restoration.preamble)?))
    }

    /// The tools of a sandbox, restored to their last state. Adds notes for the person to `notes`.
    pub fn restore(
        store: &Store,
        held: &Held,
        options: &wit::Options,
        components: &dyn Components,
        notes: &mut Vec<String>,
    ) -> Result<Self> {
        let (mut session, unread) = with_attachments(store, options, components)?;
        let mut journal = store.journal()?;
        ensure_begun(&journal)?;
        let replayed = journal.read(CHUNK, |part| session.replay(part)).and_then(|()| session.start());
        // A missing attachment is harmless if nothing needs it.
        let restoration = replayed.map_err(|error| why_missing(error, &unread))?;
        if restoration.valid_bytes < journal.len() {
            let torn = store.keep_torn(held, &journal, restoration.valid_bytes)?;
            let lost = journal.len() - restoration.valid_bytes;
            notes.push(format!(
                "the last {lost} bytes of the sandbox's journal were cut off or damaged; gitgate moved them to {torn}, \
                 and the sandbox lacks what they recorded"
            ));
            journal.truncate(held, restoration.valid_bytes)?;
        }
        if !restoration.preamble.is_empty() {
            journal.append(held, &restoration.preamble)?;
        }
        Ok(Sealed::of(session, journal))
    }

    fn of(session: Box<Session>, journal: Journal) -> Self {
        Sealed { session, given: HashSet::new(), journal }
    }
}

impl Tools for Sealed {
    fn has_moved(&self) -> Result<bool> {
        self.journal.has_moved()
    }

    fn settle(&mut self, _: &Held) -> Result<Vec<String>> {
        // A journal never holds part of a call.
        Ok(Vec::new())
    }

    fn tools(&mut self) -> Result<Vec<wit::ToolSpec>> {
        self.session.tools()
    }

    /// `brought` is stored before the record that needs it, and not at all for a call that changes
    /// nothing: the component gets everything stored at every start, so useless attachments would
    /// fill it. What is not to be kept is handed on, and is in the record itself.
    fn call(
        &mut self,
        held: &Held,
        call: &wit::ToolCall,
        answers: &[wit::Answer],
        brought: &[Attachment],
        store: &Store,
    ) -> Result<Step> {
        let Sealed { session, given, journal } = self;
        for attachment in brought {
            if !given.contains(&attachment.id) {
                session.attach_all(attachment)?;
                given.insert(attachment.id);
            }
        }
        let step = session.call(call, answers)?;
        let Step::Done { record_size, .. } = step else { return Ok(step) };
        given.clear();
        if record_size > 0 {
            let mut kept = brought.iter().filter(|attachment| attachment.is_kept);
            kept.try_for_each(|attachment| store.attachments.add(held, attachment))?;
            let mut written = 0;
            journal.append_parts(held, || {
                let part = session.out_part(written, record_size)?;
                written += part.as_ref().map_or(0, |part| part.len() as u64);
                Ok(part)
            })?;
        }
        Ok(step)
    }

    fn attachments(&mut self) -> Result<Option<Vec<AttachmentId>>> {
        self.session.attachments().map(Some)
    }

    fn mark(&self) -> Option<Mark> {
        Some(self.journal.mark())
    }

    fn is_long(&self, held: &Held, store: &Store) -> Result<bool> {
        store.is_long(held, &self.journal)
    }

    fn compact(&mut self, held: &Held) -> Result<Option<Vec<AttachmentId>>> {
        let Sealed { session, journal, .. } = self;
        let mut parts = 0..;
        journal.replace(held, || session.snapshot(parts.next().expect("there is always a next number")))?;
        session.compacted()?;
        session.attachments().map(Some)
    }
}

/// Makes a call that changes nothing in an instance of its own, which is restored and thrown away.
pub(super) fn look(
    store: &Store,
    options: &wit::Options,
    components: &dyn Components,
    call: &wit::ToolCall,
) -> Result<Result<wit::ToolResult, wit::ToolError>> {
    let (mut session, _) = with_attachments(store, options, components)?;
    let journal = store.journal()?;
    ensure_begun(&journal)?;
    journal.read(CHUNK, |part| session.replay(part))?;
    session.start()?;
    match session.call(call, &[])? {
        Step::Done { outcome, .. } => Ok(outcome),
        Step::Ask { .. } => Err(HostError::new(ErrorKind::Refused, "a call that only looks asks nothing")),
    }
}

/// Fails if a journal holds nothing, because every sandbox has begun with something.
pub(crate) fn ensure_begun(journal: &Journal) -> Result<()> {
    if journal.is_empty() {
        let hint = Hint::new("restore the file from a backup, or ", Act::RemoveSandbox, "");
        return Err(HostError::new(ErrorKind::Damaged, "the sandbox's journal is empty").hint(hint));
    }
    Ok(())
}

/// Unreadable attachments, with the reasons.
type Unread = BTreeMap<AttachmentId, HostError>;

/// An instance with every readable attachment.
fn with_attachments(
    store: &Store,
    options: &wit::Options,
    components: &dyn Components,
) -> Result<(Box<Session>, Unread)> {
    let mut unread = Unread::new();
    'anew: loop {
        let mut session = Box::new(Session::open(components, options)?);
        for id in store.attachments.list()?.iter().filter(|id| !unread.contains_key(*id)).collect::<Vec<_>>() {
            let mut is_refused = false;
            let attach = |size, part: &[u8]| session.attach(id, size, part).inspect_err(|_| is_refused = true);
            match store.attachments.read(id, CHUNK, attach) {
                Err(error) if !is_refused => {
                    tracing::warn!("{error}");
                    unread.insert(*id, error);
                    // The instance has received an incomplete attachment.
                    continue 'anew;
                }
                read => read?,
            }
        }
        return Ok((session, unread));
    }
}

/// Why the journal cannot be replayed. An unreadable attachment is the likely cause, because the
/// component did not get it.
fn why_missing(error: HostError, unread: &Unread) -> HostError {
    match unread.values().next() {
        Some(why) if error.kind == ErrorKind::Damaged => why.clone(),
        _ => error,
    }
}
