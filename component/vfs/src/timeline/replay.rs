//! Replays the bytes of a journal into a timeline.

use bytes::Bytes;

use super::{
    Timeline, UndoLimits,
    payload::{Facts, decode_base},
};
use crate::{
    journal::{
        Attachments, Chunks, Frame, FrameError, HEADER_BYTES, Header, JournalError, JournalErrorKind, Link,
        RECORD_BYTES, RecordKind, SandboxId, VERSION, apply,
    },
    tree::Root,
};

/// The result of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplayReport {
    /// The number of records applied.
    pub records: u64,
    /// The length of the header and these records: the next record belongs here.
    pub valid_bytes: u64,
    /// Whether replay dropped bytes after them: a record that was never fully written.
    pub torn_tail: bool,
}

/// Reads a journal in chunks of any size.
#[derive(Debug)]
pub struct Replayer {
    sandbox: Option<SandboxId>,
    limits: UndoLimits,
    attachments: Attachments,
    timeline: Option<Timeline>,
    /// Bytes not yet parsed.
    pending: Chunks,
    /// The position of `pending` in the journal.
    offset: u64,
    records: u64,
    /// The next record is either damaged or the last. Only all bytes after it tell which.
    suspect: bool,
    failed: Option<JournalError>,
}

impl Replayer {
    /// Replays a journal with the attachments it may refer to. If `sandbox` is given, the journal
    /// must belong to it.
    pub fn new(sandbox: Option<SandboxId>, limits: UndoLimits, attachments: Attachments) -> Self {
        Self {
            sandbox,
            limits,
            attachments,
            timeline: None,
            pending: Chunks::default(),
            offset: 0,
            records: 0,
            suspect: false,
            failed: None,
        }
    }

    /// Takes the next bytes of the journal. After an error, every further call returns the error
    /// again.
    pub fn feed(&mut self, chunk: Bytes) -> Result<(), JournalError> {
        if self.failed.is_none() {
            self.pending.push(chunk);
            self.failed = self.read().err();
        }
        self.failed.clone().map_or(Ok(()), Err)
    }

    /// Ends the journal.
    pub fn finish(mut self) -> Result<(Timeline, ReplayReport), JournalError> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let Some(mut timeline) = self.timeline.take() else {
            return Err(JournalError::new(JournalErrorKind::NotAJournal, 0, "the journal has no whole header"));
        };
        if self.pending.hold_a_record(&timeline.link) {
            let message = "a record is damaged, but valid records follow";
            return Err(JournalError::new(JournalErrorKind::Damaged, self.offset, message));
        }
        if let Err(inconsistency) = timeline.current.verify() {
            let message = format!("the journal leads to an inconsistent tree: {inconsistency}");
            return Err(JournalError::new(JournalErrorKind::Malformed, self.offset, message));
        }
        timeline.trim(timeline.limits);
        let report =
            ReplayReport { records: self.records, valid_bytes: self.offset, torn_tail: self.pending.len() > 0 };
        Ok((timeline, report))
    }

    fn read(&mut self) -> Result<(), JournalError> {
        if self.timeline.is_none() && !self.read_header()? {
            return Ok(());
        }
        while !self.suspect && self.read_record()? {}
        Ok(())
    }

    fn read_header(&mut self) -> Result<bool, JournalError> {
        let Some(bytes) = self.pending.first::<HEADER_BYTES>() else {
            return Ok(false);
        };
        let error = |kind, message: &str| JournalError::new(kind, 0, message);
        let header = Header::decode(&bytes).map_err(|fault| match fault {
            FrameError::NotOne => {
                error(JournalErrorKind::NotAJournal, "this is not a journal, or its header is damaged")
            }
            FrameError::Version(version) => error(
                JournalErrorKind::Version,
                &format!("the journal has version {version}, but this program reads version {VERSION}"),
            ),
        })?;
        if self.sandbox.is_some_and(|sandbox| sandbox != header.sandbox) {
            return Err(error(JournalErrorKind::Foreign, "the journal belongs to another sandbox"));
        }
        self.pending.skip(HEADER_BYTES);
        self.offset += HEADER_BYTES as u64;
        self.timeline = Some(Timeline::new(header.sandbox, self.limits).0);
        Ok(true)
    }

    /// Reads one record, if it has arrived whole.
    fn read_record(&mut self) -> Result<bool, JournalError> {
        let Some(bytes) = self.pending.first::<RECORD_BYTES>() else {
            return Ok(false);
        };
        let Some(frame) = Frame::read(&bytes) else {
            self.suspect = true;
            return Ok(false);
        };
        let Some(length) = frame.length().filter(|length| RECORD_BYTES + length <= self.pending.len()) else {
            return Ok(false);
        };
        if self.pending.is_whole(&frame) != Some(true) {
            self.suspect = true;
            return Ok(false);
        }
        let link = self.timeline.as_ref().expect("the header comes first").link;
        let error = |kind, message: &str| JournalError::new(kind, self.offset, message);
        if !frame.is_of(&link) {
            return Err(error(JournalErrorKind::Foreign, "a record belongs to another sandbox"));
        }
        let kind = frame.kind().ok_or_else(|| error(JournalErrorKind::Malformed, "a record has an unknown kind"))?;
        let next = frame.follow(&link, self.records == 0 && kind == RecordKind::Base);
        let next = next.ok_or_else(|| error(JournalErrorKind::Order, "a record is out of order"))?;
        self.pending.skip(RECORD_BYTES);
        self.apply(kind, length, next).map_err(|fault| JournalError::new(fault.0, self.offset, fault.1))?;
        self.offset += (RECORD_BYTES + length) as u64;
        self.records += 1;
        Ok(true)
    }

    /// Applies the record whose payload comes next and has `length` bytes.
    fn apply(&mut self, kind: RecordKind, length: usize, link: Link) -> Result<(), Fault> {
        let timeline = self.timeline.as_mut().expect("the header comes first");
        let attachments = &self.attachments;
        let mut reader = self.pending.reader(length);
        let difference = |before: &Root, reader| {
            apply(before, reader, attachments).map_err(|fault| Fault(fault.kind, fault.message))
        };
        let malformed = |_| Fault(JournalErrorKind::Malformed, "cannot read the facts of a step");
        if kind == RecordKind::Base {
            if self.records > 0 {
                return Err(Fault(JournalErrorKind::Order, "a whole tree follows other records"));
            }
            let steps = decode_base(&mut reader).map_err(malformed)?;
            timeline.current = difference(&Root::new(), reader)?;
            timeline.steps = steps.into();
        } else {
            let facts = Facts::decode(&mut reader).map_err(malformed)?;
            let before = match kind {
                RecordKind::Undo => usize::try_from(facts.steps).ok().and_then(|steps| timeline.take_back(steps)),
                _ => Some(timeline.current.clone()),
            };
            let before = before.ok_or(Fault(JournalErrorKind::Malformed, "an undo goes back too far"))?;
            timeline.current = difference(&before, reader)?;
            timeline.push(before, facts.meta, facts.undoable, link.sequence);
            timeline.trim_to(facts.roots, facts.history);
        }
        timeline.link = link;
        Ok(())
    }
}

struct Fault(JournalErrorKind, &'static str);
