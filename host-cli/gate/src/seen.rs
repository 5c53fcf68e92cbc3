//! What a person has looked at in the pushes to one branch, and what is new since then.
//!
//! A mark is bound to the bytes of a hunk and to its place. What changed since is never counted as seen: not another byte, and not the same
//! bytes at another place.

use std::collections::HashMap;

use bstr::ByteSlice;
use gix_hash::ObjectId;
use patch::{Change, Content};
use serde::{Deserialize, Serialize};

use crate::hex;
use crate::id::Nonce;
use crate::ledger::line;
use crate::review::{ListedFile, Side, UnitKey, hunk_lines};
use crate::text;
use crate::time::Timestamp;

/// The most marks that are kept, and the most bytes of what they have seen. The oldest go first: what they had seen is new again.
const MOST: usize = 20_000;
const MOST_BYTES: usize = 8 << 20;
/// A file with more pairs of hunks than that is not searched for what a hunk was before.
const PAIRS: usize = 10_000;
/// The most bytes that are compared for that.
const PAIR_BYTES: usize = 64 << 20;

/// A hunk that a person has looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mark {
    /// The file.
    pub path: String,
    #[serde(with = "hex::bytes32")]
    content: [u8; 32],
    #[serde(with = "line::optional_id")]
    base: Option<ObjectId>,
    line: u64,
    unique: bool,
    /// What was shown, escaped for a terminal.
    pub text: String,
    /// Who looked at it.
    pub by: String,
    /// When.
    pub at: Timestamp,
    /// The push that it leaves with, once that was approved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    leaves: Option<Nonce>,
}

impl Mark {
    /// What it was that was looked at.
    pub fn key(&self) -> UnitKey {
        UnitKey { content: self.content, base: self.base, line: self.line, is_unique: self.unique }
    }
}

/// What has been looked at, the latest last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seen {
    marks: Vec<Mark>,
}

/// What a hunk is to who has looked at an earlier push.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State<'a> {
    /// Nobody has seen it.
    New,
    /// This was there, and was seen.
    Changed(&'a Mark),
    /// It was seen as it is.
    Same(&'a Mark),
}

impl State<'_> {
    /// Whether it was seen as it is.
    pub fn is_same(&self) -> bool {
        matches!(self, State::Same(_))
    }
}

/// A push, compared with what was seen.
#[derive(Clone, Debug)]
pub struct Since<'a> {
    /// For each file, the state of each of its units.
    pub states: Vec<Vec<State<'a>>>,
    /// What was seen and is not part of the push any more.
    pub gone: Vec<&'a Mark>,
}

impl Seen {
    /// Whether nothing was looked at.
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// Marks a unit of a file as seen.
    pub fn add(&mut self, path: &str, key: UnitKey, text: &str, by: &str, at: Timestamp) {
        self.remove(&[key]);
        self.push(path, key, text, by, at);
        self.bound();
    }

