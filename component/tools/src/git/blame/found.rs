//! What a blame has found.

use std::collections::BTreeMap;
use std::rc::Rc;

use gix::ObjectId;
use gix::bstr::BString;

use super::assign::{Assignment, Blamed};
use super::author::Author;
use crate::call::Moment;
use crate::error::ToolError;
use crate::git::mailmap::Mailmap;

/// The lines that were asked for, and where they come from.
pub struct Found {
    /// The path that was named, from the root of the repository.
    pub path: BString,
    /// Files in commits, in the order in which the lines name them first.
    pub sources: Vec<Source>,
    /// In the order of the lines, without a gap.
    pub groups: Vec<Group>,
    content: Rc<Vec<u8>>,
    /// Where each line begins, and the end.
    starts: Vec<usize>,
    /// What git says on its error stream.
    pub warnings: String,
}

/// A file in a commit.
pub struct Source {
    /// All zeros for what is not committed yet.
    pub commit: ObjectId,
    pub path: BString,
    pub is_boundary: bool,
    pub author: Author,
}

/// Lines that follow each other in the file and in their source.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// The first line, counted from zero.
    pub line: usize,
    /// The same line in the source.
    pub origin: usize,
    pub count: usize,
    /// Its place in [`Found::sources`].
    pub source: usize,
}

impl Found {
    /// The same, with what git says on its error stream.
    pub fn with(self, warnings: String) -> Found {
        Found { warnings, ..self }
    }

    /// What `blamed`, lines of `content`, come to.
    pub fn of(
        assignment: &Assignment<'_>,
        blamed: &[Blamed],
        path: BString,
        content: Rc<Vec<u8>>,
        starts: Vec<usize>,
        mailmap: &Mailmap,
        now: Moment,
    ) -> Result<Found, ToolError> {
        let mut found = Found {
            path,
            sources: Vec::new(),
            groups: Vec::with_capacity(blamed.len()),
            content,
            starts,
            warnings: String::new(),
        };
        let mut places = BTreeMap::new();
        for Blamed { span, origin } in blamed {
            assignment.deadline.poll()?;
            let source = match places.get(origin) {
                Some(place) => *place,
                None => {
                    let of = assignment.origins.get(*origin);
                    let commit = assignment.history.get(of.commit);
                    found.sources.push(Source {
                        commit: commit.id,
                        path: assignment.origins.name(of.path).to_owned(),
                        is_boundary: commit.is_boundary,
                        author: Author::of(&assignment.history, of.commit, mailmap, now)?,
                    });
                    places.insert(*origin, found.sources.len() - 1);
                    found.sources.len() - 1
                }
            };
            let [line, origin, count] = [span.line, span.origin, span.count].map(|number| number as usize);
            found.groups.push(Group { line, origin, count, source });
        }
        Ok(found)
    }

    /// The line at `at`, counted from zero, with its newline, if it has one.
    pub fn line(&self, at: usize) -> &[u8] {
        &self.content[self.starts[at]..self.starts[at + 1]]
    }

    /// So many lines from the one at `at` on.
    pub fn lines(&self, at: usize, count: usize) -> &[u8] {
        &self.content[self.starts[at]..self.starts[at + count]]
    }
}

/// Where each line of `content` begins, and its end.
pub fn line_starts(content: &[u8]) -> Vec<usize> {
    let mut starts = vec![0];
    starts.extend(content.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1));
    if *starts.last().expect("there is a first one") != content.len() {
        starts.push(content.len());
    }
    starts
}
