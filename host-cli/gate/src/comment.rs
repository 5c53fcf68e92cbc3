//! What a person says about a push, at which place, and what became of it.
//!
//! A comment is bound to the text that it is about: in a later push it stands where that text stands, or nowhere.

use std::borrow::Borrow;

use bstr::ByteSlice;
use gix_hash::ObjectId;
use serde::{Deserialize, Serialize};

use crate::error::{Fault, FaultKind};
use crate::id::Nonce;
use crate::ledger::line;
use crate::review::{HunkLine, ListedFile, Side, hunk_lines};
use crate::time::Timestamp;

/// The most bytes of a comment, or of an answer to it.
pub const TEXT_BYTES: usize = 16 << 10;
/// The most lines that a comment can be about.
pub const LINES: usize = 500;
/// The most characters of each that are kept.
const LINE_CHARS: usize = 500;
/// The lines before and after those that a comment is about, by which they are found again.
const AROUND: usize = 3;

/// What a comment is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "on", rename_all = "camelCase", deny_unknown_fields)]
pub enum Place {
    /// The whole push.
    Push,
    /// A file, by its path from the top of the repository.
    File {
        /// The path.
        path: String,
    },
    /// Some lines of a file.
    Lines {
        /// The path.
        path: String,
        /// Which text they are of.
        side: Side,
        /// The first of them, from 1.
        first: u32,
        /// The last of them.
        last: u32,
        /// The lines themselves, escaped for a terminal.
        #[serde(default)]
        lines: Vec<String>,
        /// The lines before them.
        #[serde(default)]
        before: Vec<String>,
        /// The lines after them.
        #[serde(default)]
        after: Vec<String>,
    },
}

impl Place {
    /// The file that it is about.
    pub fn path(&self) -> Option<&str> {
        match self {
            Place::Push => None,
            Place::File { path } | Place::Lines { path, .. } => Some(path),
        }
    }

    /// The place in a line, for a person: `src/a.rs:12-14`, `src/a.rs:12 (old)`.
    pub fn line(&self) -> String {
        match self {
            Place::Push => "the whole push".to_owned(),
            Place::File { path } => crate::text::path(path.as_bytes()),
            Place::Lines { path, side, first, last, .. } => {
                let path = crate::text::path(path.as_bytes());
                let old = if *side == Side::Old { " (old)" } else { "" };
                if first == last { format!("{path}:{first}{old}") } else { format!("{path}:{first}-{last}{old}") }
            }
        }
    }

    /// These lines of a file as its patch shows them, with what is around them.
    ///
    /// # Errors
    /// [`FaultKind::BadComment`] if the patch does not show them all, or they are too many.
    pub fn of_lines(file: &ListedFile<'_>, side: Side, first: u32, last: u32) -> Result<Self, Fault> {
        let wrong =
            |what: String| Err(Fault::new(FaultKind::BadComment, what).with_hint("name lines that the review shows"));
        let path = file.path.to_string();
        if first == 0 || last < first {
            return wrong(format!("lines {first} to {last} are none"));
        }
        if (last - first) as usize >= LINES {
            return wrong(format!("a comment is about at most {LINES} lines"));
        }
        for hunk in &file.hunks {
            let on: Vec<HunkLine<'_>> = hunk_lines(hunk).into_iter().filter(|line| line.on(side).is_some()).collect();
            let at = |number: u32| on.iter().position(|line| line.on(side) == Some(number));
            if let (Some(begin), Some(end)) = (at(first), at(last)) {
                let texts = |lines: &[HunkLine<'_>]| lines.iter().map(|line| kept(line.text)).collect();
                return Ok(Place::Lines {
                    path,
                    side,
                    first,
                    last,
                    lines: texts(&on[begin..=end]),
                    before: texts(&on[begin.saturating_sub(AROUND)..begin]),
                    after: texts(&on[end + 1..on.len().min(end + 1 + AROUND)]),
                });
            }
        }
        wrong(format!(
            "no change of the push shows {}",
            Place::Lines { path, side, first, last, lines: Vec::new(), before: Vec::new(), after: Vec::new() }.line()
        ))
    }

    /// The same with no more of each line than is kept, and as a screen may show it: as it comes from somewhere else.
    ///
    /// # Errors
    /// [`FaultKind::BadComment`] if they are too many, or none.
    pub fn checked(self) -> Result<Self, Fault> {
        let Place::Lines { path, side, first, last, lines, before, after } = self else { return Ok(self) };
        if first == 0 || last < first || (last - first) as usize >= LINES || lines.len() > LINES {
            return Err(Fault::new(FaultKind::BadComment, "the comment is about no lines, or about too many")
                .with_hint(format!("name at most {LINES} lines, the first one first")));
        }
        let shown = |lines: Vec<String>, most: usize| -> Vec<String> {
            let shown = |line: &String| kept(&crate::text::block(line.as_bytes()).replace('\n', "\\n"));
            lines.iter().take(most).map(shown).collect()
        };
        let (lines, before, after) = (shown(lines, LINES), shown(before, AROUND), shown(after, AROUND));
        Ok(Place::Lines { path, side, first, last, lines, before, after })
    }

    /// The same lines in these files, which may be of a later push: those with the same text around, and of these the nearest ones. What only
    /// a commit in between has counts only if nothing else has them. `None` if they are not shown, or the comment is not about lines.
    pub fn find<'f>(&self, files: &[impl Borrow<ListedFile<'f>>]) -> Option<Spot> {
        self.find_in(files, false).or_else(|| self.find_in(files, true))
    }

    fn find_in<'f>(&self, files: &[impl Borrow<ListedFile<'f>>], is_between: bool) -> Option<Spot> {
        let Place::Lines { path, side, first, lines, before, after, .. } = self else { return None };
        if lines.is_empty() {
            return None;
        }
        let mut best: Option<(usize, u32, Spot)> = None;
        for (number, file) in files.iter().map(Borrow::borrow).enumerate() {
            if !is_at(file, path) || file.commit.is_some() != is_between {
                continue;
            }
            for hunk in &file.hunks {
                let on: Vec<HunkLine<'_>> =
                    hunk_lines(hunk).into_iter().filter(|line| line.on(*side).is_some()).collect();
                let is = |at: usize, text: &String| on.get(at).is_some_and(|line| is_kept(line.text, text));
                for begin in 0..(on.len() + 1).saturating_sub(lines.len()) {
                    if !lines.iter().enumerate().all(|(at, text)| is(begin + at, text)) {
                        continue;
                    }
                    let end = begin + lines.len();
                    let above =
                        before.iter().rev().enumerate().filter(|(at, text)| begin > *at && is(begin - 1 - at, text));
                    let below = after.iter().enumerate().filter(|(at, text)| is(end + at, text));
                    let around = above.count() + below.count();
                    let Some((from, to)) = on[begin].on(*side).zip(on[end - 1].on(*side)) else { continue };
                    let distance = from.abs_diff(*first);
                    // A brace stands in many places.
                    let is_known = around > 0 || distance == 0 || before.is_empty() && after.is_empty();
                    if is_known && best.is_none_or(|(most, least, _)| (around, least) > (most, distance)) {
                        best = Some((around, distance, Spot { file: number, side: *side, first: from, last: to }));
                    }
                }
            }
        }
        best.map(|(.., spot)| spot)
    }
}

