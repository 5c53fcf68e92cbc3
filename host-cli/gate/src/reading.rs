//! What the bytes of a file say: the one reading that a review shows, and in which secrets are searched.
//!
//! Git shows no text of a file with a NUL in its first 8000 bytes, and programs run it all the same. No share of bytes decides here
//! whether a person sees anything: whoever writes a file decides about shares.

mod disguise;
mod encoding;
mod named;
mod runs;

use std::borrow::Cow;

pub(crate) use disguise::{has_inner_ends, starts_plainly};
pub(crate) use encoding::Encoding;
pub(crate) use named::{Named, named};

use crate::{format::tree::Mode, text};

/// A larger file that git takes for binary is not shown byte by byte.
const WHOLE: usize = 1 << 20;
/// A larger one is not searched for the shortest runs, which stand in any noise, unless its name says that it is text.
const SMALL: usize = 16 << 10;

/// What a person reads of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reading<'a> {
    /// What git shows as well.
    Text(&'a [u8]),
    /// Git takes it for binary. It is shown line by line, with every byte that is no text as `\xNN`.
    Disguised(&'a [u8]),
    /// Git takes it for binary. It is a text in another encoding, here in UTF-8, and behind it what can be read in its bytes themselves.
    Encoded {
        /// The encoding.
        encoding: Encoding,
        /// The text.
        text: Vec<u8>,
        /// Whether its bytes themselves can be read as something else.
        is_double: bool,
    },
    /// Git takes it for binary. Only its runs of printable characters are shown, a line each.
    Runs {
        /// The lines.
        text: Vec<u8>,
        /// The fewest characters of a run that is shown.
        shortest: usize,
    },
}

impl<'a> Reading<'a> {
    /// Reads `content`. `is_expected` says that it has to be text: by its name, or because it was text before.
    pub fn of(content: &'a [u8], mode: Mode, is_expected: bool) -> Self {
        if !text::is_binary(content) {
            return Reading::Text(content);
        }
        if let Some(encoding) = Encoding::of(content) {
            let mut text = encoding.decode(content);
            let is_double = runs::append(content, encoding, &mut text);
            return Reading::Encoded { encoding, text, is_double };
        }
        let may_be_whole = content.len() <= WHOLE;
        if is_expected && may_be_whole || disguise::disguised(mode, content) {
            return Reading::Disguised(content);
        }
        let is_searched = is_expected || disguise::starts_plainly(content);
        let shortest = if is_searched || content.len() <= SMALL { runs::SHORTEST } else { runs::RARE };
        Reading::Runs { text: runs::of(content, shortest, !is_searched), shortest }
    }

    /// The lines that are shown.
    pub fn text(&self) -> &[u8] {
        match self {
            Reading::Text(text) | Reading::Disguised(text) => text,
            Reading::Encoded { text, .. } | Reading::Runs { text, .. } => text,
        }
    }

    /// Whether git shows no text of it.
    pub fn is_hidden_by_git(&self) -> bool {
        !matches!(self, Reading::Text(_))
    }

    /// Whether it says one thing to some programs and another to others, or is no text by its name and begins as one.
    pub fn is_double(&self) -> bool {
        matches!(self, Reading::Encoded { is_double: true, .. })
    }

    /// Whether only a part of it is shown.
    pub fn is_partial(&self) -> bool {
        matches!(self, Reading::Runs { .. })
    }

    /// The encoding of a text that is shown in UTF-8.
    pub fn encoding(&self) -> Option<Encoding> {
        match self {
            Reading::Encoded { encoding, .. } => Some(*encoding),
            _ => None,
        }
    }

    /// How it was read, where that is not as git reads it.
    pub fn note(&self) -> Option<String> {
        match self {
            Reading::Text(_) | Reading::Disguised(_) => None,
            Reading::Encoded { encoding, .. } => Some(format!("Binary to git, shown as {}", encoding.name())),
            Reading::Runs { shortest, .. } => {
                Some(format!("Binary, of which only runs of {shortest} and more characters are shown"))
            }
        }
    }

    /// The texts in which secrets are searched, and whether a name there tells what is assigned to it. They hold all that is shown.
    pub fn searched(&self, content: &'a [u8]) -> Vec<(Cow<'_, [u8]>, bool)> {
        match self {
            Reading::Text(text) => {
                let marked = Encoding::marked(text).map(|encoding| (Cow::Owned(encoding.decode(text)), true));
                marked.into_iter().chain([(Cow::Borrowed(*text), true)]).collect()
            }
            Reading::Disguised(text) => vec![(Cow::Borrowed(*text), true)],
            Reading::Encoded { text, .. } => vec![(Cow::Borrowed(text), true)],
            Reading::Runs { .. } => vec![(Cow::Borrowed(content), false)],
        }
    }
}

#[cfg(test)]
mod tests;
