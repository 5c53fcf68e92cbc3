//! Reads refs as leniently as git does.

use std::cell::OnceCell;
use std::path::PathBuf;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};

use super::name::{is_safe, is_valid};
use super::packed::Packed;
use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::repo::Repo;
use crate::git::words::space::{TrimSpace, is_space};
use crate::platform::{self, Kind};

/// The limit on symbolic refs in a chain.
pub const DEEPEST: usize = 5;

/// The content of a ref.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Value {
    /// An object.
    Id(ObjectId),
    /// Another name.
    Symbolic(BString),
    /// Unreadable content.
    Broken,
}

/// The end of a chain of symbolic refs.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum End {
    /// The chain ends at the object of `name`.
    Id {
        /// The last name.
        name: BString,
        /// The object.
        id: ObjectId,
    },
    /// The chain ends at `name`, which does not exist.
    Missing {
        /// The last name.
        name: BString,
    },
    /// The chain ends at an invalid or broken ref, or is too long.
    Broken,
}

/// The refs of a repository. It reads packed-refs once, on first use.
pub struct Refs<'a> {
    /// The repository.
    pub repo: &'a Repo,
    /// The deadline for reading them.
    pub deadline: &'a Deadline,
    packed: OnceCell<Packed>,
}

impl<'a> Refs<'a> {
    /// Those of `repo`.
    pub fn of(repo: &'a Repo, deadline: &'a Deadline) -> Refs<'a> {
        Refs { repo, deadline, packed: OnceCell::new() }
    }

    /// The packed refs.
    pub fn packed(&self) -> Result<&Packed, ToolError> {
        if let Some(packed) = self.packed.get() {
            return Ok(packed);
        }
        let packed = Packed::of(self.repo, self.deadline)?;
        Ok(self.packed.get_or_init(|| packed))
    }

    /// The content of the ref `name`, a full name, without following it.
    pub fn value(&self, name: &BStr) -> Result<Option<Value>, ToolError> {
        if !is_safe(name) {
            return Ok(None);
        }
        if let Some(value) = loose(self.repo, name)? {
            return Ok(value);
        }
        Ok(self.packed()?.find(name).map(Value::Id))
    }

    /// Follows `name` to the end of its chain.
    pub fn follow(&self, name: &BStr) -> Result<End, ToolError> {
        let mut name = name.to_owned();
        for _ in 0..DEEPEST {
            if !is_valid(&name, true) {
                return Ok(End::Broken);
            }
            match self.value(name.as_bstr())? {
                Some(Value::Id(id)) => return Ok(End::Id { name, id }),
                Some(Value::Symbolic(next)) => name = next,
                Some(Value::Broken) => return Ok(End::Broken),
                None => return Ok(End::Missing { name }),
            }
        }
        Ok(End::Broken)
    }

    /// The object at the end of the chain from `name`.
    pub fn id(&self, name: &BStr) -> Result<Option<ObjectId>, ToolError> {
        Ok(match self.follow(name)? {
            End::Id { id, .. } => Some(id),
            _ => None,
        })
    }

    /// The full name of HEAD's branch, unborn or not. `None` if HEAD is detached.
    ///
    /// # Errors
    ///
    /// In git's words, if HEAD is broken or points to something other than a branch.
    pub fn head(&self) -> Result<Option<BString>, ToolError> {
        let name = match self.follow("HEAD".into())? {
            End::Id { name, .. } | End::Missing { name } if name == "HEAD" => return Ok(None),
            End::Id { name, .. } | End::Missing { name } => name,
            End::Broken => return Err(ToolError::failed("fatal: failed to resolve HEAD as a valid ref")),
        };
        match name.starts_with(b"refs/heads/") {
            true => Ok(Some(name)),
            false => Err(ToolError::failed("fatal: HEAD not found below refs/heads!")),
        }
    }
}

/// The path of a loose ref. `None` if it would be outside `.git`.
pub fn path(repo: &Repo, name: &BStr) -> Option<PathBuf> {
    let git = repo.git_dir();
    let path = platform::join(&git, name);
    (is_safe(name) && !platform::leaves(&git, &path)).then_some(path)
}

/// Reads the file of a loose ref. The outer `None` means that the ref may be packed, the inner one that it cannot exist.
fn loose(repo: &Repo, name: &BStr) -> Result<Option<Option<Value>>, ToolError> {
    let Some(path) = path(repo, name) else { return Ok(Some(None)) };
    match platform::stat(&path) {
        Ok(stat) if stat.kind == Kind::Folder => Ok(None),
        Ok(stat) if stat.kind == Kind::File => {
            let content = platform::read(&path).map_err(|error| ToolError::io(&format!(".git/{name}"), &error))?;
            Ok(Some(Some(parse(&content))))
        }
        // A link is a symbolic ref. It is never followed as a file.
        Ok(_) => {
            let target = std::fs::read_link(&path).ok().map(|target| target.as_os_str().as_encoded_bytes().to_vec());
            let target = target.filter(|target| target.starts_with(b"refs/") && is_valid(target, false));
            Ok(Some(Some(target.map_or(Value::Broken, |target| Value::Symbolic(target.into())))))
        }
        Err(error) => match error.kind() {
            std::io::ErrorKind::NotFound => Ok(None),
            // The name is impossible for a file, or a file is in the place of a parent folder.
            _ => Ok(Some(None)),
        },
    }
}

fn parse(content: &[u8]) -> Value {
    let text = content.trim_space_end();
    let text = &text[..text.find_byte(0).unwrap_or(text.len())];
    if let Some(name) = text.strip_prefix(b"ref:") {
        return Value::Symbolic(name.trim_space_start().into());
    }
    let parts = text.split_at_checked(40);
    let id = parts.filter(|(_, rest)| rest.first().is_none_or(|byte| is_space(*byte)));
    id.and_then(|(digits, _)| ObjectId::from_hex(digits).ok()).map_or(Value::Broken, Value::Id)
}
