//! Searches everything in a push for secrets.

use std::collections::HashSet;

use bstr::{BStr, ByteSlice};
use gix_hash::ObjectId;

use super::{
    commits::CommitLine,
    diff::Delta,
    flags::{Flag, Secret},
    listed::of_commit,
};
use crate::{
    format::tree::Mode,
    objects::Supplied,
    secrets::{self, Allowed, Finding, Fingerprint, Room, Source},
    text,
};

/// The most secrets listed. The others are only counted.
const MOST: usize = 1000;

/// How much may be unpacked in total, from the new sides of files and from the old ones.
#[derive(Default)]
struct Rooms {
    new: Room,
    old: Room,
}

/// Finds secrets and collects them as flags.
pub(super) struct Leaks<'a> {
    allowed: &'a Allowed,
    supplied: &'a Supplied,
    /// Contents that the target already has. A file that only moved adds nothing.
    before: HashSet<ObjectId>,
    rooms: Rooms,
    flags: Vec<Flag>,
    /// The number of secrets beyond those listed.
    more: usize,
}

impl<'a> Leaks<'a> {
    pub fn new(allowed: &'a Allowed, supplied: &'a Supplied, deltas: &[Delta], review_bytes: u64) -> Self {
        let before = deltas.iter().filter_map(|delta| delta.old).map(|(_, id)| id).collect();
        let [new, old] = [(); 2].map(|()| Room::of(review_bytes));
        Leaks { allowed, supplied, before, rooms: Rooms { new, old }, flags: Vec::new(), more: 0 }
    }

    /// Searches the new side of a file, and its name if that is new, for secrets that the old side
    /// lacks. `commit` is the commit that adds the file, if a later one removes it.
    pub fn file(&mut self, delta: &Delta, commit: Option<ObjectId>, [old, new]: [Option<&[u8]>; 2], as_text: bool) {
        let Some((mode, id)) = delta.new else { return };
        let path = delta.path.as_bstr();
        if self.allowed.path(path) {
            return;
        }
        let within = commit.map_or(String::new(), |commit| of_commit(&commit.to_hex_with_len(7).to_string()));
        if delta.old.is_none() {
            self.line(path, || format!("the name {}{within}", shown(path)));
        }
        let content = new.filter(|_| !self.before.contains(&id) && !self.supplied.contains(&id));
        let Some(content) = content else { return };
        let is_link = mode == Mode::Symlink;
        let source = Source { path: if is_link { b"" } else { path }, as_text };
        let mut known: Option<HashSet<Fingerprint>> = None;
        let mut place: Option<String> = None;
        let mut rooms = std::mem::take(&mut self.rooms);
        secrets::each(content, source, &mut rooms.new, &mut |finding| {
            let known = known.get_or_insert_with(|| {
                let mut known = HashSet::new();
                secrets::each(old.unwrap_or_default(), source, &mut rooms.old, &mut |finding| {
                    known.insert(finding.fingerprint);
                });
                known
            });
            if !known.contains(&finding.fingerprint) {
                let link = if is_link { "the target of the link " } else { "" };
                let place = place.get_or_insert_with(|| format!("{link}{}{within}", shown(path)));
                self.found(finding, place, !is_link);
            }
        });
        self.rooms = rooms;
    }

    /// Searches the message, author and committer of a commit.
    pub fn commit(&mut self, line: &CommitLine) {
        let commit = line.short_id();
        let place = format!("the message of the commit {commit}");
        self.text(line.message.as_bytes(), || place.clone(), true);
        self.line(line.author.as_bytes(), || format!("the author of the commit {commit}"));
        if line.committer != line.author {
            self.line(line.committer.as_bytes(), || format!("the committer of the commit {commit}"));
        }
    }

    /// Searches the name of the branch.
    pub fn branch(&mut self, name: &str) {
        self.line(name.as_bytes(), || "the name of the branch".to_owned());
    }

    /// Searches a single-line text.
    fn line(&mut self, text: &[u8], place: impl Fn() -> String) {
        self.text(text, place, false);
    }

    fn text(&mut self, text: &[u8], place: impl Fn() -> String, numbered: bool) {
        // A text outside files contains no archives.
        secrets::each(text, Source::TEXT, &mut Room::default(), &mut |finding| self.found(finding, &place(), numbered));
    }

    fn found(&mut self, finding: Finding, place: &str, numbered: bool) {
        let Finding { rule, words, line, shown, fingerprint, entry, .. } = finding;
        if self.allowed.secret(fingerprint) {
            return;
        }
        if self.flags.len() == MOST {
            self.more += 1;
            return;
        }
        let line = numbered.then_some(line);
        let place = entry.map_or_else(|| place.to_owned(), |entry| format!("{entry} in {place}"));
        let secret = Secret { kind: rule, what: words, place, line, shown, fingerprint };
        self.flags.push(Flag::Secret(secret));
    }

    /// The flags of the secrets found.
    pub fn flags(self) -> impl Iterator<Item = Flag> {
        let more = (self.more > 0).then_some(Flag::MoreSecrets { count: self.more });
        self.flags.into_iter().chain(more)
    }
}

/// A path for a flag, without the secrets in it.
fn shown(path: &BStr) -> String {
    text::path(&secrets::masked(path))
}
