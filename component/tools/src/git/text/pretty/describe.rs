//! `%(describe…)`: finds the nearest tag that a commit reaches (git-describe).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::rc::Rc;

use gix::ObjectId;

use super::Printer;
use super::arguments::{argument, switch};
use super::tags::{Choice, Tag, Tagged};
use crate::error::ToolError;
use crate::git::history::graph::{Commit, Node};
use crate::git::store::abbrev::Abbrev;
use crate::git::words::c_number::c_number;

/// The number of tags to compare.
const CANDIDATES: usize = 10;
/// git's minimum for the length of a short id.
const LEAST_DIGITS: i32 = 4;

/// The options of `%(describe:…)`.
#[derive(Clone, Debug, Default)]
pub struct Describe {
    /// Whether lightweight tags count too.
    tags: bool,
    /// The number of digits of the id. With 0, git prints only the tag.
    abbrev: Option<usize>,
    choice: Choice,
}

impl Describe {
    /// Parses the options in `text`, and returns the rest.
    pub fn parse(mut text: &str) -> Option<(Describe, &str)> {
        let mut options = Describe::default();
        loop {
            if let Some((on, rest)) = switch(text, "tags") {
                options.tags = on;
                text = rest;
            } else if let Some(found) = argument(text, "abbrev") {
                let value = found.value?;
                let (digits, _) = c_number(value.as_bytes()).filter(|(_, length)| *length == value.len())?;
                // A number too large for C is truncated.
                let digits = match digits as i32 {
                    0 => 0,
                    digits => digits.clamp(LEAST_DIGITS, 40),
                };
                options.abbrev = Some(digits as usize);
                text = found.rest;
            } else if let Some(found) = argument(text, "exclude") {
                options.choice.unwanted.push(found.value.filter(|value| !value.is_empty())?.to_owned());
                text = found.rest;
            } else if let Some(found) = argument(text, "match") {
                options.choice.wanted.push(found.value.filter(|value| !value.is_empty())?.to_owned());
                text = found.rest;
            } else {
                return Some((options, text));
            }
        }
    }
}

/// A tag found on the walk.
struct Candidate<'t> {
    tag: &'t Rc<Tag>,
    /// The bit that marks the commits it reaches.
    bit: u32,
    /// The number of visited commits that it does not reach.
    depth: usize,
}

/// Marks a commit that is no longer pending. The lower bits belong to candidates.
const PASSED: u32 = 1 << 31;

/// The walk, latest commits first, with the candidates that reach each commit.
struct Way<'p, 'a> {
    printer: &'p Printer<'a>,
    pending: BinaryHeap<(u64, Reverse<usize>, ObjectId)>,
    flags: BTreeMap<ObjectId, u32>,
    /// The bit of the watched candidate, and the number of pending commits that it does not reach.
    watched: u32,
    open: usize,
}

impl<'p, 'a> Way<'p, 'a> {
    fn new(printer: &'p Printer<'a>) -> Way<'p, 'a> {
        Way { printer, pending: BinaryHeap::new(), flags: BTreeMap::new(), watched: 0, open: 0 }
    }

    fn reach(&mut self, id: ObjectId, flags: u32) -> Result<(), ToolError> {
        self.printer.deadline.poll()?;
        if let Some(known) = self.flags.get_mut(&id) {
            let is_open = *known & (PASSED | self.watched) == 0;
            *known |= flags;
            self.open -= usize::from(is_open && flags & self.watched != 0);
            return Ok(());
        }
        let order = Reverse(self.flags.len());
        self.flags.insert(id, flags);
        self.pending.push((self.printer.history.node(id)?.time, order, id));
        self.open += usize::from(flags & self.watched == 0);
        Ok(())
    }

    fn next(&mut self) -> Result<Option<Rc<Node>>, ToolError> {
        self.printer.deadline.poll()?;
        let Some((_, _, id)) = self.pending.pop() else { return Ok(None) };
        let flags = self.flags.get_mut(&id).expect("it was reached");
        self.open -= usize::from(*flags & self.watched == 0);
        *flags |= PASSED;
        self.printer.history.node(id).map(Some)
    }

    /// Makes a visited commit pending again, after all others of the same time.
    fn put_back(&mut self, node: &Node) {
        *self.flags.get_mut(&node.id).expect("it was reached") &= !PASSED;
        self.pending.push((node.time, Reverse(self.flags.len()), node.id));
    }

