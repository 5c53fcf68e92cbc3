//! Statements.

use super::super::code::{Arr, Op, Target};
use super::super::lex::Token;
use super::{Loop, Parser, Wrong};

impl Parser {
    /// Statements in braces.
    pub(super) fn block(&mut self) -> Result<(), Wrong> {
        self.expect("{")?;
        self.deeper()?;
        self.ends();
        while !self.is("}") {
            self.statement()?;
            self.ends();
        }
        self.at += 1;
        self.depth -= 1;
        Ok(())
    }

    fn statement(&mut self) -> Result<(), Wrong> {
        self.deeper()?;
        self.any_statement()?;
        self.depth -= 1;
        Ok(())
    }

    fn any_statement(&mut self) -> Result<(), Wrong> {
        if self.is("{") {
            return self.block();
        }
        if self.accept(";") {
            return Ok(());
        }
        let Token::Word(word) = *self.peek() else {
            self.simple()?;
            return self.ended();
        };
        match word {
            "if" => return self.conditional(),
            "while" => return self.while_loop(),
            "for" => return self.for_loop(),
            "switch" => return self.switch(),
            "do" => self.do_loop()?,
            "break" | "continue" => self.jump(word == "break")?,
            "next" | "nextfile" => {
                if !self.in_rule {
                    return Err((self.line(), format!("`{word}' used in BEGIN or END action")));
                }
                self.at += 1;
                self.emit(if word == "next" { Op::Next } else { Op::NextFile });
            }
            "exit" => {
                self.at += 1;
                let given = !self.at_end();
                if given {
                    self.whole()?;
                }
                self.emit(Op::Exit(given));
            }
            "return" => {
                if !self.in_function {
                    return Err((self.line(), "`return' used outside function context".to_owned()));
                }
                self.at += 1;
                if self.at_end() {
                    self.emit(Op::Unset);
                } else {
                    self.whole()?;
                }
                self.emit(Op::Return);
            }
            _ => self.simple()?,
        }
        self.ended()
    }

    fn at_end(&self) -> bool {
        matches!(self.peek(), Token::Newline | Token::End) || self.is(";") || self.is("}")
    }

    fn ended(&mut self) -> Result<(), Wrong> {
        if !self.at_end() {
            return self.wrong();
        }
        if !self.is("}") {
            self.at += 1;
        }
        Ok(())
    }

    /// One that may stand in the head of a `for` as well.
    fn simple(&mut self) -> Result<(), Wrong> {
        match *self.peek() {
            Token::Word(word @ ("print" | "printf")) => self.printing(word == "printf"),
            Token::Word("delete") => self.deletion(),
            _ => {
                self.whole()?;
                self.emit(Op::Pop);
                Ok(())
            }
        }
    }

    fn deletion(&mut self) -> Result<(), Wrong> {
        self.at += 1;
        let has_bracket = self.accept("(");
        let Token::Name(name) = self.next() else {
            self.at -= 1;
            return self.wrong();
        };
        match self.place(&name)? {
            Target::Slot(slot) => self.emit(Op::DeleteAll(Arr::Slot(slot))),
            Target::Elem(arr) => self.emit(Op::Delete(arr)),
            _ => return self.wrong(),
        };
        if has_bracket { self.expect(")") } else { Ok(()) }
    }

    fn in_brackets(&mut self) -> Result<(), Wrong> {
        self.expect("(")?;
        self.whole()?;
        self.expect(")")
    }

    /// What a condition or a loop is about, which may be on the next line.
    fn body(&mut self) -> Result<(), Wrong> {
        self.newlines();
        self.statement()
    }

    fn conditional(&mut self) -> Result<(), Wrong> {
        self.at += 1;
        self.in_brackets()?;
        let skip = self.emit(Op::JumpFalse(0));
        self.body()?;
        let before = self.at;
        self.ends();
        if !self.accept_word("else") {
            self.at = before;
            self.land(skip);
            return Ok(());
        }
        let over = self.emit(Op::Jump(0));
        self.land(skip);
        self.body()?;
        self.land(over);
        Ok(())
    }

    fn looped(&mut self) -> Result<Loop, Wrong> {
        self.loops.push(Loop::default());
        self.body()?;
        Ok(self.loops.pop().expect("it was put there"))
    }

    fn settle(&mut self, ended: &Loop, next: usize) {
        for jump in &ended.continues {
            self.lead(*jump, next);
        }
        for jump in &ended.breaks {
            self.land(*jump);
        }
    }

    fn while_loop(&mut self) -> Result<(), Wrong> {
        self.at += 1;
        let begin = self.here();
        self.in_brackets()?;
        let leave = self.emit(Op::JumpFalse(0));
        if self.accept(";") {
            self.emit(Op::Jump(begin));
            self.land(leave);
            return Ok(());
        }
        let ended = self.looped()?;
        self.emit(Op::Jump(begin));
        self.land(leave);
        self.settle(&ended, begin);
        Ok(())
    }

