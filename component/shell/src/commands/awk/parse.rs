//! Reads a program: its rules and functions. Statements and expressions write their instructions as they are read.

mod builtin;
mod expression;
mod operators;
mod print;
mod statement;

use std::collections::BTreeMap;

use super::code::{Function, Op, Program, SPECIAL, Slot};
use super::lex::{Token, tokens};

/// How deeply a program may nest.
const DEEPEST: usize = 240;

/// What is wrong with a program, and its line.
pub type Wrong = (usize, String);

/// Jumps out of a loop, or to its next round, that do not know yet where to.
#[derive(Default)]
struct Loop {
    breaks: Vec<usize>,
    continues: Vec<usize>,
    is_switch: bool,
}

pub struct Parser {
    tokens: Vec<(Token, usize)>,
    at: usize,
    program: Program,
    globals: BTreeMap<String, usize>,
    functions: BTreeMap<String, usize>,
    /// The parameters of the function that is read.
    locals: Vec<String>,
    in_function: bool,
    /// Whether the program may go on with another record here.
    in_rule: bool,
    loops: Vec<Loop>,
    depth: usize,
    /// `>` is where to print to.
    prints: bool,
}

/// Reads a program.
pub fn program(text: &[u8], presets: &[String]) -> Result<Program, Wrong> {
    let mut parser = Parser {
        tokens: tokens(text)?,
        at: 0,
        program: Program::default(),
        globals: BTreeMap::new(),
        functions: BTreeMap::new(),
        locals: Vec::new(),
        in_function: false,
        in_rule: false,
        loops: Vec::new(),
        depth: 0,
        prints: false,
    };
    for name in SPECIAL.iter().map(|name| (*name).to_owned()).chain(presets.iter().cloned()) {
        parser.global(&name);
    }
    parser.items()?;
    for function in &parser.program.functions {
        let (count, line) = function.called;
        if function.entry.is_none() {
            return Err((line, format!("fatal: function `{}' not defined", function.name)));
        }
        if count > function.params {
            let name = &function.name;
            return Err((line, format!("fatal: function `{name}' called with more arguments than declared")));
        }
    }
    Ok(parser.program)
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn peek_at(&self, ahead: usize) -> &Token {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)].0
    }

    fn line(&self) -> usize {
        self.tokens[self.at].1
    }

    fn next(&mut self) -> Token {
        let token = self.tokens[self.at].0.clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(found) if *found == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(found) if *found == word)
    }

    fn accept(&mut self, sign: &str) -> bool {
        let is = self.is(sign);
        self.at += usize::from(is);
        is
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        self.at += usize::from(is);
        is
    }

    fn expect(&mut self, sign: &str) -> Result<(), Wrong> {
        if self.accept(sign) { Ok(()) } else { self.wrong() }
    }

    fn wrong<T>(&self) -> Result<T, Wrong> {
        let what = match self.peek() {
            Token::End => "syntax error: unexpected end of the program".to_owned(),
            Token::Newline => "syntax error: unexpected newline".to_owned(),
            Token::Number(number) => format!("syntax error near {number}"),
            Token::Text(text) | Token::Regex(text) => format!("syntax error near {:?}", String::from_utf8_lossy(text)),
            Token::Name(name) | Token::Called(name) => format!("syntax error near `{name}'"),
            Token::Word(word) | Token::Sign(word) => format!("syntax error near `{word}'"),
        };
        Err((self.line(), what))
    }

    fn newlines(&mut self) {
        while *self.peek() == Token::Newline {
            self.at += 1;
        }
    }

    fn ends(&mut self) {
        while *self.peek() == Token::Newline || self.is(";") {
            self.at += 1;
        }
    }

    /// One level deeper. Whoever does it comes up again.
    fn deeper(&mut self) -> Result<(), Wrong> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err((self.line(), format!("the program nests more than {DEEPEST} deep")));
        }
        Ok(())
    }

    fn emit(&mut self, op: Op) -> usize {
        self.program.code.push(op);
        self.program.code.len() - 1
    }

    fn here(&self) -> usize {
        self.program.code.len()
    }

    /// Makes a jump lead here.
    fn land(&mut self, jump: usize) {
        let here = self.here();
        self.lead(jump, here);
    }

    fn lead(&mut self, jump: usize, to: usize) {
        if let Op::Jump(place)
        | Op::JumpFalse(place)
        | Op::JumpTrue(place)
        | Op::NextKey(place)
        | Op::InRange(_, place) = &mut self.program.code[jump]
        {
            *place = to;
        }
    }

    fn global(&mut self, name: &str) -> usize {
        if let Some(found) = self.globals.get(name) {
            return *found;
        }
        let number = self.program.globals.len();
        self.program.globals.push(name.to_owned());
        self.globals.insert(name.to_owned(), number);
        number
    }

    fn slot(&mut self, name: &str) -> Slot {
        match self.locals.iter().position(|local| local == name) {
            Some(at) => Slot::Local(at),
            None => Slot::Global(self.global(name)),
        }
    }

    fn function(&mut self, name: &str) -> usize {
        if let Some(found) = self.functions.get(name) {
            return *found;
        }
        let number = self.program.functions.len();
        self.program.functions.push(Function { name: name.to_owned(), ..Function::default() });
        self.functions.insert(name.to_owned(), number);
        number
    }

    fn items(&mut self) -> Result<(), Wrong> {
        loop {
            self.ends();
            match self.peek() {
                Token::End => return Ok(()),
                Token::Word("function") => self.definition()?,
                Token::Word(word @ ("BEGIN" | "END")) => {
                    let begins = *word == "BEGIN";
                    self.at += 1;
                    if !self.is("{") {
                        return self.wrong();
                    }
                    let entry = self.here();
                    self.block()?;
                    self.emit(Op::End);
                    if begins { self.program.begin.push(entry) } else { self.program.end.push(entry) }
                }
                _ => self.rule()?,
            }
        }
    }

    fn rule(&mut self) -> Result<(), Wrong> {
        let entry = self.here();
        self.in_rule = true;
        let mut leaves = Vec::new();
        if !self.is("{") {
            self.whole()?;
            if self.accept(",") {
                leaves.push(self.range(entry)?);
            } else {
                leaves.push(self.emit(Op::JumpFalse(0)));
            }
        }
        if self.is("{") {
            self.block()?;
        } else {
            self.emit(Op::Print(0, super::code::To::Stdout));
        }
        for leave in leaves {
            self.land(leave);
        }
        self.emit(Op::End);
        self.in_rule = false;
        self.program.rules.push(entry);
        Ok(())
    }

    /// A range, whose first pattern was read. Returns the jump for records that are not in it.
    fn range(&mut self, entry: usize) -> Result<usize, Wrong> {
        let number = self.program.ranges;
        self.program.ranges += 1;
        // The first pattern is only looked at while the range has not begun.
        self.program.code.insert(entry, Op::InRange(number, 0));
        for op in &mut self.program.code[entry + 1..] {
            if let Op::Jump(place) | Op::JumpFalse(place) | Op::JumpTrue(place) = op {
                *place += 1;
            }
        }
        let leave = self.emit(Op::JumpFalse(0));
        self.emit(Op::SetRange(number, true));
        self.land(entry);
        self.newlines();
        self.whole()?;
        let stays = self.emit(Op::JumpFalse(0));
        self.emit(Op::SetRange(number, false));
        self.land(stays);
        Ok(leave)
    }

    fn definition(&mut self) -> Result<(), Wrong> {
        self.at += 1;
        let name = match self.next() {
            Token::Name(name) | Token::Called(name) => name,
            _ => {
                self.at -= 1;
                return self.wrong();
            }
        };
        self.expect("(")?;
        while !self.accept(")") {
            self.newlines();
            match self.next() {
                Token::Name(param) => self.locals.push(param),
                _ => {
                    self.at -= 1;
                    return self.wrong();
                }
            }
            self.newlines();
            if !self.is(")") {
                self.expect(",")?;
            }
        }
        self.newlines();
        let number = self.function(&name);
        if self.program.functions[number].entry.is_some() {
            return Err((self.line(), format!("function name `{name}' previously defined")));
        }
        let entry = self.here();
        self.program.functions[number].entry = Some(entry);
        self.program.functions[number].params = self.locals.len();
        (self.in_function, self.in_rule) = (true, true);
        self.block()?;
        (self.in_function, self.in_rule) = (false, false);
        self.emit(Op::Unset);
        self.emit(Op::Return);
        self.locals.clear();
        Ok(())
    }
}
