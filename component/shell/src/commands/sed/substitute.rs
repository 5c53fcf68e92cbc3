//! Reads substitutions.

use super::read::{Read, Reader};
use super::replace::{Replacement, Substitution};

impl Reader<'_> {
    /// Reads what follows an `s`.
    pub fn substitution(&mut self) -> Read<Substitution> {
        const UNTERMINATED: &str = "unterminated `s' command";
        let mark = self.take().ok_or(UNTERMINATED)?;
        let pattern = self.until(mark, true).ok_or(UNTERMINATED)?;
        let replacement = self.until(mark, false).ok_or(UNTERMINATED)?;
        let replacement = Replacement::read(&replacement, self.dialect.posix);
        let (mut all, mut first, mut prints, mut file) = (false, None, false, None);
        let (mut ignores_case, mut multiline) = (false, false);
        loop {
            match self.peek() {
                Some(b'g') if all => return self.past("multiple `g' options to `s' command"),
                Some(b'p') if prints => return self.past("multiple `p' options to `s' command"),
                Some(b'0'..=b'9') if first.is_some() => return self.past("multiple number options to `s' command"),
                Some(b'g') => all = true,
                Some(b'p') => prints = true,
                Some(b'i' | b'I') => ignores_case = true,
                Some(b'm' | b'M') => multiline = true,
                Some(b'0'..=b'9') => {
                    first = self.digits();
                    if first == Some(0) {
                        return Err("number option to `s' command may not be zero".to_owned());
                    }
                    continue;
                }
                Some(b'e') => {
                    self.at += 1;
                    return Err(self.refused());
                }
                Some(b'w') => {
                    self.at += 1;
                    file = Some(self.output()?);
                    break;
                }
                None | Some(b'\n' | b';' | b'}' | b'#' | b' ' | b'\t' | b'\r') => break,
                Some(_) => return self.past("unknown option to `s'"),
            }
            self.at += 1;
        }
        let pattern = self.pattern(&pattern, ignores_case, multiline)?;
        if let Some(regex) = &pattern
            && replacement.groups >= regex.groups
        {
            return Err(format!("invalid reference \\{} on `s' command's RHS", replacement.groups));
        }
        Ok(Substitution { pattern, replacement, all, first: first.unwrap_or(1), prints, file })
    }

    /// An error behind the next byte.
    fn past<T>(&mut self, message: &str) -> Read<T> {
        self.at += 1;
        Err(message.to_owned())
    }
}
