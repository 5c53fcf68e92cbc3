//! Who decided, and how; and texts from outside, as the log keeps them.

use serde::{Deserialize, Serialize};

/// A text from outside, at most [`Brief::MOST`] bytes of it. It is kept as it came: whoever shows it escapes it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Brief(String);

impl Brief {
    /// Bytes of the longest text that a line of the log keeps.
    pub const MOST: usize = 1000;

    /// The text, or as much of it as is kept, with a sign that there was more.
    pub fn of(text: &str) -> Self {
        const MORE: &str = "…";
        if text.len() <= Self::MOST {
            return Brief(text.to_owned());
        }
        let kept = &text[..text.floor_char_boundary(Self::MOST - MORE.len())];
        Brief(format!("{kept}{MORE}"))
    }

    /// What is kept of it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// How somebody has said what they decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// They were asked, and answered.
    Prompt,
    /// They named the digest of what they had been shown.
    Digest,
    /// They had said beforehand that nobody need be asked.
    Unattended,
    /// Their own command said it.
    Command,
    /// A rule that they had written decided.
    Rule {
        /// The rule's name.
        name: Brief,
    },
}

/// Somebody's decision, but for what it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decided {
    /// The user, as the operating system names them.
    pub by: Brief,
    /// How they said it.
    pub how: How,
}
