//! Operators between two values, and how tightly they bind.

use super::super::code::{From, Math, Op, Order};
use super::super::lex::Token;
use super::expression::Kind;
use super::{Parser, Wrong};

const OR: u8 = 2;
const AND: u8 = 3;
const IN: u8 = 4;
const MATCH: u8 = 5;
const COMPARE: u8 = 6;
pub(super) const CONCAT: u8 = 7;
const SUM: u8 = 8;
const PRODUCT: u8 = 9;

enum Operator {
    Or,
    And,
    In,
    Match(bool),
    Compare(Order),
    Getline,
    Concat,
    Math(Math),
}

impl Parser {
    /// Reads a whole expression, and leaves its value.
    pub(super) fn whole(&mut self) -> Result<(), Wrong> {
        let kind = self.ternary()?;
        self.operand(kind);
        Ok(())
    }

    pub(super) fn ternary(&mut self) -> Result<Kind, Wrong> {
        self.deeper()?;
        let kind = self.binary(OR)?;
        let kind = if self.accept("?") { self.choice(kind)? } else { kind };
        self.depth -= 1;
        Ok(kind)
    }

    fn choice(&mut self, kind: Kind) -> Result<Kind, Wrong> {
        self.operand(kind);
        let skip = self.emit(Op::JumpFalse(0));
        self.newlines();
        self.whole()?;
        let over = self.emit(Op::Jump(0));
        self.land(skip);
        self.newlines();
        self.expect(":")?;
        self.newlines();
        self.whole()?;
        self.land(over);
        Ok(Kind::Value)
    }

    fn operator(&self) -> Option<(u8, Operator)> {
        Some(match self.peek() {
            Token::Sign("||") => (OR, Operator::Or),
            Token::Sign("&&") => (AND, Operator::And),
            Token::Word("in") => (IN, Operator::In),
            Token::Sign("~") => (MATCH, Operator::Match(true)),
            Token::Sign("!~") => (MATCH, Operator::Match(false)),
            Token::Sign("<") => (COMPARE, Operator::Compare(Order::Less)),
            Token::Sign("<=") => (COMPARE, Operator::Compare(Order::LessEq)),
            Token::Sign("==") => (COMPARE, Operator::Compare(Order::Eq)),
            Token::Sign("!=") => (COMPARE, Operator::Compare(Order::NotEq)),
            Token::Sign(">") if !self.prints => (COMPARE, Operator::Compare(Order::Greater)),
            Token::Sign(">=") => (COMPARE, Operator::Compare(Order::GreaterEq)),
            Token::Sign("|") if *self.peek_at(1) == Token::Word("getline") => (COMPARE, Operator::Getline),
            Token::Sign("+") => (SUM, Operator::Math(Math::Add)),
            Token::Sign("-") => (SUM, Operator::Math(Math::Sub)),
            Token::Sign("*") => (PRODUCT, Operator::Math(Math::Mul)),
            Token::Sign("/") => (PRODUCT, Operator::Math(Math::Div)),
            Token::Sign("%") => (PRODUCT, Operator::Math(Math::Rem)),
            Token::Number(_) | Token::Text(_) | Token::Regex(_) | Token::Name(_) | Token::Called(_) => {
                (CONCAT, Operator::Concat)
            }
            Token::Sign("$" | "!" | "(" | "++" | "--") => (CONCAT, Operator::Concat),
            Token::Word(word) if super::builtin::begins_value(word) => (CONCAT, Operator::Concat),
            _ => return None,
        })
    }

    /// Reads operators that bind at least so tightly.
    pub(super) fn binary(&mut self, least: u8) -> Result<Kind, Wrong> {
        let mut kind = self.unary()?;
        while let Some((level, operator)) = self.operator().filter(|(level, _)| *level >= least) {
            self.operand(kind);
            if !matches!(operator, Operator::Concat) {
                self.at += 1;
            }
            self.combined(level, operator)?;
            kind = Kind::Value;
        }
        Ok(kind)
    }

    fn right(&mut self, level: u8) -> Result<(), Wrong> {
        let kind = self.binary(level)?;
        self.operand(kind);
        Ok(())
    }

    fn combined(&mut self, level: u8, operator: Operator) -> Result<(), Wrong> {
        match operator {
            Operator::Or | Operator::And => {
                let is_or = matches!(operator, Operator::Or);
                self.newlines();
                let jump = self.emit(if is_or { Op::JumpTrue(0) } else { Op::JumpFalse(0) });
                self.right(level + 1)?;
                self.emit(Op::Bool);
                let over = self.emit(Op::Jump(0));
                self.land(jump);
                self.emit(Op::Num(f64::from(u8::from(is_or))));
                self.land(over);
            }
            Operator::In => {
                let arr = self.array()?;
                self.emit(Op::In(arr));
            }
            Operator::Match(wanted) => {
                let kind = self.binary(level + 1)?;
                self.regex_or_value(kind);
                self.emit(Op::Match(wanted));
            }
            Operator::Compare(order) => {
                self.right(level + 1)?;
                self.emit(Op::Compare(order));
            }
            Operator::Getline => {
                self.at += 1;
                let target = self.getline_target()?;
                self.emit(Op::Getline(From::Command, target));
            }
            Operator::Concat => {
                self.right(SUM)?;
                self.emit(Op::Concat);
            }
            Operator::Math(math) => {
                self.right(level + 1)?;
                if let [.., Op::Num(_), Op::Num(0.0)] = *self.program.code
                    && matches!(math, Math::Div | Math::Rem)
                {
                    return Err((self.line(), "division by zero attempted".to_owned()));
                }
                self.emit(Op::Math(math));
            }
        }
        Ok(())
    }

    /// Signs in front of a value, and powers, which bind tighter.
    pub(super) fn unary(&mut self) -> Result<Kind, Wrong> {
        let op = match self.peek() {
            Token::Sign("-") => Op::Neg,
            Token::Sign("+") => Op::Plus,
            Token::Sign("!") => Op::Not,
            _ => return self.power(),
        };
        self.at += 1;
        self.deeper()?;
        let kind = self.unary()?;
        self.operand(kind);
        self.depth -= 1;
        self.emit(op);
        Ok(Kind::Value)
    }

    fn power(&mut self) -> Result<Kind, Wrong> {
        let kind = self.postfix()?;
        if !self.accept("^") {
            return Ok(kind);
        }
        self.operand(kind);
        self.deeper()?;
        let kind = self.unary()?;
        self.operand(kind);
        self.depth -= 1;
        self.emit(Op::Math(Math::Pow));
        Ok(Kind::Value)
    }
}
