//! The result of a blame.

use std::collections::BTreeMap;
use std::rc::Rc;

use gix::ObjectId;
use gix::bstr::BString;

use super::assign::{Assignment, Blamed};
use super::author::{Author, Authors};
use crate::deadline::units;
use crate::error::ToolError;
use crate::git::words::columns;

/// The requested lines and their sources.
pub struct Found {
    /// The named path, from the root of the repository.
    pub path: BString,
    /// Files in commits, in the order in which the lines first refer to them.
    pub sources: Vec<Source>,
    /// In the order of the lines, without gaps.
    pub groups: Vec<Group>,
    content: Rc<Vec<u8>>,
    /// The start of each line, then the end of the content.
    starts: Vec<usize>,
    /// git's error stream.
    pub warnings: String,
}

/// A file in a commit.
pub struct Source {
    /// All zeros for lines that are not committed yet.
    pub commit: ObjectId,
    pub is_committed: bool,
    pub path: BString,
    pub is_boundary: bool,
    pub author: Author,
    /// Display width of the author's name.
    pub width: usize,
}

/// Adjacent lines of the file that are also adjacent in their source.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// The first line, counted from zero.
    pub line: usize,
    /// The same line in the source.
    pub origin: usize,
    pub count: usize,
    /// The index in [`Found::sources`].
    pub source: usize,
}

/// Sizes of the author texts so far. Texts beyond the size limit cannot appear in the result, so they are dropped: long names cost no more
/// memory than the result shows.
#[derive(Default)]
struct Held {
    /// Names, which the text shows in full.
    names: usize,
    /// Texts of the list.
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
    /// Sets git's error stream.
    pub fn with(self, warnings: String) -> Found {
        Found { warnings, ..self }
    }

    /// The result for `blamed`, runs of lines of `content`, whose lines begin at `starts`.
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

    /// A result with these lines of `path`.
    #[cfg(all(test, not(target_os = "wasi")))]
    pub fn for_test(path: &str, content: &[u8], sources: Vec<Source>, groups: Vec<Group>) -> Found {
        let starts = line_starts(content);
        let content = Rc::new(content.to_vec());
        Found { path: path.into(), sources, groups, content, starts, warnings: String::new() }
    }

    /// The line number `at`, counted from zero, with its newline if it has one.
    pub fn line(&self, at: usize) -> &[u8] {
        &self.content[self.starts[at]..self.starts[at + 1]]
    }

    /// `count` lines, starting with line number `at`.
    pub fn lines(&self, at: usize, count: usize) -> &[u8] {
        &self.content[self.starts[at]..self.starts[at + count]]
    }
}

/// The start of each line of `content`, then its end.
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
