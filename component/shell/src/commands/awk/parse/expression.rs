//! Values: what operators stand between.

use std::rc::Rc;

use super::super::code::{Arr, From, Math, Op, Slot, Target};
use super::super::expression::{Literal, compiled};
use super::super::lex::Token;
use super::super::value::Value;
use super::{Parser, Wrong};

/// What was read, if it may be used in several ways.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A value, which is on the stack.
    Value,
    /// What can be assigned to. Its array and key are on the stack.
    Place(Target),
    /// An expression, among the constants.
    Regex(usize),
}

impl Parser {
    /// Leaves the value of what was read.
    pub(super) fn operand(&mut self, kind: Kind) {
        let op = match kind {
            Kind::Value | Kind::Place(Target::Record | Target::Nowhere) => return,
            Kind::Place(Target::Slot(slot)) => Op::Load(slot),
            Kind::Place(Target::Elem(arr)) => Op::Elem(arr),
            Kind::Place(Target::Field) => Op::Field,
            Kind::Regex(number) => {
                self.emit(Op::Const(number));
                Op::MatchRecord
            }
        };
        self.emit(op);
    }

    /// Leaves an expression as it is, or a value.
    pub(super) fn regex_or_value(&mut self, kind: Kind) {
        match kind {
            Kind::Regex(number) => drop(self.emit(Op::Const(number))),
            kind => self.operand(kind),
        }
    }

    pub(super) fn constant(&mut self, value: Value) -> usize {
        self.program.consts.push(value);
        self.program.consts.len() - 1
    }

    fn regex(&mut self, source: Vec<u8>) -> Result<usize, Wrong> {
        let regex = compiled(&source, false).map_err(|message| (self.line(), message))?;
        let literal = Literal { source: Rc::new(source), regex: Rc::new(regex) };
        Ok(self.constant(Value::Regex(Rc::new(literal))))
    }

    /// Values with a comma between them, up to a mark. Leaves them, and tells how many.
    pub(super) fn list(&mut self, end: &str) -> Result<usize, Wrong> {
        let mut count = 0;
        self.newlines();
        while !self.is(end) {
            self.whole()?;
            count += 1;
            self.newlines();
            if !self.accept(",") {
                break;
            }
            self.newlines();
        }
        Ok(count)
    }

    /// Reads what is in brackets, where `>` compares.
    pub(super) fn inside<T>(&mut self, read: impl FnOnce(&mut Parser) -> Result<T, Wrong>) -> Result<T, Wrong> {
        let was = std::mem::replace(&mut self.prints, false);
        self.deeper()?;
        let done = read(self)?;
        self.depth -= 1;
        self.prints = was;
        Ok(done)
    }

    /// A variable or an element, whose name was read.
    pub(super) fn place(&mut self, name: &str) -> Result<Target, Wrong> {
        if self.functions.get(name).is_some_and(|number| self.program.functions[*number].entry.is_some())
            && !self.locals.iter().any(|local| local == name)
        {
            return Err((self.line(), format!("function `{name}' is used as a variable")));
        }
        let slot = self.slot(name);
        let mut target = Target::Slot(slot);
        while self.accept("[") {
            let arr = self.as_array(target);
            if arr == Arr::Stack {
                self.deeper()?;
                self.depth -= 1;
            }
            let count = self.inside(|parser| parser.list("]"))?;
            if count == 0 {
                return self.wrong();
            }
            self.expect("]")?;
            if count > 1 {
                self.emit(Op::Join(count));
            }
            target = Target::Elem(arr);
        }
        Ok(target)
    }

    fn as_array(&mut self, target: Target) -> Arr {
        match target {
            Target::Slot(slot) => Arr::Slot(slot),
            Target::Elem(arr) => {
                self.emit(Op::SubArray(arr));
                Arr::Stack
            }
            _ => unreachable!("places are variables and elements"),
        }
    }

    /// An array by its name, or by that of one that it is an element of.
    pub(super) fn array(&mut self) -> Result<Arr, Wrong> {
        let has_bracket = self.accept("(");
        let Token::Name(name) = self.next() else {
            self.at -= 1;
            return self.wrong();
        };
        let target = self.place(&name)?;
        if has_bracket {
            self.expect(")")?;
        }
        Ok(self.as_array(target))
    }

    /// A value with what may stand directly behind it.
    pub(super) fn postfix(&mut self) -> Result<Kind, Wrong> {
        let kind = self.primary()?;
        let Kind::Place(target) = kind else { return Ok(kind) };
        let step = match self.peek() {
            Token::Sign("++") => 1.0,
            Token::Sign("--") => -1.0,
            _ => return self.assigned(target),
        };
        self.at += 1;
        self.emit(Op::Step(target, step, true));
        Ok(Kind::Value)
    }

    fn assigned(&mut self, target: Target) -> Result<Kind, Wrong> {
        let math = match self.peek() {
            Token::Sign("=") => None,
            Token::Sign("+=") => Some(Math::Add),
            Token::Sign("-=") => Some(Math::Sub),
            Token::Sign("*=") => Some(Math::Mul),
            Token::Sign("/=") => Some(Math::Div),
            Token::Sign("%=") => Some(Math::Rem),
            Token::Sign("^=") => Some(Math::Pow),
            _ => return Ok(Kind::Place(target)),
        };
        self.at += 1;
        self.newlines();
        let begin = self.here();
        self.whole()?;
        match math {
            Some(math) => self.emit(Op::Modify(target, math)),
            None => {
                if let Target::Slot(slot) = target {
                    self.taken(slot, begin);
                }
                self.emit(Op::Assign(target))
            }
        };
        Ok(Kind::Value)
    }

