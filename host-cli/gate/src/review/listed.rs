//! The files of a review as a person goes through them, and what they look at at once in each.

use std::collections::HashMap;

use bstr::{BStr, ByteSlice};
use gix_hash::ObjectId;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::file::in_hunks;
use super::renames::Row;
use super::sentences::quoted;
use super::{FileChange, Flag, Review, Version, screens};
use crate::hex;
use crate::ledger::line;
use crate::text::{self, Trace};

/// A changed file, in the order of a review: a path, or two if a file moved.
#[derive(Debug)]
pub struct ListedFile<'a> {
    /// What happened to it: git's letter, `R` if it moved.
    pub letter: char,
    /// Its path, or the new one.
    pub path: &'a BStr,
    /// Where it was before, if it moved.
    pub from: Option<&'a BStr>,
    /// The commit that has it, if the difference to the target has not.
    pub commit: Option<ObjectId>,
    /// Lines added and deleted.
    pub counts: [u64; 2],
    /// What there is to know of it, for a person: `+12 -3`, `binary, 2.1 KB`.
    pub said: String,
    /// The warnings about it, the gravest first.
    pub flags: Vec<&'a Flag>,
    /// Its patch up to the first hunk, escaped for a terminal. All of it, if it has no hunks.
    pub head: &'a str,
    /// The hunks, with their headers, escaped.
    pub hunks: Vec<&'a str>,
    /// What each hunk is.
    traces: &'a [Trace],
    old: Option<&'a Version>,
    new: Option<&'a Version>,
    /// The change to the path, or to the new one.
    pub change: &'a FileChange,
    /// The deletion of the path where it was before, if it moved.
    pub moved: Option<&'a FileChange>,
}

/// What a person looks at at once: a hunk, or a change that has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit<'a> {
    /// What is shown of it.
    pub text: &'a str,
    /// What it is.
    pub key: UnitKey,
}

/// What a [`Unit`] is. Equal bytes at the same place have equal keys, whatever changed elsewhere in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitKey {
    /// The SHA-256 of its bytes and of what the patch says of the file: names, modes, kind.
    #[serde(with = "hex::bytes32")]
    pub content: [u8; 32],
    /// The blob that it changes. `None` if the file is new.
    #[serde(with = "line::optional_id")]
    pub base: Option<ObjectId>,
    /// The first line of it there, from 1.
    pub line: u64,
    /// Whether its old lines stand there once.
    #[serde(rename = "unique")]
    pub is_unique: bool,
}

impl UnitKey {
    /// Whether both are the same change at the same place: of the same content, which begins with the same line, or whose lines say by
    /// themselves where it is.
    pub fn is(&self, other: &UnitKey) -> bool {
        let is_there = self.base == other.base && self.line == other.line || self.is_unique && other.is_unique;
        self.content == other.content && is_there
    }
}

impl Review {
    /// The files, then the contents that only commits in between have.
    pub fn listed(&self) -> Vec<ListedFile<'_>> {
        let mut all = Vec::with_capacity(self.files.len() + self.intermediate.len());
        let flags = Flags::of(self);
        for row in self.rows() {
            match &row {
                // All of it has to be read, so both are shown as they are.
                Row::Renamed { rename, from, to } if rename.patch.is_none() => {
                    all.extend([from, to].map(|file| ListedFile::of(file, None, &flags)));
                }
                Row::File(file) => all.push(ListedFile::of(file, None, &flags)),
                Row::Renamed { rename, from, to } => {
                    let is_plain = !rename.binary && from.is_text() && to.is_text();
                    let patch = rename.patch.as_deref().unwrap_or_default();
                    let (head, hunks) = if is_plain { in_hunks(patch) } else { (patch, Vec::new()) };
                    all.push(ListedFile {
                        letter: 'R',
                        path: to.path.as_bstr(),
                        from: Some(from.path.as_bstr()),
                        commit: None,
                        counts: row.counts(),
                        said: screens::said(&row),
                        flags: flags.about(&[from, to], None),
                        head,
                        hunks,
                        traces: &rename.traces,
                        old: from.old.as_ref(),
                        new: to.new.as_ref(),
                        change: to,
                        moved: Some(from),
                    });
                }
            }
        }
        all.extend(self.intermediate.iter().map(|file| ListedFile::of(&file.change, Some(file.commit), &flags)));
        all
    }
}

