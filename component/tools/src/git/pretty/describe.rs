//! `%(describe…)`: the nearest tag that a commit reaches (git-describe).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::rc::Rc;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::glob::wildmatch;

use super::arguments::{argument, switch};
use super::{Printer, once};
use crate::error::ToolError;
use crate::git::abbrev::Abbrev;
use crate::git::c_number::c_number;
use crate::git::history::{Commit, Ident, Node};
use crate::git::repo::{Repo, damaged};

/// How many tags are weighed against each other.
const CANDIDATES: usize = 10;
/// The fewest digits of a short id that git takes.
const LEAST_DIGITS: i32 = 4;

/// What `%(describe:…)` asks for.
#[derive(Clone, Debug, Default)]
pub struct Describe {
    /// Tags that are no objects count, too.
    tags: bool,
    /// Digits of the id; the tag alone with 0.
    abbrev: Option<usize>,
    wanted: Vec<String>,
    unwanted: Vec<String>,
}

impl Describe {
    /// What `text` asks for, and what is left behind it.
    pub fn parse(mut text: &str) -> Option<(Describe, &str)> {
        let mut options = Describe::default();
        loop {
            if let Some((on, rest)) = switch(text, "tags") {
                options.tags = on;
                text = rest;
            } else if let Some(found) = argument(text, "abbrev") {
                let value = found.value?;
                let (digits, _) = c_number(value.as_bytes()).filter(|(_, length)| *length == value.len())?;
                // A number that is too large for C is cut off.
                let digits = match digits as i32 {
                    0 => 0,
                    digits => digits.clamp(LEAST_DIGITS, 40),
                };
                options.abbrev = Some(digits as usize);
                text = found.rest;
            } else if let Some(found) = argument(text, "exclude") {
                options.unwanted.push(found.value.filter(|value| !value.is_empty())?.to_owned());
                text = found.rest;
            } else if let Some(found) = argument(text, "match") {
                options.wanted.push(found.value.filter(|value| !value.is_empty())?.to_owned());
                text = found.rest;
            } else {
                return Some((options, text));
            }
        }
    }

    fn takes(&self, name: &BStr) -> bool {
        let is = |pattern: &String| gix::glob::wildmatch(pattern.as_str().into(), name, wildmatch::Mode::empty());
        !self.unwanted.iter().any(is) && (self.wanted.is_empty() || self.wanted.iter().any(is))
    }

    /// The tag of each commit that has one.
    fn names<'t>(&self, all: &'t Names) -> BTreeMap<ObjectId, &'t Tag> {
        let mut names: BTreeMap<ObjectId, &Tag> = BTreeMap::new();
        for tag in all.0.iter().filter(|tag| self.takes(tag.name.as_bstr())) {
            let known = names.get(&tag.commit);
            if known.is_none_or(|known| tag.goes_before(known)) {
                names.insert(tag.commit, tag);
            }
        }
        names
    }
}

/// All tags, in the order of their names.
#[derive(Debug)]
pub struct Names(Vec<Tag>);

#[derive(Debug)]
struct Tag {
    /// Without `refs/tags/`.
    name: BString,
    commit: ObjectId,
    /// Of a tag that is an object: its own name for itself, and when it was made.
    object: Option<(BString, u64)>,
}

impl Tag {
    /// An annotated tag goes before another, and of those the latest.
    fn goes_before(&self, other: &Tag) -> bool {
        match (&self.object, &other.object) {
            (Some((_, ours)), Some((_, theirs))) => theirs < ours,
            (Some(_), None) => true,
            (None, _) => false,
        }
    }
}

impl Names {
    fn of(repo: &Repo) -> Result<Names, ToolError> {
        let platform = repo.gix.references().map_err(|error| damaged(&error))?;
        let mut names = Vec::new();
        for reference in platform.tags().map_err(|error| damaged(&error))? {
            let mut reference = reference.map_err(|error| ToolError::failed(error.to_string()))?;
            let full = reference.name().as_bstr().to_owned();
            let Ok(target) = reference.follow_to_object() else { continue };
            let target = target.detach();
            let Ok(commit) = reference.peel_to_id() else { continue };
            let commit = commit.detach();
            let object = if commit == target { None } else { Some(tag_object(repo, target)?) };
            let name = full.strip_prefix(b"refs/tags/").unwrap_or(&full).into();
            names.push(Tag { name, commit, object });
        }
        Ok(Names(names))
    }
}

