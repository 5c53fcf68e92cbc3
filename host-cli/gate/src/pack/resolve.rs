//! The second pass: applies deltas depth-first, each object once, in bounded memory.
//!
//! A stack holds the chain of open ancestors. Their contents stay while they are needed and fit the
//! budget. A dropped content is rebuilt from the nearest ancestor that still has one.

use std::sync::atomic::{AtomicBool, Ordering};

use gix_hash::ObjectId;
use gix_object::Kind;

use super::{
    PackLimits,
    check::Checker,
    delta,
    entry::What,
    inflate::Inflater,
    scan::{Entry, Scan, TRAILER},
};
use crate::error::Fault;

/// The deltas of each base.
pub(super) struct Bases {
    /// Base entry and delta entry, sorted.
    by_entry: Vec<(u32, u32)>,
    /// Base id and delta entry, sorted.
    by_id: Vec<(ObjectId, u32)>,
}

impl Bases {
    /// Finds the base entry of every offset delta. An offset to no entry's start is a fault.
    pub fn new(entries: &[Entry]) -> Result<Self, Fault> {
        let (mut by_entry, mut by_id) = (Vec::new(), Vec::new());
        for (index, entry) in (0u32..).zip(entries) {
            match entry.what {
                What::Whole(_) => {}
                What::Reference(base) => by_id.push((base, index)),
                What::Offset(distance) => {
                    let base = entry.offset - distance;
                    let base = entries.binary_search_by_key(&base, |entry| entry.offset).map_err(|_| {
                        Fault::pack(format!("the base of the delta at offset {} is not an entry", entry.offset))
                    })?;
                    // There are at most u32::MAX entries, as the header counts them in 32 bits.
                    by_entry.push((base as u32, index));
                }
            }
        }
        by_entry.sort_unstable();
        by_id.sort_unstable();
        Ok(Bases { by_entry, by_id })
    }

    /// The deltas on the object `id` in `entry`.
    fn of(&self, entry: u32, id: &ObjectId) -> Vec<u32> {
        let from = self.by_entry.partition_point(|(base, _)| *base < entry);
        let offsets = self.by_entry[from..].iter().take_while(|(base, _)| *base == entry).map(|(_, delta)| *delta);
        let from = self.by_id.partition_point(|(base, _)| base < id);
        let references = self.by_id[from..].iter().take_while(|(base, _)| base == id).map(|(_, delta)| *delta);
        offsets.chain(references).collect()
    }

    /// Whether any delta has that object as its base.
    pub fn has(&self, entry: u32, id: &ObjectId) -> bool {
        self.by_entry.binary_search_by_key(&entry, |(base, _)| *base).is_ok()
            || self.by_id.binary_search_by_key(id, |(base, _)| *base).is_ok()
    }
}

/// The deltas reached so far, shared by all threads.
///
/// A delta that names its base by id applies to every object with that id. A pack that doubles an
/// object at every level of a chain would then double the work and the memory at each level. So
/// each delta is applied once, and a second path to it ends everything.
pub(super) struct Reached {
    /// By entry.
    entries: Vec<AtomicBool>,
    /// Whether some base is in the pack more than once. Seeing this does not depend on how the
    /// threads divide the work: until it is set, no thread depends on the others.
    twice: AtomicBool,
}

impl Reached {
    pub fn none_of(scan: &Scan) -> Self {
        Reached {
            entries: scan.entries.iter().map(|_| AtomicBool::new(false)).collect(),
            twice: AtomicBool::new(false),
        }
    }

    /// Notes a path to the delta in `entry`. Returns false if an earlier path led there.
    fn first(&self, entry: u32) -> bool {
        // The flags guard no other memory: each is read on its own.
        let first = !self.entries[entry as usize].swap(true, Ordering::Relaxed);
        if !first {
            self.twice.store(true, Ordering::Relaxed);
        }
        first
    }

    /// Whether a base of deltas is in the pack more than once.
    pub fn twice(&self) -> bool {
        self.twice.load(Ordering::Relaxed)
    }
}

/// An open ancestor.
struct Open {
    entry: u32,
    content: Option<Vec<u8>>,
    deltas: Vec<u32>,
}

/// Resolves delta trees; each thread has one.
pub(super) struct Resolver<'a> {
    pack: &'a [u8],
    scan: &'a Scan,
    bases: &'a Bases,
    reached: &'a Reached,
    limits: &'a PackLimits,
    inflater: Inflater,
    pub checker: Checker<'a>,
    /// Bytes of contents on the stack.
    held: usize,
    /// Bytes of this tree's contents and deltas: produced first, and produced again.
    made: u64,
    remade: u64,
}

impl<'a> Resolver<'a> {
    /// How often, on average, the bytes of a tree may be produced again for lack of memory.
    const REMAKE: u64 = 8;
    /// Bytes that any tree may produce again.
    const REMAKE_FREE: u64 = 64 << 20;

    pub fn new(
        pack: &'a [u8],
        scan: &'a Scan,
        bases: &'a Bases,
        reached: &'a Reached,
        limits: &'a PackLimits,
        checker: Checker<'a>,
    ) -> Self {
        Resolver { pack, scan, bases, reached, limits, inflater: Inflater::new(), checker, held: 0, made: 0, remade: 0 }
    }

