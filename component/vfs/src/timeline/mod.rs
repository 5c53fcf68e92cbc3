//! The history of a tree: the present tree, the steps to it, undo, and the journal of it all.

mod payload;
mod replay;
mod snapshot;

use std::{
    collections::{BTreeSet, VecDeque},
    fmt,
};

use bytes::Bytes;

pub use replay::{ReplayReport, Replayer};
pub use snapshot::{Snapshot, SnapshotError};

use crate::{
    content::{AttachmentId, Content},
    diff::{changed_inodes, unshared_bytes},
    inode::Inode,
    journal::{Frame, Header, Link, RecordKind, SandboxId},
    tree::Root,
};
use payload::Payload;

/// How far back a timeline reaches. It forgets the oldest steps first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UndoLimits {
    /// The most steps whose tree is kept.
    pub roots: usize,
    /// The most bytes kept only for old trees, counting 256 for each changed inode.
    pub bytes: u64,
    /// The most steps whose facts are kept, including those with a tree.
    pub history: usize,
}

impl Default for UndoLimits {
    fn default() -> Self {
        Self { roots: 100, bytes: 256 << 20, history: 10_000 }
    }
}

/// A step of the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryEntry<'a> {
    /// The sequence number of its record. Numbers grow. Undone steps leave gaps.
    pub sequence: u64,
    /// The embedding program's note about it.
    pub meta: &'a [u8],
    /// Whether undo would take it back: the step can be undone, and the tree before it is still kept.
    pub undoable: bool,
    /// Whether undo would take it back if the tree before it were still kept.
    pub forgotten: bool,
}

/// Undo cannot go back as far as asked. Nothing changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CannotUndo {
    /// Steps asked for.
    pub asked: usize,
    /// Steps possible.
    pub possible: usize,
}

impl fmt::Display for CannotUndo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot undo {} steps: {} can be undone", self.asked, self.possible)
    }
}

impl std::error::Error for CannotUndo {}

#[derive(Clone, Debug)]
struct Step {
    sequence: u64,
    undoable: bool,
    meta: Bytes,
    /// The tree before the step. Exactly the newest steps have one.
    before: Option<Root>,
    /// Bytes kept only for `before`.
    cost: u64,
}

impl Step {
    /// Whether undo can take it back: it counts as a step, and its old tree is kept.
    fn can_be_undone(&self) -> bool {
        self.undoable && self.before.is_some()
    }

    fn entry(&self) -> HistoryEntry<'_> {
        let undoable = self.can_be_undone();
        HistoryEntry { sequence: self.sequence, meta: &self.meta, undoable, forgotten: self.undoable && !undoable }
    }
}

/// A tree, its history, and the end of its journal.
#[derive(Clone, Debug)]
pub struct Timeline {
    header: Header,
    link: Link,
    current: Root,
    /// Oldest first.
    steps: VecDeque<Step>,
    limits: UndoLimits,
}

impl Timeline {
    /// Starts with an empty tree. Also returns the first bytes of its journal.
    pub fn new(sandbox: SandboxId, limits: UndoLimits) -> (Self, Vec<u8>) {
        let header = Header { sandbox };
        let timeline = Self { header, link: header.link(), current: Root::new(), steps: VecDeque::new(), limits };
        (timeline, header.encode().to_vec())
    }

    /// The present tree.
    pub fn current(&self) -> &Root {
        &self.current
    }

    /// The sandbox that owns it.
    pub fn sandbox(&self) -> SandboxId {
        self.header.sandbox
    }

    /// How far back it reaches.
    pub fn limits(&self) -> UndoLimits {
        self.limits
    }

    /// The sequence number of the last step; 0 before the first.
    pub fn sequence(&self) -> u64 {
        self.link.sequence
    }

    /// Moves on to the tree `next`, and returns the record to append to the journal. If nothing changed and `meta` is empty, there is no
    /// step and no record: the bytes are empty.
    pub fn commit(&mut self, next: Root, meta: &[u8], undoable: bool) -> Vec<u8> {
        self.commit_in_pieces(next, meta, undoable).concat()
    }

    /// As [`Timeline::commit`], with the record in pieces: they share the contents of the tree.
    pub fn commit_in_pieces(&mut self, next: Root, meta: &[u8], undoable: bool) -> Vec<Bytes> {
        self.go_on(next, meta, undoable, self.limits)
    }

    /// As [`Timeline::commit_in_pieces`], for a step that undo can neither take back nor go back past. Drops all old trees, because none of
    /// them has what the step brought.
    pub fn settle_in_pieces(&mut self, next: Root, meta: &[u8]) -> Vec<Bytes> {
        self.go_on(next, meta, false, UndoLimits { roots: 0, ..self.limits })
    }

    /// The tree before the last `steps` undoable steps.
    pub fn peek_undo(&self, steps: usize) -> Result<&Root, CannotUndo> {
        match steps {
            0 => Some(&self.current),
            _ => self.step_to_undo(steps).and_then(|index| self.steps[index].before.as_ref()),
        }
        .ok_or_else(|| self.cannot_undo(steps))
    }

