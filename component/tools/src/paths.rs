//! Decides which paths a caller may name. No other place does.
//!
//! It checks a path twice. First the spelling: it refuses `..`, an absolute path outside the zones, a NUL, and a name that some filesystem
//! treats as `.git` or `..`. Then the target: it follows links inside the tree, and they must lead into a zone and outside the repository's
//! own folder, which it knows by its inode.

pub mod unsafe_name;

use std::path::{Path, PathBuf};

use self::unsafe_name::Alias;
use crate::error::ToolError;
use crate::platform::{self, Kind};

/// How many links one path may contain, as on Linux.
const MAX_LINKS: u32 = 40;

/// A top-level folder of the caller's view.
#[derive(Clone, Debug)]
pub struct Zone {
    /// Its name: callers see the zone `workspace` at `/workspace`.
    pub name: String,
    /// Its real location. In the component both are the same.
    pub root: PathBuf,
    /// Whether tools may write to it.
    pub writable: bool,
}

/// The name of the zone that always exists and holds the repository.
pub const WORKSPACE: &str = "workspace";

/// The name of the zone that only scripts have.
const TMP: &str = "tmp";

/// All zones of a sandbox.
#[derive(Clone, Debug)]
pub struct Zones {
    zones: Vec<Zone>,
}

/// A path in a zone, with links resolved.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SandboxPath {
    zone: usize,
    root: PathBuf,
    zone_name: String,
    /// The components below the zone's root; empty for the root itself.
    inside: Vec<String>,
}

/// How a tool uses a path.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Access {
    /// Reads what the path leads to. Follows a link as the last component.
    Read,
    /// Changes what the path leads to. Follows a link as the last component.
    Write,
    /// Changes the entry itself: removes or renames it. Does not follow a link as the last component.
    Entry,
    /// Inspects the entry itself. Does not follow a link as the last component.
    Look,
}

impl Zones {
    /// The workspace at `root`, with `others` beside it.
    pub fn new(root: impl Into<PathBuf>, others: Vec<Zone>) -> Zones {
        let mut zones = vec![Zone { name: WORKSPACE.to_owned(), root: root.into(), writable: true }];
        zones.extend(others);
        Zones { zones }
    }

    /// The root of the workspace, where the repository is.
    pub fn workspace(&self) -> SandboxPath {
        self.root_of(0)
    }

    /// The root of the zone named `name`.
    pub fn zone(&self, name: &str) -> Option<SandboxPath> {
        self.zones.iter().position(|zone| zone.name == name).map(|zone| self.root_of(zone))
    }

    /// The root of the zone named `name`. Fails if tools may not write to it.
    pub fn writable_root(&self, name: &str) -> Result<SandboxPath, ToolError> {
        let Some(at) = self.zones.iter().position(|zone| zone.name == name) else {
            let names: Vec<&str> = self.zones.iter().map(|zone| zone.name.as_str()).collect();
            return Err(
                ToolError::bad_args(format!("No such zone: {name}")).hint(format!("Zones: {}.", names.join(", ")))
            );
        };
        match self.zones[at].writable {
            true => Ok(self.root_of(at)),
            false => Err(ToolError::read_only_zone(name)),
        }
    }

    /// The same with `/tmp`, a folder for what no commit is to have. It is kept in the repository's own folder, so without a repository
    /// there is none.
    #[must_use]
    pub fn with_tmp(mut self) -> Zones {
        let git = self.zones[0].root.join(".git");
        let has_repository = platform::stat(&git).is_ok_and(|stat| stat.kind == Kind::Folder);
        if has_repository && self.zone(TMP).is_none() {
            self.zones.push(Zone { name: TMP.to_owned(), root: git.join("gitgate/tmp"), writable: true });
        }
        self
    }

    /// The root of a path's zone.
    pub fn zone_of(&self, path: &SandboxPath) -> SandboxPath {
        self.root_of(path.zone)
    }

