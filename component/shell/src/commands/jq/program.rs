//! A program's text, as jaq's terms. jaq has a reader of its own; this one has jq's precedences and its order of
//! results, and makes of updates what jq makes of them: paths, one after the other.

mod build;
mod lex;
mod literal;
mod postfix;

use jaq_core::load::Arena;
use jaq_core::load::parse::{BinaryOp, Def, Pattern, Term};

use self::build::{Node, node};
use self::lex::{Lexer, Token};

/// What is wrong with a program, and the line.
#[derive(Debug)]
pub struct Wrong {
    pub message: String,
    pub line: usize,
}

type Read<'s, T = Node<'s>> = Result<T, Wrong>;

/// A function that is being read, which may call itself.
struct Around<'s> {
    name: &'s str,
    count: usize,
    /// Whether it is given filters.
    filters: bool,
    calls_itself: bool,
}

/// A reader of programs.
struct Reader<'s> {
    lexer: Lexer<'s>,
    /// Texts that are not in the program as they are.
    arena: &'s Arena,
    around: Vec<Around<'s>>,
    /// How deeply it is within brackets.
    deep: u32,
}

/// Reads a program.
pub fn read<'s>(text: &'s str, arena: &'s Arena) -> Result<Term<&'s str>, Wrong> {
    let mut reader = Reader::new(text, arena, false);
    if reader.peek() == Token::End {
        return Ok(Term::Id);
    }
    let mut defs = Vec::new();
    while reader.peek() == Token::Word("def") {
        defs.push(reader.definition()?);
    }
    // A program of definitions only lets everything pass.
    let body = if reader.peek() == Token::End && !defs.is_empty() { Term::Id } else { reader.pipe()?.term };
    match reader.peek() {
        Token::End if defs.is_empty() => Ok(body),
        Token::End => Ok(Term::Def(defs, Box::new(body))),
        token => Err(reader.unexpected(token)),
    }
}

/// Reads a library.
pub fn library<'s>(text: &'s str, arena: &'s Arena) -> Result<Vec<Def<&'s str>>, Wrong> {
    let mut reader = Reader::new(text, arena, true);
    let mut defs = Vec::new();
    while reader.peek() != Token::End {
        defs.push(reader.definition()?);
    }
    Ok(defs)
}

