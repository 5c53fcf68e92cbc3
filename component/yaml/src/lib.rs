//! Parses YAML into a tree with line numbers, for files that people write: worker files on the host,
//! task files in the sandbox.
//!
//! Supports only what such files need: maps, lists and text. Refuses aliases, which let a small file
//! expand to a large one, and tags, which change the meaning of text.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

use saphyr_parser::{Event, Parser, ScalarStyle, Span, StrInput};

/// The deepest nesting of maps and lists.
const DEPTH: usize = 32;

/// An error, with its line in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Counted from 1.
    pub line: usize,
    /// One sentence without a full stop.
    pub what: String,
}

/// A value and the line where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Counted from 1, in the whole file.
    pub line: usize,
    /// The value.
    pub value: Value,
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Nothing, `~` or `null`.
    Nothing,
    /// Any other scalar, as it is written.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// A map in the order of the file, without duplicate keys.
    Map(Vec<Entry>),
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Its line, counted from 1.
    pub line: usize,
    /// The value.
    pub node: Node,
}

/// Parses `text`, one document that follows `above` lines of a file.
pub fn parse(text: &str, above: usize) -> Result<Node, Wrong> {
    Reader { parser: Parser::new_from_str(text), above }.document()
}

impl Wrong {
    /// An error in `line`.
    pub fn at(line: usize, what: impl Into<String>) -> Wrong {
        Wrong { line, what: what.into() }
    }
}

struct Reader<'a> {
    parser: Parser<'a, StrInput<'a>>,
    /// Lines of the file before the text.
    above: usize,
}

impl<'a> Reader<'a> {
    /// The next event and its line in the file.
    fn next(&mut self) -> Result<(Event<'a>, usize), Wrong> {
        let line = |span: &Span| self.above + span.start.line();
        match self.parser.next_event() {
            Some(Ok((event, span))) => Ok((event, line(&span))),
            Some(Err(error)) => Err(Wrong::at(self.above + error.marker().line(), error.info())),
            None => Ok((Event::StreamEnd, self.above + 1)),
        }
    }

    fn document(mut self) -> Result<Node, Wrong> {
        let mut root = None;
        loop {
            match self.next()? {
                (Event::StreamEnd, _) => {
                    return Ok(root.unwrap_or(Node { line: self.above + 1, value: Value::Nothing }));
                }
                (Event::DocumentStart(_), line) if root.is_some() => {
                    return Err(Wrong::at(line, "there must be one document"));
                }
                (Event::Nothing | Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd, _) => {}
                (event, line) => root = Some(self.node(event, line, 0)?),
            }
        }
    }

    /// The value that begins with `event`.
    fn node(&mut self, event: Event<'a>, line: usize, depth: usize) -> Result<Node, Wrong> {
        if depth == DEPTH {
            return Err(Wrong::at(line, format!("maps and lists are nested more than {DEPTH} deep")));
        }
        let plain = |anchor: usize, has_tag: bool| match (anchor, has_tag) {
            (0, false) => Ok(()),
            (_, true) => Err(Wrong::at(line, "tags are not supported")),
            (_, false) => Err(Wrong::at(line, "anchors are not supported")),
        };
        let value = match event {
            Event::Scalar(text, style, anchor, tag) => {
                plain(anchor, tag.is_some())?;
                match (style, text.as_ref()) {
                    (ScalarStyle::Plain, "" | "~" | "null") => Value::Nothing,
                    _ => Value::Text(text.into_owned()),
                }
            }
            Event::SequenceStart(anchor, tag) => {
                plain(anchor, tag.is_some())?;
                Value::List(self.list(depth)?)
            }
            Event::MappingStart(anchor, tag) => {
                plain(anchor, tag.is_some())?;
                Value::Map(self.map(depth)?)
            }
            _ => return Err(Wrong::at(line, "aliases are not supported")),
        };
        Ok(Node { line, value })
    }

    fn list(&mut self, depth: usize) -> Result<Vec<Node>, Wrong> {
        let mut nodes = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Ok(nodes),
                (event, line) => nodes.push(self.node(event, line, depth + 1)?),
            }
        }
    }

    fn map(&mut self, depth: usize) -> Result<Vec<Entry>, Wrong> {
        let mut entries: Vec<Entry> = Vec::new();
        loop {
            let (event, line) = self.next()?;
            if event == Event::MappingEnd {
                return Ok(entries);
            }
            let Value::Text(key) = self.node(event, line, depth + 1)?.value else {
                return Err(Wrong::at(line, "a key must be text"));
            };
            if entries.iter().any(|entry| entry.key == key) {
                return Err(Wrong::at(line, format!("the key `{key}` appears twice")));
            }
            let (event, value_line) = self.next()?;
            let node = self.node(event, value_line, depth + 1)?;
            entries.push(Entry { key, line, node });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> String {
        let wrong = parse(text, 1).expect_err(text);
        format!("{}: {}", wrong.line, wrong.what)
    }

    fn text(line: usize, text: &str) -> Node {
        Node { line, value: Value::Text(text.to_owned()) }
    }

    #[test]
    fn maps_lists_and_text_are_read_with_their_lines() {
        let read =
            parse("a: 1 # one\nb:\n  - x\n  - 'y: z'\nc: {d: ~, e: \"null\"}\nf: |\n  long\n  text\n", 1).unwrap();
        let entry = |key: &str, line, node| Entry { key: key.to_owned(), line, node };
        let inner = vec![entry("d", 6, Node { line: 6, value: Value::Nothing }), entry("e", 6, text(6, "null"))];
        let list = Node { line: 4, value: Value::List(vec![text(4, "x"), text(5, "y: z")]) };
        assert_eq!(
            read.value,
            Value::Map(vec![
                entry("a", 2, text(2, "1")),
                entry("b", 3, list),
                entry("c", 6, Node { line: 6, value: Value::Map(inner) }),
                entry("f", 7, text(8, "long\ntext\n")),
            ])
        );
        assert_eq!(parse("", 0).unwrap(), Node { line: 1, value: Value::Nothing });
        assert_eq!(parse("# nothing\n", 0).unwrap().value, Value::Nothing);
    }

    #[test]
    fn what_is_not_plain_is_an_error_with_its_line() {
        assert_eq!(wrong("a: 1\n---\nb: 1\n"), "3: there must be one document");
        assert_eq!(wrong("a: 1\nb: 2\na: 3\n"), "4: the key `a` appears twice");
        assert_eq!(wrong("a: &x 1\n"), "2: anchors are not supported");
        assert_eq!(wrong("a: !!str 1\n"), "2: tags are not supported");
        assert_eq!(wrong("\n[1]: 1\n"), "3: a key must be text");
        assert!(wrong("a: 1\nb: [1\n").starts_with(['3', '4']), "{}", wrong("a: 1\nb: [1\n"));
        assert!(wrong("a: \"x\n").contains(": "));
        assert!(wrong("a: *x\n").starts_with("2: "));
    }

    #[test]
    fn a_small_file_never_means_a_large_one() {
        let mut bomb = "a0: &a0 [x]\n".to_owned();
        for n in 1..40 {
            bomb.push_str(&format!("a{n}: &a{n} [*a{}, *a{}]\n", n - 1, n - 1));
        }
        assert_eq!(wrong(&bomb), "2: anchors are not supported");
        let deep = |depth| wrong(&"[".repeat(depth));
        assert_eq!(deep(33), "2: maps and lists are nested more than 32 deep");
        assert!(deep(100_000).starts_with("2: "));
    }
}
