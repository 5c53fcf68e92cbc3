//! One instance of the component, used as its interface requires: in order and in chunks.

use bytes::Bytes;

use crate::attachment::{Attachment, AttachmentId};
use crate::component::{Component, Components};
use crate::error::{ErrorKind, HostError, Result};
use crate::wit;

/// The most bytes that cross the boundary at once. They stay in the CPU cache on their way from the
/// disk to the component.
pub const CHUNK: usize = 1 << 18;

/// An instance of the component that holds one sandbox.
pub struct Session {
    instance: Box<dyn Component>,
    /// The most bytes that the instance can hold.
    most: u64,
    /// Bytes of the snapshot read so far.
    snapshot: u64,
}

/// How far a call has come.
#[derive(Debug)]
pub enum Step {
    /// It is over. The record, unless empty, must be durable before anybody learns of the outcome.
    Done {
        /// The result or error.
        outcome: Result<wit::ToolResult, wit::ToolError>,
        /// Length in bytes of its journal record, to be read with [`Session::out_part`].
        record_size: u64,
        /// The pack that the tool made.
        pack: Bytes,
    },
    /// It needs an answer.
    Ask {
        /// The question's key.
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
        pack: Bytes,
    },
    /// Bring a commit, and what the sandbox lacks of its history.
    Commits(wit::CommitsWanted),
    /// Bring blobs.
    Blobs(wit::BlobsWanted),
    /// Note these answers to comments, and say which are open.
    Comments(Vec<wit::CommentAnswer>),
}

impl Question {
    /// What `body` asks. The objects of a push are those that `pack` gives.
    pub fn new(body: wit::QuestionBody, pack: impl FnOnce(&wit::Push) -> Result<Bytes>) -> Result<Self> {
        Ok(match body {
            wit::QuestionBody::Approval(approval) => Question::Approval(approval),
            wit::QuestionBody::Refs(target) => Question::Refs(target),
            wit::QuestionBody::Push(push) => Question::Push { pack: pack(&push)?, push },
            wit::QuestionBody::Commits(wanted) => Question::Commits(wanted),
            wit::QuestionBody::Blobs(wanted) => Question::Blobs(wanted),
            wit::QuestionBody::Comments(answers) => Question::Comments(answers),
        })
    }
}

impl Session {
    /// A new instance for the sandbox that `options` describe. Attachments and the journal come
    /// next, then [`Session::start`].
    pub fn open(components: &dyn Components, options: &wit::Options) -> Result<Self> {
        let memory = memory(&options.limits);
        let mut instance = components.instance(memory)?;
        instance.open(options)?.map_err(refused)?;
        Ok(Session { instance, most: memory, snapshot: 0 })
    }

    /// Sends a part of an attachment. Parts come in order.
    pub fn attach(&mut self, id: &AttachmentId, size: u64, part: &[u8]) -> Result<()> {
        self.instance.attach(id, size, part)?.map_err(refused)
    }

    /// Sends a whole attachment.
    pub fn attach_all(&mut self, Attachment { id, content, .. }: &Attachment) -> Result<()> {
        if content.is_empty() {
            return self.attach(id, 0, content);
        }
        content.chunks(CHUNK).try_for_each(|part| self.attach(id, content.len() as u64, part))
    }

    /// Replays a part of the journal.
    pub fn replay(&mut self, part: &[u8]) -> Result<()> {
        self.instance.replay(part)?.map_err(refused)
    }

    /// Marks the end of the journal.
    pub fn start(&mut self) -> Result<wit::Restoration> {
        self.instance.start()?.map_err(refused)
    }

    /// The tools that are switched on.
    pub fn tools(&mut self) -> Result<Vec<wit::ToolSpec>> {
        self.instance.tools()
    }

    /// Runs a call with `answers`, until it ends or asks.
    pub fn call(&mut self, call: &wit::ToolCall, answers: &[wit::Answer]) -> Result<Step> {
        match self.instance.call(call, answers)? {
            wit::Step::Done(wit::Done { outcome, record_size, pack_size }) => {
                let pack = self.read_out(record_size, pack_size)?.into();
                Ok(Step::Done { outcome, record_size, pack })
            }
            wit::Step::Ask(wit::Question { key, body }) => {
                let question = Question::new(body, |push| self.read_out(0, push.pack_size).map(Bytes::from))?;
                Ok(Step::Ask { key, question })
            }
        }
    }

    /// The next part of the shorter journal, or `None` after the last one.
    pub fn snapshot(&mut self, part: u32) -> Result<Option<Vec<u8>>> {
        let size = self.instance.snapshot(part)?.map_err(refused)?;
        self.snapshot = if part == 0 { size } else { self.snapshot.saturating_add(size) };
        match size {
            0 => Ok(None),
            _ if self.snapshot > self.most => Err(misbehaved("its snapshot is larger than all that it can hold")),
            size => self.read_out(0, size).map(Some),
        }
    }

    /// Makes the shorter journal, once read to its end, the journal.
    pub fn compacted(&mut self) -> Result<()> {
        self.instance.compacted()?.map_err(refused)
    }

    /// The attachments that are still needed.
    pub fn attachments(&mut self) -> Result<Vec<AttachmentId>> {
        let ids = self.instance.attachments()?;
        ids.into_iter()
            .map(|id| AttachmentId::try_from(id).map_err(|_| misbehaved("it gives an invalid attachment id")))
            .collect()
    }

    /// Reads the `size` bytes behind `offset` that the last function left. The size is untrusted: this reserves no
    /// memory for it, and [`out_part`](Self::out_part) refuses sizes beyond what the component can
    /// hold.
    fn read_out(&mut self, offset: u64, size: u64) -> Result<Vec<u8>> {
        let (mut bytes, end) = (Vec::new(), offset.saturating_add(size));
        while let Some(part) = self.out_part(offset + bytes.len() as u64, end)? {
            bytes.extend_from_slice(&part);
        }
        Ok(bytes)
    }

    /// The part from `offset` of the `size` bytes that the last function left. Empty past the end.
    pub fn out_part(&mut self, offset: u64, size: u64) -> Result<Option<Vec<u8>>> {
        if size > self.most {
            return Err(misbehaved("it announced more bytes than it can hold"));
        }
        let want = size.saturating_sub(offset).min(CHUNK as u64);
        if want == 0 {
            return Ok(None);
        }
        let want = u32::try_from(want).expect("a chunk's length fits");
        let part = self.instance.read_out(offset, want)?;
        if part.is_empty() || part.len() > want as usize {
            return Err(misbehaved("it did not leave as many bytes as it announced"));
        }
        Ok(Some(part))
    }
}

/// The instance's memory limit: the tree's limit, and as much again to work on it. A 32-bit
/// component has at most 4 GiB.
pub fn memory(limits: &wit::Limits) -> u64 {
    const WORK: u64 = 512 << 20;
    limits.bytes.saturating_add(limits.undo_bytes).saturating_mul(2).saturating_add(WORK).min(4 << 30)
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
        .hint("rebuild gitgate, because the component is part of it")
}