    /// Starts to count the pending commits that the candidate of `bit` does not reach.
    fn watch(&mut self, bit: u32) -> Result<(), ToolError> {
        self.printer.deadline.poll_units(u32::try_from(self.pending.len()).unwrap_or(u32::MAX))?;
        self.watched = bit;
        self.open = self.pending.iter().filter(|(_, _, id)| self.flags[id] & bit == 0).count();
        Ok(())
    }

    fn parents(&mut self, node: &Node) -> Result<(), ToolError> {
        let flags = self.flags[&node.id] & !PASSED;
        self.printer.history.parents(node).iter().try_for_each(|parent| self.reach(*parent, flags))
    }
}

impl Printer<'_> {
    /// Appends the output of `git describe` for `commit`. It is empty if the commit reaches no tag.
    pub(super) fn describe(&self, options: &Describe, commit: &Commit, out: &mut Vec<u8>) -> Result<(), ToolError> {
        let tagged = self.tags.chosen(self.repo, &options.choice, self.deadline)?;
        let counts = |tag: &&Rc<Tag>| options.tags || tag.object.is_some();
        let exact = tagged.get(&commit.id).filter(counts);
        let (tag, depth) = match exact {
            Some(tag) => (tag, None),
            None => match self.nearest(&tagged, counts, commit.id)? {
                Some((tag, depth)) => (tag, Some(depth)),
                None => return Ok(()),
            },
        };
        let name = tag.object.as_ref().map_or(&tag.name, |(name, _)| name);
        out.extend_from_slice(name);
        let is_misnamed = *name != tag.name;
        if is_misnamed || (depth.is_some() && options.abbrev != Some(0)) {
            let short = match options.abbrev {
                None => self.short(&commit.id)?,
                Some(0) => commit.id.to_string(),
                Some(length) => Abbrev::at_least(self.repo, length).short(&commit.id)?,
            };
            out.extend_from_slice(format!("-{}-g{short}", depth.unwrap_or(0)).as_bytes());
        }
        Ok(())
    }

    fn nearest<'t>(
        &self,
        tagged: &'t Tagged,
        counts: impl Fn(&&'t Rc<Tag>) -> bool,
        commit: ObjectId,
    ) -> Result<Option<(&'t Rc<Tag>, usize)>, ToolError> {
        let mut way = Way::new(self);
        way.reach(commit, 0)?;
        let mut candidates: Vec<Candidate<'t>> = Vec::new();
        let mut seen = 0;
        let mut given_up = None;
        while let Some(node) = way.next()? {
            seen += 1;
            if let Some(tag) = tagged.get(&node.id).filter(&counts) {
                if candidates.len() == CANDIDATES {
                    given_up = Some(node);
                    break;
                }
                let bit = 1 << candidates.len();
                candidates.push(Candidate { tag, bit, depth: seen - 1 });
                *way.flags.get_mut(&node.id).expect("it was reached") |= bit;
            }
            let flags = way.flags[&node.id];
            candidates
                .iter_mut()
                .filter(|candidate| flags & candidate.bit == 0)
                .for_each(|candidate| candidate.depth += 1);
            let has_annotated = candidates.iter().any(|candidate| candidate.tag.object.is_some());
            if has_annotated && way.pending.is_empty() && is_covered(&candidates, flags) {
                break;
            }
            way.parents(&node)?;
        }
        let Some(best) = candidates.iter_mut().min_by_key(|candidate| (candidate.depth, candidate.bit)) else {
            return Ok(None);
        };
        if let Some(node) = given_up {
            way.put_back(&node);
        }
        way.watch(best.bit)?;
        // Count the remaining commits until the tag reaches all pending ones.
        while let Some(node) = way.next()? {
            if way.flags[&node.id] & best.bit == 0 {
                best.depth += 1;
            } else if way.open == 0 {
                break;
            }
            way.parents(&node)?;
        }
        Ok(Some((best.tag, best.depth)))
    }
}

/// Whether all of the nearest candidates reach a commit.
fn is_covered(candidates: &[Candidate<'_>], flags: u32) -> bool {
    let least = candidates.iter().map(|candidate| candidate.depth).min();
    candidates.iter().filter(|candidate| Some(candidate.depth) == least).all(|candidate| flags & candidate.bit != 0)
}