fn tag_object(repo: &Repo, id: ObjectId) -> Result<(BString, u64), ToolError> {
    let data = repo.gix.find_object(id).map_err(|error| damaged(&error))?.detach().data;
    let line = |name: &[u8]| data.lines().take_while(|line| !line.is_empty()).find_map(|line| line.strip_prefix(name));
    let tagger = line(b"tagger ").and_then(|line| Ident::parse(line.as_bstr())?.date);
    let seconds = tagger.unwrap_or_default().seconds;
    Ok((line(b"tag ").unwrap_or_default().into(), seconds))
}

/// A tag that was met on the way.
struct Candidate<'t> {
    tag: &'t Tag,
    /// The bit of the commits that it reaches.
    bit: u32,
    /// How many commits it does not reach.
    depth: usize,
}

/// The commits on the way, the latest first, and which candidates reach each.
struct Way<'p, 'a> {
    printer: &'p Printer<'a>,
    pending: BinaryHeap<(u64, Reverse<usize>, ObjectId)>,
    flags: BTreeMap<ObjectId, u32>,
}

impl Way<'_, '_> {
    fn reach(&mut self, id: ObjectId, flags: u32) -> Result<(), ToolError> {
        if let Some(known) = self.flags.get_mut(&id) {
            *known |= flags;
            return Ok(());
        }
        let order = Reverse(self.flags.len());
        self.flags.insert(id, flags);
        self.pending.push((self.printer.history.node(id)?.time, order, id));
        Ok(())
    }

    fn next(&mut self) -> Result<Option<Rc<Node>>, ToolError> {
        self.printer.deadline.poll()?;
        self.pending.pop().map(|(_, _, id)| self.printer.history.node(id)).transpose()
    }

    fn parents(&mut self, node: &Node) -> Result<(), ToolError> {
        let flags = self.flags[&node.id];
        self.printer.history.parents(node).iter().try_for_each(|parent| self.reach(*parent, flags))
    }
}

impl Printer<'_> {
    /// Appends what `git describe` prints of `commit`: nothing, where it reaches no tag.
    pub(super) fn describe(&self, options: &Describe, commit: &Commit, out: &mut Vec<u8>) -> Result<(), ToolError> {
        let names = options.names(once(&self.tags, || Names::of(self.repo))?);
        let counts = |tag: &&&Tag| options.tags || tag.object.is_some();
        let exact = names.get(&commit.id).filter(counts);
        let (tag, depth) = match exact {
            Some(tag) => (*tag, None),
            None => match self.nearest(&names, counts, commit.id)? {
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
        names: &BTreeMap<ObjectId, &'t Tag>,
        counts: impl Fn(&&&'t Tag) -> bool,
        commit: ObjectId,
    ) -> Result<Option<(&'t Tag, usize)>, ToolError> {
        let mut way = Way { printer: self, pending: BinaryHeap::new(), flags: BTreeMap::new() };
        way.reach(commit, 0)?;
        let mut candidates: Vec<Candidate<'t>> = Vec::new();
        let mut seen = 0;
        let mut given_up = None;
        while let Some(node) = way.next()? {
            seen += 1;
            if let Some(tag) = names.get(&node.id).filter(&counts) {
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
            way.pending.push((node.time, Reverse(way.flags.len()), node.id));
        }
        // What is left on the way counts, until all of it is reached by the tag.
        while let Some(node) = way.next()? {
            if way.flags[&node.id] & best.bit == 0 {
                best.depth += 1;
            } else if way.pending.iter().all(|(_, _, id)| way.flags[id] & best.bit != 0) {
                break;
            }
            way.parents(&node)?;
        }
        Ok(Some((best.tag, best.depth)))
    }
}

/// Whether a commit is reached by all of the nearest candidates.
fn is_covered(candidates: &[Candidate<'_>], flags: u32) -> bool {
    let least = candidates.iter().map(|candidate| candidate.depth).min();
    candidates.iter().filter(|candidate| Some(candidate.depth) == least).all(|candidate| flags & candidate.bit != 0)
}
