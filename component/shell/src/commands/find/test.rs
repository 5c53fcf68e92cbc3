//! Tests, which only look at an entry.

use bstr::ByteSlice;

use super::entry::{Around, Entry};
use super::mode::{Wanted, mode};
use super::name::{Expression, Glob};
use super::number::{Count, Window};
use crate::world::Kind;

/// Kinds of entries.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kinds {
    /// `f`
    pub file: bool,
    /// `d`
    pub folder: bool,
    /// `l`
    pub link: bool,
}

impl Kinds {
    fn has(self, kind: Kind) -> bool {
        match kind {
            Kind::File => self.file,
            Kind::Folder => self.folder,
            Kind::Link => self.link,
        }
    }
}

/// What may be done with an entry.
#[derive(Clone, Copy, Debug)]
pub enum Access {
    /// `-readable`
    Read,
    /// `-writable`
    Write,
    /// `-executable`
    Execute,
}

/// A test.
#[derive(Debug)]
pub enum Test {
    /// The same for all entries.
    Always(bool),
    /// `-name`
    Name(Glob),
    /// `-path`
    Path(Glob),
    /// `-regex`
    Regex(Expression),
    /// `-lname`
    Link(Glob),
    /// `-type`
    Type(Kinds),
    /// `-xtype`: if links are followed, what they are, and otherwise what they lead to.
    OtherType(Kinds),
    /// `-empty`
    Empty,
    /// `-size`, in units of so many bytes.
    Size(Count, u64),
    /// `-links`
    Names(Count),
    /// `-inum`
    Inode(Count),
    /// `-samefile`
    Same(u64),
    /// `-perm`
    Mode(Wanted),
    /// `-readable` and its like.
    May(Access),
    /// `-newer`: changed after this time.
    Newer(i128),
    /// `-mtime` and its like.
    Changed(Window),
}

impl Test {
    /// Whether it looks at more than the name, the kind and what tells the entry from others.
    pub fn needs_stat(&self) -> bool {
        use Test::{Changed, Empty, Inode, May, Mode, Names, Newer, Same, Size};
        matches!(self, Empty | Size(..) | Names(_) | Inode(_) | Same(_) | Mode(_) | May(_) | Newer(_) | Changed(_))
    }

    /// Whether it holds.
    pub fn holds(&self, entry: &Entry, around: &Around) -> bool {
        let stat = entry.stat();
        match self {
            Test::Always(holds) => *holds,
            Test::Name(glob) => glob.matches(entry.name()),
            Test::Path(glob) => glob.matches(&entry.path),
            Test::Regex(expression) => expression.matches(&entry.path),
            Test::Link(glob) => entry.link(around).is_some_and(|target| glob.matches(&target)),
            Test::Type(kinds) => kinds.has(stat.kind),
            Test::OtherType(kinds) => kinds.has(other_kind(entry, around)),
            Test::Empty => match stat.kind {
                Kind::File => stat.size == 0,
                Kind::Folder => around.files.list(entry.full().as_bstr()).is_ok_and(|inner| inner.is_empty()),
                Kind::Link => false,
            },
            Test::Size(count, unit) => count.is(stat.size.div_ceil(*unit)),
            Test::Names(count) => count.is(entry.names(around)),
            Test::Inode(count) => count.is(stat.inode),
            Test::Same(inode) => stat.inode == *inode,
            Test::Mode(wanted) => wanted.is(mode(stat), stat.kind == Kind::Folder),
            Test::May(access) => entry.led_to(around).is_some_and(|stat| match access {
                Access::Read => true,
                Access::Write => stat.writable,
                Access::Execute => stat.executable || stat.kind == Kind::Folder,
            }),
            Test::Newer(time) => stat.modified > *time,
            Test::Changed(window) => window.has(stat.modified),
        }
    }
}

fn other_kind(entry: &Entry, around: &Around) -> Kind {
    if entry.target.is_some() {
        return entry.own.kind;
    }
    entry.led_to(around).map_or(Kind::Link, |stat| stat.kind)
}
