//! Arithmetic (Shell Arithmetic in bash's manual): whole numbers of 64 bits.

use std::borrow::Cow;

use brush_parser::arithmetic::parse;
use brush_parser::ast::{
    ArithmeticExpr as Expr, ArithmeticTarget as Target, BinaryOperator as Op, UnaryAssignmentOperator as Step,
    UnaryOperator as Unary,
};
use bstr::{BString, ByteSlice};

use crate::exec::Ended;
use crate::exec::command::is_name;
use crate::state::Shell;
use crate::value::Value;

/// How far variables may lead from one to the next.
const DEEPEST: u32 = 64;

/// The value of an expression as it is written, with what is to be expanded.
pub async fn run(shell: &mut Shell, text: &str) -> Result<i64, Ended> {
    let expanded = match text.contains(['$', '`', '"', '\'', '\\']) {
        true => super::unquoted(shell, text).await?,
        false => text.into(),
    };
    evaluate(shell, &expanded)
}

/// The value of an expression in which nothing is to be expanded.
pub fn evaluate(shell: &mut Shell, text: &[u8]) -> Result<i64, Ended> {
    at_depth(shell, text, 0)
}

fn at_depth(shell: &mut Shell, text: &[u8], depth: u32) -> Result<i64, Ended> {
    let text = text.to_str_lossy();
    let text = text.trim();
    if text.is_empty() {
        return Ok(0);
    }
    if let Ok(number) = text.parse::<i64>()
        && !(text.len() > 1 && text.trim_start_matches(['-', '+']).starts_with('0'))
    {
        return Ok(number);
    }
    let failed = |why: &str| Ended::Failed(format!("{}: {why}", shown(text)));
    if depth > DEEPEST {
        return Err(failed("expression recursion level exceeded"));
    }
    crate::parse::checked(text).map_err(|message| failed(&message))?;
    let parsed = parse(text).map_err(|_| failed("syntax error in expression"))?;
    let mut run = Run { shell, depth, text };
    run.value(&parsed)
}

/// The most characters of an expression that a message repeats.
const SHOWN: usize = 200;

/// An expression in a message: nobody reads a long one to its end.
fn shown(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]).into(),
        None => text.into(),
    }
}

struct Run<'a> {
    shell: &'a mut Shell,
    depth: u32,
    text: &'a str,
}

