//! An expression as a tree, and how Rust's library would write it.

use super::Syntax;

/// A part of an expression.
#[derive(Clone, Debug)]
pub enum Node {
    /// This character.
    Char(char),
    /// This byte, which is no character.
    Byte(u8),
    /// `.`
    Any,
    /// `[…]`
    Class(Class),
    /// `^`
    Begin,
    /// `$`
    End,
    /// `\<`
    WordBegin,
    /// `\>`
    WordEnd,
    /// `\b`
    Boundary,
    /// `\B`
    NoBoundary,
    /// ``\` ``
    TextBegin,
    /// `\'`
    TextEnd,
    /// One after the other.
    All(Vec<Node>),
    /// One of them.
    Either(Vec<Node>),
    /// At least and at most so often.
    Repeat(Box<Node>, u32, Option<u32>),
    /// A group with its number, from 1.
    Group(usize, Box<Node>),
    /// What a group has matched.
    Reference(usize),
}

/// A set of characters.
#[derive(Clone, Debug, Default)]
pub struct Class {
    /// Whether it has all others.
    pub negated: bool,
    /// First and last characters.
    pub ranges: Vec<(char, char)>,
    /// Names of POSIX's classes.
    pub names: Vec<String>,
}

impl Class {
    /// The letters, digits and underscores of words.
    pub fn word(negated: bool) -> Class {
        Class { negated, ranges: vec![('_', '_')], names: vec!["alnum".to_owned()] }
    }

    /// White space.
    pub fn space(negated: bool) -> Class {
        Class { negated, ranges: Vec::new(), names: vec!["space".to_owned()] }
    }

    /// Whether it has a character.
    pub fn has(&self, char: char) -> bool {
        let has = self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&char))
            || self.names.iter().any(|name| crate::expand::pattern::named(name, char));
        has != self.negated
    }
}

impl Node {
    /// Whether one place may have matches of several lengths, and the first way is not the longest: it has alternatives, or what is
    /// repeated is longer than a character and something before it may be taken or not.
    pub fn is_ambiguous(&self) -> bool {
        let (mut repeats, mut long) = (0, false);
        self.has_alternatives(&mut repeats, &mut long) || (long && repeats > 1)
    }

    fn has_alternatives(&self, repeats: &mut usize, long: &mut bool) -> bool {
        match self {
            Node::Either(_) => true,
            Node::All(nodes) => nodes.iter().any(|node| node.has_alternatives(repeats, long)),
            Node::Repeat(node, least, most) => {
                if *most != Some(*least) {
                    *repeats += 1;
                    *long |= matches!(**node, Node::All(_) | Node::Group(..) | Node::Repeat(..));
                }
                node.has_alternatives(repeats, long)
            }
            Node::Group(_, node) => node.has_alternatives(repeats, long),
            _ => false,
        }
    }

    /// In the syntax of Rust's library.
    pub fn written(&self, syntax: Syntax) -> String {
        let mut out = String::from(if syntax.ignores_case { "(?si)" } else { "(?s)" });
        self.write(syntax, &mut out);
        out
    }

    fn write(&self, syntax: Syntax, out: &mut String) {
        match self {
            Node::Char(char) => literal(*char, out),
            Node::Byte(byte) => out.push_str(&format!("(?-u:\\x{byte:02X})")),
            Node::Any => out.push('.'),
            Node::Class(class) => written_class(class, out),
            Node::Begin => out.push_str(if syntax.multiline { "(?m:^)" } else { "\\A" }),
            Node::End => out.push_str(if syntax.multiline { "(?m:$)" } else { "\\z" }),
            Node::WordBegin => out.push_str("\\b{start}"),
            Node::WordEnd => out.push_str("\\b{end}"),
            Node::Boundary => out.push_str("\\b"),
            Node::NoBoundary => out.push_str("\\B"),
            Node::TextBegin => out.push_str("\\A"),
            Node::TextEnd => out.push_str("\\z"),
            Node::All(nodes) => nodes.iter().for_each(|node| node.write(syntax, out)),
            Node::Either(nodes) => {
                out.push_str("(?:");
                for (at, node) in nodes.iter().enumerate() {
                    if at > 0 {
                        out.push('|');
                    }
                    node.write(syntax, out);
                }
                out.push(')');
            }
            Node::Repeat(node, least, most) => {
                out.push_str("(?:");
                node.write(syntax, out);
                out.push(')');
                match (least, most) {
                    (0, None) => out.push('*'),
                    (1, None) => out.push('+'),
                    (0, Some(1)) => out.push('?'),
                    (least, None) => out.push_str(&format!("{{{least},}}")),
                    (least, Some(most)) => out.push_str(&format!("{{{least},{most}}}")),
                }
            }
            Node::Group(_, node) => {
                out.push('(');
                node.write(syntax, out);
                out.push(')');
            }
            Node::Reference(_) => unreachable!("expressions with references are not written"),
        }
    }
}

fn literal(char: char, out: &mut String) {
    if char.is_ascii_punctuation() && char != '<' && char != '>' {
        out.push('\\');
    }
    out.push(char);
}

fn written_class(class: &Class, out: &mut String) {
    out.push_str(if class.negated { "[^" } else { "[" });
    for (first, last) in &class.ranges {
        out.push_str(&format!("\\x{{{:x}}}-\\x{{{:x}}}", u32::from(*first), u32::from(*last)));
    }
    for name in &class.names {
        out.push_str(match name.as_str() {
            "alnum" => "\\p{Alphabetic}\\p{N}",
            "alpha" => "\\p{Alphabetic}",
            "blank" => " \\t",
            "cntrl" => "\\p{Cc}",
            "digit" => "0-9",
            "graph" => "[^\\p{Cc}\\s]",
            "lower" => "\\p{Lowercase}",
            "print" => "[^\\p{Cc}]",
            "punct" => "!-/:-@\\[-`{-~\\p{P}\\p{S}",
            "space" => "\\s",
            "upper" => "\\p{Uppercase}",
            _ => "0-9A-Fa-f",
        });
    }
    out.push(']');
}
