//! How selected lines and those around them are printed.

use bstr::ByteSlice;

use super::super::matcher::behind;
use super::{Part, Scan, color};

/// Where a printed line is from.
#[derive(Clone, Copy)]
struct Place {
    /// Where its line begins.
    line: usize,
    /// How many lines below that it is.
    below: u64,
    /// Where what is printed begins.
    begin: usize,
    /// Where the match begins in its line.
    column: Option<usize>,
    /// Whether it was selected.
    is_selected: bool,
}

impl Scan<'_> {
    /// Prints lines that were selected.
    pub(super) fn selected(&mut self, text: &[u8], begin: usize, end: usize) {
        let style = self.style;
        if style.inverts {
            if !style.only || style.keeps {
                self.plain(text, begin, end, true);
            }
            return;
        }
        let needs_matches = style.only || style.each || style.columns || style.replacement.is_some();
        if !needs_matches {
            return self.lines(text, begin, end, None);
        }
        let matches = self.matches(text, begin, end);
        if style.only {
            return self.only(text, begin, end, &matches);
        }
        if style.each && style.replacement.is_none() {
            for (from, _) in &matches {
                let line = text[begin..begin + from].rfind_byte(style.end).map_or(begin, |at| begin + at + 1);
                let column = begin + from - line;
                let place = Place { line, below: 0, begin: begin + from, column: Some(column), is_selected: true };
                let shown = &text[line..behind(text, line, style.end).min(end)];
                self.put(text, place, shown, Some(&matches));
            }
            return;
        }
        let Some(replacement) = &style.replacement else {
            return self.lines(text, begin, end, Some(&matches));
        };
        let mut replaced = Vec::new();
        let mut done = 0;
        let whole = &text[begin..end];
        for (from, to) in &matches {
            replaced.extend_from_slice(&whole[done..*from]);
            self.replaced(self.searched(whole), *from, replacement, &mut replaced);
            done = *to;
        }
        replaced.extend_from_slice(&whole[done..]);
        let column = matches.first().map(|(from, _)| *from);
        for (below, line) in (0..).zip(replaced.split_inclusive(|byte| *byte == style.end)) {
            let place = Place { line: begin, below, begin, column, is_selected: true };
            self.put(text, place, line, Some(&matches));
        }
        if replaced.is_empty() {
            self.put(text, Place { line: begin, below: 0, begin, column, is_selected: true }, b"", Some(&matches));
        }
    }

    /// Prints a line around those that were selected.
    pub(super) fn around(&mut self, text: &[u8], begin: usize, end: usize) {
        if !self.style.only || self.style.keeps {
            self.plain(text, begin, end, false);
        }
    }

    /// Prints what parts lines that are not together.
    pub(super) fn part(&mut self) {
        let style = self.style;
        // A heading parts files itself.
        let is_first = style.heading && !self.has_heading;
        if let Some(parts) = style.marks.parts.as_ref().filter(|_| !is_first) {
            color::put(&mut self.out, style, color::MARK, parts);
            self.out.push(style.end);
        }
    }

    /// Whether a line matches, whether or not it is to be selected for that.
    pub(super) fn is_match(&self, line: &[u8]) -> bool {
        self.matcher.is_match(bare(line, self.style.end)) != self.style.inverts
    }

    fn lines(&mut self, text: &[u8], begin: usize, end: usize, matches: Option<&[(usize, usize)]>) {
        let column = matches.and_then(|matches| matches.first()).map(|(from, _)| *from);
        let mut at = begin;
        while at < end {
            let next = behind(text, at, self.style.end).min(end);
            let place = Place { line: at, below: 0, begin: at, column, is_selected: true };
            self.put(text, place, &text[at..next], matches);
            at = next;
        }
    }

    fn plain(&mut self, text: &[u8], begin: usize, end: usize, is_selected: bool) {
        let place = Place { line: begin, below: 0, begin, column: None, is_selected };
        self.put(text, place, &text[begin..end], None);
    }

    /// The matches in lines, from where these begin.
    pub(super) fn matches(&self, text: &[u8], begin: usize, end: usize) -> Vec<(usize, usize)> {
        let lines = self.searched(&text[begin..end]);
        let mut found = Vec::new();
        let (mut at, mut last) = (0, None);
        while at <= lines.len() {
            let Some((from, to)) = self.matcher.find(lines, at) else { break };
            if to > from || (self.style.keeps && last != Some(to)) {
                found.push((from, to));
            }
            last = Some(to);
            at = if to > from { to } else { next_char(lines, to) };
        }
        found
    }

    /// What is searched of lines: without what ends them, if a match is within a line.
    fn searched<'t>(&self, lines: &'t [u8]) -> &'t [u8] {
        if self.matcher.spans() { lines } else { bare(lines, self.style.end) }
    }

    fn only(&mut self, text: &[u8], begin: usize, end: usize, matches: &[(usize, usize)]) {
        let style = self.style;
        for (from, to) in matches {
            let mut replaced = Vec::new();
            if let Some(replacement) = &style.replacement {
                self.replaced(self.searched(&text[begin..end]), *from, replacement, &mut replaced);
            }
            let found = match style.replacement {
                Some(_) => &replaced[..],
                None => &text[begin + from..begin + to],
            };
            let line = text[begin..begin + from].rfind_byte(style.end).map_or(begin, |at| begin + at + 1);
            let place = Place { line, below: 0, begin: begin + from, column: Some(*from), is_selected: true };
            if found.is_empty() {
                self.put(text, place, found, Some(matches));
            }
            for (below, piece) in (0..).zip(found.split_inclusive(|byte| *byte == style.end)) {
                self.put(text, Place { below, ..place }, piece, Some(matches));
            }
        }
    }

    /// Prints a line, unless it is no text.
    fn put(&mut self, text: &[u8], place: Place, line: &[u8], matches: Option<&[(usize, usize)]>) {
        let style = self.style;
        let content = bare(line, style.end);
        if !style.raw && std::str::from_utf8(content).is_err() {
            self.is_odd = true;
            return;
        }
        self.prefix(text, place);
        let is_blank = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\x0b' | b'\x0c' | b'\r' | b' ');
        let blanks = if style.trims { content.iter().take_while(|byte| is_blank(byte)).count() } else { 0 };
        match style.widest {
            Some(widest) if line.len() - blanks > widest => self.wide(place, &content[blanks..], matches, widest),
            _ if style.colors && place.is_selected != style.inverts => self.colored(content),
            _ => self.out.extend_from_slice(&content[blanks..]),
        }
        self.out.push(style.end);
    }

    /// Prints a line, or a match alone, with the matches in a colour.
    fn colored(&mut self, content: &[u8]) {
        let style = self.style;
        if style.only {
            color::put(&mut self.out, style, color::MATCH, content);
            return;
        }
        let mut done = 0;
        for (from, to) in self.matches(content, 0, content.len()) {
            self.out.extend_from_slice(&content[done..from]);
            color::put(&mut self.out, style, color::MATCH, &content[from..to]);
            done = to;
        }
        self.out.extend_from_slice(&content[done..]);
    }

    /// Prints what stands for a line that is too long.
    fn wide(&mut self, place: Place, content: &[u8], matches: Option<&[(usize, usize)]>, widest: usize) {
        if self.style.previews {
            let end = content.grapheme_indices().take(widest).last().map_or(0, |(_, end, _)| end);
            self.out.extend_from_slice(&content[..end]);
            let text = match matches {
                None => " [... omitted end of long line]".to_owned(),
                Some(matches) => {
                    let left = matches.iter().filter(|(from, _)| !self.style.only && *from >= end).count();
                    format!(" [... {left} more {}]", if left == 1 { "match" } else { "matches" })
                }
            };
            self.out.extend_from_slice(text.as_bytes());
            return;
        }
        let text = match matches {
            Some(matches) if !self.style.only => format!("[Omitted long line with {} matches]", matches.len()),
            _ if place.is_selected => "[Omitted long matching line]".to_owned(),
            _ => "[Omitted long context line]".to_owned(),
        };
        self.out.extend_from_slice(text.as_bytes());
    }

    fn prefix(&mut self, text: &[u8], place: Place) {
        let style = self.style;
        let mark: &[u8] = if place.is_selected { &style.marks.selected } else { &style.marks.around };
        if style.heading {
            if !std::mem::replace(&mut self.has_heading, true) {
                if self.has_printed {
                    self.out.push(style.end);
                }
                if style.names {
                    self.out.extend_from_slice(self.name);
                    self.out.push(if style.zero { 0 } else { b'\n' });
                }
            }
        } else if style.names {
            color::put(&mut self.out, style, color::NAME, self.name);
            match style.zero {
                true => self.out.push(0),
                false => color::put(&mut self.out, style, color::MARK, mark),
            }
        }
        self.has_printed = true;
        if style.numbers {
            self.count_to(text, place.line);
            self.number(self.number + place.below, mark);
        }
        if let Some(column) = place.column.filter(|_| style.columns) {
            self.number(column as u64 + 1, mark);
        }
        if style.offsets {
            self.number(self.base + place.begin as u64, mark);
        }
    }

    fn number(&mut self, number: u64, mark: &[u8]) {
        color::put(&mut self.out, self.style, color::NUMBER, number.to_string().as_bytes());
        color::put(&mut self.out, self.style, color::MARK, mark);
    }

    pub(super) fn count_to(&mut self, text: &[u8], at: usize) {
        if self.style.numbers && at > self.counted {
            let end = self.style.end;
            self.number += text[self.counted..at].iter().map(|byte| u64::from(*byte == end)).sum::<u64>();
        }
        self.counted = self.counted.max(at);
    }

    /// What is printed instead of the match that begins at a place.
    fn replaced(&self, lines: &[u8], from: usize, replacement: &[Part], out: &mut Vec<u8>) {
        let groups = self.matcher.captures(lines, from).unwrap_or_default();
        for part in replacement {
            match part {
                Part::Text(text) => out.extend_from_slice(text),
                Part::Group(number) => {
                    if let Some(Some((begin, end))) = groups.get(*number) {
                        out.extend_from_slice(&lines[*begin..*end]);
                    }
                }
            }
        }
    }
}

fn next_char(line: &[u8], at: usize) -> usize {
    at + bstr::decode_utf8(&line[at.min(line.len())..]).1.max(1)
}

fn bare(line: &[u8], end: u8) -> &[u8] {
    line.strip_suffix(&[end]).unwrap_or(line)
}
