//! Reads expressions as POSIX writes them, basic and extended, with GNU's additions.

use super::node::{Class, Node};

/// The most repetitions (`RE_DUP_MAX`).
const REPEATED: u32 = 32_767;
/// How deeply groups may lie in each other.
const DEEPEST: usize = 100;

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    extended: bool,
    groups: usize,
    closed: Vec<usize>,
    depth: usize,
    refers: bool,
}

/// Reads an expression. Gives how many groups it has, and whether it refers to one.
pub fn read(pattern: &[u8], extended: bool) -> Result<(Node, usize, bool), String> {
    let mut reader = Reader { bytes: pattern, at: 0, extended, groups: 0, closed: Vec::new(), depth: 0, refers: false };
    let node = reader.either()?;
    if reader.at < pattern.len() {
        return Err("Unmatched ) or \\)".to_owned());
    }
    Ok((node, reader.groups, reader.refers))
}

const NAMES: &[&str] =
    &["alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit"];

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Whether an operator stands here: with a backslash in basic expressions.
    fn is_operator(&self, operator: u8) -> bool {
        match self.extended {
            true => self.peek() == Some(operator),
            false => self.bytes[self.at..].starts_with(&[b'\\', operator]),
        }
    }

    fn skip_operator(&mut self) {
        self.at += if self.extended { 1 } else { 2 };
    }

    fn either(&mut self) -> Result<Node, String> {
        let mut ways = vec![self.all()?];
        while self.is_operator(b'|') {
            self.skip_operator();
            ways.push(self.all()?);
        }
        Ok(if ways.len() == 1 { ways.remove(0) } else { Node::Either(ways) })
    }

    fn all(&mut self) -> Result<Node, String> {
        let mut nodes: Vec<Node> = Vec::new();
        loop {
            if self.at >= self.bytes.len() || self.is_operator(b'|') {
                break;
            }
            if self.is_operator(b')') {
                if self.depth > 0 {
                    break;
                }
                if !self.extended {
                    return Err("Unmatched ) or \\)".to_owned());
                }
                // Outside of a group it stands for itself.
                self.at += 1;
                nodes.push(Node::Char(')'));
                continue;
            }
            let is_first = nodes.is_empty();
            let is_anchored = nodes.len() == 1 && matches!(nodes[0], Node::Begin);
            let node = self.atom(is_first, is_anchored)?;
            let node = self.repeated(node)?;
            nodes.push(node);
        }
        Ok(if nodes.len() == 1 { nodes.remove(0) } else { Node::All(nodes) })
    }

    fn repeated(&mut self, mut node: Node) -> Result<Node, String> {
        let is_anchor = matches!(node, Node::Begin) && !self.extended;
        if is_anchor {
            return Ok(node);
        }
        loop {
            let (least, most) = if self.peek() == Some(b'*') {
                self.at += 1;
                (0, None)
            } else if self.is_operator(b'+') {
                self.skip_operator();
                (1, None)
            } else if self.is_operator(b'?') {
                self.skip_operator();
                (0, Some(1))
            } else if self.is_operator(b'{') {
                match self.interval()? {
                    Some(interval) => interval,
                    None => return Ok(node),
                }
            } else {
                return Ok(node);
            };
            node = Node::Repeat(Box::new(node), least, most);
        }
    }

    /// `{n,m}`. None if it is no such thing in an extended expression, where it stands for itself.
    fn interval(&mut self) -> Result<Option<(u32, Option<u32>)>, String> {
        let begin = self.at;
        self.skip_operator();
        let least = self.number();
        let comma = self.peek() == Some(b',');
        self.at += usize::from(comma);
        let most = if comma { self.number() } else { least };
        if !self.is_operator(b'}') || (least.is_none() && !comma) {
            if self.extended {
                self.at = begin;
                return Ok(None);
            }
            return Err("Invalid content of \\{\\}".to_owned());
        }
        self.skip_operator();
        let least = least.unwrap_or(0);
        if least > REPEATED || most.is_some_and(|most| most > REPEATED) {
            return Err("Regular expression too big".to_owned());
        }
        if most.is_some_and(|most| most < least) {
            return Err("Invalid content of \\{\\}".to_owned());
        }
        Ok(Some((least, most)))
    }

    fn number(&mut self) -> Option<u32> {
        let digits = self.bytes[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let text = std::str::from_utf8(&self.bytes[self.at..self.at + digits]).expect("they are digits");
        self.at += digits;
        (digits > 0).then(|| text.parse().unwrap_or(u32::MAX))
    }

    fn atom(&mut self, is_first: bool, is_anchored: bool) -> Result<Node, String> {
        let byte = self.peek().expect("there is something left");
        if self.is_operator(b'(') {
            return self.group();
        }
        match byte {
            b'\\' => self.escaped(),
            b'.' => Ok(self.take(Node::Any)),
            b'[' => self.class(),
            b'*' if is_first || (is_anchored && !self.extended) => Ok(self.take(Node::Char('*'))),
            b'+' | b'?' if self.extended && is_first => Ok(self.take(Node::Char(byte.into()))),
            b'^' if self.extended || is_first => Ok(self.take(Node::Begin)),
            b'$' if self.extended || self.ends() => Ok(self.take(Node::End)),
            _ => Ok(self.char()),
        }
    }

    /// Whether a dollar here is the last thing of a basic expression, or of a group in it.
    fn ends(&self) -> bool {
        let rest = &self.bytes[self.at + 1..];
        rest.is_empty() || rest.starts_with(b"\\)") || rest.starts_with(b"\\|")
    }

    fn take(&mut self, node: Node) -> Node {
        self.at += 1;
        node
    }

    fn char(&mut self) -> Node {
        match bstr::decode_utf8(&self.bytes[self.at..]) {
            (Some(char), length) => {
                self.at += length;
                Node::Char(char)
            }
            (None, _) => {
                self.at += 1;
                Node::Byte(self.bytes[self.at - 1])
            }
        }
    }

    fn group(&mut self) -> Result<Node, String> {
        self.skip_operator();
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("Regular expression too big".to_owned());
        }
        self.groups += 1;
        let number = self.groups;
        let inner = self.either()?;
        if !self.is_operator(b')') {
            return Err("Unmatched ( or \\(".to_owned());
        }
        self.skip_operator();
        self.depth -= 1;
        self.closed.push(number);
        Ok(Node::Group(number, Box::new(inner)))
    }

    fn escaped(&mut self) -> Result<Node, String> {
        self.at += 1;
        let Some(byte) = self.peek() else { return Err("Trailing backslash".to_owned()) };
        let node = match byte {
            b'w' => Node::Class(Class::word(false)),
            b'W' => Node::Class(Class::word(true)),
            b's' => Node::Class(Class::space(false)),
            b'S' => Node::Class(Class::space(true)),
            b'b' => Node::Boundary,
            b'B' => Node::NoBoundary,
            b'<' => Node::WordBegin,
            b'>' => Node::WordEnd,
            b'`' => Node::TextBegin,
            b'\'' => Node::TextEnd,
            b'n' => Node::Char('\n'),
            b't' => Node::Char('\t'),
            b'1'..=b'9' => {
                let group = usize::from(byte - b'0');
                if !self.closed.contains(&group) {
                    return Err("Invalid back reference".to_owned());
                }
                self.refers = true;
                Node::Reference(group)
            }
            _ => return Ok(self.char()),
        };
        Ok(self.take(node))
    }

    fn class(&mut self) -> Result<Node, String> {
        const UNMATCHED: &str = "Unmatched [, [^, [:, [., or [=";
        self.at += 1;
        let negated = self.peek() == Some(b'^');
        self.at += usize::from(negated);
        let mut class = Class { negated, ..Class::default() };
        let mut is_first = true;
        loop {
            match self.peek() {
                None => return Err(UNMATCHED.to_owned()),
                Some(b']') if !is_first => {
                    self.at += 1;
                    return Ok(Node::Class(class));
                }
                Some(b'[') if self.bytes.get(self.at + 1) == Some(&b':') => {
                    let rest = &self.bytes[self.at + 2..];
                    let end = rest.windows(2).position(|pair| pair == b":]").ok_or(UNMATCHED)?;
                    let name = String::from_utf8_lossy(&rest[..end]).into_owned();
                    if !NAMES.contains(&name.as_str()) {
                        return Err("Invalid character class name".to_owned());
                    }
                    class.names.push(name);
                    self.at += end + 4;
                }
                Some(_) => {
                    let first = self.member(UNMATCHED)?;
                    let ranges = self.peek() == Some(b'-') && !matches!(self.bytes.get(self.at + 1), None | Some(b']'));
                    let last = match ranges {
                        true => {
                            self.at += 1;
                            self.member(UNMATCHED)?
                        }
                        false => first,
                    };
                    if last < first {
                        return Err("Invalid range end".to_owned());
                    }
                    class.ranges.push((first, last));
                }
            }
            is_first = false;
        }
    }

    fn member(&mut self, unmatched: &str) -> Result<char, String> {
        if self.peek() == Some(b'[') && matches!(self.bytes.get(self.at + 1), Some(b'.' | b'=')) {
            let mark = self.bytes[self.at + 1];
            let rest = &self.bytes[self.at + 2..];
            let end = rest.windows(2).position(|pair| pair == [mark, b']']).ok_or(unmatched)?;
            let text = String::from_utf8_lossy(&rest[..end]).into_owned();
            self.at += end + 4;
            return text.chars().next().ok_or_else(|| "Invalid collation character".to_owned());
        }
        match self.char() {
            Node::Char(char) => Ok(char),
            _ => Ok(char::REPLACEMENT_CHARACTER),
        }
    }
}
