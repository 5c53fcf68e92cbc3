//! From the bytes of a journal back to a timeline.

use bytes::Bytes;

use super::{
    Timeline, UndoLimits,
    payload::{Payload, decode_base},
};
use crate::{
    journal::{
        Attachments, Frame, FrameError, HEADER_BYTES, Header, JournalError, JournalErrorKind, Link, RECORD_BYTES,
        RecordKind, SandboxId, VERSION, apply, find_record,
    },
    tree::Root,
};

/// What replay found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplayReport {
    /// Records that took effect.
    pub records: u64,
    /// The length of header and these records: where the next record belongs.
    pub valid_bytes: u64,
    /// Whether bytes behind them were dropped: the rest of a record that was never written whole.
    pub torn_tail: bool,
}

/// Reads a journal in chunks of any size.
#[derive(Debug)]
pub struct Replayer {
    sandbox: Option<SandboxId>,
    limits: UndoLimits,
    attachments: Attachments,
    timeline: Option<Timeline>,
    pending: Pending,
    /// Where `pending` begins in the journal.
    offset: u64,
    records: u64,
    /// The next record is damaged or the last: all behind it must be seen to know which.
    suspect: bool,
    failed: Option<JournalError>,
}

/// The longest record that room is made for before it is there: its length may be damaged.
const MOST_EXPECTED: usize = 64 << 20;

/// The length of the record that `bytes` begin, so that the rest of it can be joined without growing; 0 if they begin none.
fn expected(bytes: &[u8]) -> usize {
    let whole =
        Frame::read(bytes).and_then(|frame| frame.length()).map_or(0, |length| length.saturating_add(RECORD_BYTES));
    whole.min(MOST_EXPECTED)
}

/// Bytes not yet understood.
#[derive(Debug)]
enum Pending {
    /// A slice of a buffer of so many bytes.
    Slice(Bytes, usize),
    /// The end of one chunk and those after it.
    Joined(Vec<u8>),
}

impl Pending {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Slice(bytes, _) => bytes,
            Self::Joined(bytes) => bytes,
        }
    }

    fn add(&mut self, chunk: Bytes) {
        match self {
            Self::Slice(bytes, _) if bytes.is_empty() => {
                let length = chunk.len();
                *self = Self::Slice(chunk, length);
            }
            Self::Slice(bytes, _) => {
                let mut joined = Vec::with_capacity((bytes.len() + chunk.len()).max(expected(bytes)));
                joined.extend_from_slice(bytes);
                joined.extend_from_slice(&chunk);
                *self = Self::Joined(joined);
            }
            Self::Joined(bytes) => bytes.extend_from_slice(&chunk),
        }
    }

    /// Take so many bytes, with the length of the buffer that they are a slice of.
    fn take(&mut self, count: usize) -> (Bytes, usize) {
        if let Self::Joined(bytes) = self {
            let bytes = Bytes::from(std::mem::take(bytes));
            let length = bytes.len();
            *self = Self::Slice(bytes, length);
        }
        match self {
            Self::Slice(bytes, length) => (bytes.split_to(count), *length),
            Self::Joined(_) => unreachable!("it was made a slice just now"),
        }
    }
}

impl Replayer {
    /// Replay a journal, of this sandbox if one is given, with the attachments it may refer to.
    pub fn new(sandbox: Option<SandboxId>, limits: UndoLimits, attachments: Attachments) -> Self {
        Self {
            sandbox,
            limits,
            attachments,
            timeline: None,
            pending: Pending::Slice(Bytes::new(), 0),
            offset: 0,
            records: 0,
            suspect: false,
            failed: None,
        }
    }

    /// Add an attachment, before the first record that refers to it.
    pub fn attach(&mut self, id: crate::content::AttachmentId, bytes: Bytes) {
        self.attachments.add(id, bytes);
    }

    /// Take the next bytes of the journal. Large contents may share the buffer. After an error
    /// every further call returns it again.
    pub fn feed(&mut self, chunk: Bytes) -> Result<(), JournalError> {
        if self.failed.is_none() {
            self.pending.add(chunk);
            self.failed = self.read().err();
        }
        self.failed.clone().map_or(Ok(()), Err)
    }

