//! The items of a format: text, and placeholders with their options.

use super::arguments::Marks;
use super::describe::Describe;
use super::pad::Pad;
use super::trailers::TrailerOptions;

/// An item of a format.
#[derive(Clone, Debug)]
pub struct Item {
    /// The kind of item.
    pub kind: Kind,
    /// Its effect on the text before it.
    pub magic: Magic,
    /// Whether it shares the padding of the colour before it.
    pub follows: bool,
}

/// The sign between `%` and a placeholder.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Magic {
    /// No sign.
    None,
    /// `+`: inserts a line feed before a non-empty expansion.
    LineBefore,
    /// `-`: removes line feeds before an empty expansion.
    NoLinesBefore,
    /// A space: inserts a space before a non-empty expansion.
    SpaceBefore,
}

/// The kind of an item.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Literal text.
    Text(Vec<u8>),
    /// A placeholder for a single character, such as `%n`.
    Bytes(Vec<u8>),
    /// An unknown placeholder. It still uses up a padding.
    Nothing,
    /// A colour. It is empty unless the colour is `always` shown.
    Colour(Vec<u8>),
    /// `%H`, `%T`, `%P`, and in short form `%h`, `%t`, `%p`.
    Id(Object, bool),
    /// `%m`.
    Mark,
    /// `%d`, `%D`, `%(decorate…)`.
    Decorate(Marks),
    /// `%S`.
    Source,
    /// `%g…`, which is empty without a walk of reflogs.
    Reflog,
    /// `%N`.
    Note,
    /// `%G…`.
    Signature(u8),
    /// `%a…` and `%c…`.
    Person(Role, u8),
    /// `%e`.
    Encoding,
    /// `%B`.
    Message,
    /// `%s`.
    Subject,
    /// `%f`.
    FileName,
    /// `%b`.
    Body,
    /// `%(trailers…)`.
    Trailers(TrailerOptions),
    /// `%(describe…)`.
    Describe(Describe),
    /// `%w(…)`: width, indentation of the first line, and of the other lines.
    Wrap([usize; 3]),
    /// `%<(…)` and similar.
    Pad(Pad),
}

impl Kind {
    /// Whether it scans the whole commit.
    pub fn reads_the_commit(&self) -> bool {
        match self {
            Kind::Text(_) | Kind::Bytes(_) | Kind::Nothing | Kind::Colour(_) | Kind::Id(..) | Kind::Mark => false,
            Kind::Decorate(_) | Kind::Source | Kind::Reflog | Kind::Note | Kind::Describe(_) => false,
            Kind::Wrap(_) | Kind::Pad(_) => false,
            Kind::Signature(_) | Kind::Person(..) | Kind::Encoding | Kind::Message | Kind::Subject => true,
            Kind::FileName | Kind::Body | Kind::Trailers(_) => true,
        }
    }
}

/// The objects whose ids are printed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Object {
    /// The commit.
    Commit,
    /// Its tree.
    Tree,
    /// Its parents.
    Parents,
}

/// The role of a person.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Role {
    /// The author of the commit.
    Author,
    /// The committer.
    Committer,
}