impl<'s> Reader<'s> {
    fn new(text: &'s str, arena: &'s Arena, library: bool) -> Reader<'s> {
        Reader { lexer: Lexer::new(text, library), arena, around: Vec::new(), deep: 0 }
    }

    fn peek(&mut self) -> Token<'s> {
        self.lexer.peek()
    }

    fn wrong(&self, message: impl Into<String>) -> Wrong {
        Wrong { message: message.into(), line: self.lexer.line() }
    }

    fn unexpected(&self, token: Token<'s>) -> Wrong {
        self.wrong(format!("syntax error, unexpected {token} (Unix shell quoting issues?)"))
    }

    /// Takes the next token if it is this one.
    fn takes(&mut self, sought: Token<'_>) -> bool {
        let is = self.peek() == sought;
        if is {
            self.lexer.next();
        }
        is
    }

    fn expect(&mut self, sought: Token<'_>) -> Read<'s, ()> {
        if self.takes(sought) {
            return Ok(());
        }
        let found = self.peek();
        Err(self.wrong(format!("syntax error, unexpected {found}, expecting {sought} (Unix shell quoting issues?)")))
    }

    fn sign(&mut self, sign: &str) -> Read<'s, ()> {
        self.expect(Token::Sign(sign))
    }

    /// Makes a node, if it is not too deep.
    fn node(&self, term: Term<&'s str>, parts: &[u32], single: bool) -> Read<'s> {
        node(term, parts, single).ok_or_else(|| self.wrong("the program nests too deeply"))
    }

    /// Reads something that lies deeper.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<'s, T>) -> Read<'s, T> {
        self.deep += 1;
        if self.deep > build::DEEPEST {
            return Err(self.wrong("the program nests too deeply"));
        }
        let read = read(self);
        self.deep -= 1;
        read
    }

    /// Reads definitions, or filters one behind the other.
    fn pipe(&mut self) -> Read<'s> {
        self.deeper(|reader| {
            let mut defs = Vec::new();
            while reader.peek() == Token::Word("def") {
                defs.push(reader.definition()?);
            }
            if !defs.is_empty() {
                let body = reader.pipe()?;
                let (depth, single) = (body.depth, body.single);
                return reader.node(Term::Def(defs, Box::new(body.term)), &[depth], single);
            }
            let mut parts = vec![reader.binary(1)?];
            while reader.takes(Token::Sign("|")) {
                if reader.peek() == Token::Word("def") {
                    parts.push(reader.pipe()?);
                    break;
                }
                parts.push(reader.binary(1)?);
            }
            let mut all = parts.pop().expect("there is one");
            while let Some(part) = parts.pop() {
                all = reader.piped(part, all)?;
            }
            Ok(all)
        })
    }

    fn piped(&self, one: Node<'s>, other: Node<'s>) -> Read<'s> {
        let (depths, single) = ([one.depth, other.depth], one.single && other.single);
        let term = Term::BinOp(Box::new(one.term), BinaryOp::Pipe(None), Box::new(other.term));
        self.node(term, &depths, single)
    }

    /// Reads operators that bind at least so tightly, and what is between them.
    fn binary(&mut self, least: u32) -> Read<'s> {
        let mut left = self.operand()?;
        loop {
            let Some((sign, tightness)) = self.operator().filter(|(_, tightness)| *tightness >= least) else {
                return Ok(left);
            };
            if sign == "," {
                left = self.commas(left)?;
                continue;
            }
            self.lexer.next();
            // Alternatives group to the right.
            let right = self.deeper(|reader| reader.binary(if sign == "//" { tightness } else { tightness + 1 }))?;
            left = self.join(left, sign, right)?;
            let repeats = matches!(tightness, 3 | 6) && self.operator().is_some_and(|next| next.1 == tightness);
            if repeats {
                let token = self.peek();
                return Err(self.unexpected(token));
            }
        }
    }

    fn operator(&mut self) -> Option<(&'static str, u32)> {
        const SIGNS: &[(&str, u32)] = &[
            (",", 1),
            ("//", 2),
            ("=", 3),
            ("|=", 3),
            ("+=", 3),
            ("-=", 3),
            ("*=", 3),
            ("/=", 3),
            ("%=", 3),
            ("//=", 3),
            ("or", 4),
            ("and", 5),
            ("==", 6),
            ("!=", 6),
            ("<", 6),
            ("<=", 6),
            (">", 6),
            (">=", 6),
            ("+", 7),
            ("-", 7),
            ("*", 8),
            ("/", 8),
            ("%", 8),
        ];
        let (Token::Sign(sign) | Token::Word(sign)) = self.peek() else { return None };
        SIGNS.iter().find(|(known, _)| *known == sign).copied()
    }

    fn commas(&mut self, first: Node<'s>) -> Read<'s> {
        let mut parts = vec![first];
        while self.takes(Token::Sign(",")) {
            parts.push(self.binary(2)?);
        }
        self.balanced(parts, &|reader, one, other| {
            let depths = [one.depth, other.depth];
            reader.node(Term::BinOp(Box::new(one.term), BinaryOp::Comma, Box::new(other.term)), &depths, false)
        })
    }

    /// Joins many nodes by an operator for which brackets make no difference, so that they do not nest deeply.
    fn balanced(&self, mut parts: Vec<Node<'s>>, join: &dyn Fn(&Self, Node<'s>, Node<'s>) -> Read<'s>) -> Read<'s> {
        while parts.len() > 1 {
            let mut rest = parts.into_iter();
            let mut joined = Vec::new();
            while let Some(one) = rest.next() {
                joined.push(match rest.next() {
                    Some(other) => join(self, one, other)?,
                    None => one,
                });
            }
            parts = joined;
        }
        Ok(parts.pop().expect("there is one"))
    }

    fn operand(&mut self) -> Read<'s> {
        match self.peek() {
            Token::Sign("-") => {
                self.lexer.next();
                let of = self.deeper(|reader| reader.binary(8))?;
                let (depth, single) = (of.depth, of.single);
                self.node(Term::Neg(Box::new(of.term)), &[depth], single)
            }
            Token::Word("def") => self.pipe(),
            Token::Word("label") => {
                self.lexer.next();
                let name = self.variable()?;
                self.sign("|")?;
                let body = self.pipe()?;
                self.node(Term::Label(name, Box::new(body.term)), &[body.depth], false)
            }
            _ => {
                let term = self.postfix()?;
                if self.takes(Token::Word("as")) { self.bound(term) } else { Ok(term) }
            }
        }
    }

    /// Reads what a value is bound to, and where.
    fn bound(&mut self, source: Node<'s>) -> Read<'s> {
        let mut patterns = vec![self.pattern()?];
        while self.takes(Token::Sign("?//")) {
            patterns.push(self.pattern()?);
        }
        self.sign("|")?;
        let body = self.pipe()?;
        if patterns.len() > 1 {
            return self.alternatives(source, patterns, body);
        }
        let pattern = patterns.pop().expect("there is one");
        let (depths, single) = ([source.depth, body.depth], source.single && body.single);
        let op = BinaryOp::Pipe(Some(pattern));
        self.node(Term::BinOp(Box::new(source.term), op, Box::new(body.term)), &depths, single)
    }

    fn variable(&mut self) -> Read<'s, &'s str> {
        match self.lexer.next() {
            Token::Variable(name) => Ok(name),
            token => Err(self.unexpected(token)),
        }
    }

    fn pattern(&mut self) -> Read<'s, Pattern<&'s str>> {
        self.deeper(|reader| match reader.lexer.next() {
            Token::Variable(name) => Ok(Pattern::Var(name)),
            Token::Sign("[") => {
                let mut items = vec![reader.pattern()?];
                while reader.takes(Token::Sign(",")) {
                    items.push(reader.pattern()?);
                }
                reader.sign("]")?;
                Ok(Pattern::Arr(items))
            }
            Token::Sign("{") => {
                let mut fields = Vec::new();
                loop {
                    reader.field_pattern(&mut fields)?;
                    if !reader.takes(Token::Sign(",")) {
                        break;
                    }
                }
                reader.sign("}")?;
                Ok(Pattern::Obj(fields))
            }
            token => Err(reader.unexpected(token)),
        })
    }

    fn field_pattern(&mut self, fields: &mut Vec<(Term<&'s str>, Pattern<&'s str>)>) -> Read<'s, ()> {
        let name = match self.peek() {
            Token::Variable(name) => {
                self.lexer.next();
                fields.push((build::text(&name[1..]), Pattern::Var(name)));
                if self.peek() != Token::Sign(":") {
                    return Ok(());
                }
                build::text(&name[1..])
            }
            Token::Word(name) => {
                self.lexer.next();
                build::text(name)
            }
            Token::Sign("(") => {
                self.lexer.next();
                let name = self.pipe()?;
                self.sign(")")?;
                name.term
            }
            Token::Quote => self.string(None)?.term,
            token => return Err(self.unexpected(token)),
        };
        self.sign(":")?;
        fields.push((name, self.pattern()?));
        Ok(())
    }
}
