//! One instance of the component, used as its interface says: in order, and in chunks.

use std::time::Duration;

use super::component::{Instance, Runtime, wit};
use crate::error::{ErrorKind, HostError, Result};
use crate::store::{Attachment, AttachmentId};

/// The most bytes that cross the boundary at once: as many as stay in the cache from the disk to the component.
pub const CHUNK: usize = 1 << 18;

/// What opening, replaying and compacting may take; a call has a time of its own.
const HOUSEKEEPING: Duration = Duration::from_secs(600);

/// An instance of the component that holds one sandbox.
pub struct Session {
    instance: Instance,
    /// More bytes than this, the instance cannot hold.
    most: u64,
    /// Bytes of the snapshot that is being read, so far.
    snapshot: u64,
}

/// How far a call has come.
#[derive(Debug)]
pub enum Step {
    /// It is over. The record, unless it is empty, is to be made durable before anybody hears of the outcome.
    Done {
        /// What came of it.
        outcome: Result<wit::ToolResult, wit::ToolError>,
        /// Bytes of the difference that it made, to be read with [`Session::out_part`].
        record_size: u64,
    },
    /// It needs an answer.
    Ask {
        /// Names the question.
        key: Vec<u8>,
        /// The question.
        question: Question,
    },
}

/// What a call needs from outside.
#[derive(Debug)]
pub enum Question {
    /// May it go on?
    Approval(wit::Approval),
    /// Which refs has this target?
    Refs(wit::Target),
    /// Take these commits there.
    Push {
        /// Where, and from what to what.
        push: wit::Push,
        /// The objects.
        pack: Vec<u8>,
    },
    /// Bring a commit, and what the sandbox lacks of its history.
    Commits(wit::CommitsWanted),
    /// Bring blobs.
    Blobs(wit::BlobsWanted),
}

impl Session {
    /// A new instance for the sandbox that `options` describe. Attachments and the journal come next, then [`Session::start`].
    pub fn open(runtime: &Runtime, options: &wit::Options) -> Result<Self> {
        let memory = memory(&options.limits);
        let mut instance = runtime.instance(memory)?;
        instance.open(HOUSEKEEPING, options)?.map_err(refused)?;
        Ok(Session { instance, most: memory as u64, snapshot: 0 })
    }

    /// Gives a part of an attachment; parts come in order.
    pub fn attach(&mut self, id: &AttachmentId, size: u64, part: &[u8]) -> Result<()> {
        self.instance.attach(HOUSEKEEPING, id, size, part)?.map_err(refused)
    }

    /// Gives a whole attachment.
    pub fn attach_all(&mut self, Attachment { id, content }: &Attachment) -> Result<()> {
        if content.is_empty() {
            return self.attach(id, 0, content);
        }
        content.chunks(CHUNK).try_for_each(|part| self.attach(id, content.len() as u64, part))
    }

    /// Replays a part of the journal.
    pub fn replay(&mut self, part: &[u8]) -> Result<()> {
        self.instance.replay(HOUSEKEEPING, part)?.map_err(refused)
    }

    /// Says that the journal is at its end.
    pub fn start(&mut self) -> Result<wit::Restoration> {
        self.instance.start(HOUSEKEEPING)?.map_err(refused)
    }

    /// The tools that are switched on.
    pub fn tools(&mut self) -> Result<Vec<wit::ToolSpec>> {
        self.instance.tools(HOUSEKEEPING)
    }

    /// Runs a call as far as `answers` carry it.
    pub fn call(&mut self, call: &wit::ToolCall, answers: &[wit::Answer]) -> Result<Step> {
        match self.instance.call(Duration::from_nanos(call.time_allowed), call, answers)? {
            wit::Step::Done(done) => Ok(Step::Done { outcome: done.outcome, record_size: done.record_size }),
            wit::Step::Ask(wit::Question { key, body }) => {
                let question = match body {
                    wit::QuestionBody::Approval(approval) => Question::Approval(approval),
                    wit::QuestionBody::Refs(target) => Question::Refs(target),
                    wit::QuestionBody::Push(push) => {
                        let pack = self.read_out(push.pack_size)?;
                        Question::Push { push, pack }
                    }
                    wit::QuestionBody::Commits(wanted) => Question::Commits(wanted),
                    wit::QuestionBody::Blobs(wanted) => Question::Blobs(wanted),
                };
                Ok(Step::Ask { key, question })
            }
        }
    }

    /// A part of the shorter journal; `None` behind the last one.
    pub fn snapshot(&mut self, part: u32) -> Result<Option<Vec<u8>>> {
        let size = self.instance.snapshot(HOUSEKEEPING, part)?.map_err(refused)?;
        self.snapshot = if part == 0 { size } else { self.snapshot.saturating_add(size) };
        match size {
            0 => Ok(None),
            _ if self.snapshot > self.most => Err(misbehaved("its snapshot is longer than all that it can hold")),
            size => self.read_out(size).map(Some),
        }
    }

    /// Says that the shorter journal, read to its end, is now the journal.
    pub fn compacted(&mut self) -> Result<()> {
        self.instance.compacted(HOUSEKEEPING)?.map_err(refused)
    }

    /// The attachments that are still needed.
    pub fn attachments(&mut self) -> Result<Vec<AttachmentId>> {
        let ids = self.instance.attachments(HOUSEKEEPING)?;
        ids.into_iter()
            .map(|id| {
                AttachmentId::try_from(id).map_err(|_| misbehaved("it names an attachment by what is no SHA-256"))
            })
            .collect()
    }

    /// Reads the `size` bytes that the last function left. A size is the component's word: nothing is reserved for it, and
    /// [`out_part`](Self::out_part) believes no size that is beyond all that the component can hold.
    fn read_out(&mut self, size: u64) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        while let Some(part) = self.out_part(bytes.len() as u64, size)? {
            bytes.extend_from_slice(&part);
        }
        Ok(bytes)
    }

    /// A part of the `size` bytes that the last function left, from `offset` on; nothing behind their end.
    pub fn out_part(&mut self, offset: u64, size: u64) -> Result<Option<Vec<u8>>> {
        if size > self.most {
            return Err(misbehaved("it says that it left more bytes than it can hold"));
        }
        let want = size.saturating_sub(offset).min(CHUNK as u64);
        if want == 0 {
            return Ok(None);
        }
        let want = u32::try_from(want).expect("a chunk's length fits");
        let part = self.instance.read_out(HOUSEKEEPING, offset, want)?;
        if part.is_empty() || part.len() > want as usize {
            return Err(misbehaved("it left fewer or more bytes than it said"));
        }
        Ok(Some(part))
    }
}

/// What the instance may use: what the tree may hold, and as much again to work on it; a 32-bit component has no more than 4 GiB.
pub fn memory(limits: &wit::Limits) -> usize {
    const WORK: u64 = 512 << 20;
    let bytes = limits.bytes.saturating_add(limits.undo_bytes).saturating_mul(2).saturating_add(WORK).min(4 << 30);
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

fn refused(fault: wit::Fault) -> HostError {
    let kind = match fault.kind {
        wit::FaultKind::DamagedJournal | wit::FaultKind::ForeignJournal | wit::FaultKind::MissingAttachment => {
            ErrorKind::Damaged
        }
        wit::FaultKind::Misuse | wit::FaultKind::NothingToUndo | wit::FaultKind::OutOfSpace => ErrorKind::Session,
    };
    HostError::new(kind, fault.message).hint(fault.hint)
}

fn misbehaved(how: &str) -> HostError {
    HostError::new(ErrorKind::Component, format!("the component broke its interface: {how}"))
        .hint("build gitgate again; the component is part of it")
}
