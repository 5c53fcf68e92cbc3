//! How content changes between git and the disk: line endings only.
//!
//! Attributes and `core.autocrlf`/`core.eol` are read as git reads them; a path that goes through
//! `ident`, a filter (Git LFS is one) or another encoding is reported instead of converted, so no
//! driver can ever run.

use gix::ObjectId;
use gix::attrs::StateRef;
use gix::attrs::search::Outcome;
use gix::bstr::{BStr, ByteSlice};
use gix::filter::plumbing::pipeline::{self, CrlfRoundTripCheck};
use gix::index::entry::{Flags, Mode as IndexMode, Stat};
use gix::objs::Kind;
use gix::objs::tree::EntryKind;
use gix::worktree::stack::state::attributes::Source;
use patch::glob::{is_bounded, most_double_stars};

use super::changes::Finder;
use crate::remote::{LandError, TargetError, TargetErrorKind};

const GITATTRIBUTES: &str = ".gitattributes";

const CONVERSIONS_NOT_DONE: [&str; 3] = ["filter", "ident", "working-tree-encoding"];

/// The conversions of one state of the attributes.
pub(super) struct Rules<'a> {
    find: Finder<'a>,
    stack: gix::worktree::Stack,
    pipeline: gix::filter::plumbing::Pipeline,
    not_done: Outcome,
    /// The most `**` in one of the rules that come with the commits.
    double_stars: usize,
}

impl<'a> Rules<'a> {
    /// As git has them when it reads from the worktree: its `.gitattributes` files, then those of
    /// the index.
    pub(super) fn of_worktree(
        repo: &gix::Repository,
        index: &gix::index::State,
        find: Finder<'a>,
    ) -> Result<Self, LandError> {
        let mut double_stars = 0;
        for entry in index.entries() {
            let path = entry.path(index);
            if path != GITATTRIBUTES && !path.ends_with_str(format!("/{GITATTRIBUTES}")) {
                continue;
            }
            // What is announced and not added yet is not there. What the person has written since
            // is theirs.
            if let Ok(content) = find.get(entry.id, Kind::Blob) {
                double_stars = double_stars.max(most_double_stars(&content));
            }
        }
        Ok(Rules { double_stars, ..Self::new(repo, index, Source::WorktreeThenIdMapping, find)? })
    }

