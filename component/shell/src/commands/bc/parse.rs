//! The language of `bc`.

use std::rc::Rc;

use super::tokens::{Token, Wrong, tokens};
use super::tree::{Argument, Expression, Function, Place, Printed, Statement};

/// The deepest nesting.
const DEEPEST: usize = 60;

type Read<T> = Result<T, Wrong>;

/// Reads whole lines.
pub fn program(text: &[u8]) -> Read<Vec<Statement>> {
    let tokens = tokens(text)?;
    let mut reader = Reader { tokens: &tokens, at: 0, depth: 0 };
    let mut out = Vec::new();
    while reader.at < tokens.len() {
        if reader.line() || reader.sign(";") {
            continue;
        }
        out.push(reader.statement()?);
        if reader.at < tokens.len() && !reader.line() && !reader.sign(";") {
            return Err(Wrong::Syntax);
        }
    }
    Ok(out)
}

struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn line(&mut self) -> bool {
        let found = self.peek() == Some(&Token::Line);
        self.at += usize::from(found);
        found
    }

    fn lines(&mut self) {
        while self.line() {}
    }

    fn sign(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Sign(found)) if *found == sign);
        self.at += usize::from(found);
        found
    }

    fn word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Name(found)) if found == word);
        self.at += usize::from(found);
        found
    }

    /// What is wrong here: something is missing, or something else is there.
    fn wrong<T>(&self) -> Read<T> {
        Err(if self.at < self.tokens.len() { Wrong::Syntax } else { Wrong::Short })
    }

    fn needs(&mut self, sign: &str) -> Read<()> {
        match self.sign(sign) {
            true => Ok(()),
            // A line break where none may be is wrong, whatever follows.
            false => Err(Wrong::Syntax),
        }
    }

    fn name(&mut self) -> Read<String> {
        match self.peek() {
            Some(Token::Name(name)) => {
                let name = name.clone();
                self.at += 1;
                Ok(name)
            }
            _ => Err(Wrong::Syntax),
        }
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Wrong::Syntax);
        }
        let out = read(self);
        self.depth -= 1;
        out
    }

    fn statement(&mut self) -> Read<Statement> {
        self.deeper(Self::any_statement)
    }

    fn any_statement(&mut self) -> Read<Statement> {
        let Some(token) = self.peek().cloned() else { return self.wrong() };
        let name = match token {
            Token::Text(text) => {
                self.at += 1;
                return Ok(Statement::Text(text));
            }
            Token::Sign("{") => {
                self.at += 1;
                return Ok(Statement::Block(self.block()?));
            }
            Token::Name(name) => name,
            _ => return Ok(Statement::Value(self.expression(0)?)),
        };
        let begin = self.at;
        self.at += 1;
        Ok(match name.as_str() {
            "if" => {
                self.needs("(")?;
                let condition = self.expression(0)?;
                self.needs(")")?;
                self.lines();
                let then = vec![self.statement()?];
                let other = if self.word("else") {
                    self.lines();
                    vec![self.statement()?]
                } else {
                    Vec::new()
                };
                Statement::If(condition, then, other)
            }
            "while" => {
                self.needs("(")?;
                let condition = self.expression(0)?;
                self.needs(")")?;
                self.lines();
                Statement::While(Some(condition), None, vec![self.statement()?])
            }
            "for" => self.for_loop()?,
            "print" => self.print()?,
            "break" => Statement::Break,
            "continue" => Statement::Continue,
            "halt" | "quit" => Statement::Halt,
            "return" => match self.peek() {
                None | Some(Token::Line | Token::Sign(";" | "}")) => Statement::Return(None),
                _ => Statement::Return(Some(self.expression(0)?)),
            },
            "define" => Statement::Define(Rc::new(self.function()?)),
            _ => {
                self.at = begin;
                Statement::Value(self.expression(0)?)
            }
        })
    }

    /// Statements up to a closing brace.
    fn block(&mut self) -> Read<Vec<Statement>> {
        let mut out = Vec::new();
        loop {
            if self.line() || self.sign(";") {
                continue;
            }
            if self.sign("}") {
                return Ok(out);
            }
            out.push(self.statement()?);
            if !matches!(self.peek(), Some(Token::Line | Token::Sign(";" | "}"))) {
                return self.wrong();
            }
        }
    }

    fn for_loop(&mut self) -> Read<Statement> {
        self.needs("(")?;
        let mut parts = Vec::new();
        for end in [";", ";", ")"] {
            let empty = matches!(self.peek(), Some(Token::Sign(sign)) if *sign == end);
            parts.push(if empty { None } else { Some(self.expression(0)?) });
            self.needs(end)?;
        }
        self.lines();
        let body = vec![self.statement()?];
        let step = parts.pop().flatten();
        let condition = parts.pop().flatten();
        let first = parts.pop().flatten();
        let turns = Statement::While(condition, step, body);
        Ok(match first {
            // What begins a loop is not printed.
            Some(first) => Statement::Block(vec![Statement::Silent(first), turns]),
            None => turns,
        })
    }

    fn print(&mut self) -> Read<Statement> {
        let mut out = Vec::new();
        loop {
            out.push(match self.peek().cloned() {
                Some(Token::Text(text)) => {
                    self.at += 1;
                    Printed::Text(text)
                }
                _ => Printed::Value(self.expression(0)?),
            });
            if !self.sign(",") {
                return Ok(Statement::Print(out));
            }
        }
    }

    fn function(&mut self) -> Read<Function> {
        self.word("void");
        let name = self.name()?;
        self.needs("(")?;
        let parameters = if self.sign(")") { Vec::new() } else { self.names(true)? };
        self.lines();
        if self.at == self.tokens.len() {
            return Err(Wrong::Short);
        }
        self.needs("{")?;
        // The first statement may say which variables are its own.
        while self.line() || self.sign(";") {}
        let own = if self.word("auto") { self.names(false)? } else { Vec::new() };
        let body = self.block()?;
        Ok(Function { name, parameters, own, body })
    }

    fn names(&mut self, closes: bool) -> Read<Vec<String>> {
        let mut out = Vec::new();
        loop {
            self.sign("*");
            let mut name = self.name()?;
            if self.sign("[") {
                self.needs("]")?;
                name.push('[');
            }
            out.push(name);
            if self.sign(",") {
                continue;
            }
            if closes {
                self.needs(")")?;
            }
            return Ok(out);
        }
    }

    /// An expression of operators that bind at least so tightly.
    fn expression(&mut self, least: usize) -> Read<Expression> {
        self.deeper(|reader| {
            let mut left = reader.operand()?;
            while let Some(Token::Sign(sign)) = reader.peek() {
                let sign = *sign;
                let Some(level) = level(sign).filter(|level| *level >= least) else { break };
                reader.at += 1;
                // A power binds to the right.
                let right = reader.expression(if sign == "^" { level } else { level + 1 })?;
                left = Expression::Binary(sign, Box::new(left), Box::new(right));
            }
            Ok(left)
        })
    }

    fn operand(&mut self) -> Read<Expression> {
        if self.sign("-") {
            return Ok(Expression::Negated(Box::new(self.deeper(Self::operand)?)));
        }
        if self.sign("!") {
            return Ok(Expression::Not(Box::new(self.expression(3)?)));
        }
        if self.sign("(") {
            let inner = self.expression(0)?;
            self.needs(")")?;
            return Ok(Expression::Grouped(Box::new(inner)));
        }
        for (sign, up) in [("++", true), ("--", false)] {
            if self.sign(sign) {
                let name = self.name()?;
                return Ok(Expression::Step { place: self.place(name)?, up, before: true });
            }
        }
        if let Some(Token::Number(number)) = self.peek() {
            let number = number.clone();
            self.at += 1;
            return Ok(Expression::Number(number));
        }
        let name = self.name()?;
        if self.sign("(") {
            return self.called(name);
        }
        let place = self.place(name)?;
        for (sign, up) in [("++", true), ("--", false)] {
            if self.sign(sign) {
                return Ok(Expression::Step { place, up, before: false });
            }
        }
        for (sign, operation) in [
            ("=", None),
            ("+=", Some("+")),
            ("-=", Some("-")),
            ("*=", Some("*")),
            ("/=", Some("/")),
            ("%=", Some("%")),
            ("^=", Some("^")),
        ] {
            if self.sign(sign) {
                return Ok(Expression::Assign(place, operation, Box::new(self.expression(4)?)));
            }
        }
        Ok(Expression::Place(place))
    }

    fn place(&mut self, name: String) -> Read<Place> {
        const WORDS: &[&str] =
            &["if", "else", "while", "for", "print", "define", "return", "auto", "break", "continue"];
        if WORDS.contains(&name.as_str()) {
            return Err(Wrong::Syntax);
        }
        if !self.sign("[") {
            return Ok(Place::Name(name));
        }
        let index = self.expression(0)?;
        self.needs("]")?;
        Ok(Place::Element(name, Box::new(index)))
    }

    fn called(&mut self, name: String) -> Read<Expression> {
        if let Some(known) = ["length", "sqrt", "scale"].into_iter().find(|known| *known == name) {
            let argument = self.expression(0)?;
            self.needs(")")?;
            return Ok(Expression::Known(known, Box::new(argument)));
        }
        let mut arguments = Vec::new();
        if self.sign(")") {
            return Ok(Expression::Call(name, arguments));
        }
        loop {
            let array = match self.tokens.get(self.at..self.at + 3) {
                Some([Token::Name(name), Token::Sign("["), Token::Sign("]")]) => Some(name.clone()),
                _ => None,
            };
            arguments.push(match array {
                Some(name) => {
                    self.at += 3;
                    Argument::Array(name)
                }
                None => Argument::Value(self.expression(0)?),
            });
            if !self.sign(",") {
                self.needs(")")?;
                return Ok(Expression::Call(name, arguments));
            }
        }
    }
}

fn level(sign: &str) -> Option<usize> {
    Some(match sign {
        "||" => 0,
        "&&" => 1,
        "==" | "!=" | "<" | "<=" | ">" | ">=" => 3,
        "+" | "-" => 5,
        "*" | "/" | "%" => 6,
        "^" => 7,
        _ => return None,
    })
}
