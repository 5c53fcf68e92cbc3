//! The pieces of a format: text, and placeholders with what they ask for.

use super::arguments::Marks;
use super::describe::Describe;
use super::pad::Pad;
use super::trailers::TrailerOptions;

/// A piece of a format.
#[derive(Clone, Debug)]
pub struct Item {
    /// What it is.
    pub kind: Kind,
    /// What it does to the line before it.
    pub magic: Magic,
    /// Whether it is brought to a width together with the colour before it.
    pub follows: bool,
}

/// What stands between `%` and a placeholder.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Magic {
    /// Nothing.
    None,
    /// `+`: a line feed before it, if it is not empty.
    LineBefore,
    /// `-`: no line feeds before it, if it is empty.
    NoLinesBefore,
    /// A space before it, if it is not empty.
    SpaceBefore,
}

/// What a piece of a format is.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Text that stands for itself.
    Text(Vec<u8>),
    /// A placeholder that is a single character, such as `%n`.
    Bytes(Vec<u8>),
    /// A placeholder that is unknown: it takes the place of one where padding is asked for.
    Nothing,
    /// A colour, always shown; empty where it is to be shown on a terminal only.
    Colour(Vec<u8>),
    /// `%H`, `%T`, `%P` and `%h`, `%t`, `%p`.
    Id(Object, bool),
    /// `%m`.
    Mark,
    /// `%d`, `%D`, `%(decorate…)`.
    Decorate(Marks),
    /// `%S`.
    Source,
    /// `%g…`, which has no meaning without a walk of reflogs.
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
    /// `%w(…)`: width, indentation of the first line and of the others.
    Wrap([usize; 3]),
    /// `%<(…)` and its like.
    Pad(Pad),
}

impl Kind {
    /// Whether what the commit says is looked through for it.
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

/// Whose ids.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Object {
    /// The commit.
    Commit,
    /// Its tree.
    Tree,
    /// Its parents.
    Parents,
}

/// Who.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Role {
    /// Whoever wrote it.
    Author,
    /// Whoever committed it.
    Committer,
}
