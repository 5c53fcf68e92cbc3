//! A sandbox between two calls: its tree and the earlier trees, and the moves between them.

use tools::{KEPT_BY_UNDO, Session};
use vfs::Root;
use vfs::timeline::{CannotUndo, Snapshot, Timeline};

use crate::kernel;
use crate::meta::Meta;
use crate::out::Out;

/// The state between two calls.
pub struct Running {
    pub timeline: Timeline,
    pub session: Session,
    /// The shorter journal that is being read.
    pub snapshot: Option<Snapshot>,
}

impl Running {
    /// Moves on to the tree that a call left, if it has changed.
    pub fn commit(&mut self, next: Root, meta: Meta, undoable: bool) -> Out {
        if next.ptr_eq(self.timeline.current()) {
            return Out::default();
        }
        let meta = meta.with_changes(self.timeline.current(), &next);
        Out::from(self.timeline.commit_in_pieces(next, &meta.encode(), undoable))
    }

    /// The same for a call that brings what no earlier tree has. Undo can neither take it back nor
    /// go back past it.
    pub fn settle(&mut self, next: Root, meta: Meta) -> Out {
        let meta = meta.settled().with_changes(self.timeline.current(), &next);
        Out::from(self.timeline.settle_in_pieces(next, &meta.encode()))
    }

    /// Goes back, but keeps files that came from outside or landed there.
    pub fn undo(&mut self, steps: usize, meta: Meta) -> Result<Out, CannotUndo> {
        let kept: Vec<Vec<u8>> = KEPT_BY_UNDO.iter().map(|path| format!("/workspace/{path}").into_bytes()).collect();
        let kept: Vec<&[u8]> = kept.iter().map(Vec::as_slice).collect();
        let restored = self.timeline.peek_undo(steps)?.graft(self.timeline.current(), &kept);
        let meta = meta.with_changes(self.timeline.current(), &restored);
        let record = self.timeline.undo(steps, restored, &meta.encode())?;
        kernel::put(self.timeline.current().clone());
        self.session.forget();
        Ok(Out::from(record))
    }

    /// Restores the tree from before the call. Caches of another tree are dropped.
    pub fn put_back(&mut self, after: &Root) {
        if !after.ptr_eq(self.timeline.current()) {
            kernel::put(self.timeline.current().clone());
            self.session.forget();
        }
    }

    /// Whether the last call's changes exceed the undo limit.
    pub fn is_beyond_undo(&self) -> bool {
        self.timeline.limits().roots > 0 && self.timeline.history().next().is_some_and(|entry| !entry.undoable)
    }
}
