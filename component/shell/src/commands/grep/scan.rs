//! The lines of one text that are selected, and how they are printed.

use bstr::{BString, ByteSlice};

use super::matcher::{Matcher, behind};

/// Which lines, and how they are printed.
#[derive(Clone, Debug, Default)]
pub struct Style {
    /// The lines that do not match.
    pub inverts: bool,
    /// Only what matches.
    pub only: bool,
    /// Nothing is printed: they are counted.
    pub counts: bool,
    /// Every match counts, and not every line.
    pub matches: bool,
    /// Line numbers.
    pub numbers: bool,
    /// Where the first match begins in its line.
    pub columns: bool,
    /// Where a line or match begins in the text.
    pub offsets: bool,
    /// Names of files.
    pub names: bool,
    /// A NUL behind names.
    pub zero: bool,
    /// Lines before and behind.
    pub context: (usize, usize),
    /// Whether lines before or behind are printed at all, so that a line parts what is not together.
    pub parts: bool,
    /// No more lines than these.
    pub most: Option<u64>,
    /// What ends a line.
    pub end: u8,
    /// Lines that are no text are printed as well.
    pub raw: bool,
    /// Blanks before lines are left out.
    pub trims: bool,
    /// What is printed instead of a match.
    pub replacement: Option<BString>,
}

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
            left: 0,
            has_printed,
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
                _ => self.matcher.line(text, at, self.style.end),
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
        let counts_lines = !self.style.matches || self.style.inverts;
        self.count += if counts_lines { 1 } else { self.matches(text, begin, end).len() as u64 };
        if self.is_quiet {
            return;
        }
        let first = self.before(text, begin);
        if self.style.parts && self.has_printed && (self.is_apart || self.printed < first) {
            self.out.extend_from_slice(b"--\n");
        }
        let mut at = first;
        while at < begin {
            let next = behind(text, at, self.style.end);
            self.line(text, at, next, b'-');
            at = next;
        }
        if self.style.only {
            self.only(text, begin, end);
        } else {
            self.line(text, begin, end, b':');
        }
        self.printed = end;
        self.has_printed = true;
        self.is_apart = false;
        self.left = self.style.context.1;
    }

    /// Prints what lies behind a selected line, up to a place.
    fn behind(&mut self, text: &[u8], most: usize) {
        while self.left > 0 && self.at < most && !self.is_quiet {
            let next = behind(text, self.at, self.style.end);
            self.line(text, self.at, next, b'-');
            self.left -= 1;
            self.at = next;
            self.printed = next;
        }
    }

    fn matches(&self, text: &[u8], begin: usize, end: usize) -> Vec<(usize, usize)> {
        let line = bare(&text[begin..end], self.style.end);
        let mut found = Vec::new();
        let mut at = 0;
        while at <= line.len() {
            let Some((from, to)) = self.matcher.find(line, at) else { break };
            if to > from {
                found.push((from, to));
                at = to;
            } else {
                at = next_char(line, to);
            }
        }
        found
    }

    fn only(&mut self, text: &[u8], begin: usize, end: usize) {
        if self.style.inverts {
            return;
        }
        let style = self.style;
        for (from, to) in self.matches(text, begin, end) {
            let found = &text[begin + from..begin + to];
            if self.is_hidden(found) {
                continue;
            }
            self.prefix(text, begin, begin + from, Some(from), b':');
            match &style.replacement {
                Some(replacement) => {
                    let line = bare(&text[begin..end], style.end);
                    self.replaced(line, from, replacement);
                }
                None => self.out.extend_from_slice(found),
            }
            self.out.push(style.end);
        }
    }

    fn is_hidden(&mut self, line: &[u8]) -> bool {
        let is_odd = !self.style.raw && std::str::from_utf8(line).is_err();
        self.is_odd |= is_odd;
        is_odd
    }

    fn line(&mut self, text: &[u8], begin: usize, end: usize, mark: u8) {
        let style = self.style;
        let line = bare(&text[begin..end], style.end);
        if style.only || self.is_hidden(line) {
            return;
        }
        let column = match style.columns && mark == b':' && !style.inverts {
            true => self.matcher.find(line, 0).map(|(from, _)| from),
            false => None,
        };
        self.prefix(text, begin, begin, column, mark);
        let shown = if style.trims { line.trim_start() } else { line };
        match &style.replacement {
            Some(replacement) if mark == b':' && !style.inverts => self.replace(shown, replacement),
            _ => self.out.extend_from_slice(shown),
        }
        self.out.push(style.end);
    }

    fn prefix(&mut self, text: &[u8], line: usize, place: usize, column: Option<usize>, mark: u8) {
        if self.style.names {
            self.out.extend_from_slice(self.name);
            self.out.push(if self.style.zero { 0 } else { mark });
        }
        if self.style.numbers {
            self.count_to(text, line);
            self.number(self.number, mark);
        }
        if let Some(column) = column.filter(|_| self.style.columns) {
            self.number(column as u64 + 1, mark);
        }
        if self.style.offsets {
            self.number(self.base + place as u64, mark);
        }
    }

    fn number(&mut self, number: u64, mark: u8) {
        self.out.extend_from_slice(number.to_string().as_bytes());
        self.out.push(mark);
    }

    fn count_to(&mut self, text: &[u8], at: usize) {
        if self.style.numbers && at > self.counted {
            let end = self.style.end;
            self.number += text[self.counted..at].iter().map(|byte| u64::from(*byte == end)).sum::<u64>();
        }
        self.counted = self.counted.max(at);
    }

    fn replace(&mut self, line: &[u8], replacement: &[u8]) {
        let mut at = 0;
        let mut done = 0;
        while at <= line.len() {
            let Some((from, to)) = self.matcher.find(line, at) else { break };
            self.out.extend_from_slice(&line[done..from]);
            self.replaced(line, from, replacement);
            done = to;
            at = if to > from { to } else { next_char(line, to) };
        }
        self.out.extend_from_slice(&line[done.min(line.len())..]);
    }

    fn replaced(&mut self, line: &[u8], from: usize, replacement: &[u8]) {
        let groups = self.matcher.captures(line, from).unwrap_or_default();
        let mut rest = replacement;
        while let Some(at) = rest.find_byte(b'$') {
            self.out.extend_from_slice(&rest[..at]);
            rest = &rest[at + 1..];
            let (number, length) = reference(rest);
            match number {
                Some(number) => {
                    if let Some(Some((begin, end))) = groups.get(number) {
                        self.out.extend_from_slice(&line[*begin..*end]);
                    }
                }
                None => self.out.push(b'$'),
            }
            rest = &rest[length..];
        }
        self.out.extend_from_slice(rest);
    }
}

/// The group that the text behind a dollar names, and how long that is.
fn reference(text: &[u8]) -> (Option<usize>, usize) {
    if text.starts_with(b"$") {
        return (None, 1);
    }
    let opens = text.starts_with(b"{");
    let inside = if opens { &text[1..] } else { text };
    let digits = inside.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = std::str::from_utf8(&inside[..digits]).ok().and_then(|digits| digits.parse().ok());
    match (number, opens) {
        (Some(number), false) => (Some(number), digits),
        (Some(number), true) if inside.get(digits) == Some(&b'}') => (Some(number), digits + 2),
        _ => (None, 0),
    }
}

fn next_char(line: &[u8], at: usize) -> usize {
    at + bstr::decode_utf8(&line[at.min(line.len())..]).1.max(1)
}

fn bare(line: &[u8], end: u8) -> &[u8] {
    line.strip_suffix(&[end]).unwrap_or(line)
}
