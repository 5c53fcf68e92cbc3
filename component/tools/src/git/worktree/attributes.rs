//! Attributes of paths: how contents are converted between the working tree and git, and which contents a diff treats as text.
//!
//! gix converts line endings, `ident` and `working-tree-encoding`. Programs from a configuration (`filter.*`, `diff.*.textconv`,
//! `diff.*.command`) never run, because the component has none.

mod ident;
mod rules;

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::rc::Rc;

use gix::ObjectId;
use gix::attrs::StateRef;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::filter::plumbing::pipeline::convert::{ToGitOutcome, ToWorktreeOutcome};
use gix::filter::plumbing::{Pipeline, pipeline};
use gix::index::State;
use gix::index::entry::Stage;

use patch::function;
use patch::tree_merge::{Driver, DriverKind};

use self::rules::Rules;
use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::blob;
use crate::git::store::repo::{Repo, damaged};
use crate::git::worktree::rule_files;
use crate::platform;

/// The attributes of the working tree, loaded on first use.
pub struct Attributes<'a> {
    repo: &'a Repo,
    index: Rc<State>,
    direction: Direction,
    deadline: &'a Deadline,
    /// Paths of the index that changed after the attributes were loaded.
    edited: RefCell<BTreeMap<BString, Option<ObjectId>>>,
    opened: RefCell<Option<Opened>>,
}

/// Where git looks first for the rules of a folder (git's attr.h, `git_attr_direction`).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Direction {
    /// In the working tree, then in the index.
    CheckIn,
    /// In the index, then in the working tree.
    CheckOut,
}

struct Opened {
    rules: Rules,
    pipeline: Pipeline,
}

/// How a diff treats a content (`diff` attribute).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum DiffKind {
    /// By its bytes.
    Auto,
    /// As text.
    Text,
    /// As binary.
    Binary,
    /// By its bytes, with the functions that this driver finds.
    Named(function::Driver),
}

impl DiffKind {
    /// The attribute for a combined diff, which has no drivers.
    pub fn attribute(self) -> patch::DiffAttribute {
        match self {
            DiffKind::Text => patch::DiffAttribute::Set,
            DiffKind::Binary => patch::DiffAttribute::Unset,
            DiffKind::Auto | DiffKind::Named(_) => patch::DiffAttribute::Unspecified,
        }
    }

    /// The driver that finds functions.
    pub fn driver(self) -> function::Driver {
        match self {
            DiffKind::Named(driver) => driver,
            DiffKind::Auto | DiffKind::Text | DiffKind::Binary => function::Driver::Default,
        }
    }
}

/// The valid marker sizes. git has no upper limit, but a huge size would fill a file with markers.
const MARKER_SIZES: std::ops::RangeInclusive<usize> = 1..=1000;

