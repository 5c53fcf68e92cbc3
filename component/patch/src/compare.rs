//! Compares two sides, and counts changed lines.

use std::borrow::Cow;

use crate::binary::{is_binary, is_too_big};
use crate::change::{Change, Content, Side, is_regular};
use crate::deadline::Interrupted;
use crate::line_diff::LineDiff;
use crate::options::{DiffAttribute, Options};

/// The changed lines of one change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LineCounts {
    /// Lines added; 0 if binary.
    pub added: u64,
    /// Lines removed; 0 if binary.
    pub deleted: u64,
    /// git did not compare the contents line by line.
    pub binary: bool,
}

impl std::ops::AddAssign for LineCounts {
    fn add_assign(&mut self, other: Self) {
        self.added += other.added;
        self.deleted += other.deleted;
        self.binary |= other.binary;
    }
}

/// The outcome of comparing two sides.
pub(crate) enum Comparison<'a> {
    /// Both sides are the same object.
    Same,
    /// At least one side is binary: there are no lines to show.
    Binary,
    /// Two texts. A side that does not exist is an empty text.
    Lines(Cow<'a, [u8]>, Cow<'a, [u8]>),
}

impl<'a> Comparison<'a> {
    /// Compares two sides, one of which may be absent.
    pub(crate) fn of(old: Option<&Side<'a>>, new: Option<&Side<'a>>, rule: TextRule) -> Self {
        if let (Some(old), Some(new)) = (old, new)
            && old.id == new.id
        {
            return Self::Same;
        }
        let text = |side: Option<&Side<'a>>| match side {
            None => Some(Cow::Borrowed(&b""[..])),
            Some(side) => rule.text(side),
        };
        match (text(old), text(new)) {
            (Some(old), Some(new)) => Self::Lines(old, new),
            _ => Self::Binary,
        }
    }
}

/// Which contents are compared line by line.
#[derive(Clone, Copy)]
pub(crate) enum TextRule {
    /// All of them.
    All,
    /// Regular files as the attribute says, everything else by its content.
    By(DiffAttribute),
}

impl TextRule {
    /// The text of a side that is present and not binary.
    fn text<'a>(self, side: &Side<'a>) -> Option<Cow<'a, [u8]>> {
        let text = side.text()?;
        let is_text = match self {
            Self::By(DiffAttribute::Unset) if is_regular(side.mode) => false,
            Self::By(DiffAttribute::Set) if is_regular(side.mode) => !is_too_big(&text),
            Self::By(_) => !is_binary(&text),
            Self::All => !is_too_big(&text),
        };
        is_text.then_some(text)
    }
}

/// The counts that `git diff --numstat` prints. Contents with a NUL are binary whatever
/// [`Options::text`] says. A change of kind compares the two contents directly.
///
/// # Errors
/// [`Interrupted`], if the deadline of the options says so.
pub fn count(change: &Change<'_>, options: &Options<'_>) -> Result<LineCounts, Interrupted> {
    let rule = TextRule::By(options.attribute);
    match Comparison::of(change.old_side(), change.new_side(), rule) {
        // git reads the content even if equal ids already say that nothing changed.
        Comparison::Same => Ok(LineCounts {
            binary: change.new_side().is_some_and(|side| side.content != Content::Absent && rule.text(side).is_none()),
            ..LineCounts::default()
        }),
        Comparison::Binary => Ok(LineCounts { binary: true, ..LineCounts::default() }),
        Comparison::Lines(old, new) => {
            let diff = LineDiff::of(&old, &new, options)?;
            Ok(LineCounts { added: diff.added(), deleted: diff.deleted(), binary: false })
        }
    }
}