impl Run<'_> {
    fn failed(&self, why: &str) -> Ended {
        Ended::Failed(format!("{}: {why}", shown(self.text)))
    }

    fn value(&mut self, expr: &Expr) -> Result<i64, Ended> {
        self.shell.work(1)?;
        Ok(match expr {
            Expr::Literal(number) => *number,
            Expr::Reference(target) => self.get(target)?,
            Expr::UnaryOp(op, operand) => {
                let value = self.value(operand)?;
                match op {
                    Unary::UnaryPlus => value,
                    Unary::UnaryMinus => value.wrapping_neg(),
                    Unary::BitwiseNot => !value,
                    Unary::LogicalNot => i64::from(value == 0),
                }
            }
            Expr::BinaryOp(Op::LogicalAnd, left, right) => i64::from(self.value(left)? != 0 && self.value(right)? != 0),
            Expr::BinaryOp(Op::LogicalOr, left, right) => i64::from(self.value(left)? != 0 || self.value(right)? != 0),
            Expr::BinaryOp(op, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.binary(op, left, right)?
            }
            Expr::Conditional(condition, then, other) => {
                let taken = if self.value(condition)? != 0 { then } else { other };
                self.value(taken)?
            }
            Expr::Assignment(target, value) => {
                let value = self.value(value)?;
                self.set(target, value)?
            }
            Expr::BinaryAssignment(op, target, operand) => {
                let (left, right) = (self.get(target)?, self.value(operand)?);
                let value = self.binary(op, left, right)?;
                self.set(target, value)?
            }
            Expr::UnaryAssignment(step, target) => {
                let was = self.get(target)?;
                let (by, gives_new) = match step {
                    Step::PrefixIncrement => (1, true),
                    Step::PrefixDecrement => (-1, true),
                    Step::PostfixIncrement => (1, false),
                    Step::PostfixDecrement => (-1, false),
                };
                let now = self.set(target, was.wrapping_add(by))?;
                if gives_new { now } else { was }
            }
        })
    }

    fn binary(&self, op: &Op, left: i64, right: i64) -> Result<i64, Ended> {
        let shift = |right: i64| u32::try_from(right & 63).expect("it has six bits");
        Ok(match op {
            Op::Add => left.wrapping_add(right),
            Op::Subtract => left.wrapping_sub(right),
            Op::Multiply => left.wrapping_mul(right),
            Op::Divide | Op::Modulo if right == 0 => return Err(self.failed("division by 0 (error token is \"0\")")),
            Op::Divide => left.wrapping_div(right),
            Op::Modulo => left.wrapping_rem(right),
            Op::Power if right < 0 => return Err(self.failed("exponent less than 0")),
            Op::Power => power(left, right),
            Op::Comma => right,
            Op::ShiftLeft => left.wrapping_shl(shift(right)),
            Op::ShiftRight => left.wrapping_shr(shift(right)),
            Op::LessThan => i64::from(left < right),
            Op::LessThanOrEqualTo => i64::from(left <= right),
            Op::GreaterThan => i64::from(left > right),
            Op::GreaterThanOrEqualTo => i64::from(left >= right),
            Op::Equals => i64::from(left == right),
            Op::NotEquals => i64::from(left != right),
            Op::BitwiseAnd => left & right,
            Op::BitwiseOr => left | right,
            Op::BitwiseXor => left ^ right,
            Op::LogicalAnd => i64::from(left != 0 && right != 0),
            Op::LogicalOr => i64::from(left != 0 || right != 0),
        })
    }

    /// The number that a variable stands for: its text is an expression itself.
    fn get(&mut self, target: &Target) -> Result<i64, Ended> {
        let text = match target {
            Target::Variable(name) => {
                if !is_name(name.as_bytes()) {
                    return Err(self.failed("syntax error: operand expected"));
                }
                let text = self.shell.text(name);
                if text.is_none() && self.shell.options.nounset {
                    return Err(Ended::Fatal(format!("{name}: unbound variable"), 1));
                }
                text
            }
            Target::ArrayElement(name, index) => self.element(name, index)?,
        };
        match text {
            Some(text) => at_depth(self.shell, &text, self.depth + 1),
            None => Ok(0),
        }
    }

    fn element(&mut self, name: &str, index: &Expr) -> Result<Option<BString>, Ended> {
        if let Some(key) = self.key(name, index) {
            return Ok(match self.shell.vars.get(name).and_then(|variable| variable.value.as_ref()) {
                Some(Value::Map(map)) => map.get(&key).cloned(),
                _ => None,
            });
        }
        let at = self.value(index)?;
        if let Some(list) = super::special::list(self.shell, name) {
            return Ok(usize::try_from(at).ok().and_then(|at| list.get(at).cloned()));
        }
        Ok(match self.shell.vars.get(name).and_then(|variable| variable.value.as_ref()) {
            Some(Value::List(list)) => {
                let at = if at < 0 { list.last_key_value().map_or(0, |(last, _)| last + 1) + at } else { at };
                list.get(&at).cloned()
            }
            Some(Value::Text(text)) if at == 0 => Some(text.clone()),
            _ => None,
        })
    }

    /// The key in an array by texts: the name of a variable is its own text there.
    fn key(&self, name: &str, index: &Expr) -> Option<BString> {
        let Some(Value::Map(_)) = self.shell.vars.get(name)?.value.as_ref() else { return None };
        Some(match index {
            Expr::Reference(Target::Variable(key)) => key.as_str().into(),
            Expr::Literal(number) => number.to_string().into(),
            other => other.to_string().into(),
        })
    }

    fn set(&mut self, target: &Target, value: i64) -> Result<i64, Ended> {
        let text = BString::from(value.to_string());
        match target {
            Target::Variable(name) => {
                if !is_name(name.as_bytes()) {
                    return Err(self.failed("attempted assignment to non-variable"));
                }
                self.shell.set(name, text)?;
            }
            Target::ArrayElement(name, index) => {
                let name = self.shell.vars.resolved(name).to_owned();
                let key = self.key(&name, index);
                let at = if key.is_none() { self.value(index)? } else { 0 };
                let mut now = self.shell.vars.itself(&name).and_then(|variable| variable.value.clone());
                match (&mut now, key) {
                    (Some(Value::Map(map)), Some(key)) => map.insert(key, text),
                    (Some(Value::List(list)), _) => drop(list.insert(at, text)),
                    _ => {
                        let first = now.take().and_then(|value| value.text().cloned());
                        let mut list = std::collections::BTreeMap::from_iter(first.map(|first| (0, first)));
                        list.insert(at, text);
                        now = Some(Value::List(list));
                    }
                }
                self.shell.vars.entry(&name).value = now;
            }
        }
        Ok(value)
    }
}

fn power(mut base: i64, mut exponent: i64) -> i64 {
    let mut result: i64 = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        exponent >>= 1;
    }
    result
}