    /// Marks units of files as seen, each with its path and text.
    pub fn add_all<'a>(&mut self, units: impl Iterator<Item = (&'a str, UnitKey, &'a str)>, by: &str, at: Timestamp) {
        let units: Vec<_> = units.collect();
        self.remove(&units.iter().map(|(_, key, _)| *key).collect::<Vec<_>>());
        units.into_iter().for_each(|(path, key, text)| self.push(path, key, text, by, at));
        self.bound();
    }

    fn push(&mut self, path: &str, key: UnitKey, text: &str, by: &str, at: Timestamp) {
        let UnitKey { content, base, line, is_unique } = key;
        // A page gives it back as it was shown to it, and nothing here can know that.
        let (path, text, by) = (path.to_owned(), text::block(text.as_bytes()), by.to_owned());
        self.marks.push(Mark { path, content, base, line, unique: is_unique, text, by, at, leaves: None });
    }

    /// Takes the marks off these units.
    pub fn remove(&mut self, keys: &[UnitKey]) {
        let mut by_content: HashMap<[u8; 32], Vec<&UnitKey>> = HashMap::new();
        keys.iter().for_each(|key| by_content.entry(key.content).or_default().push(key));
        let is_one =
            |mark: &Mark| by_content.get(&mark.content).is_some_and(|keys| keys.iter().any(|key| mark.key().is(key)));
        self.marks.retain(|mark| !is_one(mark));
    }

    /// Notes that the marks on files for which `leaves` says so leave with an approved push.
    pub fn leave(&mut self, nonce: Nonce, leaves: impl Fn(&str) -> bool) {
        self.marks.iter_mut().filter(|mark| leaves(&mark.path)).for_each(|mark| mark.leaves = Some(nonce));
    }

    /// Forgets what left with this push: it is a part of the target now. Says whether there was anything.
    pub fn landed(&mut self, nonce: Nonce) -> bool {
        let before = self.marks.len();
        self.marks.retain(|mark| mark.leaves != Some(nonce));
        self.marks.len() < before
    }

    fn bound(&mut self) {
        let bytes = |mark: &Mark| mark.text.len() + mark.path.len();
        let mut all: usize = self.marks.iter().map(bytes).sum();
        let mut surplus = self.marks.len().saturating_sub(MOST);
        let over = self.marks.iter().take_while(|mark| {
            let goes = surplus > 0 || all > MOST_BYTES;
            surplus = surplus.saturating_sub(1);
            all -= bytes(mark);
            goes
        });
        let over = over.count();
        self.marks.drain(..over);
    }

    /// Compares these files with what was seen.
    pub fn compare(&self, files: &[ListedFile<'_>]) -> Since<'_> {
        if self.is_empty() {
            let states = files.iter().map(|file| vec![State::New; file.hunks.len().max(1)]).collect();
            return Since { states, gone: Vec::new() };
        }
        let mut by_content: HashMap<[u8; 32], Vec<usize>> = HashMap::new();
        for (at, mark) in self.marks.iter().enumerate() {
            by_content.entry(mark.content).or_default().push(at);
        }
        // Which of them are there as they were, and which of these in the difference to the target.
        let mut is_used = vec![false; self.marks.len()];
        let mut is_taken = vec![false; self.marks.len()];
        let units: Vec<_> = files.iter().map(ListedFile::units).collect();
        let mut states: Vec<Vec<State<'_>>> = Vec::with_capacity(files.len());
        for (file, units) in files.iter().zip(&units) {
            let mut state = |key: &UnitKey| {
                let found = by_content.get(&key.content)?.iter().find(|at| self.marks[**at].key().is(key))?;
                is_used[*found] = true;
                is_taken[*found] |= file.commit.is_none();
                Some(State::Same(&self.marks[*found]))
            };
            states.push(units.iter().map(|unit| state(&unit.key).unwrap_or(State::New)).collect());
        }
        let mut stale: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, mark) in self.marks.iter().enumerate().filter(|(at, _)| !is_taken[*at]) {
            stale.entry(&mark.path).or_default().push(at);
        }
        // What was seen and is in a commit in between now, was mended after that.
        let mended = files.iter().zip(&units).zip(&mut states).filter(|((file, _), _)| file.commit.is_none());
        for ((file, units), states) in mended {
            let paths = [Some(file.path), file.from].into_iter().flatten();
            let before: Vec<usize> =
                paths.filter_map(|path| stale.get(&*path.to_str_lossy())).flatten().copied().collect();
            let new: Vec<usize> = (0..units.len()).filter(|at| states[*at] == State::New).collect();
            let bytes = before.iter().map(|mark| self.marks[*mark].text.len()).sum::<usize>() * new.len()
                + new.iter().map(|unit| units[*unit].text.len()).sum::<usize>() * before.len();
            if before.is_empty() || before.len() * new.len() > PAIRS || bytes > PAIR_BYTES {
                continue;
            }
            let mut pairs: Vec<(usize, usize, usize)> = Vec::new();
            for unit in &new {
                let alike = before.iter().map(|mark| {
                    let likeness = likeness(&self.marks[*mark], units[*unit].key, units[*unit].text);
                    (likeness, *unit, *mark)
                });
                pairs.extend(alike.filter(|(likeness, ..)| *likeness > 0));
            }
            // The most alike first; among equals, the first of the file and the latest mark.
            patch::sort::sort_by_key(&mut pairs, |(likeness, unit, mark)| {
                (std::cmp::Reverse(*likeness), *unit, std::cmp::Reverse(*mark))
            });
            for (_, unit, mark) in pairs {
                if states[unit] == State::New && !is_taken[mark] {
                    states[unit] = State::Changed(&self.marks[mark]);
                    (is_taken[mark], is_used[mark]) = (true, true);
                }
            }
        }
        let gone = self.marks.iter().enumerate().filter(|(at, _)| !is_used[*at]).map(|(_, mark)| mark).collect();
        Since { states, gone }
    }
}

