//! How a patch is computed and printed.

use std::fmt;

use bstr::{BStr, ByteSlice};
use gix_hash::ObjectId;

use crate::deadline::Deadline;
use crate::function::Driver;

/// What the `diff` attribute of a path (`.gitattributes`) says about text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DiffAttribute {
    /// No attribute, or one that names a driver: the content decides.
    #[default]
    Unspecified,
    /// `diff`: always text.
    Set,
    /// `-diff`, also through the macro `binary`: never text.
    Unset,
}

/// How many hex digits of an id the `index` line shows.
#[derive(Clone, Copy)]
pub enum Abbrev<'a> {
    /// The same number for every id, as with `--abbrev=<n>` if ids are unique at that length.
    Length(usize),
    /// A number for each id: git shows as many digits as make the id unique in its repository. The diff also asks for the id of an absent
    /// side, which is all zeros.
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

/// The options of a diff. By default, it does what `git diff` does without configuration.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// Lines of context around a change (`-U<n>`); 3 by default.
    pub context: u32,
    /// The length of ids in the `index` line; 7 digits by default.
    pub abbrev: Abbrev<'a>,
    /// Print every content as lines, binary or not (`--text`), for a reviewer. As in git, counts (`--stat`) still treat binary content as
    /// binary.
    pub text: bool,
    /// The attribute of the paths in this change. It applies to regular files. In a patch, [`Options::text`] overrides it.
    pub attribute: DiffAttribute,
    /// Finds the function name after `@@`. git takes the driver of the old path, or that of the new one if the old one has no rules.
    pub driver: Driver,
    /// The prefixes of the old and the new path (`diff.srcPrefix`, `diff.dstPrefix`): `a/`, `b/`.
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
