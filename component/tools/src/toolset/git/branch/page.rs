//! Chooses the refs that become lines of the list, and computes its width.

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};

use super::detached;
use crate::error::ToolError;
use crate::git::history::branch_name::HEADS;
use crate::git::history::graph::History;
use crate::git::history::peeling;
use crate::git::store::refs::{End, Found, Refs, State};
use crate::git::words::advice::plain;
use crate::git::words::columns;

const REMOTES: &str = "refs/remotes/";

/// Which branches to list.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Kinds {
    /// Local branches.
    Local,
    /// Remote-tracking branches.
    Remote,
    /// Both.
    All,
}

/// The kind of a line.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Kind {
    /// A detached HEAD.
    Head,
    Local,
    Remote,
}

/// A line of the list.
pub struct Row {
    /// The kind.
    pub kind: Kind,
    /// The full name.
    pub name: BString,
    /// The shown name.
    pub shown: BString,
    /// The object that the ref points to: a commit, or a tag of one.
    pub id: ObjectId,
    /// The commit itself.
    pub commit: ObjectId,
    /// The target, if the ref is symbolic.
    pub symbolic: Option<BString>,
}

impl Row {
    /// The name without its prefix.
    pub fn name(&self) -> &BStr {
        match self.kind {
            Kind::Head => self.shown.as_bstr(),
            Kind::Local => self.name[HEADS.len()..].as_bstr(),
            Kind::Remote => self.name[REMOTES.len()..].as_bstr(),
        }
    }
}

/// The rows that fit into the text.
pub struct Page<'a> {
    refs: &'a Refs<'a>,
    history: &'a History<'a>,
    kinds: Kinds,
    /// In the order of the list.
    pub rows: Vec<Row>,
    /// Display width of the longest name, listed or not.
    pub width: usize,
    /// git's warnings about other refs, in lines.
    pub stderr: String,
    /// Bytes left for the text. Once there are none, git's error stream gets none either.
    room: usize,
    /// The number of refs after the last row.
    pub omitted: usize,
}

impl<'a> Page<'a> {
    /// An empty page for a list of at most `max_bytes`.
    pub fn new(refs: &'a Refs<'a>, history: &'a History<'a>, kinds: Kinds, max_bytes: usize) -> Page<'a> {
        Page { refs, history, kinds, rows: Vec::new(), width: 0, stderr: String::new(), room: max_bytes, omitted: 0 }
    }

    /// Reads all refs.
    pub fn gather(&mut self, is_detached: bool) -> Result<(), ToolError> {
        let shows_head = is_detached && self.kinds != Kinds::Remote;
        if shows_head && let End::Id { name, id } = self.refs.follow("HEAD".into())? {
            let shown = detached::description(self.refs, id)?;
            self.add(Kind::Head, Found { name, state: State::Whole { id, symbolic: None } }, shown)?;
        }
        // git reads all refs if it looks for more than one kind.
        let prefix = match self.kinds {
            Kinds::Remote => REMOTES,
            Kinds::Local if !is_detached => HEADS,
            _ => "refs/",
        };
        let refs = self.refs;
        refs.each(prefix.into(), &mut |found| self.take(found))?;
        if self.rows.first().is_some_and(|row| row.kind == Kind::Head) {
            self.stderr.push_str(&detached::complaints(refs)?);
        }
        Ok(())
    }

    fn take(&mut self, found: Found) -> Result<(), ToolError> {
        let name = &found.name;
        let warning = match found.state {
            State::Broken => format!("warning: ignoring broken ref {name}\n"),
            State::Misnamed => plain(&format!("warning: ignoring ref with broken name {name}\n")),
            State::Whole { .. } => {
                let is_below = |prefix: &str| name.starts_with_str(prefix);
                let (kind, shown) = match self.kinds {
                    Kinds::Local | Kinds::All if is_below(HEADS) => (Kind::Local, name[HEADS.len()..].into()),
                    Kinds::Remote if is_below(REMOTES) => (Kind::Remote, name[REMOTES.len()..].into()),
                    Kinds::All if is_below(REMOTES) => (Kind::Remote, name["refs/".len()..].into()),
                    _ => return Ok(()),
                };
                return self.add(kind, found, shown);
            }
        };
        if self.room > 0 {
            self.room = self.room.saturating_sub(warning.len());
            self.stderr.push_str(&warning);
        }
        Ok(())
    }

    fn add(&mut self, kind: Kind, found: Found, shown: BString) -> Result<(), ToolError> {
        let State::Whole { id, symbolic } = found.state else { return Ok(()) };
        let width = columns::width(&shown);
        let is_full = self.room == 0;
        self.omitted += usize::from(is_full);
        if is_full && width <= self.width {
            return Ok(());
        }
        let peeled = peeling::gently(self.history, self.refs.repo, id)?;
        if !is_full {
            self.stderr.push_str(&peeled.complaint);
        }
        let Some(commit) = peeled.id else { return Ok(()) };
        self.width = self.width.max(width);
        if !is_full {
            // The minimum size of a line: a mark, the name, two blanks and a line feed.
            self.room = self.room.saturating_sub(shown.len() + 5);
            self.rows.push(Row { kind, name: found.name, shown, id, commit, symbolic });
        }
        Ok(())
    }
}
