//! Who decided and how, and texts from outside as the log stores them.

use serde::{Deserialize, Serialize};

/// A text from outside, cut to [`Brief::MOST`] bytes. It is stored unescaped: whoever prints it
/// must escape it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Brief(String);

impl Brief {
    /// Bytes of the longest text that a line of the log keeps.
    pub const MOST: usize = 1000;

    /// Cuts a text to the length limit and marks the cut.
    pub fn of(text: &str) -> Self {
        const MORE: &str = "…";
        if text.len() <= Self::MOST {
            return Brief(text.to_owned());
        }
        let kept = &text[..text.floor_char_boundary(Self::MOST - MORE.len())];
        Brief(format!("{kept}{MORE}"))
    }

    /// The stored text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// How a decision was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// The person answered a prompt.
    Prompt,
    /// The person gave the digest of the reviewed push.
    Digest,
    /// The person's configuration approves without asking.
    Unattended,
    /// The person's own command decided.
    Command,
    /// A rule that the person wrote decided.
    Rule {
        /// The rule's name.
        name: Brief,
    },
}

/// Who made a decision, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decided {
    /// The user, as the operating system names them.
    pub by: Brief,
    /// How they said it.
    pub how: How,
}