impl Review {
    /// The files of one of [`Review::steps`]. What moved is a deletion and an addition.
    pub fn listed_step(&self, step: usize) -> Vec<ListedFile<'_>> {
        let (flags, files) = (Flags::of(self), self.steps.get(step).map(Vec::as_slice).unwrap_or_default());
        let commit = self.commits.get(step).map(|commit| commit.id);
        files.iter().map(|file| ListedFile { commit, ..ListedFile::of(file, None, &flags) }).collect()
    }
}

/// The warnings of a review by the place that they are about.
struct Flags<'a>(HashMap<String, Vec<&'a Flag>>);

impl<'a> Flags<'a> {
    fn of(review: &'a Review) -> Self {
        let mut places: HashMap<String, Vec<&Flag>> = HashMap::new();
        for flag in &review.flags {
            if let Some(place) = flag.place() {
                places.entry(place).or_default().push(flag);
            }
        }
        Flags(places)
    }

    /// Those about one of `files`, the gravest first.
    fn about(&self, files: &[&FileChange], commit: Option<ObjectId>) -> Vec<&'a Flag> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let within = commit.map_or_else(String::new, |commit| of_commit(&commit.to_hex_with_len(7).to_string()));
        let mut found = Vec::new();
        for path in files.iter().map(|file| file.shown_path()) {
            for what in ["", "the name ", "the target of the link "] {
                found.extend(self.0.get(&format!("{what}{path}{within}")).into_iter().flatten());
            }
        }
        patch::sort::sort_by_key(&mut found, |flag: &&Flag| std::cmp::Reverse(flag.severity()));
        found
    }
}

/// What is said behind a place that only a commit in between has.
pub(super) fn of_commit(commit: &str) -> String {
    format!(" of the commit {commit}")
}

impl<'a> ListedFile<'a> {
    fn of(file: &'a FileChange, commit: Option<ObjectId>, flags: &Flags<'a>) -> Self {
        // The lines of a file that is new or gone are looked at as those of any other.
        let (head, hunks) = if file.is_text() { in_hunks(&file.patch) } else { (&*file.patch, Vec::new()) };
        ListedFile {
            letter: file.status.letter(),
            path: file.path.as_bstr(),
            from: None,
            commit,
            counts: [file.added, file.deleted],
            said: screens::said(&Row::File(file)),
            flags: flags.about(&[file], commit),
            head,
            hunks,
            traces: &file.traces,
            old: file.old.as_ref(),
            new: file.new.as_ref(),
            change: file,
            moved: None,
        }
    }

    /// Its path for a screen.
    pub fn shown_path(&self) -> String {
        text::path(self.path)
    }

    /// Where it was, for a screen, if it moved.
    pub fn shown_from(&self) -> Option<String> {
        self.from.map(|from| text::path(from))
    }

    /// The file in a line: `M path (+10 -3)`.
    pub fn line(&self) -> String {
        let path = match self.shown_from() {
            Some(from) => format!("{} -> {}", quoted(&from), quoted(&self.shown_path())),
            None => self.shown_path(),
        };
        format!("{} {path} ({})", self.letter, self.said)
    }

    /// Whether a person can leave it out of the push: what only commits in between have, they cannot.
    pub fn can_be_left_out(&self) -> bool {
        self.commit.is_none()
    }

    /// Whether its hunks can be left out one by one: an edit counts them by path, and a file that moved has two.
    pub fn can_be_taken_apart(&self) -> bool {
        let is_there = self.old.is_some() && self.new.is_some();
        self.commit.is_none() && self.from.is_none() && is_there && !self.hunks.is_empty()
    }

