//! Two sides brought to comparison, and the counts of changed lines.

use std::borrow::Cow;

use crate::binary::{is_binary, is_too_big};
use crate::change::{Change, Content, Side, is_regular};
use crate::deadline::Interrupted;
use crate::line_diff::LineDiff;
use crate::options::{DiffAttribute, Options};

/// The changed lines of one change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LineCounts {
    /// Lines put in; 0 if binary.
    pub added: u64,
    /// Lines taken out; 0 if binary.
    pub deleted: u64,
    /// The contents were not compared line by line.
    pub binary: bool,
}

impl std::ops::AddAssign for LineCounts {
    fn add_assign(&mut self, other: Self) {
        self.added += other.added;
        self.deleted += other.deleted;
        self.binary |= other.binary;
    }
}

/// What a comparison of two sides comes to.
pub(crate) enum Comparison<'a> {
    /// Both sides are the same object.
    Same,
    /// No lines to show.
    Binary,
    /// Two texts, of which one that does not exist is empty.
    Lines(Cow<'a, [u8]>, Cow<'a, [u8]>),
}

impl<'a> Comparison<'a> {
    /// Brings the two sides, one of which may not exist, to comparison.
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

/// What decides whether a content is compared line by line.
#[derive(Clone, Copy)]
pub(crate) enum TextRule {
    /// Everything is.
    All,
    /// A regular file by the attribute, all else by its content.
    By(DiffAttribute),
}

impl TextRule {
    /// The text of a side that is here and not binary.
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

/// The counts that `git diff --numstat` prints: contents with a NUL are binary whatever
/// [`Options::text`] says, and a change of kind compares the two contents as they are.
///
/// # Errors
/// [`Interrupted`], if the deadline of the options says so.
pub fn count(change: &Change<'_>, options: &Options<'_>) -> Result<LineCounts, Interrupted> {
    let rule = TextRule::By(options.attribute);
    match Comparison::of(change.old_side(), change.new_side(), rule) {
        // git looks at the content even where the ids say that it is the same.
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
