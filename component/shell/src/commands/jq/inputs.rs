//! What a program reads: values, lines or whole texts, out of one file after the other.

use std::collections::VecDeque;
use std::rc::Rc;

use bytes::Bytes;

use super::ledger;
use super::read::Reader;
use super::stream;
use super::value::{List, Val};

/// How inputs are made of texts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shape {
    /// Lines, or all of the text, instead of JSON.
    pub raw: bool,
    /// All at once.
    pub slurps: bool,
    /// Paths with what is there.
    pub streams: bool,
}

/// A piece of what is read.
#[derive(Debug)]
pub struct Piece {
    /// The name of its file, if that is not the standard input.
    pub file: Option<String>,
    /// A line or more.
    pub text: Bytes,
}

/// The inputs of a program.
#[derive(Debug, Default)]
pub struct Inputs {
    shape: Shape,
    pieces: VecDeque<Piece>,
    /// Where the first piece is read from.
    at: usize,
    /// Where the line that is read ends in it.
    line_end: usize,
    /// Whether no pieces will come any more.
    ended: bool,
    reader: Reader,
    events: VecDeque<Val>,
    slurped: Option<List>,
    /// A line or text that is not read to its end.
    bytes: Vec<u8>,
    /// The name of the file that was read last.
    pub file: Option<String>,
    /// Line breaks that were read in it.
    pub lines: usize,
    /// Whether anything was read.
    pub begun: bool,
}

impl Inputs {
    /// Inputs of this shape.
    pub fn new(shape: Shape) -> Inputs {
        Inputs { shape, slurped: (shape.slurps && !shape.raw).then(List::default), ..Inputs::default() }
    }

    /// Adds what is read next.
    pub fn push(&mut self, piece: Piece) {
        self.pieces.push_back(piece);
    }

    /// Whether there is nothing else to read.
    pub fn ended(&self) -> bool {
        self.ended
    }

    /// There is nothing else to read.
    pub fn end(&mut self) {
        self.ended = true;
    }

    /// The next input, or what is wrong with it. None if more pieces are needed, or if it was the last.
    pub fn next(&mut self) -> Option<Result<Val, String>> {
        self.begun = true;
        loop {
            if let Some(event) = self.events.pop_front() {
                return Some(Ok(event));
            }
            let next = if self.shape.raw { self.raw().map(Ok) } else { self.json() };
            let value = match next {
                Some(Ok(value)) => value,
                Some(Err(wrong)) => {
                    // Nothing behind it can be understood.
                    self.pieces.clear();
                    self.reader = Reader::default();
                    self.slurped = None;
                    return Some(Err(wrong));
                }
                None if !self.ended || ledger::over() => return None,
                None => return self.rest().map(Ok),
            };
            match &mut self.slurped {
                Some(list) => list.push(value),
                None if self.shape.streams => self.events = stream::events(&value).into(),
                None => return Some(Ok(value)),
            }
        }
    }

    /// What is left at the end: all of it, if all is read at once.
    fn rest(&mut self) -> Option<Val> {
        let whole = std::mem::take(&mut self.shape.slurps) && self.shape.raw;
        if whole || (self.shape.raw && !self.bytes.is_empty()) {
            return Some(self.text());
        }
        let list = self.slurped.take()?;
        let value = Val::List(Rc::new(list));
        if !self.shape.streams {
            return Some(value);
        }
        self.events = stream::events(&value).into();
        self.events.pop_front()
    }

    /// The first piece, in which the next line begins, if none is being read.
    fn piece(&mut self) -> Option<Bytes> {
        let piece = self.pieces.front()?;
        if self.at == 0 && self.line_end == 0 && piece.file != self.file {
            self.file.clone_from(&piece.file);
            self.lines = 0;
        }
        if self.at == self.line_end {
            let rest = &piece.text[self.at..];
            let length = bstr::ByteSlice::find_byte(rest, b'\n').map_or(rest.len(), |at| at + 1);
            self.line_end += length;
            self.lines += usize::from(rest[..length].ends_with(b"\n"));
        }
        Some(piece.text.slice(..self.line_end))
    }

    /// A line of the first piece was read.
    fn pass(&mut self) {
        if self.pieces.front().is_some_and(|piece| piece.text.len() == self.line_end) {
            self.pieces.pop_front();
            (self.at, self.line_end) = (0, 0);
        }
    }

    fn raw(&mut self) -> Option<Val> {
        while let Some(text) = self.piece() {
            self.bytes.extend_from_slice(&text[self.at..]);
            ledger::bytes(text.len() - self.at);
            self.at = self.line_end;
            self.pass();
            if !ledger::room(self.bytes.len()) {
                return None;
            }
            if !self.shape.slurps && self.bytes.last() == Some(&b'\n') {
                self.bytes.pop();
                return Some(self.text());
            }
        }
        None
    }

    /// The text that was read.
    fn text(&mut self) -> Val {
        Val::text(String::from_utf8_lossy(&std::mem::take(&mut self.bytes)))
    }

    fn json(&mut self) -> Option<Result<Val, String>> {
        while let Some(text) = self.piece() {
            let read = self.reader.feed(&text, &mut self.at);
            if read.is_some() {
                if self.at == self.line_end {
                    self.pass();
                }
                return read;
            }
            if ledger::over() {
                return None;
            }
            self.pass();
        }
        if self.ended { self.reader.finish() } else { None }
    }
}
