//! Which lines match any of several patterns, and where.

use bstr::{BString, ByteSlice};

use super::perl;
use crate::regexp::{Around, Regex, Syntax};

/// How patterns are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// As the text itself.
    Fixed,
    /// In POSIX's basic syntax.
    Basic,
    /// In POSIX's extended syntax.
    Extended,
    /// As Perl and Rust write them.
    Perl,
}

/// How patterns are meant.
#[derive(Clone, Copy, Debug)]
pub struct Meaning {
    /// How they are written.
    pub kind: Kind,
    /// Case does not matter.
    pub ignores_case: bool,
    /// What surrounds them.
    pub around: Around,
}

/// Patterns.
#[derive(Debug)]
pub struct Matcher {
    regexes: Vec<Regex>,
    /// No match has a line break in it, so that many lines can be searched at once.
    is_whole: bool,
    /// The group that is meant, of a pattern whose match has more around it.
    group: usize,
    /// Whether the borders of words are looked at here.
    words: bool,
    /// A match may be in several lines.
    spans: bool,
}

impl Matcher {
    /// Reads patterns.
    pub fn new(patterns: &[BString], meaning: Meaning) -> Result<Matcher, String> {
        let Meaning { kind, ignores_case, around } = meaning;
        let is_plain = |pattern: &BString| !pattern.iter().any(|byte| b"\\^$.[]|()?*+{}".contains(byte));
        let mut matcher =
            Matcher { regexes: Vec::new(), is_whole: !around.breaks, group: 0, words: false, spans: false };
        if patterns.is_empty() {
            return Ok(matcher);
        }
        if kind == Kind::Fixed || patterns.iter().all(is_plain) {
            matcher.regexes.push(fixed(patterns, meaning)?);
            return Ok(matcher);
        }
        if kind == Kind::Perl {
            let (regex, group, is_whole) = perl::read(patterns, meaning)?;
            matcher.regexes.push(regex);
            matcher.group = group;
            matcher.is_whole &= is_whole;
            return Ok(matcher);
        }
        let syntax = Syntax { extended: kind == Kind::Extended, ignores_case, multiline: !around.breaks };
        let patterns: Vec<Vec<u8>> = patterns.iter().map(|pattern| plainer(pattern, syntax.extended)).collect();
        for pattern in &patterns {
            matcher.regexes.push(syntax.around(pattern, around)?);
        }
        if matcher.regexes.len() > 1 && patterns.iter().all(|pattern| !refers(pattern)) {
            // One expression is faster than many. Each is right by itself.
            let between: &[u8] = if syntax.extended { b"|" } else { b"\\|" };
            let all = patterns.join(between);
            if let Ok(one) = syntax.around(&all, around) {
                matcher.regexes = vec![one];
            }
        }
        matcher.words = around.words && matcher.regexes.iter().any(|regex| !regex.is_linear());
        matcher.is_whole &= matcher.regexes.len() == 1 && matcher.regexes[0].is_linear();
        Ok(matcher)
    }

    /// One expression: whether no match has a line break in it, or whether one may be in several lines.
    pub fn of(regex: Regex, is_whole: bool, spans: bool) -> Matcher {
        Matcher { regexes: vec![regex], is_whole, group: 0, words: false, spans }
    }

    /// One that matches nothing.
    pub fn nothing() -> Matcher {
        Matcher { regexes: Vec::new(), is_whole: true, group: 0, words: false, spans: false }
    }

    /// Whether a match may be in several lines, so that whole texts are needed.
    pub fn spans(&self) -> bool {
        self.spans
    }

    /// The number of the group of this name.
    pub fn group(&self, name: &str) -> Option<usize> {
        self.regexes.iter().find_map(|regex| regex.group(name))
    }

    /// Whether any pattern matches in a line.
    pub fn is_match(&self, line: &[u8]) -> bool {
        if self.words {
            return self.find(line, 0).is_some();
        }
        self.regexes.iter().any(|regex| regex.is_match(line))
    }

    /// The first and then longest match in a line, from a place on.
    pub fn find(&self, line: &[u8], at: usize) -> Option<(usize, usize)> {
        let found = self.regexes.iter().filter_map(|regex| self.one(regex, line, at));
        found.min_by_key(|(begin, end)| (*begin, usize::MAX - end))
    }

    fn one(&self, regex: &Regex, line: &[u8], mut at: usize) -> Option<(usize, usize)> {
        if self.group > 0 {
            return regex.captures(line, at)?[self.group];
        }
        loop {
            let (begin, end) = regex.find(line, at)?;
            let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
            let is_inside = is_word(begin.checked_sub(1).map(|at| &line[at])) || is_word(line.get(end));
            if !self.words || !is_inside {
                return Some((begin, end));
            }
            at = begin + 1;
            if at > line.len() {
                return None;
            }
        }
    }

