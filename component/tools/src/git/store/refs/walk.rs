//! Walks all refs below a prefix, in order.

use std::path::PathBuf;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use patch::sort::sort;

use super::name::is_valid;
use super::read::{End, Refs, Value, path};
use crate::error::ToolError;
use crate::git::store::repo::Repo;
use crate::platform::{self, Kind};

/// An existing ref.
#[derive(Clone, Debug)]
pub struct Found {
    /// The full name.
    pub name: BString,
    /// Its state.
    pub state: State,
}

/// Whether a ref is usable.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum State {
    /// The ref resolves to an object.
    Whole {
        /// The object.
        id: ObjectId,
        /// The name at the end of the chain, if the ref is symbolic.
        symbolic: Option<BString>,
    },
    /// Its content is invalid.
    Broken,
    /// Its name is invalid.
    Misnamed,
}

impl Refs<'_> {
    /// Calls `take` for every ref whose name begins with `prefix`, which ends with a slash, sorted by name. As in git, this skips dangling
    /// symbolic refs.
    pub fn each(&self, prefix: &BStr, take: &mut dyn FnMut(Found) -> Result<(), ToolError>) -> Result<(), ToolError> {
        let loose = self.loose_below(prefix)?;
        let mut loose = loose.into_iter().peekable();
        let packed = self.packed()?.from(prefix);
        for record in packed.take_while(|record| record.name.starts_with(prefix.as_bytes())) {
            self.deadline.poll()?;
            while let Some(name) = loose.next_if(|name| name.as_bstr() < record.name) {
                self.take_loose(name, take)?;
            }
            // A loose ref overrides a packed one.
            if loose.peek().is_some_and(|name| name.as_bstr() == record.name) {
                continue;
            }
            let state = match is_valid(record.name, true) {
                true => State::Whole { id: record.id, symbolic: None },
                false => State::Misnamed,
            };
            take(Found { name: record.name.to_owned(), state })?;
        }
        loose.try_for_each(|name| self.take_loose(name, take))
    }

    fn take_loose(&self, name: BString, take: &mut dyn FnMut(Found) -> Result<(), ToolError>) -> Result<(), ToolError> {
        self.deadline.poll()?;
        let state = match is_valid(&name, true) {
            true => self.state(name.as_bstr())?,
            false => Some(State::Misnamed),
        };
        state.map_or(Ok(()), |state| take(Found { name, state }))
    }

    fn state(&self, name: &BStr) -> Result<Option<State>, ToolError> {
        let is_symbolic = matches!(self.value(name)?, Some(Value::Symbolic(_)));
        Ok(match self.follow(name)? {
            End::Id { id, .. } if id.is_null() => (!is_symbolic).then_some(State::Broken),
            End::Id { name, id } => Some(State::Whole { id, symbolic: is_symbolic.then_some(name) }),
            _ => (!is_symbolic).then_some(State::Broken),
        })
    }

    /// The names of all files below `prefix`, sorted.
    pub(super) fn loose_below(&self, prefix: &BStr) -> Result<Vec<BString>, ToolError> {
        let mut names = Vec::new();
        let mut folders = vec![prefix.to_owned()];
        while let Some(folder) = folders.pop() {
            let Some(real) = folder_of(self.repo, folder.as_bstr()) else { continue };
            // git sees no refs in an unreadable folder.
            for entry in platform::list(&real).unwrap_or_default() {
                self.deadline.poll()?;
                if entry.name.starts_with(b".") || entry.name.ends_with(b".lock") {
                    continue;
                }
                let mut name = folder.clone();
                name.extend_from_slice(&entry.name);
                if entry.stat.kind == Kind::Folder {
                    name.push(b'/');
                    folders.push(name);
                } else {
                    names.push(name);
                }
            }
        }
        sort(&mut names);
        Ok(names)
    }
}

/// The path of the folder `name` of refs, which ends with a slash. `None` if it would be outside `.git`.
fn folder_of(repo: &Repo, name: &BStr) -> Option<PathBuf> {
    match name == "refs/" {
        true => Some(repo.git_dir().join("refs")),
        false => path(repo, name.strip_suffix(b"/")?.as_bstr()),
    }
}