    /// The steps that undoing `steps` of them takes back, newest first.
    pub fn steps_to_undo(&self, steps: usize) -> Result<Vec<HistoryEntry<'_>>, CannotUndo> {
        let entries: Vec<_> = self.history().filter(|entry| entry.undoable).take(steps).collect();
        if entries.len() == steps { Ok(entries) } else { Err(self.cannot_undo(steps)) }
    }

    /// The number of steps that can be undone.
    pub fn undoable_steps(&self) -> usize {
        self.steps.iter().filter(|step| step.can_be_undone()).count()
    }

    /// Takes back the last `steps` undoable steps, and returns the record to append to the journal.
    ///
    /// `restored` is the tree to go on with: the result of [`Timeline::peek_undo`], with everything grafted on that must outlive an undo.
    /// The undone steps leave the history. Other steps since then stay in it, and the undo itself is a step that cannot be undone.
    pub fn undo(&mut self, steps: usize, restored: Root, meta: &[u8]) -> Result<Vec<u8>, CannotUndo> {
        let base = self.take_back(steps).ok_or_else(|| self.cannot_undo(steps))?;
        self.current = restored;
        self.push(base.clone(), Bytes::copy_from_slice(meta), false, self.link.sequence + 1);
        self.trim(self.limits);
        Ok(self.record(RecordKind::Undo, Payload { steps: steps as u64, ..self.payload(meta) }, &base).concat())
    }

    /// The steps, newest first.
    pub fn history(&self) -> impl Iterator<Item = HistoryEntry<'_>> {
        self.steps.iter().rev().map(Step::entry)
    }

    /// The attachments that the present tree, or one that undo can reach, uses. The journal may name others until it is compacted: keep
    /// those as long as the journal.
    pub fn attachments(&self) -> BTreeSet<AttachmentId> {
        let id = |inode: &Inode| inode.content().and_then(Content::origin).map(|origin| origin.id);
        let mut ids: BTreeSet<AttachmentId> = self.current.inodes().filter_map(|(_, inode)| id(inode)).collect();
        let mut newer = &self.current;
        for before in self.steps.iter().rev().map_while(|step| step.before.as_ref()) {
            ids.extend(changed_inodes(before, newer).filter_map(|change| id(change.old?)));
            newer = before;
        }
        ids
    }

    fn cannot_undo(&self, asked: usize) -> CannotUndo {
        CannotUndo { asked, possible: self.undoable_steps() }
    }

    /// The index of the `steps`-th undoable step from the end.
    fn step_to_undo(&self, steps: usize) -> Option<usize> {
        let mut undoable = self.steps.iter().enumerate().rev().filter(|(_, step)| step.can_be_undone());
        undoable.nth(steps.checked_sub(1)?).map(|(index, _)| index)
    }

    /// Removes the last undoable steps and returns the tree before them. Other steps since then stay, but change nothing.
    fn take_back(&mut self, steps: usize) -> Option<Root> {
        let index = self.step_to_undo(steps)?;
        let base = self.steps[index].before.clone()?;
        let since = self.steps.split_off(index);
        let stay = since.into_iter().filter(|step| !step.undoable);
        self.steps.extend(stay.map(|step| Step { before: Some(base.clone()), cost: 0, ..step }));
        Some(base)
    }

    /// Moves on to `next`, and keeps as much as `limits` allow.
    fn go_on(&mut self, next: Root, meta: &[u8], undoable: bool, limits: UndoLimits) -> Vec<Bytes> {
        if meta.is_empty() && next.ptr_eq(&self.current) {
            return Vec::new();
        }
        let before = std::mem::replace(&mut self.current, next);
        self.push(before.clone(), Bytes::copy_from_slice(meta), undoable, self.link.sequence + 1);
        self.trim(limits);
        self.record(RecordKind::Commit, Payload { undoable, ..self.payload(meta) }, &before)
    }

    /// Adds the step from `before` to the present tree.
    fn push(&mut self, before: Root, meta: Bytes, undoable: bool, sequence: u64) {
        let cost = unshared_bytes(&before, &self.current);
        self.steps.push_back(Step { sequence, undoable, meta, before: Some(before), cost });
    }

    /// The number of steps whose tree is kept: they are the newest.
    fn held(&self) -> usize {
        self.steps.iter().rev().take_while(|step| step.before.is_some()).count()
    }

    fn trim(&mut self, limits: UndoLimits) {
        let mut bytes = 0_u64;
        let within = self.steps.iter().rev().take_while(|step| {
            bytes = bytes.saturating_add(step.cost);
            step.before.is_some() && bytes <= limits.bytes
        });
        let roots = within.count().min(limits.roots);
        self.trim_to(roots, limits.history);
    }

    fn trim_to(&mut self, roots: usize, history: usize) {
        let history = history.max(roots);
        self.steps.drain(..self.steps.len().saturating_sub(history));
        let without = self.steps.len().saturating_sub(roots);
        // Steps that lost their tree earlier are at the front, so stop at the newest of them.
        for step in self.steps.iter_mut().take(without).rev().take_while(|step| step.before.is_some()) {
            (step.before, step.cost) = (None, 0);
        }
    }

    fn payload<'a>(&self, meta: &'a [u8]) -> Payload<'a> {
        Payload { undoable: false, steps: 0, roots: self.held(), history: self.steps.len(), meta }
    }

    /// The record of the last step, which leads from `before` to the present tree.
    fn record(&mut self, kind: RecordKind, payload: Payload<'_>, before: &Root) -> Vec<Bytes> {
        let mut record = payload.encode(before, &self.current);
        let sequence = self.link.sequence + 1;
        let frame = Frame::new(&mut self.link, kind, sequence, &record);
        record.insert(0, Bytes::copy_from_slice(frame.bytes()));
        record
    }
}