    /// The groups of the first match, from a place on.
    pub fn captures(&self, line: &[u8], at: usize) -> Option<crate::regexp::Groups> {
        self.regexes.iter().find_map(|regex| regex.captures(line, at))
    }

    /// The next line of a text that matches: where it begins, and where the next one does. A line begins at `at`.
    pub fn line(&self, text: &[u8], mut at: usize, end: u8) -> Option<(usize, usize)> {
        if self.spans {
            return self.lines(text, at, end, true);
        }
        if self.is_whole {
            let found = self.regexes.first()?.earliest(text, at)?;
            let begin = text[at..found].rfind_byte(end).map_or(at, |place| at + place + 1);
            return (begin < text.len()).then(|| (begin, behind(text, found, end)));
        }
        while at < text.len() {
            let next = behind(text, at, end);
            let line = &text[at..next];
            if self.is_match(line.strip_suffix(&[end]).unwrap_or(line)) {
                return Some((at, next));
            }
            at = next;
        }
        None
    }

    /// The same, without the lines of matches that begin in these lines or right behind.
    pub fn line_apart(&self, text: &[u8], at: usize, end: u8) -> Option<(usize, usize)> {
        if self.spans { self.lines(text, at, end, false) } else { self.line(text, at, end) }
    }

    /// The lines that the next match is in, and those of the matches that begin in them or right behind, if `joins`.
    fn lines(&self, text: &[u8], at: usize, end: u8, joins: bool) -> Option<(usize, usize)> {
        let (from, mut to) = self.find(text, at)?;
        let begin = text[at..from].rfind_byte(end).map_or(at, |place| at + place + 1);
        if begin >= text.len() {
            return None;
        }
        let last = |from: usize, to: usize| match to > from && text[to - 1] == end {
            true => to,
            false => behind(text, to, end),
        };
        let mut over = last(from, to);
        let mut next = if to > from { to } else { to + 1 };
        while joins && next < text.len() {
            let Some(found) = self.find(text, next) else { break };
            // Its line begins no later than the one behind.
            let is_near = found.0 <= over || !text[over..found.0].contains(&end);
            if !is_near || found.0 >= text.len() {
                break;
            }
            to = found.1;
            over = over.max(last(found.0, to));
            next = if to > found.0 { to } else { to + 1 };
        }
        Some((begin, over))
    }
}

/// Where the line ends that this place is in, with what ends it.
pub fn behind(text: &[u8], at: usize, end: u8) -> usize {
    text[at..].find_byte(end).map_or(text.len(), |place| at + place + 1)
}

fn fixed(patterns: &[BString], meaning: Meaning) -> Result<Regex, String> {
    let mut texts: Vec<&BString> = patterns.iter().collect();
    // The first that matches is the longest then.
    texts.sort_by_key(|text| usize::MAX - text.len());
    texts.dedup();
    let written: Vec<String> = texts.iter().map(|text| literal(text)).collect();
    let case = if meaning.ignores_case { "(?i)" } else { "" };
    Regex::rust(&format!("{case}{}", meaning.around.put(&format!("(?:{})", written.join("|")))))
}

/// A text as an expression of Rust's library.
pub fn literal(text: &[u8]) -> String {
    let mut out = String::new();
    for (begin, end, char) in text.char_indices() {
        match char {
            char::REPLACEMENT_CHARACTER => {
                text[begin..end].iter().for_each(|byte| out.push_str(&format!("(?-u:\\x{byte:02X})")));
            }
            char if char.is_ascii() && !char.is_ascii_alphanumeric() => {
                out.push_str(&format!("\\x{:02X}", u32::from(char)));
            }
            char => out.push(char),
        }
    }
    out
}

/// Without the escapes that grep does not know: `\n` and `\t` are letters.
fn plainer(pattern: &[u8], extended: bool) -> Vec<u8> {
    let mut out = Vec::new();
    let mut escapes = false;
    // What repeats nothing is nothing.
    let begin = pattern.iter().take_while(|byte| extended && matches!(byte, b'*' | b'+' | b'?')).count();
    for byte in &pattern[begin..] {
        if escapes && matches!(byte, b'n' | b't') {
            out.pop();
        }
        out.push(*byte);
        escapes = *byte == b'\\' && !escapes;
    }
    out
}

fn refers(pattern: &[u8]) -> bool {
    pattern.windows(2).any(|pair| pair[0] == b'\\' && pair[1].is_ascii_digit())
}