    /// The journal ends here.
    pub fn finish(mut self) -> Result<(Timeline, ReplayReport), JournalError> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let Some(mut timeline) = self.timeline.take() else {
            return Err(JournalError::new(JournalErrorKind::NotAJournal, 0, "the journal has no whole header"));
        };
        let left = self.pending.bytes();
        if !left.is_empty() && find_record(&left[1..], &timeline.link).is_some() {
            let message = "a record is damaged, and valid ones follow it";
            return Err(JournalError::new(JournalErrorKind::Damaged, self.offset, message));
        }
        if let Err(inconsistency) = timeline.current.verify() {
            let message = format!("the journal leads to a tree that cannot be: {inconsistency}");
            return Err(JournalError::new(JournalErrorKind::Malformed, self.offset, message));
        }
        timeline.trim(timeline.limits);
        let report = ReplayReport {
            records: self.records,
            valid_bytes: self.offset,
            torn_tail: !self.pending.bytes().is_empty(),
        };
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
        let Some(bytes) = self.pending.bytes().first_chunk::<HEADER_BYTES>() else {
            return Ok(false);
        };
        let error = |kind, message: &str| JournalError::new(kind, 0, message);
        let header = Header::decode(bytes).map_err(|fault| match fault {
            FrameError::NotOne => error(JournalErrorKind::NotAJournal, "this is no journal, or its header is damaged"),
            FrameError::Version(version) => error(
                JournalErrorKind::Version,
                &format!("the journal has version {version}, and this program reads version {VERSION}"),
            ),
        })?;
        if self.sandbox.is_some_and(|sandbox| sandbox != header.sandbox) {
            return Err(error(JournalErrorKind::Foreign, "the journal belongs to another sandbox"));
        }
        self.consume(HEADER_BYTES);
        self.timeline = Some(Timeline::new(header.sandbox, self.limits).0);
        Ok(true)
    }

    /// Read one record, if it is there as a whole.
    fn read_record(&mut self) -> Result<bool, JournalError> {
        let bytes = self.pending.bytes();
        if bytes.len() < RECORD_BYTES {
            return Ok(false);
        }
        let Some(frame) = Frame::read(bytes) else {
            self.suspect = true;
            return Ok(false);
        };
        let payload = frame.length().and_then(|length| bytes[RECORD_BYTES..].get(..length));
        let Some(payload) = payload else {
            return Ok(false);
        };
        if !frame.is_whole(payload) {
            self.suspect = true;
            return Ok(false);
        }
        let length = payload.len();
        let link = self.timeline.as_ref().expect("the header comes first").link;
        let error = |kind, message: &str| JournalError::new(kind, self.offset, message);
        if !frame.is_of(&link) {
            return Err(error(JournalErrorKind::Foreign, "a record belongs to another sandbox"));
        }
        let kind = frame.kind().ok_or_else(|| error(JournalErrorKind::Malformed, "a record is of no known kind"))?;
        let next = frame.follow(&link, self.records == 0 && kind == RecordKind::Base);
        let next = next.ok_or_else(|| error(JournalErrorKind::Order, "a record does not follow the one before it"))?;
        let start = self.offset;
        self.consume(RECORD_BYTES);
        let (payload, pinned) = self.consume(length);
        self.apply(kind, &payload, pinned, next).map_err(|fault| JournalError::new(fault.0, start, fault.1))?;
        self.records += 1;
        Ok(true)
    }

    fn consume(&mut self, count: usize) -> (Bytes, usize) {
        self.offset += count as u64;
        self.pending.take(count)
    }

    fn apply(&mut self, kind: RecordKind, payload: &Bytes, pinned: usize, link: Link) -> Result<(), Fault> {
        let timeline = self.timeline.as_mut().expect("the header comes first");
        let attachments = &self.attachments;
        let difference = |before: &Root, at: usize| {
            let applied = apply(before, &payload.slice(at..), pinned, attachments);
            applied.map_err(|fault| Fault(fault.kind, fault.message))
        };
        let malformed = |_| Fault(JournalErrorKind::Malformed, "the facts of a step cannot be read");
        if kind == RecordKind::Base {
            if self.records > 0 {
                return Err(Fault(JournalErrorKind::Order, "a whole tree stands behind other records"));
            }
            let (steps, at) = decode_base(payload).map_err(malformed)?;
            timeline.current = difference(&Root::new(), at)?;
            timeline.steps = steps.into();
        } else {
            let (facts, at) = Payload::decode(payload).map_err(malformed)?;
            let before = match kind {
                RecordKind::Undo => usize::try_from(facts.steps).ok().and_then(|steps| timeline.take_back(steps)),
                _ => Some(timeline.current.clone()),
            };
            let before = before.ok_or(Fault(JournalErrorKind::Malformed, "an undo goes back too far"))?;
            timeline.current = difference(&before, at)?;
            timeline.push(before, Bytes::copy_from_slice(facts.meta), facts.undoable, link.sequence);
            timeline.trim_to(facts.roots, facts.history);
        }
        timeline.link = link;
        Ok(())
    }
}

struct Fault(JournalErrorKind, &'static str);