    /// The names of all zones.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.zones.iter().map(|zone| zone.name.as_str()).collect();
        names.sort_unstable();
        names
    }

    /// Whether tools may write to this path's zone.
    pub fn is_writable(&self, path: &SandboxPath) -> bool {
        self.zones[path.zone].writable
    }

    /// The existing folder that `working_dir` names, or the workspace without a name.
    pub fn working_dir(&self, working_dir: Option<&str>) -> Result<SandboxPath, ToolError> {
        let Some(named) = working_dir else {
            return Ok(self.workspace());
        };
        self.folder("working_dir", named)
    }

    /// The existing folder that the argument `argument` names.
    pub fn folder(&self, argument: &str, named: &str) -> Result<SandboxPath, ToolError> {
        let path = self.resolve(named, &self.workspace(), Access::Read)?;
        match platform::stat(&path.real()) {
            Ok(stat) if stat.kind == Kind::Folder => Ok(path),
            Ok(_) => Err(ToolError::bad_args(format!("{argument} is not a directory: {named}"))),
            Err(error) => Err(ToolError::io(named, &error)),
        }
    }

    /// Resolves the path `named`, relative to `base`.
    pub fn resolve(&self, named: &str, base: &SandboxPath, access: Access) -> Result<SandboxPath, ToolError> {
        let (zone, mut pending) = self.lexical(named, base)?;
        // Components still to be walked, the next one last.
        pending.reverse();
        let mut walk = Walk { zones: self, named, path: self.root_of(zone), links: 0 };
        walk.go(pending, matches!(access, Access::Read | Access::Write))?;
        let path = walk.path;
        self.guard_git_folder(&path, named)?;
        if matches!(access, Access::Write | Access::Entry) && !self.zones[path.zone].writable {
            return Err(ToolError::read_only_zone(named));
        }
        Ok(path)
    }

    /// Checks the spelling of `named`. Returns the zone and the components below its root.
    fn lexical(&self, named: &str, base: &SandboxPath) -> Result<(usize, Vec<String>), ToolError> {
        if named.contains('\0') {
            return Err(ToolError::bad_args("A path cannot contain a NUL character"));
        }
        if named.is_empty() {
            return Err(ToolError::bad_args("A path cannot be empty").hint("Use . to name the working folder."));
        }
        let components = || named.split('/').filter(|name| !name.is_empty() && *name != ".");
        if components().any(|name| name == "..") {
            return Err(ToolError::outside(named));
        }
        for component in components() {
            check_name(component.as_bytes(), named)?;
        }
        if !named.starts_with('/') {
            let inside = base.inside.iter().map(String::as_str).chain(components());
            return Ok((base.zone, inside.map(str::to_owned).collect()));
        }
        let mut components = components();
        let zone = components.next().and_then(|first| self.zones.iter().position(|zone| zone.name == first));
        let zone = zone.ok_or_else(|| ToolError::outside(named))?;
        Ok((zone, components.map(str::to_owned).collect()))
    }

    /// Refuses the repository's `.git` and everything in it, under any name.
    fn guard_git_folder(&self, path: &SandboxPath, named: &str) -> Result<(), ToolError> {
        let Ok(git) = platform::stat(&self.zones[0].root.join(".git")) else {
            return Ok(());
        };
        let real = path.real();
        let is_git = |path: &Path| {
            platform::stat(path).is_ok_and(|stat| stat.index.ino == git.index.ino && stat.index.dev == git.index.dev)
        };
        if real.ancestors().take(path.inside.len()).any(is_git) {
            return Err(ToolError::git_folder(named));
        }
        Ok(())
    }

    fn root_of(&self, zone: usize) -> SandboxPath {
        SandboxPath {
            zone,
            root: self.zones[zone].root.clone(),
            zone_name: self.zones[zone].name.clone(),
            inside: Vec::new(),
        }
    }

    /// The zone of a link's absolute target, and the components below the zone's root.
    fn zone_of_link(&self, target: &Path) -> Option<(usize, PathBuf)> {
        self.zones
            .iter()
            .enumerate()
            .find_map(|(at, zone)| Some((at, target.strip_prefix(&zone.root).ok()?.to_owned())))
    }
}