    /// In `x = x …` the old value of `x` need not be kept, so that a text can grow at its end without being copied.
    fn taken(&mut self, slot: Slot, begin: usize) {
        let is_special = matches!(slot, Slot::Global(number) if number < super::SPECIAL.len());
        let written = &self.program.code[begin..];
        let begins = matches!(written.first(), Some(Op::Load(first)) if *first == slot);
        let is_plain = |op: &Op| match op {
            Op::Load(other) => *other != slot,
            Op::Elem(Arr::Slot(_)) | Op::Field | Op::Num(_) | Op::Const(_) | Op::Concat | Op::Math(_) => true,
            _ => false,
        };
        if !is_special && begins && written.len() > 1 && written[1..].iter().all(is_plain) {
            self.program.code[begin] = Op::Take(slot);
        }
    }

    fn primary(&mut self) -> Result<Kind, Wrong> {
        self.deeper()?;
        let kind = self.single()?;
        self.depth -= 1;
        Ok(kind)
    }

    fn single(&mut self) -> Result<Kind, Wrong> {
        match self.next() {
            Token::Number(number) => {
                self.emit(Op::Num(number));
                Ok(Kind::Value)
            }
            Token::Text(text) => {
                let number = self.constant(Value::text(text));
                self.emit(Op::Const(number));
                Ok(Kind::Value)
            }
            Token::Regex(source) => Ok(Kind::Regex(self.regex(source)?)),
            Token::Name(name) => Ok(Kind::Place(self.place(&name)?)),
            Token::Called(name) => self.call(&name),
            Token::Sign("$") => self.field(),
            Token::Sign("(") => self.grouped(),
            Token::Sign(sign @ ("++" | "--")) => {
                let Kind::Place(target) = self.primary()? else { return self.wrong() };
                self.emit(Op::Step(target, if sign == "++" { 1.0 } else { -1.0 }, false));
                Ok(Kind::Value)
            }
            Token::Word("getline") => {
                let target = self.getline_target()?;
                let from = if self.accept("<") {
                    let kind = self.primary()?;
                    self.operand(kind);
                    From::File
                } else {
                    From::Main
                };
                self.emit(Op::Getline(from, target));
                Ok(Kind::Value)
            }
            Token::Word(word) => self.builtin(word),
            Token::End => self.wrong(),
            _ => {
                self.at -= 1;
                self.wrong()
            }
        }
    }

    fn field(&mut self) -> Result<Kind, Wrong> {
        self.deeper()?;
        let sign = match self.peek() {
            Token::Sign("-") => Some(Op::Neg),
            Token::Sign("+") => Some(Op::Plus),
            Token::Sign("!") => Some(Op::Not),
            _ => None,
        };
        self.at += usize::from(sign.is_some());
        let kind = self.primary()?;
        self.operand(kind);
        if let Some(sign) = sign {
            self.emit(sign);
        }
        self.depth -= 1;
        Ok(Kind::Place(Target::Field))
    }

    /// What stands in brackets: a value, or the parts of a key.
    fn grouped(&mut self) -> Result<Kind, Wrong> {
        let count = self.inside(|parser| parser.list(")"))?;
        self.expect(")")?;
        match count {
            0 => self.wrong(),
            1 => Ok(Kind::Value),
            _ if self.is_word("in") => {
                self.emit(Op::Join(count));
                Ok(Kind::Value)
            }
            _ => self.wrong(),
        }
    }

    /// The variable that `getline` sets, if one is given.
    pub(super) fn getline_target(&mut self) -> Result<Target, Wrong> {
        match self.peek().clone() {
            Token::Name(name) => {
                self.at += 1;
                self.place(&name)
            }
            Token::Sign("$") => {
                self.at += 1;
                self.field()?;
                Ok(Target::Field)
            }
            _ => Ok(Target::Record),
        }
    }

    fn call(&mut self, name: &str) -> Result<Kind, Wrong> {
        let line = self.line();
        let number = self.function(name);
        self.expect("(")?;
        let count = self.inside(|parser| {
            let mut count = 0;
            parser.newlines();
            while !parser.is(")") {
                parser.argument()?;
                count += 1;
                parser.newlines();
                if !parser.accept(",") {
                    break;
                }
                parser.newlines();
            }
            Ok(count)
        })?;
        self.expect(")")?;
        let called = &mut self.program.functions[number].called;
        *called = (*called).max((count, line));
        self.emit(Op::Call(number, count));
        Ok(Kind::Value)
    }

    /// An argument that may be an array.
    pub(super) fn argument(&mut self) -> Result<(), Wrong> {
        if let (Token::Name(name), Token::Sign("," | ")")) = (self.peek(), self.peek_at(1)) {
            let name = name.clone();
            self.at += 1;
            let slot = self.slot(&name);
            self.emit(Op::Arg(slot));
            return Ok(());
        }
        match self.ternary()? {
            Kind::Place(Target::Elem(arr)) => drop(self.emit(Op::ElemArg(arr))),
            kind => self.operand(kind),
        }
        Ok(())
    }
}
