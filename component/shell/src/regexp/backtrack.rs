//! Expressions that refer to groups: every way is tried, up to a bound.

use super::node::Node;
use super::{Groups, Syntax};

/// The most steps of one search. What takes more does not match.
const STEPS: u32 = 2_000_000;

/// An expression with references.
#[derive(Debug)]
pub struct Program {
    node: Node,
    groups: usize,
    syntax: Syntax,
}

struct Run<'a> {
    text: &'a [u8],
    syntax: Syntax,
    groups: Groups,
    steps: u32,
}

type Next<'a> = &'a mut dyn FnMut(&mut Run<'_>, usize) -> bool;

impl Program {
    /// One with so many groups.
    pub fn new(node: Node, groups: usize, syntax: Syntax) -> Program {
        Program { node, groups, syntax }
    }

    /// The first match from a place on.
    pub fn search(&self, text: &[u8], from: usize) -> Option<Groups> {
        let mut steps = STEPS;
        for begin in from..=text.len() {
            let mut run = Run { text, syntax: self.syntax, groups: vec![None; self.groups + 1], steps };
            let mut end = None;
            let found = run.node(&self.node, begin, &mut |_, at| {
                end = Some(at);
                true
            });
            if found {
                run.groups[0] = end.map(|end| (begin, end));
                return Some(run.groups);
            }
            steps = run.steps;
            if steps == 0 {
                return None;
            }
        }
        None
    }
}

impl Run<'_> {
    fn node(&mut self, node: &Node, at: usize, next: Next<'_>) -> bool {
        if self.steps == 0 {
            return false;
        }
        self.steps -= 1;
        match node {
            Node::All(nodes) => self.all(nodes, at, next),
            Node::Either(ways) => ways.iter().any(|way| self.node(way, at, next)),
            Node::Repeat(node, least, most) => self.repeat(node, (*least, *most), 0, at, None, next),
            Node::Group(number, node) => {
                let was = self.groups[*number];
                let found = self.node(node, at, &mut |run, end| {
                    let before = run.groups[*number];
                    run.groups[*number] = Some((at, end));
                    next(run, end) || {
                        run.groups[*number] = before;
                        false
                    }
                });
                if !found {
                    self.groups[*number] = was;
                }
                found
            }
            Node::Reference(number) => {
                let Some((begin, end)) = self.groups[*number] else { return false };
                let wanted = &self.text[begin..end];
                let here = &self.text[at..];
                let same = match self.syntax.ignores_case {
                    true => here.len() >= wanted.len() && here[..wanted.len()].eq_ignore_ascii_case(wanted),
                    false => here.starts_with(wanted),
                };
                same && next(self, at + wanted.len())
            }
            other => match self.one(other, at) {
                Some(length) => next(self, at + length),
                None => false,
            },
        }
    }

    fn all(&mut self, nodes: &[Node], at: usize, next: Next<'_>) -> bool {
        match nodes.split_first() {
            None => next(self, at),
            Some((first, rest)) => self.node(first, at, &mut |run, end| run.all(rest, end, next)),
        }
    }

    fn repeat(
        &mut self,
        node: &Node,
        (least, most): (u32, Option<u32>),
        count: u32,
        at: usize,
        last: Option<usize>,
        next: Next<'_>,
    ) -> bool {
        let more = most.is_none_or(|most| count < most) && last != Some(at);
        if more && self.node(node, at, &mut |run, end| run.repeat(node, (least, most), count + 1, end, Some(at), next))
        {
            return true;
        }
        count >= least && next(self, at)
    }

    /// How many bytes a node takes that takes at most one character.
    fn one(&self, node: &Node, at: usize) -> Option<usize> {
        let text = self.text;
        let is_word =
            |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80);
        let (before, after) = (is_word(at.checked_sub(1).and_then(|at| text.get(at))), is_word(text.get(at)));
        let holds = match node {
            Node::Begin => at == 0 || (self.syntax.multiline && text[at - 1] == b'\n'),
            Node::End => at == text.len() || (self.syntax.multiline && text[at] == b'\n'),
            Node::TextBegin => at == 0,
            Node::TextEnd => at == text.len(),
            Node::WordBegin => !before && after,
            Node::WordEnd => before && !after,
            Node::Boundary => before != after,
            Node::NoBoundary => before == after,
            Node::Byte(byte) => return (text.get(at) == Some(byte)).then_some(1),
            _ => {
                let (char, length) = bstr::decode_utf8(&text[at..]);
                let char = char?;
                let takes = match node {
                    Node::Any => true,
                    Node::Char(wanted) => self.same(*wanted, char),
                    Node::Class(class) => {
                        class.has(char)
                            || (self.syntax.ignores_case
                                && (char.to_lowercase().any(|char| class.has(char))
                                    || char.to_uppercase().any(|char| class.has(char))))
                    }
                    _ => false,
                };
                return takes.then_some(length);
            }
        };
        holds.then_some(0)
    }

    fn same(&self, one: char, other: char) -> bool {
        one == other || (self.syntax.ignores_case && one.to_lowercase().eq(other.to_lowercase()))
    }
}
