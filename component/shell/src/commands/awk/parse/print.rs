//! `print` and `printf`

use super::super::code::{Op, To};
use super::super::lex::Token;
use super::{Parser, Wrong};

impl Parser {
    pub(super) fn printing(&mut self, formats: bool) -> Result<(), Wrong> {
        self.at += 1;
        let mut count = 0;
        let was = std::mem::replace(&mut self.prints, true);
        if self.is("(") && self.brackets_are_all() {
            self.at += 1;
            self.prints = false;
            count = self.list(")")?;
            self.expect(")")?;
            self.prints = true;
        } else if !self.ends_print() {
            loop {
                self.whole()?;
                count += 1;
                if !self.accept(",") {
                    break;
                }
                self.newlines();
            }
        }
        if formats && count == 0 {
            return Err((self.line(), "printf: no arguments".to_owned()));
        }
        let to = match self.peek() {
            Token::Sign(">") => To::File,
            Token::Sign(">>") => To::Append,
            Token::Sign("|") => To::Pipe,
            _ => To::Stdout,
        };
        if to != To::Stdout {
            self.at += 1;
            let kind = self.binary(super::operators::CONCAT)?;
            self.operand(kind);
        }
        self.prints = was;
        self.emit(if formats { Op::Printf(count, to) } else { Op::Print(count, to) });
        Ok(())
    }

    fn ends_print(&self) -> bool {
        matches!(self.peek(), Token::Newline | Token::End | Token::Sign(";" | "}" | ">" | ">>" | "|" | ")"))
    }

    /// Whether all that is printed stands in the brackets that begin here.
    fn brackets_are_all(&self) -> bool {
        let mut depth = 0_usize;
        for (ahead, (token, _)) in self.tokens[self.at..].iter().enumerate() {
            match token {
                Token::Sign("(") => depth += 1,
                Token::Sign(")") => {
                    depth -= 1;
                    if depth == 0 {
                        let behind = self.peek_at(ahead + 1);
                        let reads = matches!(self.peek_at(ahead + 2), Token::Word("getline"));
                        return match behind {
                            Token::Newline | Token::End | Token::Sign(";" | "}" | ">" | ">>") => true,
                            Token::Sign("|") => !reads,
                            _ => false,
                        };
                    }
                }
                _ => (),
            }
        }
        false
    }
}
