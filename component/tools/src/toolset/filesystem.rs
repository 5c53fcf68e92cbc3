//! The file tools.
//!
//! Paths are literal: no globs, no pathspecs. [`paths`](crate::paths) decides which paths a caller
//! may name. A tool checks everything that could make it fail before it writes anything.

pub mod apply_patch;
pub mod delete_file;
pub mod edit_file;
pub mod glob;
mod ignoring;
mod line_ends;
pub mod list_files;
pub mod move_file;
mod name_filter;
mod names;
mod near_miss;
mod page;
mod planned;
pub mod read_file;
pub mod search_files;
mod types;
mod walk;
pub mod write_file;

use std::io;

use crate::error::ToolError;
use crate::git::store::index;
use crate::git::worktree::nested;
use crate::paths::{Access, SandboxPath};
use crate::platform::{self, Kind, Stat};
use crate::session::Context;

/// Resolves the path `named` in a file tool's arguments. Relative paths start from the workspace.
fn resolve(context: &Context<'_>, named: &str, access: Access) -> Result<SandboxPath, ToolError> {
    let zones = &context.session.zones;
    zones.resolve(named, &zones.workspace(), access)
}

/// The metadata of `path`.
fn stat(path: &SandboxPath, named: &str) -> Result<Stat, ToolError> {
    platform::stat(&path.real()).map_err(|error| ToolError::io(named, &error))
}

/// The regular file that `named` leads to.
fn regular_file(context: &Context<'_>, named: &str, access: Access) -> Result<(SandboxPath, Stat), ToolError> {
    let path = resolve(context, named, access)?;
    let stat = stat(&path, named)?;
    require_file(stat.kind, named)?;
    Ok((path, stat))
}

/// Says that a file cannot be committed, if it is below a submodule: its repository is not in the sandbox.
fn submodule_note(context: &mut Context<'_>, path: &SandboxPath) -> Option<String> {
    // Every path is looked at, and only few repositories have submodules.
    let workspace = context.session.zones.workspace();
    if !path.is_in_workspace() || !workspace.real().join(".gitmodules").exists() {
        return None;
    }
    // Whatever is wrong with the repository, the file is written: the next call of git says it.
    let repo = context.session.repo().ok()?;
    let index = index::load(&mut context.session.caches.index, &repo).ok()?;
    let relative = path.relative();
    let folder = nested::submodule_above(&index, relative.as_str().into())?;
    Some(format!("{folder} is a submodule, so this file cannot be committed from here.\n"))
}

/// Refuses everything but a regular file.
fn require_file(kind: Kind, named: &str) -> Result<(), ToolError> {
    match kind {
        Kind::File => Ok(()),
        Kind::Folder => Err(ToolError::io(named, &io::ErrorKind::IsADirectory.into())),
        Kind::Link | Kind::Other => Err(ToolError::failed(format!("Not a regular file: {named}"))),
    }
}

/// Refuses a path that can only name a folder.
fn require_file_name(named: &str) -> Result<(), ToolError> {
    if named.ends_with('/') {
        return Err(
            ToolError::bad_args(format!("A file path cannot end with a slash: {named}")).hint("Add the file name.")
        );
    }
    Ok(())
}

/// Creates the missing parent folders of `path`.
fn make_parents(path: &SandboxPath) -> Result<(), ToolError> {
    let mut missing = Vec::new();
    let mut parent = path.parent();
    while let Some(folder) = parent {
        match platform::stat(&folder.real()) {
            Ok(stat) if stat.kind == Kind::Folder => break,
            Ok(_) => {
                return Err(ToolError::io(&folder.shown(), &io::ErrorKind::NotADirectory.into()));
            }
            // A path below a non-folder fails here too. The loop reaches the non-folder itself further up.
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                parent = folder.parent();
                missing.push(folder);
            }
            Err(error) => return Err(ToolError::io(&folder.shown(), &error)),
        }
    }
    for folder in missing.iter().rev() {
        platform::create_dir(&folder.real()).map_err(|error| ToolError::io(&folder.shown(), &error))?;
    }
    Ok(())
}