    /// Resolves all deltas on the whole object `id` in entry `root`.
    pub fn tree(&mut self, root: u32, id: &ObjectId, kind: Kind) {
        // The first pass produced the root, so producing it here is a repetition.
        (self.held, self.made, self.remade) = (0, self.scan.entries[root as usize].size, 0);
        if let Err((entry, fault)) = self.descend(root, id, kind) {
            self.checker.fail(entry, fault);
        }
    }

    fn descend(&mut self, root: u32, id: &ObjectId, kind: Kind) -> Result<(), (u32, Fault)> {
        let mut stack = vec![Open { entry: root, content: None, deltas: self.bases.of(root, id) }];
        let mut spare = Vec::new();
        while let Some(top) = stack.last_mut() {
            let Some(entry) = top.deltas.pop() else {
                let done = stack.pop().expect("the loop saw a last element");
                self.held -= done.content.as_ref().map_or(0, Vec::len);
                continue;
            };
            if !self.reached.first(entry) {
                return Ok(());
            }
            if stack.len() > self.limits.delta_depth as usize {
                let depth = self.limits.delta_depth;
                return Err((entry, Fault::too_large(format!("a delta chain is longer than the {depth} allowed"))));
            }
            self.rebuild(&mut stack).map_err(|reason| (entry, self.fault(entry, reason)))?;
            if self.remade > Self::REMAKE * self.made + Self::REMAKE_FREE {
                return Err((entry, Fault::too_large("the pack's deltas take too much work to apply")));
            }
            let top = stack.last_mut().expect("the loop saw a last element");
            let base = top.content.as_deref().expect("rebuild() left the last content in place");
            let mut result = std::mem::take(&mut spare);
            self.made += self.apply(entry, base, &mut result).map_err(|reason| (entry, self.fault(entry, reason)))?;
            if top.deltas.is_empty() {
                // Nothing else needs this base, so the next object reuses its buffer.
                spare = top.content.take().expect("rebuild() left the last content in place");
                self.held -= spare.len();
            }
            let Some(id) = self.checker.object(entry, kind, &result) else {
                return Ok(());
            };
            let deltas = self.bases.of(entry, &id);
            if deltas.is_empty() {
                if spare.capacity() == 0 {
                    spare = result;
                }
            } else {
                // A larger object's buffer may hold it, and that capacity would not be counted.
                result.shrink_to_fit();
                self.held += result.len();
                stack.push(Open { entry, content: Some(result), deltas });
                self.shrink(&mut stack);
            }
        }
        Ok(())
    }

    /// Rebuilds the content of the last open object if it was dropped.
    fn rebuild(&mut self, stack: &mut [Open]) -> Result<(), &'static str> {
        let last = stack.len() - 1;
        let from = stack.iter().rposition(|open| open.content.is_some());
        if from == Some(last) {
            return Ok(());
        }
        let mut content = Vec::new();
        let first = match from {
            Some(from) => {
                let kept = stack[from].content.as_deref().expect("rposition() found content");
                self.remade += self.apply(stack[from + 1].entry, kept, &mut content)?;
                from + 2
            }
            None => {
                self.inflate(stack[0].entry, &mut content)?;
                self.remade += content.len() as u64;
                1
            }
        };
        // On the way back up, the ancestors just below are needed next: keep those that fit.
        let budget = self.limits.memory / 4;
        let fits = budget.saturating_sub(self.held) / content.len().max(1);
        let keep = last.saturating_sub(fits)..last;
        let mut result = Vec::new();
        for (at, open) in stack.iter_mut().enumerate().skip(first) {
            self.remade += self.apply(open.entry, &content, &mut result)?;
            std::mem::swap(&mut content, &mut result);
            let room = self.held + content.len() <= budget;
            if keep.contains(&at) && room && !open.deltas.is_empty() {
                self.held += content.len();
                open.content = Some(content.clone());
            }
        }
        content.shrink_to_fit();
        self.held += content.len();
        stack[last].content = Some(content);
        Ok(())
    }

    /// Drops contents, oldest first, until the rest fits the budget. The last one always stays.
    fn shrink(&mut self, stack: &mut [Open]) {
        let last = stack.len() - 1;
        for open in &mut stack[..last] {
            if self.held <= self.limits.memory / 4 {
                break;
            }
            self.held -= open.content.take().map_or(0, |content| content.len());
        }
    }

    /// Applies the delta in `entry` to `base`. Returns the bytes of the delta and of the result.
    fn apply(&mut self, entry: u32, base: &[u8], out: &mut Vec<u8>) -> Result<u64, &'static str> {
        if let Some(kept) = &self.scan.deltas[entry as usize] {
            delta::apply(base, kept, out)?;
        } else {
            let mut instructions = Vec::new();
            self.inflate(entry, &mut instructions)?;
            delta::apply(base, &instructions, out)?;
        }
        Ok(self.scan.entries[entry as usize].size + out.len() as u64)
    }

    fn inflate(&mut self, entry: u32, out: &mut Vec<u8>) -> Result<(), &'static str> {
        let entry = &self.scan.entries[entry as usize];
        let end = self.pack.len() - TRAILER;
        self.inflater.inflate(&self.pack[entry.stream as usize..end], entry.size, out).map(drop)
    }

    fn fault(&self, entry: u32, reason: &str) -> Fault {
        let offset = self.scan.entries[entry as usize].offset;
        Fault::pack(format!("{reason} (entry {entry} at offset {offset})"))
    }
}
