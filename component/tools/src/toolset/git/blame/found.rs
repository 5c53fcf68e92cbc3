//! What a blame has found.

use std::collections::BTreeMap;
use std::rc::Rc;

use gix::ObjectId;
use gix::bstr::BString;

use super::assign::{Assignment, Blamed};
use super::author::{Author, Authors};
use crate::deadline::units;
use crate::error::ToolError;
use crate::git::words::columns;

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
    pub is_committed: bool,
    pub path: BString,
    pub is_boundary: bool,
    pub author: Author,
    /// The columns that the author's name takes.
    pub width: usize,
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

/// How much authors take that were met before, as far as it is certain to be shown: what comes behind all room is not held, so that long
/// names cost no more than what is shown of them.
#[derive(Default)]
struct Held {
    /// In the text, which has every name in full.
    names: usize,
    /// In the list.
    rest: usize,
}

impl Held {
    fn hold(&mut self, author: Author, max_bytes: usize) -> Author {
        let (has_name, has_rest) = (self.names <= max_bytes, self.rest <= max_bytes);
        self.names += author.name.len();
        self.rest += author.email.len() + author.summary.len();
        Author {
            name: if has_name { author.name } else { BString::default() },
            email: if has_rest { author.email } else { String::new() },
            summary: if has_rest { author.summary } else { String::new() },
            ..author
        }
    }
}

impl Found {
    /// The same, with what git says on its error stream.
    pub fn with(self, warnings: String) -> Found {
        Found { warnings, ..self }
    }

    /// What `blamed`, lines of `content` that begin at `starts`, come to.
    pub fn of(
        assignment: &Assignment<'_>,
        blamed: &[Blamed],
        path: BString,
        (content, starts): (Rc<Vec<u8>>, Vec<usize>),
        authors: &Authors<'_>,
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
        let mut held = Held::default();
        for Blamed { span, origin } in blamed {
            assignment.deadline.poll()?;
            let source = match places.get(origin) {
                Some(place) => *place,
                None => {
                    let of = assignment.origins.get(*origin);
                    let commit = assignment.history.get(of.commit);
                    let author = authors.of(&assignment.history, of.commit)?;
                    assignment.deadline.poll_units(units(author.len()))?;
                    found.sources.push(Source {
                        commit: commit.id,
                        is_committed: !assignment.history.is_worktree(of.commit),
                        path: assignment.origins.name(of.path).to_owned(),
                        is_boundary: commit.is_boundary,
                        width: columns::width(&author.name),
                        author: held.hold(author, authors.max_bytes),
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

    /// These lines of `path`.
    #[cfg(all(test, not(target_os = "wasi")))]
    pub fn for_test(path: &str, content: &[u8], sources: Vec<Source>, groups: Vec<Group>) -> Found {
        let starts = line_starts(content);
        let content = Rc::new(content.to_vec());
        Found { path: path.into(), sources, groups, content, starts, warnings: String::new() }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_an_author_no_more_is_held_than_can_be_shown() {
        let author = || Author {
            name: "A".repeat(60).into(),
            email: "e".repeat(30),
            date: String::new(),
            time: String::new(),
            summary: "s".repeat(20),
        };
        let mut held = Held::default();
        let held: Vec<usize> = (0..4).map(|_| held.hold(author(), 100).len()).collect();
        assert_eq!(held, [110, 110, 50, 0]);
    }
}
