//! `printf`

use super::machine::{Machine, fatal};
use super::strings::{length, offset};
use super::value::{Value, odd, written};
use crate::builtins::printf::{float, zeros};
use crate::exec::Ended;

/// The most characters of a width or a precision. Who wants more is told so.
const WIDEST: usize = 1 << 20;

/// A conversion: `%` with what is behind it.
#[derive(Default)]
struct Conversion {
    left: bool,
    plus: bool,
    blank: bool,
    zero: bool,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
}

struct Printer<'a> {
    values: &'a [Value],
    next: usize,
    out: Vec<u8>,
    /// How numbers are written as texts.
    convfmt: &'a [u8],
    /// Whether something is to be wider than it may be.
    wide: bool,
}

/// Formats values. The error is what is wrong with them.
pub fn sprintf(format: &[u8], values: &[Value], convfmt: &[u8]) -> Result<Vec<u8>, &'static str> {
    const FEW: &str = "not enough arguments to satisfy format string";
    let mut printer = Printer { values, next: 0, out: Vec::new(), convfmt, wide: false };
    let mut at = 0;
    while let Some(byte) = format.get(at) {
        at += 1;
        if *byte != b'%' {
            printer.out.push(*byte);
            continue;
        }
        let begin = at - 1;
        if format.get(at) == Some(&b'%') {
            printer.out.push(b'%');
            at += 1;
            continue;
        }
        let conversion = printer.conversion(format, &mut at).ok_or(FEW)?;
        if printer.wide {
            return Err("a width or a precision of more than 1048576 characters");
        }
        match format.get(at) {
            Some(letter) if b"cdiouxXeEfFgGaAs".contains(letter) => {
                let value = printer.take().ok_or(FEW)?;
                printer.convert(&conversion, *letter, &value);
                at += 1;
            }
            Some(b'%') => {
                printer.out.push(b'%');
                at += 1;
            }
            _ => printer.out.extend_from_slice(&format[begin..at]),
        }
    }
    Ok(printer.out)
}

