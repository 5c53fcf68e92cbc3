//! What a walk comes by.

use std::rc::Rc;

use bstr::{BString, ByteSlice};

use crate::io::Files;
use crate::world::{Kind, Stat};

/// Which links stand for what they lead to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Links {
    /// `-P`
    #[default]
    Never,
    /// `-H`: those among the arguments.
    Given,
    /// `-L`
    Always,
}

/// What tests look at beside the entry.
pub struct Around {
    /// The tree.
    pub files: Rc<Files>,
    /// Which links are followed.
    pub links: Links,
    /// Nanoseconds since the Unix epoch.
    pub now: i128,
    /// The time zone, in seconds east of UTC.
    pub offset: i32,
}

/// Where a walk begins.
#[derive(Debug)]
pub struct Root {
    /// As it was written.
    pub shown: BString,
    /// As an absolute path.
    pub full: BString,
}

/// An entry of the tree.
#[derive(Debug)]
pub struct Entry {
    /// Where the walk to it began.
    pub root: Rc<Root>,
    /// As it is printed.
    pub path: BString,
    /// How many folders it lies below the root.
    pub depth: usize,
    /// Its own metadata.
    pub own: Stat,
    /// The metadata of what it leads to, if it is a link that is followed.
    pub target: Option<Stat>,
    /// How many commands had run when the metadata was read. None as soon as a test has relied on it: it stays the same from then on.
    pub read_at: Option<u64>,
}

impl Entry {
    /// One in this folder.
    pub fn within(&self, name: &[u8], own: Stat, around: &Around, read_at: u64) -> Entry {
        let mut path = self.path.clone();
        path.reserve_exact(name.len() + 1);
        if !path.ends_with(b"/") {
            path.push(b'/');
        }
        path.extend_from_slice(name);
        let root = Rc::clone(&self.root);
        let mut entry = Entry { root, path, depth: self.depth + 1, own, target: None, read_at: Some(read_at) };
        entry.follow(around);
        entry
    }

    /// Finds what it leads to, if it is a link that is to be followed.
    pub fn follow(&mut self, around: &Around) {
        let follows = match around.links {
            Links::Never => false,
            Links::Given => self.depth == 0,
            Links::Always => true,
        };
        self.target = if follows && self.own.kind == Kind::Link { self.led_to(around) } else { None };
    }

    /// Reads the metadata again. False if the entry is gone.
    pub fn refresh(&mut self, around: &Around) -> std::io::Result<()> {
        self.own = around.files.stat(self.full().as_bstr(), false)?;
        self.follow(around);
        Ok(())
    }

    /// The metadata that tests look at.
    pub fn stat(&self) -> &Stat {
        self.target.as_ref().unwrap_or(&self.own)
    }

    /// What the entry is, or what it leads to in the end. None if it leads nowhere.
    pub fn led_to(&self, around: &Around) -> Option<Stat> {
        match (self.own.kind, &self.target) {
            (Kind::Link, Some(target)) => Some(target.clone()),
            (Kind::Link, None) => around.files.stat(self.full().as_bstr(), true).ok(),
            _ => Some(self.own.clone()),
        }
    }

    /// Its path below the root.
    pub fn below(&self) -> &[u8] {
        let below = &self.path[self.root.shown.len()..];
        below.strip_prefix(b"/").unwrap_or(below)
    }

    /// Its absolute path.
    pub fn full(&self) -> BString {
        let below = self.below();
        let mut full = self.root.full.clone();
        if !below.is_empty() {
            if !full.ends_with(b"/") {
                full.push(b'/');
            }
            full.extend_from_slice(below);
        }
        full
    }

    /// Its name without folders, and without slashes behind it.
    pub fn name(&self) -> &[u8] {
        let path = trimmed(&self.path);
        &path[parent_length(path)..]
    }

    /// Its name, with a slash that was written behind it.
    pub fn name_as_written(&self) -> &[u8] {
        let name = &self.path[parent_length(trimmed(&self.path))..];
        &name[..name.len().min(self.name().len() + 1)]
    }

    /// The path of the folder that it is in.
    pub fn folder(&self) -> &[u8] {
        let path = trimmed(&self.path);
        match path.rfind_byte(b'/') {
            Some(at) => &path[..at],
            None => b".",
        }
    }

    /// The target of a link.
    pub fn link(&self, around: &Around) -> Option<BString> {
        if self.stat().kind != Kind::Link {
            return None;
        }
        around.files.world().ok()?.read_link(self.full().as_bstr()).ok()
    }

    /// How many names it has. A folder has one in each folder that it contains.
    pub fn names(&self, around: &Around) -> u64 {
        if self.stat().kind != Kind::Folder {
            return 1;
        }
        let inner = around.files.list(self.full().as_bstr()).unwrap_or_default();
        2 + inner.iter().filter(|(_, stat)| stat.kind == Kind::Folder).count() as u64
    }

    /// How many blocks of 1024 bytes it takes, where a page is the least that a file takes.
    pub fn blocks(&self) -> u64 {
        match self.stat().kind {
            Kind::Link => 0,
            Kind::Folder => self.stat().size.max(1).div_ceil(4096) * 4,
            Kind::File => self.stat().size.div_ceil(4096) * 4,
        }
    }
}

fn trimmed(path: &[u8]) -> &[u8] {
    let trimmed = path.trim_end_with(|char| char == '/');
    if trimmed.is_empty() { &path[..path.len().min(1)] } else { trimmed }
}

fn parent_length(path: &[u8]) -> usize {
    if path == b"/" { 0 } else { path.rfind_byte(b'/').map_or(0, |at| at + 1) }
}
