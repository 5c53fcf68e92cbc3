//! Units of numbers, and numbers as exact fractions, so that rounding is exact.

use bstr::{BString, ByteSlice};

/// What the letters behind numbers mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// There are none.
    None,
    /// Powers of 1000, or of 1024 with an `i`.
    Auto,
    /// Powers of 1000.
    Si,
    /// Powers of 1024.
    Iec,
    /// Powers of 1024, with an `i`.
    IecI,
}

/// Where a number goes that is between two.
#[derive(Clone, Copy, Debug)]
pub enum Round {
    /// Up.
    Up,
    /// Down.
    Down,
    /// Away from zero.
    FromZero,
    /// To zero.
    TowardsZero,
    /// To the nearer one.
    Nearest,
}

const LETTERS: &[u8] = b"KMGTPEZY";

impl Scale {
    /// The one of this name.
    pub fn named(name: &[u8], reads: bool) -> Option<Scale> {
        Some(match name {
            b"none" => Scale::None,
            b"auto" if reads => Scale::Auto,
            b"si" => Scale::Si,
            b"iec" => Scale::Iec,
            b"iec-i" => Scale::IecI,
            _ => return None,
        })
    }

    fn base(self) -> i128 {
        if matches!(self, Scale::Iec | Scale::IecI) { 1024 } else { 1000 }
    }
}

impl Round {
    /// The one of this name.
    pub fn named(name: &[u8]) -> Option<Round> {
        Some(match name {
            b"up" => Round::Up,
            b"down" => Round::Down,
            b"from-zero" => Round::FromZero,
            b"towards-zero" => Round::TowardsZero,
            b"nearest" => Round::Nearest,
            _ => return None,
        })
    }

    fn quotient(self, number: i128, by: i128) -> Option<i128> {
        let (whole, rest) = (number / by, number % by);
        let away = number.signum();
        let more = match self {
            _ if rest == 0 => 0,
            Round::Up if number > 0 => 1,
            Round::Down if number < 0 => -1,
            Round::FromZero => away,
            Round::Nearest if rest.abs().checked_mul(2)? >= by => away,
            _ => 0,
        };
        Some(whole + more)
    }
}

/// A number.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    number: i128,
    by: i128,
    /// Digits behind the point as it was written.
    digits: usize,
}

impl Value {
    /// Reads a number with its unit.
    pub fn read(text: &[u8], scale: Scale) -> Result<Value, String> {
        let shown = BString::from(text);
        let invalid = || format!("invalid number: ‘{shown}’");
        let (sign, rest) = match text.strip_prefix(b"-") {
            Some(rest) => (-1, rest),
            None => (1, text),
        };
        let whole = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let mut end = whole;
        let mut digits = 0;
        if rest.get(whole) == Some(&b'.') {
            digits = rest[whole + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            end = whole + 1 + digits;
            if digits == 0 {
                return Err(invalid());
            }
        }
        if whole + digits == 0 {
            return Err(invalid());
        }
        let large = || format!("value too large to be converted: ‘{shown}’");
        if whole + digits > 33 || digits > 18 {
            return Err(large());
        }
        let plain: Vec<u8> = rest[..end].iter().copied().filter(u8::is_ascii_digit).collect();
        let number: i128 = plain.to_str().ok().and_then(|plain| plain.parse().ok()).ok_or_else(large)?;
        let mut value = Value { number: sign * number, by: 10_i128.pow(digits as u32), digits };
        let rest = &rest[end..];
        let Some(letter) = rest.first() else {
            return match scale {
                Scale::IecI => Err(format!("missing 'i' suffix in input: ‘{shown}’ (e.g Ki/Mi/Gi)")),
                _ => Ok(value),
            };
        };
        let Some(power) = LETTERS.iter().position(|known| known == letter || (*letter == b'k' && *known == b'K'))
        else {
            return Err(format!("invalid suffix in input: ‘{shown}’"));
        };
        let base = match (scale, &rest[1..]) {
            (Scale::None, _) => return Err(format!("rejecting suffix in input: ‘{shown}’ (consider using --from)")),
            (Scale::Auto, b"i") => 1024,
            (Scale::IecI, b"i") | (Scale::Iec, b"") => 1024,
            (Scale::Auto | Scale::Si, b"") => 1000,
            (Scale::IecI, b"") => return Err(format!("missing 'i' suffix in input: ‘{shown}’ (e.g Ki/Mi/Gi)")),
            (_, rest) => {
                let rest = BString::from(rest);
                return Err(format!("invalid suffix in input ‘{shown}’: ‘{rest}’"));
            }
        };
        let factor = 1_i128.checked_mul(i128::pow(base, power as u32 + 1)).ok_or_else(large)?;
        value.number = value.number.checked_mul(factor).ok_or_else(large)?;
        value.digits = 0;
        Ok(value)
    }

    /// Multiplies it and divides it.
    pub fn multiply(&mut self, by: i128, parts: i128) -> Option<()> {
        self.number = self.number.checked_mul(by)?;
        self.by = self.by.checked_mul(parts)?;
        Some(())
    }

    /// The number with its unit.
    pub fn written(self, scale: Scale, round: Round, precision: Option<usize>) -> Option<String> {
        if scale == Scale::None {
            let digits = precision.unwrap_or(self.digits);
            return decimal(self.number, self.by, digits, digits, round);
        }
        let base = scale.base();
        let (mut by, mut power) = (self.by, 0);
        while self.number.abs() / by >= base {
            by = by.checked_mul(base)?;
            power += 1;
        }
        let small = self.number.abs() / by < 10;
        let adjusted = precision.map_or(usize::from(small), |precision| precision.min(power * 3));
        let unit = 10_i128.pow(adjusted as u32);
        let rounded = round.quotient(self.number.checked_mul(unit)?, by)?;
        let mut unit = unit;
        if rounded.abs() / unit >= base {
            unit *= base;
            power += 1;
        }
        let shows = rounded != 0 && rounded.abs() / unit < 10 && power > 0;
        let digits = precision.unwrap_or(usize::from(shows));
        let mut text = even(rounded, unit, digits)?;
        if power > 0 {
            text.push(char::from(*LETTERS.get(power - 1)?));
            if scale == Scale::IecI {
                text.push('i');
            }
        }
        Some(text)
    }
}

fn decimal(number: i128, by: i128, rounded: usize, digits: usize, round: Round) -> Option<String> {
    let unit = 10_i128.checked_pow(rounded as u32)?;
    even(round.quotient(number.checked_mul(unit)?, by)?, unit, digits)
}

/// A fraction with so many digits, as `printf` rounds it: a half goes to the even one.
fn even(number: i128, by: i128, digits: usize) -> Option<String> {
    let scaled = number.checked_mul(10_i128.checked_pow(digits as u32)?)?.abs();
    let (mut whole, rest) = (scaled / by, scaled % by);
    if rest * 2 > by || (rest * 2 == by && whole % 2 == 1) {
        whole += 1;
    }
    let unit = 10_i128.pow(digits as u32);
    let sign = if number < 0 { "-" } else { "" };
    Some(match digits {
        0 => format!("{sign}{whole}"),
        _ => format!("{sign}{}.{:0digits$}", whole / unit, whole % unit),
    })
}
