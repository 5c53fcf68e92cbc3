//! How a file's bytes are read: the one reading that a review shows and the search for secrets covers.
//!
//! Git shows no text of a file with a NUL in its first 8000 bytes, but programs run it all the same. No ratio of bytes decides whether a
//! person sees anything, because the file's author controls ratios.

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
/// In a larger file, runs of the shortest length occur in any noise, so they are not shown unless the name says that the file is text.
const SMALL: usize = 16 << 10;

/// A person's reading of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reading<'a> {
    /// The text that git shows too.
    Text(&'a [u8]),
    /// Git takes it for binary. The review shows it line by line, with `\xNN` for every byte that is not text.
    Disguised(&'a [u8]),
    /// Git takes it for binary. It is text in another encoding, here converted to UTF-8, followed by the text readable in the bytes
    /// themselves.
    Encoded {
        /// The encoding.
        encoding: Encoding,
        /// The text.
        text: Vec<u8>,
        /// Whether the bytes themselves read as another text.
        is_double: bool,
    },
    /// Git takes it for binary. The review shows only its runs of printable characters, one on each line.
    Runs {
        /// The lines.
        text: Vec<u8>,
        /// The length of the shortest shown run, in characters.
        shortest: usize,
    },
}

impl<'a> Reading<'a> {
    /// Reads `content`. `is_expected` says that it must be text: by its name, or because it was text before.
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

    /// The lines to show.
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

    /// Whether different programs read different texts in it, or a file that is not text by its name starts like one.
    pub fn is_double(&self) -> bool {
        matches!(self, Reading::Encoded { is_double: true, .. })
    }

    /// Whether only a part of it is shown.
    pub fn is_partial(&self) -> bool {
        matches!(self, Reading::Runs { .. })
    }

    /// The original encoding of a text shown in UTF-8.
    pub fn encoding(&self) -> Option<Encoding> {
        match self {
            Reading::Encoded { encoding, .. } => Some(*encoding),
            _ => None,
        }
    }

    /// A note on the reading, if git reads the file in another way.
    pub fn note(&self) -> Option<String> {
        match self {
            Reading::Text(_) | Reading::Disguised(_) => None,
            Reading::Encoded { encoding, .. } => Some(format!("Binary to git, shown as {}", encoding.name())),
            Reading::Runs { shortest, .. } => {
                Some(format!("Binary, of which only runs of {shortest} and more characters are shown"))
            }
        }
    }

    /// The texts to search for secrets, each with whether its names tell what values are. They include everything shown.
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
