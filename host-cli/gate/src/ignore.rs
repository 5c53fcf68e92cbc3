//! The patterns of a `.gitignore`, as gitignore(5) defines them.
//!
//! The crates for this access the filesystem, and an attacker can make their matcher take
//! exponential time. This one takes at most the product of the lengths of pattern and name, and
//! reports its steps.

use std::ops::Range;

use bstr::{BStr, ByteSlice};

/// The most bytes of a pattern that counts. Nobody writes a pattern longer than a path can be.
const LONGEST: usize = 4096;

/// The cost of parsing a line, in steps of a match.
const LINE: u64 = 8;

/// The patterns of one file, in order: the file itself, and the positions of its meaningful lines.
/// Matching a name parses them, because a file may have hundreds of thousands.
#[derive(Debug, Default)]
pub(crate) struct Patterns {
    content: Vec<u8>,
    lines: Vec<Range<u32>>,
}

struct Pattern<'a> {
    /// The line in the file.
    line: &'a [u8],
    /// The line without its modifiers.
    text: &'a [u8],
    negated: bool,
    only_folders: bool,
    /// Whether it matches the whole path below the file's folder, not only the last name.
    whole_path: bool,
}

#[derive(Debug)]
enum Token {
    Byte(u8),
    /// `?`
    One,
    /// `*`
    Some,
    /// `**/` after a slash or at the start: any number of folders.
    Folders,
    /// `/**` at the end, after its slash: everything below.
    Below,
    /// `[...]`
    Class {
        negated: bool,
        ranges: Vec<(u8, u8)>,
    },
    /// Matches nothing, such as a class without an end.
    Nothing,
}

/// The patterns' decision about a path.
pub(crate) struct Verdict<'a> {
    pub ignored: bool,
    /// The deciding line.
    pub line: &'a BStr,
}

impl Patterns {
    pub fn parse(content: Vec<u8>) -> Self {
        let mut lines = Vec::new();
        let mut start = if content.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        for line in content[start..].split(|byte| *byte == b'\n') {
            let end = start + line.len();
            if let (Some(_), Ok(from), Ok(to)) = (Pattern::parse(line), u32::try_from(start), u32::try_from(end)) {
                lines.push(from..to);
            }
            start = end + 1;
        }
        Patterns { content, lines }
    }

    /// The decision of the last pattern that matches `path`, relative to the file's folder. Each
    /// match costs `steps`. Once none are left, nothing matches.
    pub fn verdict(&self, path: &[u8], is_folder: bool, steps: &mut u64) -> Option<Verdict<'_>> {
        let name = path.rfind_byte(b'/').map_or(path, |at| &path[at + 1..]);
        for line in self.lines.iter().rev() {
            let pattern = Pattern::parse(&self.content[line.start as usize..line.end as usize]);
            let Some(pattern) = pattern.filter(|pattern| is_folder || !pattern.only_folders) else { continue };
            if pattern.matches(if pattern.whole_path { path } else { name }, steps) {
                return Some(Verdict { ignored: !pattern.negated, line: pattern.line.as_bstr() });
            }
            if *steps == 0 {
                break;
            }
        }
        None
    }
}

impl<'a> Pattern<'a> {
    fn parse(line: &'a [u8]) -> Option<Self> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let shown = trimmed(line);
        if shown.starts_with(b"#") {
            return None;
        }
        let (negated, text) = shown.strip_prefix(b"!").map_or((false, shown), |text| (true, text));
        let (only_folders, text) = text.strip_suffix(b"/").map_or((false, text), |text| (true, text));
        let whole_path = text.contains(&b'/');
        let text = text.strip_prefix(b"/").unwrap_or(text);
        let says = !text.is_empty() && text.len() <= LONGEST;
        says.then_some(Pattern { line: shown, text, negated, only_folders, whole_path })
    }

