//! Reads the addresses of commands.

use super::read::{Read, Reader};
use super::script::{Address, To};

impl Reader<'_> {
    /// The addresses before a command.
    pub fn addresses(&mut self) -> Read<(Option<Address>, Option<To>)> {
        if matches!(self.peek(), Some(b'+' | b'~')) && self.text.get(self.at + 1).is_some_and(u8::is_ascii_digit) {
            self.at += 2;
            return Err("invalid usage of +N or ~N as first address".to_owned());
        }
        let Some(from) = self.address()? else { return Ok((None, None)) };
        self.blanks();
        let mut to = None;
        if self.peek() == Some(b',') {
            self.at += 1;
            self.blanks();
            to = Some(self.end()?);
        }
        let is_zero = matches!(from, Address::Line(0));
        if is_zero && !matches!(to, Some(To::Other(Address::Match(_)))) {
            self.blanks();
            self.at += usize::from(self.peek().is_some());
            return Err("invalid usage of line address 0".to_owned());
        }
        Ok((Some(from), to))
    }

    fn end(&mut self) -> Read<To> {
        if let Some(sign @ (b'+' | b'~')) = self.peek() {
            self.at += 1;
            let Some(number) = self.digits() else { return Err("unexpected `,'".to_owned()) };
            return Ok(if sign == b'+' { To::Plus(number) } else { To::Multiple(number) });
        }
        match self.address()? {
            Some(Address::Line(line)) => Ok(To::Line(line)),
            Some(other) => Ok(To::Other(other)),
            None => {
                self.at += usize::from(self.peek().is_some());
                Err("unexpected `,'".to_owned())
            }
        }
    }

    fn address(&mut self) -> Read<Option<Address>> {
        const UNTERMINATED: &str = "unterminated address regex";
        let address = match self.peek() {
            Some(b'$') => {
                self.at += 1;
                Address::Last
            }
            Some(b'0'..=b'9') => {
                let first = self.digits().unwrap_or(0);
                self.blanks();
                if self.peek() != Some(b'~') {
                    return Ok(Some(Address::Line(first)));
                }
                self.at += 1;
                self.blanks();
                match self.digits() {
                    None | Some(0) => Address::Line(first),
                    Some(step) => Address::Step(first, step),
                }
            }
            Some(mark @ (b'/' | b'\\')) => {
                self.at += 1;
                let mark = if mark == b'\\' { self.take().ok_or(UNTERMINATED)? } else { mark };
                let pattern = self.until(mark, true).ok_or(UNTERMINATED)?;
                let (mut ignores_case, mut multiline) = (false, false);
                loop {
                    match self.peek() {
                        Some(b'I') => ignores_case = true,
                        Some(b'M') => multiline = true,
                        _ => break,
                    }
                    self.at += 1;
                }
                Address::Match(self.pattern(&pattern, ignores_case, multiline)?)
            }
            _ => return Ok(None),
        };
        Ok(Some(address))
    }
}
