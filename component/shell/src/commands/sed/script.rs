//! A script as it was read.

use std::rc::Rc;

use bstr::BString;

use super::replace::Substitution;
use crate::regexp::Regex;

/// A whole script.
#[derive(Debug, Default)]
pub struct Script {
    /// Its commands. Where they lie in each other, the outer one knows where the inner ones end.
    pub commands: Vec<Command>,
    /// Whether it begins with `#n`.
    pub silent: bool,
    /// The files that it writes. Commands know them by their place here.
    pub files: Vec<BString>,
}

/// A command with the lines that it is for.
#[derive(Debug)]
pub struct Command {
    /// The first line, or the only one. None for all.
    pub from: Option<Address>,
    /// The last line.
    pub to: Option<To>,
    /// Whether it is for all other lines.
    pub negated: bool,
    /// What it does.
    pub action: Action,
}

/// An expression, or none for the one that was used last.
pub type Pattern = Option<Rc<Regex>>;

/// A line.
#[derive(Debug)]
pub enum Address {
    /// The one with this number.
    Line(u64),
    /// Those from the first number on, at a distance of the second.
    Step(u64, u64),
    /// The last.
    Last,
    /// Those that match.
    Match(Pattern),
}

/// The end of a range.
#[derive(Debug)]
pub enum To {
    /// The line with this number.
    Line(u64),
    /// So many lines later.
    Plus(u64),
    /// The next line whose number is a multiple.
    Multiple(u64),
    /// Another line.
    Other(Address),
}

/// What a command does. Numbers of commands are places in the script; the one behind the last is its end.
#[derive(Debug)]
pub enum Action {
    /// `{`, with the place behind its `}`.
    Block(usize),
    /// `}`, `:`, `#` and `v`: nothing.
    Nothing,
    /// `=`
    Number,
    /// `a`
    Append(BString),
    /// `i`
    Insert(BString),
    /// `c`
    Change(BString),
    /// `b`
    Branch(usize),
    /// `t`
    IfReplaced(usize),
    /// `T`
    IfNotReplaced(usize),
    /// `d`
    Delete,
    /// `D`
    DeleteFirst,
    /// `F`
    FileName,
    /// `g`
    Get,
    /// `G`
    GetMore,
    /// `h`
    Hold,
    /// `H`
    HoldMore,
    /// `x`
    Exchange,
    /// `l`, with the length of its lines.
    List(Option<usize>),
    /// `n`
    Next,
    /// `N`
    NextMore,
    /// `p`
    Print,
    /// `P`
    PrintFirst,
    /// `q`, with the status.
    Quit(i32),
    /// `Q`, with the status.
    QuitSilently(i32),
    /// `r`
    ReadFile(BString),
    /// `R`
    ReadLine(BString),
    /// `s`
    Substitute(Box<Substitution>),
    /// `w`, with the place of the file.
    Write(usize),
    /// `W`, with the place of the file.
    WriteFirst(usize),
    /// `y`: what becomes of which character.
    Translate(Vec<(BString, BString)>),
    /// `z`
    Empty,
}
