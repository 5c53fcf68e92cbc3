//! How a patch is made and printed.

use std::fmt;

use bstr::{BStr, ByteSlice};
use gix_hash::ObjectId;

use crate::deadline::Deadline;
use crate::function::Driver;

/// The `diff` attribute of a path (`.gitattributes`), so far as it says what is text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DiffAttribute {
    /// No attribute, or one that names a driver: the content decides.
    #[default]
    Unspecified,
    /// `diff`: a text, whatever it holds.
    Set,
    /// `-diff`, as by the macro `binary`: no text, whatever it holds.
    Unset,
}

/// How many hex digits of an id the `index` line shows.
#[derive(Clone, Copy)]
pub enum Abbrev<'a> {
    /// The same number for every id, as with `--abbrev=<n>` where ids are unique at that length.
    Length(usize),
    /// A number for each id: git shows as many as make the id unique in its repository.
    /// The id of an absent side, all zeros, is asked for too.
    Unique(&'a dyn Fn(&ObjectId) -> usize),
    /// All of them (`--full-index`).
    Full,
}

impl Abbrev<'_> {
    /// The abbreviated hex form of `id`.
    pub(crate) fn hex(&self, id: &ObjectId) -> String {
        let mut hex = id.to_string();
        match self {
            Self::Length(length) => hex.truncate(*length),
            Self::Unique(length_of) => hex.truncate(length_of(id)),
            Self::Full => {}
        }
        hex
    }
}

impl fmt::Debug for Abbrev<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(length) => write!(f, "Length({length})"),
            Self::Unique(_) => f.write_str("Unique(..)"),
            Self::Full => f.write_str("Full"),
        }
    }
}

/// The options of a diff. The default is what `git diff` does without configuration.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// Lines of context around a change (`-U<n>`); 3 by default.
    pub context: u32,
    /// The length of ids in the `index` line; 7 digits by default.
    pub abbrev: Abbrev<'a>,
    /// Print every content as lines, binary or not (`--text`), as a reviewer must see it. As in git,
    /// counts (`--stat`) still call binary what is binary.
    pub text: bool,
    /// The attribute of the paths at hand, which counts for regular files. In a patch,
    /// [`Options::text`] goes before it.
    pub attribute: DiffAttribute,
    /// What finds the function name after `@@`: git takes the driver of the old path, or that of the new one if that has no rules.
    pub driver: Driver,
    /// What stands before the old and the new path (`diff.srcPrefix`, `diff.dstPrefix`): `a/`, `b/`.
    pub prefixes: (&'a BStr, &'a BStr),
    /// When to stop.
    pub deadline: Deadline<'a>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            context: 3,
            abbrev: Abbrev::Length(7),
            text: false,
            attribute: DiffAttribute::Unspecified,
            driver: Driver::Default,
            prefixes: (b"a/".as_bstr(), b"b/".as_bstr()),
            deadline: Deadline::none(),
        }
    }
}