fn is_at(file: &ListedFile<'_>, path: &str) -> bool {
    [Some(file.path), file.from].into_iter().flatten().any(|named| named.to_str_lossy() == path)
}

/// Whether this is what is kept of a line.
fn is_kept(line: &str, kept: &str) -> bool {
    line == kept || line.len() > LINE_CHARS && kept.chars().eq(line.chars().take(LINE_CHARS))
}

fn kept(line: &str) -> String {
    line.chars().take(LINE_CHARS).collect()
}

/// Where the lines of a comment are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The file, by its place among those that were searched.
    pub file: usize,
    /// Which text they are of.
    pub side: Side,
    /// The first of them, from 1.
    pub first: u32,
    /// The last of them.
    pub last: u32,
}

/// How much a comment asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Weight {
    /// It has to be answered before the push is approved.
    Must,
    /// It is worth knowing.
    Note,
}

impl Weight {
    /// Its name for programs and persons.
    pub fn name(self) -> &'static str {
        match self {
            Weight::Must => "must",
            Weight::Note => "note",
        }
    }
}

/// A comment on a push.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Comment {
    /// Sixteen hex digits.
    pub id: String,
    /// The head of the push that it was made on.
    #[serde(with = "line::id")]
    pub commit: ObjectId,
    /// What it is about.
    pub place: Place,
    /// How much it asks for.
    pub weight: Weight,
    /// What it says.
    pub text: String,
    /// Whose it is.
    pub by: String,
    /// When it was made.
    pub at: Timestamp,
    /// Whether the agent has been told of it.
    pub sent: bool,
    /// What was said to it, in order.
    pub replies: Vec<Reply>,
    /// Who settled it, and when.
    pub settled: Option<Settled>,
    /// The approved push that settles it when it lands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leaves: Option<Nonce>,
}

impl Comment {
    /// Whether it is still open.
    pub fn is_open(&self) -> bool {
        self.settled.is_none()
    }
}

/// An answer to a comment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    /// Whose it is.
    pub by: String,
    /// Whether it is the agent's.
    pub agent: bool,
    /// What it says.
    pub text: String,
    /// When.
    pub at: Timestamp,
}

/// How a comment was settled, which only a person can do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settled {
    /// Who settled it.
    pub by: String,
    /// When.
    pub at: Timestamp,
}

/// The commit that a comment is made on, by its full id.
///
/// # Errors
/// [`FaultKind::BadComment`] if it is none.
pub fn commit(hex: &str) -> Result<ObjectId, Fault> {
    ObjectId::from_hex(hex.as_bytes()).map_err(|_| {
        Fault::new(FaultKind::BadComment, "the commit is no object id")
            .with_hint("give the head of the push that was looked at")
    })
}

/// What a person or an agent wrote, without blanks around it.
///
/// # Errors
/// [`FaultKind::BadComment`] if nothing is left, or more than [`TEXT_BYTES`].
pub fn text(text: &str) -> Result<String, Fault> {
    let text = text.trim_end().trim_start_matches(['\n', '\r']);
    let wrong = |what: &str, hint: &str| Err(Fault::new(FaultKind::BadComment, what).with_hint(hint));
    if text.trim().is_empty() {
        return wrong("the comment is empty", "say what is to change");
    }
    if text.len() > TEXT_BYTES {
        return wrong("the comment has more than 16 KiB", "make it shorter, or split it");
    }
    Ok(text.to_owned())
}