/// How much a hunk looks like what was seen: 0 if it is another one.
fn likeness(before: &Mark, key: UnitKey, text: &str) -> usize {
    let (was, now) = (hunk_lines(&before.text), hunk_lines(text));
    let span = |lines: &[crate::review::HunkLine<'_>]| {
        let mut numbers = lines.iter().filter_map(|line| line.old);
        let first = numbers.next()?;
        Some((first, numbers.next_back().unwrap_or(first)))
    };
    let overlaps = match (span(&was), span(&now)) {
        (Some(was), Some(now)) => before.base == key.base && was.0 <= now.1 && now.0 <= was.1,
        // A file that is new both times, or changes that have no lines.
        _ => before.base == key.base,
    };
    let mut counts: HashMap<&str, usize> = HashMap::new();
    was.iter().for_each(|line| *counts.entry(line.text).or_default() += 1);
    let common = now.iter().filter(|line| match counts.get_mut(line.text) {
        Some(left) if *left > 0 => {
            *left -= 1;
            true
        }
        _ => false,
    });
    let common = common.count();
    match overlaps {
        true => 1 + common,
        false if common * 2 >= was.len().min(now.len()).max(2) => common,
        false => 0,
    }
}

/// Whether what was seen of a hunk and what is there now take the same lines away. If not, their [`interdiff`] does not say all that is new.
pub fn takes_the_same(before: &str, now: &str) -> bool {
    let old = |text| {
        let lines = hunk_lines(text).into_iter().filter(|line| line.new.is_none());
        lines.map(|line| line.text.to_owned()).collect::<Vec<_>>()
    };
    old(before) == old(now)
}

/// The difference between what was seen of a hunk and what is there now: the lines of a patch of the text that both would lead to, without
/// headers. Empty if only the old text, or what is around, has changed.
pub fn interdiff(before: &str, now: &str) -> String {
    let new_side = |text: &str| -> String {
        let lines = hunk_lines(text);
        match lines.is_empty() {
            // What has no lines is compared as it is.
            true => text.to_owned(),
            false => {
                lines.iter().filter(|line| line.on(Side::New).is_some()).flat_map(|line| [line.text, "\n"]).collect()
            }
        }
    };
    let (before, now) = (new_side(before), new_side(now));
    // Their ids say that they differ, and are shown to nobody.
    let side = |text, id| patch::Side {
        path: b"hunk".as_bstr(),
        mode: 0o100_644,
        id: ObjectId::from_bytes_or_panic(&[id; 20]),
        content: Content::Bytes(str::as_bytes(text)),
    };
    let change = Change::Modify { old: side(&before, 1), new: side(&now, 2) };
    let patch = text::unified(&change, true, u64::MAX).map(|unified| unified.patch).unwrap_or_default();
    let lines = patch.lines().skip_while(|line| !line.starts_with("@@ "));
    lines.filter(|line| !line.starts_with("@@ ") && !line.starts_with('\\')).flat_map(|line| [line, "\n"]).collect()
}