impl<'a> Attributes<'a> {
    /// The attributes of the working tree of `repo`. A folder without an attributes file takes the one in `index`.
    pub fn of(repo: &'a Repo, index: Rc<State>, deadline: &'a Deadline) -> Attributes<'a> {
        let direction = Direction::CheckIn;
        Attributes { repo, index, direction, deadline, edited: RefCell::default(), opened: RefCell::new(None) }
    }

    /// The attributes for a checkout of `index`. A folder takes the attributes file in `index`, or else the one in the working tree.
    pub fn of_checkout(repo: &'a Repo, index: Rc<State>, deadline: &'a Deadline) -> Attributes<'a> {
        Attributes { direction: Direction::CheckOut, ..Attributes::of(repo, index, deadline) }
    }

    /// Notes that the index now has `id` at `path`, or no entry.
    pub fn follow_index(&self, path: &BStr, id: Option<ObjectId>) {
        self.edited.borrow_mut().insert(path.to_owned(), id);
    }

    /// The content of the file at `path`, from the root of the repository, as git would store it.
    pub fn read_file(&self, path: &BStr) -> Result<Vec<u8>, ToolError> {
        let failed = |error: std::io::Error| ToolError::io(&path.to_str_lossy(), &error);
        let content = self.repo.real(path).and_then(|real| platform::read(&real)).map_err(failed)?;
        Ok(self.to_git(path, &content)?.into_owned())
    }

    /// The target of the link at `path`.
    pub fn read_link(&self, path: &BStr) -> Result<Vec<u8>, ToolError> {
        let failed = |error: std::io::Error| ToolError::io(&path.to_str_lossy(), &error);
        let target = self.repo.real(path).and_then(std::fs::read_link).map_err(failed)?;
        Ok(target.into_os_string().into_encoded_bytes())
    }

    /// Converts `content` of the file at `path` to the form that git stores.
    pub fn to_git<'c>(&self, path: &BStr, content: &'c [u8]) -> Result<Cow<'c, [u8]>, ToolError> {
        let mut opened = self.opened.borrow_mut();
        let Opened { rules, pipeline } = self.open(&mut opened)?;
        let real = platform::join(Path::new(""), path);
        rules.enter(path, self.deadline, |file| self.rules_in(file))?;
        let mut filled = Ok(());
        let mut fill = |_: &BStr, found: &mut _| filled = rules.fill(path, self.deadline, found);
        let outcome = pipeline
            .convert_to_git(content, &real, &mut fill, &mut |buffer| {
                // During a merge, git takes our side.
                let stages = [Stage::Unconflicted, Stage::Ours];
                let known = |stage| self.index.entry_by_path_and_stage(path, stage);
                let Some(entry) = stages.into_iter().find_map(known) else {
                    return Ok(None);
                };
                let found = blob::read(self.repo, entry.id).map_err(gix::Error::from_error)?;
                Ok(found.map(|content| *buffer = content))
            })
            .map_err(|error| damaged(&error));
        filled?;
        Ok(match outcome? {
            ToGitOutcome::Unchanged(_) => Cow::Borrowed(content),
            ToGitOutcome::Buffer(converted) => Cow::Owned(converted.to_vec()),
            ToGitOutcome::Process(mut read) => {
                let mut converted = Vec::new();
                read.read_to_end(&mut converted).map_err(|error| ToolError::io(&path.to_str_lossy(), &error))?;
                Cow::Owned(converted)
            }
        })
    }

    /// Converts `content` of the file at `path` from the form that git stores to that of the working tree. `None` if both are equal.
    pub fn to_worktree(&self, path: &BStr, content: &[u8]) -> Result<Option<Vec<u8>>, ToolError> {
        let mut opened = self.opened.borrow_mut();
        let Opened { rules, pipeline } = self.open(&mut opened)?;
        rules.enter(path, self.deadline, |file| self.rules_in(file))?;
        let expanded = self.with_ident(path, rules, content)?;
        let mut filled = Ok(());
        let mut fill = |_: &BStr, found: &mut _| filled = rules.fill(path, self.deadline, found);
        let content = expanded.as_deref().unwrap_or(content);
        let outcome = pipeline.convert_to_worktree(content, path, &mut fill, Default::default());
        let converted = match outcome.map_err(|error| damaged(&error)) {
            Ok(ToWorktreeOutcome::Unchanged(_)) => Ok(None),
            Ok(ToWorktreeOutcome::Buffer(converted)) => Ok(Some(converted.to_vec())),
            // gix returns this only for a filter program.
            Ok(ToWorktreeOutcome::Process(_)) => Err(ToolError::failed("A filter that nobody configured")),
            Err(error) => Err(error),
        };
        filled?;
        Ok(converted?.or(expanded))
    }

    /// Expands the keyword in `content` if the attribute `ident` is set. gix expands it differently from git.
    fn with_ident(&self, path: &BStr, rules: &Rules, content: &[u8]) -> Result<Option<Vec<u8>>, ToolError> {
        let mut found = rules.outcome(&["ident"]);
        rules.fill(path, self.deadline, &mut found)?;
        let is_set = found.iter_selected().any(|found| found.assignment.state == StateRef::Set);
        if !is_set {
            return Ok(None);
        }
        let id = blob::hash(self.repo, content)?;
        Ok(ident::expanded(content, id))
    }

    /// How a diff treats the content at `path`.
    pub fn diff_kind(&self, path: &BStr) -> Result<DiffKind, ToolError> {
        let mut opened = self.opened.borrow_mut();
        let Opened { rules, .. } = self.open(&mut opened)?;
        rules.enter(path, self.deadline, |file| self.rules_in(file))?;
        let mut found = rules.outcome(&["diff"]);
        rules.fill(path, self.deadline, &mut found)?;
        let state = found.iter_selected().next().map(|found| found.assignment.state);
        Ok(match state {
            Some(StateRef::Set) => DiffKind::Text,
            Some(StateRef::Unset) => DiffKind::Binary,
            // Drivers that are not built in would need a configuration.
            Some(StateRef::Value(name)) => {
                function::Driver::named(name.as_bstr()).map_or(DiffKind::Auto, DiffKind::Named)
            }
            _ => DiffKind::Auto,
        })
    }

    /// How to merge versions of the file at `path` (`merge` and `conflict-marker-size` attributes). No driver can be configured here, and
    /// git merges as text for an unknown one.
    pub fn merge_driver(&self, path: &BStr) -> Result<Driver, ToolError> {
        let mut opened = self.opened.borrow_mut();
        let Opened { rules, .. } = self.open(&mut opened)?;
        rules.enter(path, self.deadline, |file| self.rules_in(file))?;
        let mut found = rules.outcome(&["merge", "conflict-marker-size"]);
        rules.fill(path, self.deadline, &mut found)?;
        let mut driver = Driver::default();
        for found in found.iter_selected() {
            match (found.assignment.name.as_str(), found.assignment.state) {
                ("merge", StateRef::Unset) => driver.kind = DriverKind::Binary,
                ("merge", StateRef::Value(name)) => match name.as_bstr().as_bytes() {
                    b"binary" => driver.kind = DriverKind::Binary,
                    b"union" => driver.kind = DriverKind::Union,
                    _ => {}
                },
                ("conflict-marker-size", StateRef::Value(size)) => {
                    let size = size.as_bstr().to_str().ok().and_then(|size| size.parse().ok());
                    driver.marker_size = size.filter(|size| MARKER_SIZES.contains(size)).unwrap_or(driver.marker_size);
                }
                _ => {}
            }
        }
        Ok(driver)
    }

    /// The rules in the file `path` of the working tree or of the index.
    fn rules_in(&self, path: &BStr) -> Result<Option<Vec<u8>>, ToolError> {
        let in_worktree = || rule_files::read(self.repo, path, rule_files::kind(self.repo, path));
        let in_index = || {
            let indexed = match self.edited.borrow().get(path) {
                Some(id) => *id,
                None => self.index.entry_by_path(path).map(|entry| entry.id),
            };
            indexed.map_or(Ok(None), |id| blob::read(self.repo, id))
        };
        match self.direction {
            Direction::CheckIn => in_worktree()?.map_or_else(in_index, |rules| Ok(Some(rules))),
            Direction::CheckOut => in_index()?.map_or_else(in_worktree, |rules| Ok(Some(rules))),
        }
    }

    fn open<'o>(&self, opened: &'o mut Option<Opened>) -> Result<&'o mut Opened, ToolError> {
        if opened.is_none() {
            *opened = Some(Opened { rules: Rules::of(self.repo)?, pipeline: pipeline(self.repo)? });
        }
        Ok(opened.as_mut().expect("it was opened just now"))
    }
}

/// The configured conversions, without any program.
fn pipeline(repo: &Repo) -> Result<Pipeline, ToolError> {
    let options = gix::filter::Pipeline::options(&repo.gix).map_err(|error| damaged(&error))?;
    let options = pipeline::Options {
        drivers: Vec::new(),
        crlf_roundtrip_check: pipeline::CrlfRoundTripCheck::Skip,
        eol_config: options.eol_config,
        encodings_with_roundtrip_check: options.encodings_with_roundtrip_check,
    };
    Ok(Pipeline::new(Default::default(), repo.gix.object_hash(), options))
}

#[cfg(all(test, not(target_os = "wasi")))]
mod tests;
