//! Reads a script.

use std::collections::BTreeMap;
use std::rc::Rc;

use bstr::{BString, ByteSlice};

use super::escapes;
use super::script::{Action, Command, Pattern, Script};
use super::{PANIC, WRONG};
use crate::regexp::Syntax;

/// Where a part of a script comes from.
#[derive(Clone, Debug)]
pub enum Origin {
    /// An argument, with its number from 1.
    Expression(usize),
    /// A file.
    File(BString),
}

/// A part of a script.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// Where it comes from.
    pub origin: Origin,
    /// Its text.
    pub text: BString,
}

/// How scripts are written.
#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    /// Whether expressions are extended.
    pub extended: bool,
    /// Whether GNU's extensions are missing.
    pub posix: bool,
    /// Whether files are out of reach.
    pub sandbox: bool,
    /// Whether `M` means line breaks.
    pub lines: bool,
}

/// What is wrong with a script.
#[derive(Debug)]
pub struct Wrong {
    /// In GNU's words.
    pub message: String,
    /// The status.
    pub status: i32,
}

/// A message without the place.
pub(super) type Read<T> = Result<T, String>;

/// Reads what is written in all chunks: each begins a line.
pub fn read(chunks: &[Chunk], dialect: Dialect) -> Result<Script, Wrong> {
    let text = chunks.iter().map(|chunk| chunk.text.as_bytes()).collect::<Vec<_>>().join(&b'\n');
    let mut bounds = Vec::new();
    for chunk in chunks {
        bounds.push(bounds.last().map_or(0, |end| end + 1) + chunk.text.len());
    }
    let mut reader = Reader {
        text: &text,
        at: 0,
        bounds,
        dialect,
        script: Script::default(),
        blocks: Vec::new(),
        labels: BTreeMap::new(),
        jumps: Vec::new(),
    };
    if let Err(message) = reader.commands() {
        return Err(Wrong { message: placed(chunks, &reader, reader.at, &message), status: WRONG });
    }
    if !reader.blocks.is_empty() {
        return Err(Wrong { message: placed(chunks, &reader, 0, "unmatched `{'"), status: WRONG });
    }
    reader.land()
}

/// A message with the place before it.
fn placed(chunks: &[Chunk], reader: &Reader<'_>, at: usize, message: &str) -> String {
    let number = reader.bounds.iter().position(|end| at <= *end).unwrap_or(chunks.len() - 1);
    let begin = number.checked_sub(1).map_or(0, |before| reader.bounds[before] + 1);
    match &chunks[number].origin {
        Origin::Expression(number) => format!("-e expression #{number}, char {}: {message}", at - begin),
        Origin::File(name) => {
            let line = 1 + reader.text[begin..at].find_iter("\n").count();
            format!("file {name} line {line}: {message}")
        }
    }
}

pub(super) struct Reader<'a> {
    pub text: &'a [u8],
    pub at: usize,
    /// Where chunks end.
    bounds: Vec<usize>,
    pub dialect: Dialect,
    script: Script,
    /// The places of blocks that are open.
    blocks: Vec<usize>,
    labels: BTreeMap<BString, usize>,
    /// Places of jumps with their labels.
    jumps: Vec<(usize, BString)>,
}

