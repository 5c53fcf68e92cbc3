//! The tags for `%(describe…)`.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::glob::wildmatch;
use gix::hashtable::HashMap;

use crate::deadline::{Deadline, units};
use crate::error::ToolError;
use crate::git::history::graph::Ident;
use crate::git::store::repo::{Repo, damaged};

/// Limit of the cache, in choices. No honest format has more.
const KEPT: usize = 16;

/// A choice of tags by patterns.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Choice {
    /// Patterns of which one must match, if there are any.
    pub wanted: Vec<String>,
    /// Patterns that must not match.
    pub unwanted: Vec<String>,
}

impl Choice {
    fn takes(&self, name: &BStr) -> bool {
        let is = |pattern: &String| gix::glob::wildmatch(pattern.as_str().into(), name, wildmatch::Mode::empty());
        !self.unwanted.iter().any(is) && (self.wanted.is_empty() || self.wanted.iter().any(is))
    }
}

/// The best tag of each tagged commit.
pub type Tagged = HashMap<ObjectId, Rc<Tag>>;

/// The tags of a repository, read on first use.
#[derive(Default)]
pub struct Tags {
    /// Sorted by name.
    all: OnceCell<Vec<Rc<Tag>>>,
    chosen: RefCell<Vec<(Choice, Rc<Tagged>)>>,
}

impl Tags {
    /// The tags that `choice` selects.
    ///
    /// # Errors
    ///
    /// If a tag cannot be read, or the deadline has passed.
    pub fn chosen(&self, repo: &Repo, choice: &Choice, deadline: &Deadline) -> Result<Rc<Tagged>, ToolError> {
        let mut kept = self.chosen.borrow_mut();
        if let Some((_, known)) = kept.iter().find(|(known, _)| known == choice) {
            return Ok(known.clone());
        }
        let patterns = u32::try_from(choice.wanted.len() + choice.unwanted.len()).unwrap_or(u32::MAX - 1);
        let mut tagged = Tagged::default();
        for tag in super::once(&self.all, || all(repo, deadline))? {
            deadline.poll_units(1 + patterns)?;
            let is_best = || tagged.get(&tag.commit).is_none_or(|known| tag.goes_before(known));
            if choice.takes(tag.name.as_bstr()) && is_best() {
                tagged.insert(tag.commit, tag.clone());
            }
        }
        let tagged = Rc::new(tagged);
        if kept.len() == KEPT {
            kept.clear();
        }
        kept.push((choice.clone(), tagged.clone()));
        Ok(tagged)
    }
}

/// A tag.
#[derive(Debug)]
pub struct Tag {
    /// Without `refs/tags/`.
    pub name: BString,
    /// The commit that it points to.
    pub commit: ObjectId,
    /// For an annotated tag: the name in the object, and the time of the tagger.
    pub object: Option<(BString, u64)>,
}

impl Tag {
    /// Whether git prefers this tag: annotated before lightweight, and the latest first.
    fn goes_before(&self, other: &Tag) -> bool {
        match (&self.object, &other.object) {
            (Some((_, ours)), Some((_, theirs))) => theirs < ours,
            (Some(_), None) => true,
            (None, _) => false,
        }
    }
}

fn all(repo: &Repo, deadline: &Deadline) -> Result<Vec<Rc<Tag>>, ToolError> {
    let platform = repo.gix.references().map_err(|error| damaged(&error))?;
    let mut names = Vec::new();
    for reference in platform.tags().map_err(|error| damaged(&error))? {
        deadline.poll()?;
        let mut reference = reference.map_err(|error| ToolError::failed(error.to_string()).caused_by(&error))?;
        let full = reference.name().as_bstr().to_owned();
        let Ok(target) = reference.follow_to_object() else { continue };
        let target = target.detach();
        let Ok(commit) = reference.peel_to_id() else { continue };
        let commit = commit.detach();
        let object = if commit == target { None } else { Some(tag_object(repo, target, deadline)?) };
        let name = full.strip_prefix(b"refs/tags/").unwrap_or(&full).into();
        names.push(Rc::new(Tag { name, commit, object }));
    }
    Ok(names)
}

fn tag_object(repo: &Repo, id: ObjectId, deadline: &Deadline) -> Result<(BString, u64), ToolError> {
    let data = repo.gix.find_object(id).map_err(|error| damaged(&error))?.detach().data;
    deadline.poll_units(units(data.len()))?;
    let line = |name: &[u8]| data.lines().take_while(|line| !line.is_empty()).find_map(|line| line.strip_prefix(name));
    let tagger = line(b"tagger ").and_then(|line| Ident::parse(line.as_bstr())?.date);
    let seconds = tagger.unwrap_or_default().seconds;
    Ok((line(b"tag ").unwrap_or_default().into(), seconds))
}
