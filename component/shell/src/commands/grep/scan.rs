//! The lines of one text that are selected, and how they are printed.

pub mod color;
mod print;
mod style;

use bstr::ByteSlice;

pub use self::style::{Marks, Part, Style};
use super::matcher::{Matcher, behind};

/// Output that is enough to be printed.
const ENOUGH: usize = 32 * 1024;

/// A text that is searched, part by part.
#[derive(Debug)]
pub struct Scan<'a> {
    matcher: &'a Matcher,
    style: &'a Style,
    name: &'a [u8],
    /// What is to be printed.
    pub out: Vec<u8>,
    /// How many lines were selected.
    pub selected: u64,
    /// How many lines or matches are counted.
    pub count: u64,
    /// Nothing is printed any more.
    pub is_quiet: bool,
    is_skipped: bool,
    /// A line was selected that is no text.
    pub is_odd: bool,
    /// Where the text begins that is here.
    base: u64,
    /// Where the next line begins.
    at: usize,
    printed: usize,
    counted: usize,
    number: u64,
    left: usize,
    has_printed: bool,
    /// The name was printed above the lines.
    has_heading: bool,
    /// What was printed last is not here.
    is_apart: bool,
    /// The next line that matches, if that is known.
    known: Option<Option<(usize, usize)>>,
}

impl<'a> Scan<'a> {
    /// One of a file of this name.
    pub fn new(matcher: &'a Matcher, style: &'a Style, name: &'a [u8], has_printed: bool) -> Scan<'a> {
        Scan {
            matcher,
            style,
            name,
            out: Vec::new(),
            selected: 0,
            count: 0,
            is_quiet: style.counts,
            is_skipped: false,
            is_odd: false,
            base: 0,
            at: 0,
            printed: 0,
            counted: 0,
            number: 1,
            left: if style.passes { usize::MAX } else { 0 },
            has_printed,
            has_heading: false,
            is_apart: true,
            known: None,
        }
    }

    /// Whether anything was printed, here or before.
    pub fn has_printed(&self) -> bool {
        self.has_printed
    }

    /// Whether no more lines are looked for.
    pub fn is_full(&self) -> bool {
        self.style.most.is_some_and(|most| self.selected >= most)
    }

    /// Leaves out the rest, and what was selected.
    pub fn skip(&mut self) {
        (self.selected, self.count, self.left) = (0, 0, 0);
        self.is_quiet = true;
        self.is_skipped = true;
    }

    /// Whether the next line is printed even if it is not selected.
    pub fn is_around(&self) -> bool {
        self.left > 0 && !self.is_quiet
    }

    /// Whether nothing is left to be done.
    pub fn is_over(&self) -> bool {
        self.is_skipped || (self.is_full() && (self.left == 0 || self.is_quiet))
    }

    /// Forgets what is not needed any more, and says how much that is.
    pub fn forget(&mut self, text: &[u8]) -> usize {
        let keep = self.before(text, self.at);
        self.count_to(text, keep);
        self.is_apart |= self.printed < keep;
        self.base += keep as u64;
        self.at -= keep;
        self.printed = self.printed.saturating_sub(keep);
        self.counted -= keep;
        self.known = None;
        keep
    }

    /// Where the lines begin that may still be printed before a line.
    fn before(&self, text: &[u8], at: usize) -> usize {
        let mut begin = at;
        for _ in 0..self.style.context.0 {
            if begin <= self.printed {
                break;
            }
            begin = text[..begin - 1].rfind_byte(self.style.end).map_or(0, |place| place + 1);
        }
        begin.max(self.printed.min(at))
    }

    /// Goes on in a text of whole lines. True if there is more to do after printing.
    pub fn go(&mut self, text: &[u8]) -> bool {
        // There may be more text than before.
        self.known = None;
        while self.at < text.len() {
            if self.is_full() {
                self.behind(text, text.len());
                self.at = text.len();
                return false;
            }
            if self.out.len() >= ENOUGH {
                return true;
            }
            match self.next(text) {
                Some((begin, end)) => self.select(text, begin, end),
                None => {
                    self.behind(text, text.len());
                    self.at = text.len();
                }
            }
        }
        false
    }

    /// The next line that is selected.
    fn next(&mut self, text: &[u8]) -> Option<(usize, usize)> {
        if !self.style.inverts {
            return self.matcher.line(text, self.at, self.style.end);
        }
        let mut at = self.at;
        while at < text.len() {
            let known = match self.known {
                Some(known) if known.is_none_or(|(begin, _)| begin >= at) => known,
                _ => self.matcher.line_apart(text, at, self.style.end),
            };
            self.known = Some(known);
            match known {
                Some((begin, end)) if begin == at => at = end,
                _ => return Some((at, behind(text, at, self.style.end))),
            }
        }
        None
    }

    fn select(&mut self, text: &[u8], begin: usize, end: usize) {
        self.selected += 1;
        self.behind(text, begin);
        self.at = end;
        let counts_lines = self.style.inverts || !(self.style.matches || self.matcher.spans());
        self.count += if counts_lines { 1 } else { self.matches(text, begin, end).len() as u64 };
        if self.is_quiet {
            return;
        }
        let first = self.before(text, begin);
        if self.has_printed && (self.is_apart || self.printed < first) {
            self.part();
        }
        let mut at = first;
        while at < begin {
            let next = behind(text, at, self.style.end);
            self.around(text, at, next);
            at = next;
        }
        self.selected(text, begin, end);
        self.printed = end;
        self.has_printed = true;
        self.is_apart = false;
        self.left = match self.style.passes {
            true if self.is_full() => 0,
            true => usize::MAX,
            false => self.style.context.1,
        };
    }

    /// Prints what lies behind a selected line, up to a place.
    fn behind(&mut self, text: &[u8], most: usize) {
        while self.left > 0 && self.at < most && !self.is_quiet {
            let next = behind(text, self.at, self.style.end);
            match self.style.goes_on && self.is_full() && self.is_match(&text[self.at..next]) {
                true => self.selected(text, self.at, next),
                false => self.around(text, self.at, next),
            }
            self.left -= 1;
            self.at = next;
            self.printed = next;
        }
    }
}