    fn do_loop(&mut self) -> Result<(), Wrong> {
        self.at += 1;
        let begin = self.here();
        let ended = self.looped()?;
        self.ends();
        if !self.accept_word("while") {
            return self.wrong();
        }
        let next = self.here();
        self.in_brackets()?;
        self.emit(Op::JumpTrue(begin));
        self.settle(&ended, next);
        Ok(())
    }

    fn for_loop(&mut self) -> Result<(), Wrong> {
        self.at += 1;
        self.expect("(")?;
        if matches!((self.peek(), self.peek_at(1)), (Token::Name(_), Token::Word("in"))) {
            return self.for_in();
        }
        if !self.is(";") {
            self.simple()?;
        }
        self.expect(";")?;
        self.newlines();
        let begin = self.here();
        let mut leave = None;
        if !self.is(";") {
            self.whole()?;
            leave = Some(self.emit(Op::JumpFalse(0)));
        }
        self.expect(";")?;
        self.newlines();
        // The step is written behind the body, where it runs.
        let step_from = self.here();
        if !self.is(")") {
            self.simple()?;
        }
        let step: Vec<Op> = self.program.code.split_off(step_from);
        self.expect(")")?;
        let ended = if self.accept(";") { Loop::default() } else { self.looped()? };
        let next = self.here();
        for op in step {
            let moved = |place: usize| place - step_from + next;
            self.emit(match op {
                Op::Jump(place) => Op::Jump(moved(place)),
                Op::JumpFalse(place) => Op::JumpFalse(moved(place)),
                Op::JumpTrue(place) => Op::JumpTrue(moved(place)),
                op => op,
            });
        }
        self.emit(Op::Jump(begin));
        if let Some(leave) = leave {
            self.land(leave);
        }
        self.settle(&ended, next);
        Ok(())
    }

    fn for_in(&mut self) -> Result<(), Wrong> {
        let Token::Name(name) = self.next() else { return self.wrong() };
        let variable = self.slot(&name);
        self.at += 1;
        let arr = self.array()?;
        self.emit(Op::Keys(arr));
        self.expect(")")?;
        let begin = self.emit(Op::NextKey(0));
        self.emit(Op::Assign(Target::Slot(variable)));
        self.emit(Op::Pop);
        let ended = self.looped()?;
        self.emit(Op::Jump(begin));
        self.land(begin);
        self.settle(&ended, begin);
        self.emit(Op::Pop);
        Ok(())
    }

    fn jump(&mut self, breaks: bool) -> Result<(), Wrong> {
        let word = if breaks { "break" } else { "continue" };
        let outside = (self.line(), format!("`{word}' is not allowed outside a loop or switch"));
        self.at += 1;
        let found = self.loops.iter().rposition(|around| breaks || !around.is_switch).ok_or(outside)?;
        // What a switch is about is on the stack.
        for _ in found + 1..self.loops.len() {
            self.emit(Op::Pop);
        }
        let jump = self.emit(Op::Jump(0));
        let around = &mut self.loops[found];
        if breaks {
            around.breaks.push(jump)
        } else {
            around.continues.push(jump)
        }
        Ok(())
    }

    fn switch(&mut self) -> Result<(), Wrong> {
        self.at += 1;
        self.in_brackets()?;
        self.newlines();
        self.expect("{")?;
        self.loops.push(Loop { is_switch: true, ..Loop::default() });
        let mut default = None;
        let mut falls: Option<usize> = None;
        let mut misses: Option<usize> = None;
        self.ends();
        while !self.accept("}") {
            if self.accept_word("default") {
                // Only reached from the case before, or when all have missed.
                let over = self.emit(Op::Jump(0));
                if let Some(fall) = falls.take() {
                    self.land(fall);
                }
                default = Some(self.here());
                self.cases()?;
                falls = Some(self.emit(Op::Jump(0)));
                self.land(over);
                continue;
            }
            if !self.accept_word("case") {
                return self.wrong();
            }
            if let Some(miss) = misses.take() {
                self.land(miss);
            }
            self.deeper()?;
            let kind = self.unary()?;
            self.regex_or_value(kind);
            self.depth -= 1;
            self.emit(Op::Case);
            misses = Some(self.emit(Op::JumpFalse(0)));
            if let Some(fall) = falls.take() {
                self.land(fall);
            }
            self.cases()?;
            falls = Some(self.emit(Op::Jump(0)));
        }
        if let Some(miss) = misses {
            self.land(miss);
        }
        if let Some(default) = default {
            self.emit(Op::Jump(default));
        }
        if let Some(fall) = falls {
            self.land(fall);
        }
        let ended = self.loops.pop().expect("it was put there");
        self.settle(&ended, 0);
        self.emit(Op::Pop);
        Ok(())
    }

    fn cases(&mut self) -> Result<(), Wrong> {
        self.expect(":")?;
        self.ends();
        while !self.is_word("case") && !self.is_word("default") && !self.is("}") {
            self.statement()?;
            self.ends();
        }
        Ok(())
    }
}
