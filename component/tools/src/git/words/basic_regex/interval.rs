//! Parses intervals: `\{2,5\}`.

use super::error::Invalid;
use super::tokens::{Token, Tokens};

/// The largest repetition count.
const MAX: u32 = 32_767;

/// A number in an interval.
enum Number {
    /// No number.
    Missing,
    Is(u32),
    /// Something that is not a number.
    Not,
}

/// Parses the interval after its opening. Without a second number there is no upper bound.
pub fn parse(tokens: &mut Tokens<'_>) -> Result<(u32, Option<u32>), Invalid> {
    let (least, mut after) = number(tokens);
    let comma = after == Token::Byte(b',');
    let least = match least {
        Number::Is(least) => least,
        Number::Missing if comma => 0,
        Number::Missing => return Err(Invalid::IntervalContent),
        Number::Not => return Err(unfinished(after)),
    };
    let mut most = Some(least);
    if comma {
        let second;
        (second, after) = number(tokens);
        most = match second {
            Number::Is(most) => Some(most),
            Number::Missing => None,
            Number::Not => return Err(unfinished(after)),
        };
    }
    if most.is_some_and(|most| least > most) || after != Token::CloseInterval {
        return Err(Invalid::IntervalContent);
    }
    if most.unwrap_or(least) > MAX {
        return Err(Invalid::TooBig);
    }
    Ok((least, most))
}

/// The error for an interval that goes on with `after` instead of a number.
fn unfinished(after: Token) -> Invalid {
    if after == Token::End { Invalid::Interval } else { Invalid::IntervalContent }
}

fn number(tokens: &mut Tokens<'_>) -> (Number, Token) {
    let mut number = Number::Missing;
    loop {
        let token = tokens.next(false);
        number = match (token, number) {
            (Token::End, _) => return (Number::Not, token),
            (Token::CloseInterval | Token::Byte(b','), number) => return (number, token),
            (Token::Byte(digit @ b'0'..=b'9'), Number::Missing) => Number::Is(u32::from(digit - b'0')),
            (Token::Byte(digit @ b'0'..=b'9'), Number::Is(number)) => {
                Number::Is((number * 10 + u32::from(digit - b'0')).min(MAX + 1))
            }
            _ => Number::Not,
        };
    }
}
