//! Joins literals of a program that are adjacent or added: they are one text at run time.

use std::ops::Range;

use bstr::ByteSlice;

use super::made::Made;

/// The operators that join two literals, longest first: of Lua, PHP, Haskell, Java, Elixir, Basic, Perl, SQL. Some languages need none.
const OPERATORS: [&[u8]; 9] = [b"..", b".", b"++", b"+", b"<>", b"&", b"~", b"||", b","];
/// The calls that join a list of literals, directly before the first or after the last.
const CALLS: [&[u8]; 3] = [b"join(", b"concat", b"implode("];
/// The bytes that can start the text between two literals.
const MAY_FOLLOW: &[u8] = b" \t\r\n\\\"'`.+<&~|,";
/// The search for such a call covers this many bytes.
const CALL: usize = 24;
/// The most bytes of a literal before the first joined one, and of any other.
const FIRST: usize = 512;
const LONGEST: usize = 8192;
/// The most literals joined to one.
const MOST: usize = 1 << 10;

/// The text between two literals.
struct Glue {
    /// The opening quote of the second, and the place after it.
    quote: u8,
    end: usize,
    comma: bool,
}

/// Adds to `made` the literals of `text` that form one text.
pub(super) fn each(text: &[u8], made: &mut Made) {
    let mut chains = Chains { text, made, places: Vec::new() };
    let (mut at, mut floor) = (0, 0);
    while let Some(step) = text[at..].find_byteset(b"\"'`") {
        let close = at + step;
        at = close + 1;
        if let Some(glue) = chains.glue(close) {
            let start = opened(text, floor, close);
            chains.made.looked(close - start);
            if !glue.comma || may_be_joined(text, start) {
                at = chains.follow(start..close, glue);
                floor = at;
            }
        }
    }
}

/// A sequence of adjacent literals.
struct Chains<'a, 'b> {
    text: &'a [u8],
    made: &'a mut Made<'b>,
    places: Vec<Range<usize>>,
}

impl Chains<'_, '_> {
    /// Adds the literals joined to the first, and returns the end of the last.
    fn follow(&mut self, first: Range<usize>, mut glue: Glue) -> usize {
        let start = first.start;
        self.places.clear();
        self.places.push(first);
        let comma = glue.comma;
        let end = loop {
            let end = closed(self.text, &glue);
            self.made.looked(end - glue.end);
            self.places.push(glue.end..end);
            if self.text.get(end) != Some(&glue.quote) || self.places.len() == MOST {
                break end;
            }
            match self.glue(end) {
                Some(next) if comma || !next.comma => glue = next,
                _ => break end + 1,
            }
        };
        if !comma || is_joined(self.text, start, end) {
            self.made.joined(&self.places);
        }
        end
    }

    /// The text between the literal that ends at `close` and another.
    fn glue(&mut self, close: usize) -> Option<Glue> {
        let text = self.text;
        let mut at = close + 1;
        if !text.get(at).is_some_and(|next| MAY_FOLLOW.contains(next)) {
            return None;
        }
        blanks(text, &mut at);
        let signs = text.get(at).is_some_and(u8::is_ascii_punctuation);
        let operator = OPERATORS.into_iter().find(|operator| signs && text[at..].starts_with(operator));
        if let Some(operator) = operator {
            at += operator.len();
            blanks(text, &mut at);
        }
        self.made.looked(at - close);
        // f"", rb'', @"".
        let prefix = text[at..].iter().take(2).take_while(|byte| b"bBfFrRuUL@$".contains(byte)).count();
        let quote = *text.get(at + prefix).filter(|byte| b"\"'`".contains(byte))?;
        Some(Glue { quote, end: at + prefix + 1, comma: operator == Some(b",") })
    }
}

/// Skips white space, and backslashes at line ends.
fn blanks(text: &[u8], at: &mut usize) {
    loop {
        match &text[*at..] {
            [b' ' | b'\t' | b'\r' | b'\n', ..] | [b'\\', b'\n', ..] | [b'\\', b'\r', b'\n', ..] => *at += 1,
            _ => return,
        }
    }
}

/// The start of the literal that ends at `close`, not before `floor`.
fn opened(text: &[u8], floor: usize, close: usize) -> usize {
    let from = floor.max(close.saturating_sub(FIRST));
    let quote = text[close];
    text[from..close].iter().rposition(|byte| *byte == quote || *byte == b'\n').map_or(from, |at| from + at + 1)
}

/// The end of an open literal: its quote, or the end of the search.
fn closed(text: &[u8], glue: &Glue) -> usize {
    let window = &text[glue.end..text.len().min(glue.end + LONGEST)];
    let mut escaped = false;
    let end = window.iter().position(|byte| {
        let ends = !escaped && (*byte == glue.quote || *byte == b'\n');
        escaped = *byte == b'\\' && !escaped;
        ends
    });
    glue.end + end.unwrap_or(window.len())
}

/// Whether a call may join literals in a list: `concat!("a", "b")`, `["a", "b"].join("")`.
fn may_be_joined(text: &[u8], start: usize) -> bool {
    let before = &text[start.saturating_sub(CALL)..start.saturating_sub(1)];
    before.trim_ascii_end().ends_with(b"[") || is_called(text, start)
}

fn is_joined(text: &[u8], start: usize, end: usize) -> bool {
    let after = text[end..text.len().min(end + CALL)].trim_ascii_start();
    is_called(text, start) || after.starts_with(b"]") && has(after, CALLS[0])
}

/// Whether a joining call precedes the literal at `start`.
fn is_called(text: &[u8], start: usize) -> bool {
    let before = &text[start.saturating_sub(CALL)..start];
    CALLS.into_iter().any(|call| has(before, call))
}

fn has(text: &[u8], call: &[u8]) -> bool {
    text.windows(call.len()).any(|window| window == call)
}
