//! Runs the tools of an open sandbox, in an instance of the component or on a real directory. No
//! other file distinguishes the two.

use std::collections::{BTreeMap, HashSet};

use super::{Runtime, wit};
use crate::error::{ErrorKind, HostError, Result};
use crate::home::SandboxFile;
use crate::on_disk::OnDisk;
use crate::store::{Attachment, AttachmentId, Journal, Store};
use host::session::{CHUNK, Session, Step};

/// Unreadable attachments, with the reasons.
type Unread = BTreeMap<AttachmentId, HostError>;

/// An instance with every readable attachment.
fn with_attachments(store: &Store, options: &wit::Options, runtime: &Runtime) -> Result<(Box<Session>, Unread)> {
    let mut unread = Unread::new();
    'anew: loop {
        let mut session = Box::new(Session::open(runtime, options)?);
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

/// A sandbox's tools and what they work on.
pub enum Running {
    /// In the component. The journal holds what the instance holds.
    Sealed {
        /// The instance.
        session: Box<Session>,
        /// The attachments given to the running call.
        given: HashSet<AttachmentId>,
        /// Its journal.
        journal: Journal,
    },
    /// On a directory.
    OnDisk(Box<OnDisk>),
}

impl Running {
    /// The tools of a new sandbox, which has no journal.
    pub fn create(file: &SandboxFile, store: &Store, options: &wit::Options, runtime: &Runtime) -> Result<Self> {
        if let Some(directory) = &file.on_disk {
            return Ok(Running::OnDisk(Box::new(OnDisk::open(store.folder(), directory, options, runtime.clock())?)));
        }
        let mut session = Box::new(Session::open(runtime, options)?);
        let restoration = session.start()?;
        Ok(Running::sealed(session, store.create_journal(&restoration.preamble)?))
    }

    /// The tools of a sandbox, restored to their last state. Adds notes for the person to `notes`.
    pub fn restore(
        file: &SandboxFile,
        store: &Store,
        options: &wit::Options,
        runtime: &Runtime,
        notes: &mut Vec<String>,
    ) -> Result<Self> {
        if file.on_disk.is_some() {
            return Running::create(file, store, options, runtime);
        }
        let (mut session, unread) = with_attachments(store, options, runtime)?;
        let mut journal = store.journal()?;
        if journal.is_empty() {
            return Err(HostError::new(ErrorKind::Damaged, "the sandbox's journal is empty")
                .hint("restore the file from a backup, or remove the sandbox with `gitgate rm`"));
        }
        let replayed = journal.read(CHUNK, |part| session.replay(part)).and_then(|()| session.start());
        // A missing attachment is harmless if nothing needs it.
        let restoration = replayed.map_err(|error| why_missing(error, &unread))?;
        if restoration.valid_bytes < journal.len() {
            let torn = store.keep_torn(&mut journal, restoration.valid_bytes)?;
            notes.push(format!(
                "the last {} bytes of the sandbox's journal were cut off or damaged; gitgate moved them to {}, and the \
                 sandbox lacks what they recorded",
                journal.len() - restoration.valid_bytes,
                torn.display()
            ));
            journal.truncate(restoration.valid_bytes)?;
        }
        if !restoration.preamble.is_empty() {
            journal.append(&restoration.preamble)?;
        }
        Ok(Running::sealed(session, journal))
    }

    fn sealed(session: Box<Session>, journal: Journal) -> Self {
        Running::Sealed { session, given: HashSet::new(), journal }
    }

    /// True if another process has changed the sandbox since.
    pub fn has_moved(&self) -> Result<bool> {
        match self {
            Running::Sealed { journal, .. } => journal.has_moved(),
            Running::OnDisk(on_disk) => on_disk.has_moved(),
        }
    }

    /// Repairs what another process left unfinished, and returns notes for the person. Needs the
    /// lock.
    pub fn settle(&mut self) -> Result<Vec<String>> {
        match self {
            // A journal never holds part of a call.
            Running::Sealed { .. } => Ok(Vec::new()),
            Running::OnDisk(on_disk) => on_disk.settle(),
        }
    }

    /// The tools that are switched on.
    pub fn tools(&mut self) -> Result<Vec<wit::ToolSpec>> {
        match self {
            Running::Sealed { session, .. } => session.tools(),
            Running::OnDisk(on_disk) => Ok(on_disk.tools()),
        }
    }

    /// Runs a call with `answers` and the attachments they name, until it ends or asks. Its changes
    /// are durable when this returns.
    ///
    /// `brought` is stored before the record that needs it, and not at all for a call that changes
    /// nothing: the component gets everything stored at every start, so useless attachments would
    /// fill it.
    pub fn call(
        &mut self,
        call: &wit::ToolCall,
        answers: &[wit::Answer],
        brought: &[Attachment],
        store: &Store,
    ) -> Result<Step> {
        let (session, given, journal) = match self {
            Running::Sealed { session, given, journal } => (session, given, journal),
            Running::OnDisk(on_disk) => return on_disk.call(call, answers, brought),
        };
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
            brought.iter().try_for_each(|attachment| store.attachments.add(attachment))?;
            let mut written = 0;
            journal.append_parts(|| {
                let part = session.out_part(written, record_size)?;
                written += part.as_ref().map_or(0, |part| part.len() as u64);
                Ok(part)
            })?;
        }
        Ok(step)
    }

    /// The journal, if there is one.
    pub fn journal(&self) -> Option<&Journal> {
        match self {
            Running::Sealed { journal, .. } => Some(journal),
            Running::OnDisk(_) => None,
        }
    }

    /// Replaces the journal, if there is one, with a shorter one. Returns the attachments still
    /// needed.
    pub fn compact(&mut self) -> Result<Option<Vec<AttachmentId>>> {
        let Running::Sealed { session, journal, .. } = self else { return Ok(None) };
        let mut parts = 0..;
        journal.replace(|| session.snapshot(parts.next().expect("there is always a next number")))?;
        session.compacted()?;
        session.attachments().map(Some)
    }
}