impl Reader<'_> {
    pub fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    pub fn take(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    /// Whether a chunk ends here.
    pub fn is_bound(&self) -> bool {
        self.bounds.contains(&self.at)
    }

    pub fn skip(&mut self, skipped: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&skipped) {
            self.at += 1;
        }
    }

    pub fn blanks(&mut self) {
        self.skip(|byte| byte != b'\n' && byte.is_ascii_whitespace());
    }

    fn commands(&mut self) -> Read<()> {
        // GNU does not care what else that line says.
        self.script.silent = self.text.starts_with(b"#n");
        loop {
            self.skip(|byte| byte == b';' || byte.is_ascii_whitespace());
            if self.peek().is_none() {
                return Ok(());
            }
            self.command()?;
        }
    }

    fn command(&mut self) -> Read<()> {
        let (from, to) = self.addresses()?;
        self.blanks();
        let mut negated = false;
        while self.peek() == Some(b'!') {
            self.at += 1;
            if negated {
                return Err("multiple `!'s".to_owned());
            }
            negated = true;
            self.blanks();
        }
        let letter = match self.peek() {
            None | Some(b'\n') => return Err("missing command".to_owned()),
            Some(letter) => letter,
        };
        self.at += 1;
        let has_address = from.is_some() || negated;
        match letter {
            b'#' if has_address => return Err("comments don't accept any addresses".to_owned()),
            b':' if has_address => return Err(": doesn't want any addresses".to_owned()),
            b'}' if self.blocks.is_empty() => return Err("unexpected `}'".to_owned()),
            b'}' if has_address => return Err("`}' doesn't want any addresses".to_owned()),
            b'q' | b'Q' if to.is_some() => return Err("command only uses one address".to_owned()),
            _ => (),
        }
        let action = self.action(letter)?;
        self.script.commands.push(Command { from, to, negated, action });
        Ok(())
    }

    fn action(&mut self, letter: u8) -> Read<Action> {
        let place = self.script.commands.len();
        let action = match letter {
            b'#' => {
                self.skip(|byte| byte != b'\n');
                return Ok(Action::Nothing);
            }
            b'{' => {
                self.blocks.push(place);
                return Ok(Action::Block(0));
            }
            b'}' => {
                let block = self.blocks.pop().ok_or("unexpected `}'")?;
                self.script.commands[block].action = Action::Block(place + 1);
                Action::Nothing
            }
            b':' => {
                let label = self.label();
                if label.is_empty() {
                    return Err("\":\" lacks a label".to_owned());
                }
                self.labels.insert(label, place);
                return Ok(Action::Nothing);
            }
            b'b' | b't' | b'T' => {
                let label = self.label();
                self.jumps.push((place, label));
                match letter {
                    b'b' => Action::Branch(0),
                    b't' => Action::IfReplaced(0),
                    _ => Action::IfNotReplaced(0),
                }
            }
            b'a' => return self.added().map(Action::Append),
            b'i' => return self.added().map(Action::Insert),
            b'c' => return self.added().map(Action::Change),
            b'e' => return Err(self.refused()),
            b'r' => return self.file().map(Action::ReadFile),
            b'R' => return self.file().map(Action::ReadLine),
            b'w' => return self.output().map(Action::Write),
            b'W' => return self.output().map(Action::WriteFirst),
            b's' => Action::Substitute(Box::new(self.substitution()?)),
            b'y' => Action::Translate(self.translation()?),
            b'l' => Action::List(self.number()?),
            b'q' => Action::Quit(self.status()?),
            b'Q' => Action::QuitSilently(self.status()?),
            b'v' => {
                self.version()?;
                Action::Nothing
            }
            b'=' => Action::Number,
            b'd' => Action::Delete,
            b'D' => Action::DeleteFirst,
            b'F' => Action::FileName,
            b'g' => Action::Get,
            b'G' => Action::GetMore,
            b'h' => Action::Hold,
            b'H' => Action::HoldMore,
            b'n' => Action::Next,
            b'N' => Action::NextMore,
            b'p' => Action::Print,
            b'P' => Action::PrintFirst,
            b'x' => Action::Exchange,
            b'z' => Action::Empty,
            letter => return Err(format!("unknown command: `{}'", char::from(letter))),
        };
        self.ends()?;
        Ok(action)
    }

    /// Programs cannot be run.
    pub fn refused(&self) -> String {
        match self.dialect.sandbox {
            true => "e/r/w commands disabled in sandbox mode".to_owned(),
            false => "there are no processes here, so that sed cannot run commands".to_owned(),
        }
    }

    /// Reads what ends a command. A brace that closes a block, and a comment, stay.
    fn ends(&mut self) -> Read<()> {
        self.blanks();
        match self.peek() {
            None | Some(b'}' | b'#') => Ok(()),
            Some(b'\n' | b';') => {
                self.at += 1;
                Ok(())
            }
            Some(_) => {
                self.at += 1;
                Err("extra characters after command".to_owned())
            }
        }
    }

    fn label(&mut self) -> BString {
        self.blanks();
        let begin = self.at;
        self.skip(|byte| !byte.is_ascii_whitespace() && byte != b';' && byte != b'}');
        self.text[begin..self.at].into()
    }

    /// A number, if one is there.
    pub fn digits(&mut self) -> Option<u64> {
        let begin = self.at;
        self.skip(|byte| byte.is_ascii_digit());
        let digits = std::str::from_utf8(&self.text[begin..self.at]).expect("they are digits");
        (!digits.is_empty()).then(|| digits.parse().unwrap_or(u64::MAX))
    }

    fn number(&mut self) -> Read<Option<usize>> {
        self.blanks();
        Ok(self.digits().map(|number| usize::try_from(number).unwrap_or(usize::MAX)))
    }

    /// The status of the system's has eight bits.
    fn status(&mut self) -> Read<i32> {
        self.blanks();
        Ok(self.digits().map_or(0, |status| i32::from(status.to_le_bytes()[0])))
    }

    fn version(&mut self) -> Read<()> {
        self.blanks();
        let begin = self.at;
        self.skip(|byte| byte.is_ascii_digit() || byte == b'.');
        let version = self.text[begin..self.at].to_str_lossy().into_owned();
        let mut numbers = version.split('.').map(|number| number.parse::<u32>().unwrap_or(0));
        let wanted = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
        if wanted > (4, 9, 0) {
            return Err("expected newer version of sed".to_owned());
        }
        Ok(())
    }

    fn file(&mut self) -> Read<BString> {
        if self.dialect.sandbox {
            return Err("e/r/w commands disabled in sandbox mode".to_owned());
        }
        self.blanks();
        let begin = self.at;
        self.skip(|byte| byte != b'\n');
        if begin == self.at {
            return Err("missing filename in r/R/w/W commands".to_owned());
        }
        Ok(self.text[begin..self.at].into())
    }

    /// The place of a file that is written.
    pub fn output(&mut self) -> Read<usize> {
        let name = self.file()?;
        let files = &mut self.script.files;
        Ok(files.iter().position(|known| *known == name).unwrap_or_else(|| {
            files.push(name);
            files.len() - 1
        }))
    }

    /// An expression.
    pub fn pattern(&self, text: &[u8], ignores_case: bool, multiline: bool) -> Read<Pattern> {
        if text.is_empty() {
            return match ignores_case || multiline {
                true => Err("cannot specify modifiers on empty regexp".to_owned()),
                false => Ok(None),
            };
        }
        let multiline = multiline && self.dialect.lines;
        let text = escapes::pattern(text, self.dialect.posix, multiline);
        let syntax = Syntax { extended: self.dialect.extended, ignores_case, multiline };
        Ok(Some(Rc::new(syntax.read(&text)?)))
    }

    /// Sets where jumps go.
    fn land(self) -> Result<Script, Wrong> {
        let Reader { mut script, labels, jumps, .. } = self;
        for (place, label) in jumps {
            let target = match labels.get(&label) {
                Some(target) => *target,
                None if label.is_empty() => script.commands.len(),
                None => {
                    let message = format!("can't find label for jump to `{label}'");
                    return Err(Wrong { message, status: PANIC });
                }
            };
            if let Action::Branch(to) | Action::IfReplaced(to) | Action::IfNotReplaced(to) =
                &mut script.commands[place].action
            {
                *to = target;
            }
        }
        Ok(script)
    }
}