    fn matches(&self, name: &[u8], steps: &mut u64) -> bool {
        // Nearly all patterns are only letters, after at most one `*`.
        let plain = |text: &[u8]| !text.iter().any(|byte| b"*?[\\".contains(byte));
        *steps = steps.saturating_sub(LINE + self.text.len() as u64 / 16);
        match self.text {
            text if plain(text) => return text == name,
            [b'*', rest @ ..] if !self.whole_path && plain(rest) => return name.ends_with(rest),
            _ => {}
        }
        let tokens = tokens(self.text);
        let cost = (tokens.len() * (name.len() + 1)) as u64;
        if *steps < cost {
            *steps = 0;
            return false;
        }
        *steps -= cost;
        // reachable[n]: the tokens so far match the first n bytes of the name.
        let mut reachable = vec![false; name.len() + 1];
        reachable[0] = true;
        for token in &tokens {
            let mut next = vec![false; name.len() + 1];
            // Whether a place further left extends to here.
            let mut open = false;
            for n in 0..=name.len() {
                let before = n.checked_sub(1).map(|before| (reachable[before], name[before]));
                next[n] = match (token, before) {
                    (Token::Some, before) => {
                        open = reachable[n] || open && before.is_none_or(|(_, byte)| byte != b'/');
                        open
                    }
                    (Token::Folders, before) => {
                        let ends = before.is_some_and(|(_, byte)| byte == b'/') && open;
                        open |= reachable[n];
                        reachable[n] || ends
                    }
                    (Token::Below, Some((reached, _))) => {
                        open |= reached;
                        open
                    }
                    (Token::Byte(wanted), Some((true, byte))) => byte == *wanted,
                    (Token::One, Some((true, byte))) => byte != b'/',
                    (Token::Class { negated, ranges }, Some((true, byte))) => {
                        byte != b'/' && ranges.iter().any(|(from, to)| (*from..=*to).contains(&byte)) != *negated
                    }
                    _ => false,
                };
            }
            reachable = next;
        }
        reachable[name.len()]
    }
}

/// A line without trailing spaces; one after a backslash stays.
fn trimmed(line: &[u8]) -> &[u8] {
    let end = line.iter().rposition(|byte| *byte != b' ').map_or(0, |at| at + 1);
    let backslashes = line[..end].iter().rev().take_while(|byte| **byte == b'\\').count();
    &line[..end + usize::from(backslashes % 2 == 1 && end < line.len())]
}

fn tokens(text: &[u8]) -> Vec<Token> {
    let (mut tokens, mut at) = (Vec::new(), 0);
    while let Some(byte) = text.get(at) {
        let starts = at == 0 || text[at - 1] == b'/';
        let stars = text[at..].iter().take_while(|byte| **byte == b'*').count();
        let (token, length) = match byte {
            b'*' if stars == 2 && starts && text.get(at + 2) == Some(&b'/') => (Token::Folders, 3),
            b'*' if stars == 2 && starts && at > 0 && at + 2 == text.len() => (Token::Below, 2),
            b'*' => (Token::Some, stars),
            b'?' => (Token::One, 1),
            b'\\' => text.get(at + 1).map_or((Token::Nothing, 1), |byte| (Token::Byte(*byte), 2)),
            b'[' => class(&text[at..]).unwrap_or((Token::Nothing, text.len())),
            byte => (Token::Byte(*byte), 1),
        };
        tokens.push(token);
        at += length;
    }
    tokens
}

/// The class at the start of `text` and its length; `None` if it has no end.
fn class(text: &[u8]) -> Option<(Token, usize)> {
    let negated = matches!(text.get(1), Some(b'!' | b'^'));
    let first = 1 + usize::from(negated);
    let (mut at, mut ranges) = (first, Vec::new());
    loop {
        match text.get(at)? {
            b']' if at > first => return Some((Token::Class { negated, ranges }, at + 1)),
            b'[' if text.get(at + 1) == Some(&b':') => {
                let length = text[at + 2..].find(b":]")?;
                ranges.extend(named(&text[at + 2..at + 2 + length])?);
                at += length + 4;
            }
            _ => {
                let from = one(text, &mut at)?;
                let goes_on = text.get(at) == Some(&b'-') && !matches!(text.get(at + 1), None | Some(b']'));
                let to = if goes_on {
                    at += 1;
                    one(text, &mut at)?
                } else {
                    from
                };
                ranges.push((from, to));
            }
        }
    }
}

/// A byte of a class, possibly after a backslash.
fn one(text: &[u8], at: &mut usize) -> Option<u8> {
    *at += usize::from(text.get(*at) == Some(&b'\\'));
    let byte = *text.get(*at)?;
    *at += 1;
    Some(byte)
}

fn named(class: &[u8]) -> Option<Vec<(u8, u8)>> {
    Some(match class {
        b"alnum" => vec![(b'0', b'9'), (b'A', b'Z'), (b'a', b'z')],
        b"alpha" => vec![(b'A', b'Z'), (b'a', b'z')],
        b"blank" => vec![(b' ', b' '), (b'\t', b'\t')],
        b"cntrl" => vec![(0, 31), (127, 127)],
        b"digit" => vec![(b'0', b'9')],
        b"graph" => vec![(b'!', b'~')],
        b"lower" => vec![(b'a', b'z')],
        b"print" => vec![(b' ', b'~')],
        b"punct" => vec![(b'!', b'/'), (b':', b'@'), (b'[', b'`'), (b'{', b'~')],
        b"space" => vec![(b'\t', b'\r'), (b' ', b' ')],
        b"upper" => vec![(b'A', b'Z')],
        b"xdigit" => vec![(b'0', b'9'), (b'A', b'F'), (b'a', b'f')],
        _ => return None,
    })
}
