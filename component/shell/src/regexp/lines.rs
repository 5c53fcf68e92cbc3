//! Expressions that never match a line break, so that a whole text can be searched at once for its lines.

use super::backtrack;
use super::node::{Class, Node};
use super::{Engine, Regex, Syntax, compiled, longest, read};

/// What surrounds an expression.
#[derive(Clone, Copy, Debug, Default)]
pub struct Around {
    /// It matches whole words only.
    pub words: bool,
    /// It matches whole lines only.
    pub lines: bool,
    /// It may match line breaks.
    pub breaks: bool,
}

impl Around {
    /// An expression in Rust's syntax with what surrounds it.
    pub fn put(self, text: &str) -> String {
        match (self.lines, self.words) {
            (true, _) if self.breaks => format!("\\A(?:{text})\\z"),
            (true, _) => format!("(?m:^)(?:{text})(?m:$)"),
            (_, true) => format!("\\b{{start-half}}(?:{text})\\b{{end-half}}"),
            _ => text.to_owned(),
        }
    }
}

impl Syntax {
    /// Reads an expression for lines. Whether its matches are whole words is left to the caller if it is not linear.
    pub fn around(self, pattern: &[u8], around: Around) -> Result<Regex, String> {
        let (node, groups, refers) = read::read(pattern, self.extended)?;
        let node = if around.breaks { node } else { node.within_lines() };
        if refers {
            let node = if around.lines { Node::All(vec![Node::Begin, node, Node::End]) } else { node };
            let program = backtrack::Program::new(node, groups, self);
            return Ok(Regex { engine: Engine::Backtrack(program), groups: groups + 1 });
        }
        let text = around.put(&node.written(self));
        let longest = node.is_ambiguous().then(|| longest(&text)).transpose()?;
        Ok(Regex { engine: Engine::Linear { first: compiled(&text)?, text, longest }, groups: groups + 1 })
    }
}

impl Regex {
    /// Whether it runs in linear time.
    pub fn is_linear(&self) -> bool {
        matches!(self.engine, Engine::Linear { .. })
    }

    /// Where the earliest match from a place on is known to end, wherever it begins.
    pub fn earliest(&self, text: &[u8], at: usize) -> Option<usize> {
        match &self.engine {
            Engine::Linear { first, .. } => first.shortest_match_at(text, at),
            Engine::Backtrack(_) => self.find(text, at).map(|(_, end)| end),
        }
    }
}

impl Node {
    fn within_lines(self) -> Node {
        match self {
            Node::Any => Node::Class(Class { negated: true, ranges: vec![('\n', '\n')], names: Vec::new() }),
            Node::Class(class) => Node::Class(class.within_lines()),
            Node::All(nodes) => Node::All(nodes.into_iter().map(Node::within_lines).collect()),
            Node::Either(nodes) => Node::Either(nodes.into_iter().map(Node::within_lines).collect()),
            Node::Repeat(node, least, most) => Node::Repeat(Box::new(node.within_lines()), least, most),
            Node::Group(number, node) => Node::Group(number, Box::new(node.within_lines())),
            node => node,
        }
    }
}

impl Class {
    fn within_lines(mut self) -> Class {
        if self.negated {
            self.ranges.push(('\n', '\n'));
            return self;
        }
        let mut ranges = Vec::new();
        for (first, last) in self.ranges {
            if first < '\n' {
                ranges.push((first, last.min('\t')));
            }
            if last > '\n' {
                ranges.push((first.max('\x0b'), last));
            }
        }
        self.names.retain(|name| {
            let whole: &[(char, char)] = match name.as_str() {
                "space" => &[
                    ('\t', '\t'),
                    ('\x0b', '\r'),
                    (' ', ' '),
                    ('\u{85}', '\u{85}'),
                    ('\u{a0}', '\u{a0}'),
                    ('\u{1680}', '\u{1680}'),
                    ('\u{2000}', '\u{200a}'),
                    ('\u{2028}', '\u{2029}'),
                    ('\u{202f}', '\u{202f}'),
                    ('\u{205f}', '\u{205f}'),
                    ('\u{3000}', '\u{3000}'),
                ],
                "cntrl" => &[('\0', '\t'), ('\x0b', '\x1f'), ('\x7f', '\u{9f}')],
                _ => return true,
            };
            ranges.extend(whole);
            false
        });
        self.ranges = ranges;
        self
    }
}
