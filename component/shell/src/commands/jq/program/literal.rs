//! Strings and objects.

use jaq_core::load::lex::StrPart;
use jaq_core::load::parse::Term;
use jaq_core::path::{Opt, Part, Path};

use super::build::{self, Node};
use super::lex::Token;
use super::{Read, Reader};
use crate::commands::jq::read;

/// Fields that jaq adds up one by one, each in the frame of the one before.
const FIELDS: usize = 16;

impl<'s> Reader<'s> {
    fn keep(&self, text: String) -> &'s str {
        self.arena.alloc(text)
    }

    /// Reads a string from its quote, with the format of what is put into it.
    pub(super) fn string(&mut self, format: Option<&'s str>) -> Read<'s> {
        self.sign_of_string()?;
        let mut parts = Vec::new();
        let mut text = String::new();
        loop {
            let rest = self.lexer.rest();
            let Some(at) = rest.find(['"', '\\']) else {
                self.lexer.at += rest.len();
                return Err(self.unexpected(Token::End));
            };
            text.push_str(&rest[..at]);
            self.lexer.at += at + 1;
            if rest[at..].starts_with('"') {
                break;
            }
            if rest[at + 1..].starts_with('(') {
                self.lexer.at += 1;
                if !text.is_empty() {
                    parts.push(self.node(build::text(self.keep(std::mem::take(&mut text))), &[], true)?);
                }
                let inside = self.pipe()?;
                self.sign(")")?;
                let term = Term::Str(format, vec![StrPart::Term(inside.term)]);
                parts.push(self.node(term, &[inside.depth + 1], inside.single)?);
                continue;
            }
            let mut behind = self.lexer.rest();
            let letter = read::escape(&mut behind).map_err(|wrong| self.wrong(wrong))?;
            text.push(letter);
            self.lexer.at = self.lexer.at + self.lexer.rest().len() - behind.len();
        }
        if !text.is_empty() || parts.is_empty() {
            parts.push(self.node(build::text(self.keep(text)), &[], true)?);
        }
        self.balanced(parts, &|reader, one, other| reader.join(one, "+", other))
    }

    fn sign_of_string(&mut self) -> Read<'s, ()> {
        match self.lexer.next() {
            Token::Quote => Ok(()),
            token => Err(self.unexpected(token)),
        }
    }

    /// `$__loc__`
    pub(super) fn place(&self) -> Read<'s> {
        let line = self.keep(self.lexer.line().to_string());
        let fields =
            vec![(build::text("file"), Some(build::text("<top-level>"))), (build::text("line"), Some(Term::Num(line)))];
        self.node(Term::Obj(fields), &[1], true)
    }

    /// Reads an object behind its bracket.
    pub(super) fn object(&mut self) -> Read<'s> {
        let mut parts = Vec::new();
        let mut fields = Vec::new();
        let (mut depth, mut single) = (1, true);
        while !self.takes(Token::Sign("}")) {
            let (name, value) = self.field()?;
            depth = depth.max(name.depth).max(value.depth);
            single = single && name.single && value.single;
            fields.push((name.term, Some(value.term)));
            if fields.len() == FIELDS {
                parts.push(self.fields(std::mem::take(&mut fields), depth, single)?);
            }
            if !self.takes(Token::Sign(",")) {
                self.sign("}")?;
                break;
            }
        }
        if parts.is_empty() || !fields.is_empty() {
            parts.push(self.fields(fields, depth, single)?);
        }
        self.balanced(parts, &|reader, one, other| reader.join(one, "+", other))
    }

    fn fields(&self, fields: Vec<(Term<&'s str>, Option<Term<&'s str>>)>, depth: u32, single: bool) -> Read<'s> {
        // They are added up one in the other.
        let depth = depth + u32::try_from(fields.len()).unwrap_or(u32::MAX / 2);
        self.node(Term::Obj(fields), &[depth], single)
    }

    fn field(&mut self) -> Read<'s, (Node<'s>, Node<'s>)> {
        let name = match self.peek() {
            Token::Variable(name) => {
                self.lexer.next();
                let of = self.node(build::text(&name[1..]), &[], true)?;
                let value = if name == "$__loc__" { self.place()? } else { self.node(Term::Var(name), &[], true)? };
                return Ok((of, value));
            }
            Token::Word(name) => {
                self.lexer.next();
                self.node(build::text(name), &[], true)?
            }
            Token::Number(number) => {
                let message = format!("Object keys must be strings, not {number}");
                return Err(self.wrong(message));
            }
            Token::Quote => self.string(None)?,
            Token::Format(format) => {
                self.lexer.next();
                self.string(Some(format))?
            }
            Token::Sign("(") => {
                self.lexer.next();
                let name = self.pipe()?;
                self.sign(")")?;
                self.sign(":")?;
                return Ok((name, self.field_value()?));
            }
            token => return Err(self.unexpected(token)),
        };
        if self.takes(Token::Sign(":")) {
            return Ok((name, self.field_value()?));
        }
        let path = Path(vec![(Part::Index(name.term.clone()), Opt::Essential)]);
        let value = self.node(Term::Path(Box::new(Term::Id), path), &[name.depth], name.single)?;
        Ok((name, value))
    }

    /// Reads a value up to a comma.
    fn field_value(&mut self) -> Read<'s> {
        let mut parts = vec![self.binary(2)?];
        while self.takes(Token::Sign("|")) {
            parts.push(self.binary(2)?);
        }
        let mut all = parts.pop().expect("there is one");
        while let Some(part) = parts.pop() {
            all = self.piped(part, all)?;
        }
        Ok(all)
    }
}
