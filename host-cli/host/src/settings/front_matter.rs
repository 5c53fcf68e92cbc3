//! Parses the YAML between two lines `---` at the beginning of a file into a tree with line
//! numbers.
//!
//! Supports only what configuration needs: maps, lists and text. Refuses aliases, which let a small
//! file expand to a large one, and tags, which change the meaning of text.

use saphyr_parser::{Event, Parser, ScalarStyle, Span, StrInput};

/// How deep maps and lists may be nested.
const DEPTH: usize = 32;

/// What is wrong, and in which line of the file.
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

/// Parses the front matter of `text` and ignores what follows it.
pub fn parse(text: &str) -> Result<Node, Wrong> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let is_fence = |line: &str| line.trim_end() == "---";
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().filter(|line| is_fence(line));
    let first = first.ok_or_else(|| Wrong::at(1, "the file has no front matter: it must begin with a line `---`"))?;
    let mut inner = 0;
    for line in lines {
        if is_fence(line) {
            return Reader { parser: Parser::new_from_str(&text[first.len()..first.len() + inner]) }.document();
        }
        inner += line.len();
    }
    Err(Wrong::at(text.lines().count(), "the front matter does not end with a line `---`"))
}

impl Wrong {
    /// An error in `line`.
    pub fn at(line: usize, what: impl Into<String>) -> Wrong {
        Wrong { line, what: what.into() }
    }
}

struct Reader<'a> {
    parser: Parser<'a, StrInput<'a>>,
}

impl<'a> Reader<'a> {
    /// The next event and its line in the file.
    fn next(&mut self) -> Result<(Event<'a>, usize), Wrong> {
        let line = |span: &Span| span.start.line() + 1;
        match self.parser.next_event() {
            Some(Ok((event, span))) => Ok((event, line(&span))),
            Some(Err(error)) => Err(Wrong::at(error.marker().line() + 1, error.info())),
            None => Ok((Event::StreamEnd, 1)),
        }
    }

    fn document(mut self) -> Result<Node, Wrong> {
        let mut root = None;
        loop {
            match self.next()? {
                (Event::StreamEnd, _) => return Ok(root.unwrap_or(Node { line: 1, value: Value::Nothing })),
                (Event::DocumentStart(_), line) if root.is_some() => {
                    return Err(Wrong::at(line, "the front matter must be one document"));
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
        let wrong = parse(text).expect_err(text);
        format!("{}: {}", wrong.line, wrong.what)
    }

    fn text(line: usize, text: &str) -> Node {
        Node { line, value: Value::Text(text.to_owned()) }
    }

    #[test]
    fn maps_lists_and_text_are_read_with_their_lines() {
        let read = parse(
            "---\r\na: 1 # one\nb:\n  - x\n  - 'y: z'\nc: {d: ~, e: \"null\"}\nf: |\n  long\n  text\n---\nb: [\n",
        )
        .unwrap();
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
        assert_eq!(parse("---\n---\n").unwrap().value, Value::Nothing);
        assert_eq!(parse("\u{feff}--- \n# nothing\n---").unwrap().value, Value::Nothing);
    }

    #[test]
    fn what_is_no_front_matter_is_an_error_with_its_line() {
        assert_eq!(wrong(""), "1: the file has no front matter: it must begin with a line `---`");
        assert_eq!(wrong("name: x\n---\n"), "1: the file has no front matter: it must begin with a line `---`");
        assert_eq!(wrong("---\nname: x\n"), "2: the front matter does not end with a line `---`");
        assert_eq!(wrong("---\na: 1\nb: 2\na: 3\n---\n"), "4: the key `a` appears twice");
        assert_eq!(wrong("---\na: &x 1\n---\n"), "2: anchors are not supported");
        assert_eq!(wrong("---\na: !!str 1\n---\n"), "2: tags are not supported");
        assert_eq!(wrong("---\n\n[1]: 1\n---\n"), "3: a key must be text");
        assert!(wrong("---\na: 1\nb: [1\n---\n").starts_with(['3', '4']), "{}", wrong("---\na: 1\nb: [1\n---\n"));
        assert!(wrong("---\na: \"x\n---\n").contains(": "));
        assert!(wrong("---\na: *x\n---\n").starts_with("2: "));
    }

    #[test]
    fn a_small_file_never_means_a_large_one() {
        let mut bomb = "---\na0: &a0 [x]\n".to_owned();
        for n in 1..40 {
            bomb.push_str(&format!("a{n}: &a{n} [*a{}, *a{}]\n", n - 1, n - 1));
        }
        assert_eq!(wrong(&format!("{bomb}---\n")), "2: anchors are not supported");
        let deep = |depth| wrong(&format!("---\n{}\n---\n", "[".repeat(depth)));
        assert_eq!(deep(33), "2: maps and lists are nested more than 32 deep");
        assert!(deep(100_000).starts_with("2: "));
    }
}