impl Printer<'_> {
    fn take(&mut self) -> Option<Value> {
        self.next += 1;
        self.values.get(self.next - 1).cloned()
    }

    fn conversion(&mut self, format: &[u8], at: &mut usize) -> Option<Conversion> {
        let mut conversion = Conversion::default();
        self.positional(format, at);
        while let Some(flag) = format.get(*at) {
            match flag {
                b'-' => conversion.left = true,
                b'+' => conversion.plus = true,
                b' ' => conversion.blank = true,
                b'0' => conversion.zero = true,
                b'#' => conversion.alternate = true,
                b'\'' => (),
                _ => break,
            }
            *at += 1;
        }
        let width = self.size(format, at)?.unwrap_or(0);
        conversion.left |= width < 0;
        conversion.width = self.bounded(width.unsigned_abs());
        if format.get(*at) == Some(&b'.') {
            *at += 1;
            // A negative precision is none.
            let precision = self.size(format, at)?.unwrap_or(0);
            conversion.precision = u64::try_from(precision).ok().map(|precision| self.bounded(precision));
        }
        while matches!(format.get(*at), Some(b'l' | b'h' | b'L' | b'q')) {
            *at += 1;
        }
        Some(conversion)
    }

    fn bounded(&mut self, number: u64) -> usize {
        let number = usize::try_from(number).unwrap_or(usize::MAX);
        self.wide |= number > WIDEST;
        number.min(WIDEST)
    }

    /// `n$`, the number of the value to take.
    fn positional(&mut self, format: &[u8], at: &mut usize) {
        let digits = format[*at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 || format.get(*at + digits) != Some(&b'$') {
            return;
        }
        let text = std::str::from_utf8(&format[*at..*at + digits]).expect("they are digits");
        self.next = text.parse::<usize>().map_or(usize::MAX - 1, |number| number.saturating_sub(1));
        *at += digits + 1;
    }

    fn size(&mut self, format: &[u8], at: &mut usize) -> Option<Option<i64>> {
        if format.get(*at) == Some(&b'*') {
            *at += 1;
            #[expect(clippy::cast_possible_truncation, reason = "it is bounded")]
            return self.take().map(|value| Some(value.number() as i64));
        }
        let digits = format[*at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let text = std::str::from_utf8(&format[*at..*at + digits]).expect("they are digits");
        *at += digits;
        // What is no number of 64 bits is larger than all of them.
        Some((digits > 0).then(|| text.parse().unwrap_or(i64::MAX)))
    }

    fn convert(&mut self, conversion: &Conversion, letter: u8, value: &Value) {
        match letter {
            b's' => {
                let text = value.shown(self.convfmt);
                let end = conversion.precision.map_or(text.len(), |most| offset(&text, most));
                self.padded(conversion, &text[..end]);
            }
            b'c' => {
                let char = character(value, self.convfmt);
                self.padded(conversion, &char);
            }
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' => self.integer(conversion, letter, value.number()),
            letter => self.float(conversion, letter, value.number()),
        }
    }

    fn sign(conversion: &Conversion, negative: bool) -> &'static str {
        match conversion {
            _ if negative => "-",
            Conversion { plus: true, .. } => "+",
            Conversion { blank: true, .. } => " ",
            _ => "",
        }
    }

    fn integer(&mut self, conversion: &Conversion, letter: u8, number: f64) {
        if !number.is_finite() {
            self.padded(conversion, odd(number).as_bytes());
            return;
        }
        let whole = number.trunc();
        let signed = matches!(letter, b'd' | b'i');
        // What has no such form is written as a plain number.
        if !signed && whole.abs() >= 18_446_744_073_709_551_616.0 {
            self.padded(conversion, &written(number, b"%.6g"));
            return;
        }
        // Negative ones are written as their complement.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range was checked")]
        let bits = if whole < 0.0 { (whole as i64).cast_unsigned() } else { whole as u64 };
        let (mut digits, prefix) = match letter {
            b'o' => (format!("{bits:o}"), "0"),
            b'x' => (format!("{bits:x}"), "0x"),
            b'X' => (format!("{bits:X}"), "0X"),
            b'u' => (bits.to_string(), ""),
            _ => (format!("{:.0}", whole.abs()), ""),
        };
        let prefix = if conversion.alternate && whole != 0.0 { prefix } else { "" };
        let sign = if signed { Printer::sign(conversion, whole < 0.0) } else { "" };
        match conversion.precision {
            Some(0) if whole == 0.0 => digits.clear(),
            Some(least) => digits = zeros(&digits, least),
            None if conversion.zero && !conversion.left => {
                let width = conversion.width.saturating_sub(sign.len() + prefix.len());
                digits = zeros(&digits, width);
            }
            None => (),
        }
        self.padded(conversion, format!("{sign}{prefix}{digits}").as_bytes());
    }

    fn float(&mut self, conversion: &Conversion, letter: u8, number: f64) {
        if !number.is_finite() {
            self.padded(conversion, odd(number).as_bytes());
            return;
        }
        let mut text = float(letter, conversion.precision, conversion.alternate, number.abs());
        let sign = Printer::sign(conversion, number.is_sign_negative());
        if conversion.zero && !conversion.left {
            let width = conversion.width.saturating_sub(sign.len());
            text = zeros(&text, width);
        }
        self.padded(conversion, format!("{sign}{text}").as_bytes());
    }

    fn padded(&mut self, conversion: &Conversion, text: &[u8]) {
        let missing = conversion.width.saturating_sub(length(text));
        if conversion.left {
            self.out.extend_from_slice(text);
        }
        self.out.extend(std::iter::repeat_n(b' ', missing));
        if !conversion.left {
            self.out.extend_from_slice(text);
        }
    }
}

/// A number as the character that it stands for, or the first of a text.
fn character(value: &Value, convfmt: &[u8]) -> Vec<u8> {
    if value.is_numeric() {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is checked as a character")]
        let number = value.number() as i64 as u32;
        return match char::from_u32(number) {
            Some(char) => char.encode_utf8(&mut [0; 4]).as_bytes().to_vec(),
            None => vec![u8::try_from(number & 255).expect("it is masked")],
        };
    }
    let text = value.shown(convfmt);
    if text.is_empty() { vec![0] } else { text[..offset(&text, 1)].to_vec() }
}

impl Machine {
    /// `printf` with so many values on the stack.
    pub fn formatted(&mut self, count: usize) -> Result<Vec<u8>, Ended> {
        let values = self.stack.split_off(self.stack.len() - count);
        self.sprintf(&values)
    }

    /// `sprintf`
    pub fn sprintf(&mut self, values: &[Value]) -> Result<Vec<u8>, Ended> {
        let format = self.text(&values[0]);
        let convfmt = self.convfmt();
        let out = match sprintf(&format, &values[1..], &convfmt) {
            Ok(out) => out,
            Err(why) => return fatal(why),
        };
        self.hold(out.len())?;
        Ok(out)
    }
}