/// A walk through the tree that follows links and never leaves the zones.
struct Walk<'a> {
    zones: &'a Zones,
    named: &'a str,
    path: SandboxPath,
    links: u32,
}

impl Walk<'_> {
    fn go(&mut self, mut pending: Vec<String>, follow_last: bool) -> Result<(), ToolError> {
        while let Some(name) = pending.pop() {
            match name.as_str() {
                "" | "." => continue,
                ".." => {
                    self.path.inside.pop().ok_or_else(|| ToolError::outside(self.named))?;
                    continue;
                }
                _ => self.path.inside.push(name),
            }
            if pending.is_empty() && !follow_last {
                continue;
            }
            let is_link = platform::stat(&self.path.real()).is_ok_and(|stat| stat.kind == Kind::Link);
            if is_link {
                self.follow(&mut pending)?;
            }
        }
        Ok(())
    }

    /// Replaces the current link by its target.
    fn follow(&mut self, pending: &mut Vec<String>) -> Result<(), ToolError> {
        self.links += 1;
        if self.links > MAX_LINKS {
            return Err(ToolError::failed(format!("Too many levels of symbolic links: {}", self.named)));
        }
        let target = std::fs::read_link(self.path.real()).map_err(|error| ToolError::io(self.named, &error))?;
        let below = if target.is_absolute() {
            let (zone, below) = self.zones.zone_of_link(&target).ok_or_else(|| ToolError::outside(self.named))?;
            self.path = self.zones.root_of(zone);
            below
        } else {
            self.path.inside.pop();
            target
        };
        let below = below.to_str().ok_or_else(|| {
            ToolError::failed(format!("The path leads through a link whose target is not UTF-8: {}", self.named))
        })?;
        for component in below.split('/').filter(|name| !matches!(*name, "." | "..")) {
            check_name(component.as_bytes(), self.named)?;
        }
        pending.extend(below.split('/').rev().map(str::to_owned));
        Ok(())
    }
}

impl SandboxPath {
    /// The real location.
    pub fn real(&self) -> PathBuf {
        let mut real = self.root.clone();
        real.extend(&self.inside);
        real
    }

    /// The path as callers see it: `/workspace/a.md`.
    pub fn shown(&self) -> String {
        let mut shown = format!("/{}", self.zone_name);
        for name in &self.inside {
            shown.push('/');
            shown.push_str(name);
        }
        shown
    }

    /// The path below the zone's root, with `/` between the components. Empty for the root.
    pub fn relative(&self) -> String {
        self.inside.join("/")
    }

    /// Whether the path is in the zone of the repository.
    pub fn is_in_workspace(&self) -> bool {
        self.zone == 0
    }

    /// Whether the path is in the zone that only scripts have.
    pub fn is_temporary(&self) -> bool {
        self.zone_name == TMP
    }

    /// Whether the path is the root of a zone.
    pub fn is_root(&self) -> bool {
        self.inside.is_empty()
    }

    /// The entry `name` in this folder.
    pub fn join(&self, name: &str) -> SandboxPath {
        let mut path = self.clone();
        path.inside.push(name.to_owned());
        path
    }

    /// The containing folder. `None` for the root of a zone.
    pub fn parent(&self) -> Option<SandboxPath> {
        let mut path = self.clone();
        path.inside.pop()?;
        Some(path)
    }
}

/// Refuses a `component` of the path `named` that some filesystem treats as `.git` or as a parent folder.
pub fn check_name(component: &[u8], named: &str) -> Result<(), ToolError> {
    match unsafe_name::alias(component) {
        None => Ok(()),
        Some(Alias::GitFolder) => Err(ToolError::git_folder(named)),
        Some(Alias::ThisOrAbove) => Err(ToolError::invalid_path(named)
            .hint("Windows reads a backslash as a folder separator. Choose another name.")),
    }
}

/// Whether some filesystem treats `name` as `.git`.
pub fn is_git_folder_name(name: &[u8]) -> bool {
    unsafe_name::alias(name) == Some(Alias::GitFolder)
}

#[cfg(test)]
mod tests;