    /// As git has them when it checks out `tree`: its `.gitattributes` files, as far as `paths`
    /// pass by them.
    pub(super) fn of_tree<'p>(
        repo: &gix::Repository,
        tree: Option<ObjectId>,
        paths: impl Iterator<Item = &'p BStr>,
        find: Finder<'a>,
    ) -> Result<Self, LandError> {
        let mut index = gix::index::State::new(gix::hash::Kind::Sha1);
        let mut folders: Vec<&BStr> = paths
            .flat_map(|path| path.find_iter(b"/").map(move |slash| path[..slash].as_bstr()))
            .chain([b"".as_bstr()])
            .collect();
        folders.sort();
        folders.dedup();
        let mut double_stars = 0;
        for folder in folders {
            if let Some((mut path, id)) = tree.map(|tree| attributes_in(find, tree, folder)).transpose()?.flatten() {
                if !path.is_empty() {
                    path.push(b'/');
                }
                path.extend_from_slice(GITATTRIBUTES.as_bytes());
                double_stars = double_stars.max(most_double_stars(&find.get(id, Kind::Blob)?));
                index.dangerously_push_entry(Stat::default(), id, Flags::empty(), IndexMode::FILE, path.as_bstr());
            }
        }
        index.sort_entries();
        Ok(Rules { double_stars, ..Self::new(repo, &index, Source::IdMapping, find)? })
    }

    fn new(
        repo: &gix::Repository,
        index: &gix::index::State,
        source: Source,
        find: Finder<'a>,
    ) -> Result<Self, LandError> {
        let damaged =
            |e: gix::Error| LandError::Failed(TargetError::damaged("cannot read attributes or configuration", e));
        let stack = repo.attributes_only(index, source).map_err(damaged)?.detach();
        let mut options = gix::filter::Pipeline::options(repo).map_err(damaged)?;
        options.drivers.clear();
        options.crlf_roundtrip_check = CrlfRoundTripCheck::Skip;
        let mut not_done = Outcome::default();
        not_done.initialize_with_selection(&Default::default(), CONVERSIONS_NOT_DONE);
        Ok(Rules {
            find,
            stack,
            pipeline: gix::filter::plumbing::Pipeline::new(Default::default(), gix::hash::Kind::Sha1, options),
            not_done,
            double_stars: 0,
        })
    }

    /// Refuses to match the rules against a path for which that would take longer than anybody
    /// waits.
    fn ensure_bounded(&self, path: &BStr) -> Result<(), LandError> {
        if is_bounded(self.double_stars, path) {
            return Ok(());
        }
        let what =
            format!("a rule of a .gitattributes has too many ** for a path as deep as `{:.40}`", path.escape_ascii());
        Err(LandError::Failed(
            TargetError::new(TargetErrorKind::Refused, what)
                .hint("push to a branch that is not checked out, or remove ** from that file"),
        ))
    }

    /// The attribute that asks for a conversion which is not done, if one does.
    pub(super) fn conversion_not_done(&mut self, path: &BStr) -> Result<Option<String>, LandError> {
        self.ensure_bounded(path)?;
        let platform = self.stack.at_entry(path, None, &self.find).map_err(|error| unreadable(path, error))?;
        self.not_done.reset();
        platform.matching_attributes(&mut self.not_done);
        let attribute = self.not_done.iter_selected().find_map(|found| match found.assignment.state {
            StateRef::Set => Some(found.assignment.name.as_str().to_owned()),
            StateRef::Value(value) => Some(format!("{}={}", found.assignment.name.as_str(), value.as_bstr())),
            StateRef::Unset | StateRef::Unspecified => None,
        });
        Ok(attribute)
    }

    /// What git would store for this content of the disk. `indexed` is the blob that the index has
    /// for the path.
    pub(super) fn convert_to_git(
        &mut self,
        path: &BStr,
        content: &[u8],
        indexed: Option<ObjectId>,
    ) -> Result<Vec<u8>, LandError> {
        self.ensure_bounded(path)?;
        let (find, stack) = (self.find, &mut self.stack);
        let platform = stack.at_entry(path, None, &find).map_err(|error| unreadable(path, error))?;
        let native = gix::path::from_bstr(path).map_err(|error| unreadable(path, error))?;
        let mut converted = self
            .pipeline
            .convert_to_git(
                content,
                &native,
                &mut |_, out| {
                    platform.matching_attributes(out);
                },
                &mut |buffer| match indexed {
                    Some(id) => Ok(gix::objs::Find::try_find(&find, &id, buffer)?.map(|_| ())),
                    None => Ok(None),
                },
            )
            .map_err(|error| unreadable(path, error))?;
        let mut out = Vec::with_capacity(content.len());
        std::io::Read::read_to_end(&mut converted, &mut out).map_err(|error| unreadable(path, error))?;
        Ok(out)
    }

    /// What git would write to the disk for this blob.
    pub(super) fn convert_to_worktree(&mut self, path: &BStr, blob: &[u8]) -> Result<Vec<u8>, LandError> {
        self.ensure_bounded(path)?;
        let platform = self.stack.at_entry(path, None, &self.find).map_err(|error| unreadable(path, error))?;
        let converted = self
            .pipeline
            .convert_to_worktree(
                blob,
                path,
                &mut |_, out| {
                    platform.matching_attributes(out);
                },
                pipeline::convert::to_worktree::Options::default(),
            )
            .map_err(|error| unreadable(path, error))?;
        Ok(converted.as_bytes().expect("without drivers nothing is streamed").to_vec())
    }
}

/// The `.gitattributes` blob in a folder of a tree, with the folder's name.
fn attributes_in(find: Finder<'_>, tree: ObjectId, folder: &BStr) -> Result<Option<(Vec<u8>, ObjectId)>, LandError> {
    let mut here = tree;
    for name in folder.split_str("/").filter(|name| !name.is_empty()) {
        match entry(find, here, name.as_bstr())? {
            Some((EntryKind::Tree, id)) => here = id,
            _ => return Ok(None),
        }
    }
    Ok(match entry(find, here, GITATTRIBUTES.as_bytes().as_bstr())? {
        Some((EntryKind::Blob | EntryKind::BlobExecutable, id)) => Some((folder.to_vec(), id)),
        _ => None,
    })
}

fn entry(find: Finder<'_>, tree: ObjectId, name: &BStr) -> Result<Option<(EntryKind, ObjectId)>, LandError> {
    let content = find.get(tree, Kind::Tree)?;
    for entry in gix::objs::TreeRefIter::from_bytes(&content, gix::hash::Kind::Sha1) {
        let entry =
            entry.map_err(|e| LandError::Failed(TargetError::damaged(format!("the tree {tree} is damaged"), e)))?;
        if entry.filename == name {
            return Ok(Some((entry.mode.kind(), entry.oid.to_owned())));
        }
    }
    Ok(None)
}

fn unreadable(path: &BStr, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> LandError {
    LandError::Failed(TargetError::damaged(format!("cannot convert `{}`", path.escape_ascii()), error))
}
