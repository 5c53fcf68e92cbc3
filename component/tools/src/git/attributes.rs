//! Attributes of paths: how contents of the working tree become git's, and which contents are text to a diff.
//!
//! Line endings, `ident` and `working-tree-encoding` are converted here. Programs that a configuration names (`filter.*`, `diff.*.textconv`,
//! `diff.*.command`) are never run: there is none.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use gix::attrs::StateRef;
use gix::bstr::{BStr, ByteSlice};
use gix::filter::plumbing::pipeline::convert::ToGitOutcome;
use gix::filter::plumbing::{Pipeline, pipeline};
use gix::index::State;
use gix::index::entry::Stage;
use gix::worktree::Stack;
use gix::worktree::stack::state::attributes::Source;

use crate::error::ToolError;
use crate::git::repo::{Repo, damaged};
use crate::platform;

/// The attributes of the working tree, looked up when they are first needed.
pub struct Attributes<'a> {
    repo: &'a Repo,
    index: Rc<State>,
    opened: RefCell<Option<Opened>>,
}

struct Opened {
    stack: Stack,
    pipeline: Pipeline,
}

/// What a diff takes a content for (`diff` attribute).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum DiffKind {
    /// What its bytes look like.
    Auto,
    /// Text.
    Text,
    /// Binary.
    Binary,
}

impl<'a> Attributes<'a> {
    /// The attributes in the working tree of `repo`; in `index` for folders that are not there.
    pub fn of(repo: &'a Repo, index: Rc<State>) -> Attributes<'a> {
        Attributes { repo, index, opened: RefCell::new(None) }
    }

    /// The content of the file at `path`, from the root of the repository, as git would store it.
    pub fn read_file(&self, path: &BStr) -> Result<Vec<u8>, ToolError> {
        let failed = |error: std::io::Error| ToolError::io(&path.to_str_lossy(), &error);
        let content = platform::read(&self.real(path)).map_err(failed)?;
        Ok(self.to_git(path, &content)?.into_owned())
    }

    /// The target of the link at `path`.
    pub fn read_link(&self, path: &BStr) -> Result<Vec<u8>, ToolError> {
        let failed = |error: std::io::Error| ToolError::io(&path.to_str_lossy(), &error);
        let target = std::fs::read_link(self.real(path)).map_err(failed)?;
        Ok(target.into_os_string().into_encoded_bytes())
    }

    /// What git stores of a file at `path` with `content`.
    pub fn to_git<'c>(&self, path: &BStr, content: &'c [u8]) -> Result<Cow<'c, [u8]>, ToolError> {
        let mut opened = self.opened.borrow_mut();
        let Opened { stack, pipeline } = self.open(&mut opened)?;
        let objects = &self.repo.gix.objects;
        let real = platform::join(Path::new(""), path);
        let platform =
            stack.at_entry(path, None, objects).map_err(|error| ToolError::io(&path.to_str_lossy(), &error))?;
        let outcome = pipeline
            .convert_to_git(
                content,
                &real,
                &mut |_, attributes| {
                    platform.matching_attributes(attributes);
                },
                &mut |buffer| {
                    let stage = Stage::Unconflicted;
                    let Some(entry) = self.index.entry_by_path_and_stage(path, stage) else {
                        return Ok(None);
                    };
                    let found = gix::objs::Find::try_find(objects, &entry.id, buffer)?;
                    Ok(found.map(|_| ()))
                },
            )
            .map_err(|error| damaged(&error))?;
        Ok(match outcome {
            ToGitOutcome::Unchanged(_) => Cow::Borrowed(content),
            ToGitOutcome::Buffer(converted) => Cow::Owned(converted.to_vec()),
            ToGitOutcome::Process(mut read) => {
                let mut converted = Vec::new();
                read.read_to_end(&mut converted).map_err(|error| ToolError::io(&path.to_str_lossy(), &error))?;
                Cow::Owned(converted)
            }
        })
    }

    /// What a diff takes the content at `path` for.
    pub fn diff_kind(&self, path: &BStr) -> Result<DiffKind, ToolError> {
        let mut opened = self.opened.borrow_mut();
        let Opened { stack, .. } = self.open(&mut opened)?;
        let mut found = stack.selected_attribute_matches(["diff"]);
        let platform = stack
            .at_entry(path, None, &self.repo.gix.objects)
            .map_err(|error| ToolError::io(&path.to_str_lossy(), &error))?;
        platform.matching_attributes(&mut found);
        let state = found.iter_selected().next().map(|found| found.assignment.state);
        Ok(match state {
            Some(StateRef::Set) => DiffKind::Text,
            Some(StateRef::Unset) => DiffKind::Binary,
            _ => DiffKind::Auto,
        })
    }

    fn real(&self, path: &BStr) -> PathBuf {
        platform::join(&self.repo.root, path)
    }

    fn open<'o>(&self, opened: &'o mut Option<Opened>) -> Result<&'o mut Opened, ToolError> {
        if opened.is_none() {
            let stack = self
                .repo
                .gix
                .attributes_only(&self.index, Source::WorktreeThenIdMapping)
                .map_err(|error| damaged(&error))?
                .detach();
            *opened = Some(Opened { stack, pipeline: pipeline(self.repo)? });
        }
        Ok(opened.as_mut().expect("it was opened just now"))
    }
}

/// Conversions as the repository configures them, without any program.
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
mod tests {
    use super::*;
    use crate::git::index;
    use crate::testing::Sandbox;

    #[test]
    fn line_endings_become_git_s_as_attributes_say() {
        let mut sandbox = Sandbox::with_repository();
        sandbox.write(".gitattributes", "f diff\n*.rs text eol=lf\n*.txt -text\n");
        sandbox.write("a/g.rs", "one\r\ntwo\n");
        let repo = Repo::of(&mut sandbox.session).unwrap();
        let index = index::load(&mut sandbox.session.caches, &repo).unwrap();
        let attributes = Attributes::of(&repo, index);
        assert_eq!(attributes.read_file("a/g.rs".into()).unwrap(), b"one\ntwo\n");
        let crlf = b"one\r\n";
        assert_eq!(*attributes.to_git("a/x.txt".into(), crlf).unwrap(), *crlf);
        assert_eq!(*attributes.to_git("plain".into(), crlf).unwrap(), *crlf);
    }

    #[test]
    fn the_diff_attribute_says_what_is_text() {
        let mut sandbox = Sandbox::with_repository();
        sandbox.write(".gitattributes", "t diff\nb -diff\nm binary\n");
        let repo = Repo::of(&mut sandbox.session).unwrap();
        let index = index::load(&mut sandbox.session.caches, &repo).unwrap();
        let attributes = Attributes::of(&repo, index);
        let kind = |path: &str| attributes.diff_kind(path.into()).unwrap();
        assert_eq!(kind("t"), DiffKind::Text);
        assert_eq!(kind("sub/b"), DiffKind::Binary);
        assert_eq!(kind("m"), DiffKind::Binary);
        assert_eq!(kind("other"), DiffKind::Auto);
    }
}