    /// What there is to look at in it: its hunks, or else the change as a whole.
    pub fn units(&self) -> Vec<Unit<'a>> {
        let base = self.old.map(|old| old.id);
        let from = self.from.unwrap_or_default();
        if self.hunks.is_empty() {
            let ids = [self.old, self.new].map(|version| version.map(|version| (version.mode, version.id)));
            let content = hash(&[b"whole", self.path, from, self.head.as_bytes(), format!("{ids:?}").as_bytes()]);
            return vec![Unit { text: self.head, key: UnitKey { content, base, line: 0, is_unique: true } }];
        }
        debug_assert_eq!(self.hunks.len(), self.traces.len(), "both are read off the same patch");
        // What the similarity and the ids say changes with every other hunk.
        let is_own = |line: &&str| !line.starts_with("index ") && !line.starts_with("similarity index ");
        let head: String = self.head.lines().filter(is_own).flat_map(|line| [line, "\n"]).collect();
        let units = self.hunks.iter().zip(self.traces).map(|(text, trace)| {
            let content = hash(&[b"hunk", self.path, from, head.as_bytes(), &trace.content]);
            Unit { text, key: UnitKey { content, base, line: trace.line, is_unique: trace.is_unique } }
        });
        units.collect()
    }

    /// A hunk with so many lines more above and below it, as far as they belong to no other hunk. `None` if the content is not at hand.
    pub fn widened(&self, hunk: usize, more: usize) -> Option<String> {
        let content = self.change.content.as_deref().filter(|_| self.can_be_taken_apart())?;
        let text = *self.hunks.get(hunk)?;
        let (header, body) = text.split_once('\n')?;
        let [(old, old_count), (new, new_count)] = ranges(header)?;
        if new == 0 {
            // Nothing is left around it.
            return None;
        }
        let before =
            hunk.checked_sub(1).and_then(|before| self.hunks.get(before)).and_then(|hunk| ends(hunk)).unwrap_or(1);
        let lines: Vec<&[u8]> = content.split_inclusive(|byte| *byte == b'\n').collect();
        let after = self.hunks.get(hunk + 1).and_then(|hunk| ranges(hunk.lines().next()?));
        let last = after.map_or(lines.len() + 1, |[_, (start, _)]| start);
        let above = more.min(new.saturating_sub(before)).min(old.saturating_sub(1));
        let below = more.min(last.saturating_sub(new + new_count));
        // What has no end is the end of its file.
        let below = if body.contains("\n\\ ") || body.starts_with("\\ ") { 0 } else { below };
        let context = |from: usize, count: usize| -> Option<String> {
            let lines = lines.get(from - 1..from - 1 + count)?.iter();
            Some(lines.map(|line| format!(" {}\n", text::block(line.strip_suffix(b"\n").unwrap_or(line)))).collect())
        };
        let title = header.splitn(3, "@@").nth(2).unwrap_or_default();
        let (count, counts) = (above + below, [old_count, new_count]);
        Some(format!(
            "@@ -{},{} +{},{} @@{title}\n{}{body}{}",
            old - above,
            counts[0] + count,
            new - above,
            counts[1] + count,
            context(new - above, above)?,
            context(new + new_count, below)?,
        ))
    }
}

/// The first line and the number of lines of `@@ -1,2 +3,4 @@`, in the old and the new text.
fn ranges(header: &str) -> Option<[(usize, usize); 2]> {
    let (old, rest) = header.strip_prefix("@@ -")?.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let range = |range: &str| {
        let (start, count) = range.split_once(',').unwrap_or((range, "1"));
        Some((start.parse().ok()?, count.parse().ok()?))
    };
    Some([range(old)?, range(new)?])
}

/// The line of the new text behind a hunk.
fn ends(hunk: &str) -> Option<usize> {
    let [_, (start, count)] = ranges(hunk.lines().next()?)?;
    Some(start + count)
}

fn hash(parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part);
    }
    hasher.finalize().into()
}
