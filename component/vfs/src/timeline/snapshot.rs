//! A rewritten journal: one whole tree, and the steps since.

use std::{collections::VecDeque, fmt};

use bytes::Bytes;

use super::{
    Step, Timeline,
    payload::{Payload, encode_base},
};
use crate::{
    journal::{Frame, Header, Link, RecordKind},
    tree::Root,
};

/// The longest chunk of a snapshot, in bytes.
const CHUNK: usize = 1 << 20;

/// A new journal in chunks of at most 1 MiB, to write one after another.
#[derive(Debug)]
pub struct Snapshot {
    header: Header,
    link: Link,
    /// The sequence number of the timeline at the time of the snapshot.
    sequence: u64,
    /// All steps; the first `without` have no tree.
    steps: VecDeque<Step>,
    without: usize,
    current: Root,
    /// The next record: that of the base tree, or that of a step.
    next: Next,
    pieces: VecDeque<Bytes>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Base,
    Step(usize),
}

/// Why a snapshot cannot become the journal of a timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotError {
    /// The caller has not read all of it.
    Unfinished,
    /// The timeline moved on, or it is another one.
    Outdated,
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unfinished => "the host did not read the snapshot to its end",
            Self::Outdated => "the sandbox has changed since the snapshot was taken",
        })
    }
}

impl std::error::Error for SnapshotError {}

impl Timeline {
    /// A new journal for the present state, for compaction. It keeps at most `keep` steps undoable.
    /// Once it replaces the old journal in storage, call [`Timeline::compacted`].
    pub fn snapshot(&self, keep: usize) -> Snapshot {
        let header = self.header;
        let possible = self.undoable_steps().min(keep);
        let without = self.step_to_undo(possible).unwrap_or(self.steps.len());
        let pieces = VecDeque::from([Bytes::copy_from_slice(&header.encode())]);
        Snapshot {
            header,
            link: header.link(),
            sequence: self.link.sequence,
            steps: self.steps.clone(),
            without,
            current: self.current.clone(),
            next: Next::Base,
            pieces,
        }
    }

    /// Makes the journal of `snapshot` the current one. Records continue at its end, and undo
    /// reaches only as far back as it does.
    pub fn compacted(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        if snapshot.header != self.header || snapshot.sequence != self.link.sequence {
            return Err(SnapshotError::Outdated);
        }
        if !snapshot.is_finished() {
            return Err(SnapshotError::Unfinished);
        }
        self.link = snapshot.link;
        self.trim_to(self.steps.len() - snapshot.without, self.steps.len());
        Ok(())
    }
}

impl Snapshot {
    fn is_finished(&self) -> bool {
        self.pieces.is_empty() && self.next == Next::Step(self.steps.len())
    }

    /// The tree before a step that has one, or the present tree after the last step.
    fn root(&self, index: usize) -> &Root {
        self.steps.get(index).and_then(|step| step.before.as_ref()).unwrap_or(&self.current)
    }

    /// Creates the pieces of the next record.
    fn advance(&mut self) -> bool {
        let (kind, sequence, payload) = match self.next {
            Next::Base => {
                let sequence = self.steps.get(self.without).map_or(self.sequence, |step| step.sequence - 1);
                let payload = encode_base(self.steps.range(..self.without), self.root(self.without));
                self.next = Next::Step(self.without);
                (RecordKind::Base, sequence, payload)
            }
            Next::Step(index) => {
                let Some(step) = self.steps.get(index) else {
                    return false;
                };
                let facts = Payload {
                    undoable: step.undoable,
                    steps: 0,
                    roots: index + 1 - self.without,
                    history: index + 1,
                    meta: &step.meta,
                };
                let payload = facts.encode(self.root(index), self.root(index + 1));
                self.next = Next::Step(index + 1);
                (RecordKind::Commit, step.sequence, payload)
            }
        };
        let frame = Frame::new(&mut self.link, kind, sequence, &payload);
        self.pieces.push_back(Bytes::copy_from_slice(frame.bytes()));
        self.pieces.extend(payload);
        true
    }
}

impl Iterator for Snapshot {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let mut chunk = Vec::new();
        while chunk.len() < CHUNK && (!self.pieces.is_empty() || self.advance()) {
            if let Some(mut piece) = self.pieces.pop_front() {
                let taken = piece.split_to(piece.len().min(CHUNK - chunk.len()));
                chunk.extend_from_slice(&taken);
                if !piece.is_empty() {
                    self.pieces.push_front(piece);
                }
            }
        }
        (!chunk.is_empty()).then_some(chunk)
    }
}
