//! Parses `--format`.

use super::item::{Item, Kind};
use super::layout::Layout;
use super::parse::items;
use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::words::dates::DateForm;

/// A pretty format.
#[derive(Clone, Debug)]
pub enum Format {
    /// One of git's named formats.
    Named(Layout),
    /// `--oneline`: like the named format, with a short id.
    Short,
    /// A format with placeholders.
    User {
        /// Text and placeholders, in order.
        items: Vec<Item>,
        /// Whether a line feed ends each entry (`tformat`) or separates entries.
        ends: bool,
        /// The date form of `%ad` and `%cd`.
        date: DateForm,
    },
}

/// The names in git's order. A prefix means the shortest matching name, or the first one of equal length.
const NAMES: &[(&str, Option<Layout>)] = &[
    ("raw", Some(Layout::Raw)),
    ("medium", Some(Layout::Medium)),
    ("short", Some(Layout::Short)),
    ("email", Some(Layout::Email)),
    ("mboxrd", Some(Layout::Mboxrd)),
    ("fuller", Some(Layout::Fuller)),
    ("full", Some(Layout::Full)),
    ("oneline", Some(Layout::Oneline)),
    ("reference", None),
];

/// Size limit of a format, in bytes: that of one command argument in Linux.
const LONGEST: usize = 128 << 10;

/// The expansion of the name `reference`.
const REFERENCE: &str = "%C(auto)%h (%s, %ad)";

impl Format {
    /// Parses `text`, the value of `--format`.
    ///
    /// # Errors
    ///
    /// In git's words, if it is not a known name and has no placeholder. Also if it is longer than
    /// a command's argument can be, or if time runs out.
    pub fn parse(text: &str, deadline: &Deadline) -> Result<Format, ToolError> {
        if text.len() > LONGEST {
            return Err(ToolError::bad_args(format!("format is longer than {LONGEST} bytes"))
                .hint("Use a shorter format. Git itself accepts no longer one."));
        }
        let user = |text: &str, ends| -> Result<Format, ToolError> {
            Ok(Format::User { items: items(text, deadline)?, ends, date: DateForm::Default })
        };
        if let Some(text) = text.strip_prefix("format:") {
            return user(text, false);
        }
        if let Some(text) = text.strip_prefix("tformat:") {
            return user(text, true);
        }
        if text.is_empty() || text.contains('%') {
            return user(text, true);
        }
        let sought = text.to_ascii_lowercase();
        let named = NAMES.iter().filter(|(name, _)| name.starts_with(&sought)).min_by_key(|(name, _)| name.len());
        match named {
            Some((_, Some(layout))) => Ok(Format::Named(*layout)),
            Some((_, None)) => {
                Ok(Format::User { items: items(REFERENCE, deadline)?, ends: true, date: DateForm::Short })
            }
            None => Err(ToolError::bad_args(format!("fatal: invalid --pretty format: {text}")).hint(
                "Use oneline, short, medium, full, fuller, reference, email, mboxrd or raw, or placeholders such \
                 as %h %s.",
            )),
        }
    }

    /// Whether a line feed ends each entry, instead of separating entries.
    pub fn ends(&self) -> bool {
        match self {
            Format::Named(layout) => *layout == Layout::Oneline,
            Format::Short => true,
            Format::User { ends, .. } => *ends,
        }
    }

    /// Whether the format is empty.
    pub fn is_empty(&self) -> bool {
        matches!(self, Format::User { items, .. } if items.is_empty())
    }

    /// Whether the format itself prints notes (`%N`).
    pub fn has_notes(&self) -> bool {
        matches!(self, Format::User { items, .. } if items.iter().any(|item| matches!(item.kind, Kind::Note)))
    }

    /// Whether the format is a single line, so no blank line comes before a diff.
    pub fn is_oneline(&self) -> bool {
        matches!(self, Format::Short | Format::Named(Layout::Oneline))
    }

    pub(super) fn date(&self) -> DateForm {
        match self {
            Format::User { date, .. } => *date,
            _ => DateForm::Default,
        }
    }
}
