//! What a log is to a program.

use std::borrow::Cow;

use gix::ObjectId;
use gix::bstr::ByteSlice;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::budget::{Room, brief, is_zero};
use crate::call::Moment;
use crate::git::dates::{self, DateForm, Stamp};
use crate::git::entries::Entries;
use crate::git::history::{Commit, Ident};
use crate::output::Output;

/// The structured result.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    commits: Vec<Box<RawValue>>,
    /// Commits of the text that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    commits_omitted: usize,
    truncated: bool,
    /// The first commit that the text does not show whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<Next>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    untrusted: bool,
    #[serde(skip)]
    room: Room,
    /// Each commit of the text, when it was made, and where it ends.
    #[serde(skip)]
    ends: Vec<(ObjectId, u64, usize)>,
}

/// Where to go on.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Next {
    commit_id: String,
    /// What `until` has to be for the commit to be among the first.
    until: String,
}

/// A commit, to be written at once.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry<'c> {
    commit_id: Hex,
    parents: Vec<Hex>,
    author: Option<Person<'c>>,
    committer: Option<Person<'c>>,
    message: String,
}

#[derive(Debug, Serialize)]
struct Person<'c> {
    name: Cow<'c, str>,
    email: Cow<'c, str>,
    /// As ISO 8601 has it.
    date: Option<String>,
}

/// An id, all its digits.
#[derive(Debug)]
struct Hex(ObjectId);

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.hex_to_buf(gix::hash::Kind::hex_buf().as_mut()))
    }
}

impl<'c> Entry<'c> {
    /// What is told of `commit`, its message no longer than a quarter of `max_bytes`.
    pub fn of(commit: &'c Commit, max_bytes: usize) -> Entry<'c> {
        Entry {
            commit_id: Hex(commit.id),
            parents: commit.parents.iter().copied().map(Hex).collect(),
            author: commit.author().map(person),
            committer: commit.committer().map(person),
            message: brief(&commit.message().to_str_lossy(), max_bytes),
        }
    }
}

fn person(ident: Ident<'_>) -> Person<'_> {
    Person { name: ident.name.to_str_lossy(), email: ident.mail.to_str_lossy(), date: ident.date.and_then(iso) }
}

/// As ISO 8601 has it; none where git cannot show it.
fn iso(date: Stamp) -> Option<String> {
    // The form does not depend on the time now.
    dates::show(date, DateForm::IsoStrict, Moment { nanos: 0, utc_offset: 0 }).ok()
}

impl Report {
    /// Of no commit yet, whose list may take `max_bytes`.
    pub fn new(max_bytes: usize) -> Report {
        Report {
            commits: Vec::new(),
            commits_omitted: 0,
            truncated: false,
            next: None,
            hint: None,
            untrusted: true,
            room: Room::new(max_bytes),
            ends: Vec::new(),
        }
    }

    /// Adds `commit`, which was made at `time` and was just added to `entries`.
    pub fn add(&mut self, commit: &Commit, time: u64, entries: &Entries) {
        self.ends.push((commit.id, time, entries.len()));
        // The list has no holes.
        let has_room = self.commits_omitted == 0;
        let written = has_room.then(|| self.room.write(&Entry::of(commit, entries.max_bytes()))).flatten();
        self.commits_omitted += usize::from(written.is_none());
        self.commits.extend(written);
    }

    /// The result.
    pub fn finish(mut self, entries: Entries) -> Output {
        let cut = self.ends.iter().find(|(_, _, end)| *end > entries.room()).copied();
        self.truncated = entries.is_full() || self.commits_omitted > 0;
        let until = |time| iso(Stamp { seconds: time, zone: 0 });
        // A time that no date says cannot be asked for.
        let cut = cut.filter(|_| entries.is_full()).and_then(|(id, time, _)| Some((id, until(time)?)));
        if let Some((id, until)) = cut {
            self.hint = Some(format!(
                "Go on with until: \"{until}\", which commit {} is among the first of, or ask for oneline or for more max_bytes (at most 5000000).",
                id.to_hex_with_len(10)
            ));
            self.next = Some(Next { commit_id: id.to_string(), until });
        }
        let max_bytes = entries.max_bytes();
        Output::new(entries.into_text(), self).max_bytes(max_bytes)
    }
}
