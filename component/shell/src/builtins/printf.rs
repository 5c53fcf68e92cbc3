//! `printf`

mod real;

use bstr::{BString, ByteSlice};

pub use self::real::{float, zeros};
use super::echo;
use crate::exec::{Call, Ended};
use crate::expand::quote;

/// A conversion: `%` with its flags, width, precision and letter.
#[derive(Debug, Default, Clone)]
struct Conversion {
    left: bool,
    plus: bool,
    blank: bool,
    zero: bool,
    alternate: bool,
    width: Option<usize>,
    precision: Option<usize>,
    letter: u8,
    /// The inside of `%(…)T`.
    time: Vec<u8>,
}

impl Conversion {
    /// What stands before the digits of a number.
    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.blank) {
            (true, ..) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            (false, false, false) => "",
        }
    }
}

/// Formats arguments, and prints them or assigns them.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let mut args = std::mem::take(&mut call.args);
    let mut variable = None;
    if args.first().is_some_and(|arg| arg == "-v") && args.len() > 1 {
        variable = Some(args.remove(1).to_str_lossy().into_owned());
        args.remove(0);
    }
    if args.first().is_some_and(|arg| arg == "--") {
        args.remove(0);
    }
    if args.is_empty() {
        call.complain_here("usage: printf [-v var] format [arguments]").await?;
        return Ok(2);
    }
    let format = args.remove(0);
    let mut printer = Printer {
        args,
        at: 0,
        out: BString::default(),
        complaints: Vec::new(),
        ended: false,
        now: call.shell.base.files.now().nanos,
        offset: crate::commands::date::offset(call.shell),
        most: call.shell.base.most,
        too_wide: None,
    };
    loop {
        let before = printer.at;
        printer.round(&format);
        call.work(1)?;
        if let Some(wide) = printer.too_wide {
            let most = call.shell.base.most >> 20;
            call.complain_here(format!("{wide}: wider than the {most} MiB that a script may hold in memory")).await?;
            return Ok(1);
        }
        call.shell.hold(printer.out.len())?;
        if printer.ended || printer.at >= printer.args.len() || printer.at == before {
            break;
        }
    }
    let Printer { out, complaints, .. } = printer;
    match variable {
        Some(name) => match name.strip_suffix(']').and_then(|name| name.split_once('[')) {
            Some((name, index)) => crate::exec::assign::element(call.shell, name, index, out, false).await?,
            None => call.shell.set(&name, out)?,
        },
        None => call.print(out).await?,
    }
    let status = i32::from(!complaints.is_empty());
    for complaint in complaints {
        call.complain_here(complaint).await?;
    }
    Ok(status)
}

struct Printer {
    args: Vec<BString>,
    at: usize,
    out: BString,
    complaints: Vec<String>,
    ended: bool,
    now: i128,
    /// Seconds east of UTC.
    offset: i32,
    /// The widest that anything may be.
    most: usize,
    /// The first width or precision that is more.
    too_wide: Option<u64>,
}

impl Printer {
    fn next(&mut self) -> Option<BString> {
        let arg = self.args.get(self.at).cloned();
        self.at += 1;
        arg
    }

    /// Goes through the format once.
    fn round(&mut self, format: &[u8]) {
        let mut rest = format;
        while let Some(byte) = rest.first() {
            match byte {
                b'\\' => {
                    let (taken, bytes) = quote::escape(&rest[1..], true);
                    match bytes {
                        Some(bytes) => {
                            self.out.extend_from_slice(&bytes);
                            rest = &rest[1 + taken..];
                        }
                        None if rest.get(1) == Some(&b'c') => {
                            self.ended = true;
                            return;
                        }
                        None => {
                            self.out.push(b'\\');
                            rest = &rest[1..];
                        }
                    }
                }
                b'%' if rest.get(1) == Some(&b'%') => {
                    self.out.push(b'%');
                    rest = &rest[2..];
                }
                b'%' => {
                    let (conversion, taken) = self.conversion(&rest[1..]);
                    rest = &rest[(1 + taken).min(rest.len())..];
                    let wide = conversion.width.max(conversion.precision).unwrap_or(0);
                    if self.out.len().saturating_add(wide) > self.most {
                        self.too_wide.get_or_insert(wide as u64);
                    }
                    if self.too_wide.is_some() {
                        return;
                    }
                    if !self.convert(&conversion) {
                        self.ended = true;
                        return;
                    }
                }
                byte => {
                    self.out.push(*byte);
                    rest = &rest[1..];
                }
            }
        }
    }

    fn conversion(&mut self, text: &[u8]) -> (Conversion, usize) {
        let mut conversion = Conversion::default();
        let mut at = 0;
        while let Some(flag) = text.get(at) {
            match flag {
                b'-' => conversion.left = true,
                b'+' => conversion.plus = true,
                b' ' => conversion.blank = true,
                b'0' => conversion.zero = true,
                b'#' => conversion.alternate = true,
                b'\'' => (),
                _ => break,
            }
            at += 1;
        }
        conversion.width = self.size(text, &mut at, &mut conversion.left);
        if text.get(at) == Some(&b'.') {
            at += 1;
            let mut is_negative = false;
            let precision = self.size(text, &mut at, &mut is_negative).unwrap_or(0);
            // As if none were given.
            conversion.precision = (!is_negative).then_some(precision);
        }
        while matches!(text.get(at), Some(b'l' | b'h' | b'L' | b'q' | b'j' | b'z' | b't')) && text.get(at + 1).is_some()
        {
            if text[at] == b'q' {
                break;
            }
            at += 1;
        }
        if text.get(at) == Some(&b'(') {
            let end = text[at..].find_byte(b')').map_or(text.len(), |end| at + end);
            conversion.time = text[(at + 1).min(end)..end].to_vec();
            at = end + 1;
        }
        conversion.letter = text.get(at).copied().unwrap_or(0);
        (conversion, at + 1)
    }

    fn size(&mut self, text: &[u8], at: &mut usize, is_negative: &mut bool) -> Option<usize> {
        if text.get(*at) == Some(&b'*') {
            *at += 1;
            let number = self.next().map_or(0, |arg| self.whole(&arg));
            *is_negative |= number < 0;
            return Some(self.bounded(number.unsigned_abs()));
        }
        let digits = text[(*at).min(text.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = std::str::from_utf8(&text[*at..*at + digits]).ok()?;
        *at += digits;
        // What is no number of 64 bits is larger than all of them.
        (digits > 0).then(|| self.bounded(number.parse().unwrap_or(u64::MAX)))
    }

    fn bounded(&mut self, number: u64) -> usize {
        match usize::try_from(number) {
            Ok(number) if number <= self.most => number,
            _ => {
                self.too_wide.get_or_insert(number);
                0
            }
        }
    }

    /// Prints an argument. False if nothing comes behind it.
    fn convert(&mut self, conversion: &Conversion) -> bool {
        match conversion.letter {
            b's' => {
                let arg = self.next().unwrap_or_default();
                self.text(conversion, &arg);
            }
            b'b' => {
                let (text, stops) = echo::escaped(&self.next().unwrap_or_default());
                self.text(conversion, &text);
                return !stops;
            }
            b'q' => {
                let text = quote::percent_q(&self.next().unwrap_or_default());
                self.text(conversion, &text);
            }
            b'c' => {
                let arg = self.next().unwrap_or_default();
                let first: Vec<u8> = arg.first().copied().into_iter().collect();
                self.padded(conversion, &first, false);
            }
            b'd' | b'i' => {
                let number = self.next().map_or(0, |arg| self.whole(&arg));
                let sign = conversion.sign(number < 0);
                self.digits(conversion, sign, number.unsigned_abs().to_string());
            }
            b'u' => {
                let number = self.next().map_or(0, |arg| self.whole(&arg)).cast_unsigned();
                self.digits(conversion, "", number.to_string());
            }
            letter @ (b'x' | b'X' | b'o') => {
                let number = self.next().map_or(0, |arg| self.whole(&arg)).cast_unsigned();
                let (prefix, digits) = match letter {
                    b'x' => ("0x", format!("{number:x}")),
                    b'X' => ("0X", format!("{number:X}")),
                    _ => ("0", format!("{number:o}")),
                };
                let prefix = if conversion.alternate && number != 0 { prefix } else { "" };
                self.digits(conversion, prefix, digits);
            }
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => {
                let number = match self.next() {
                    Some(arg) => self.real(&arg),
                    None => 0.0,
                };
                self.float(conversion, number);
            }
            b'T' => {
                let seconds = self.next().map_or(-1, |arg| self.whole(&arg));
                let nanos = if seconds < 0 { self.now } else { i128::from(seconds) * 1_000_000_000 };
                let format: &[u8] = if conversion.time.is_empty() { b"%X" } else { &conversion.time };
                let text = crate::commands::date::format(format, nanos, self.offset);
                self.text(conversion, &text);
            }
            b'n' => (),
            0 => {
                self.complaints.push("`%': missing format character".to_owned());
                return false;
            }
            letter => {
                self.complaints.push(format!("`%{}': invalid format character", char::from(letter)));
                return false;
            }
        }
        true
    }

    fn text(&mut self, conversion: &Conversion, text: &[u8]) {
        let text = match conversion.precision {
            Some(most) => &text[..most.min(text.len())],
            None => text,
        };
        self.padded(conversion, text, false);
    }

    fn padded(&mut self, conversion: &Conversion, text: &[u8], zeros: bool) {
        let missing = conversion.width.unwrap_or(0).saturating_sub(text.len());
        let pad = |out: &mut BString, byte: u8| out.extend(std::iter::repeat_n(byte, missing));
        if conversion.left {
            self.out.extend_from_slice(text);
            pad(&mut self.out, b' ');
        } else {
            pad(&mut self.out, if zeros { b'0' } else { b' ' });
            self.out.extend_from_slice(text);
        }
    }

    fn digits(&mut self, conversion: &Conversion, sign: &str, mut digits: String) {
        if let Some(least) = conversion.precision {
            digits = zeros(&digits, least);
        }
        if conversion.zero && !conversion.left && conversion.precision.is_none() {
            let width = conversion.width.unwrap_or(0).saturating_sub(sign.len());
            digits = zeros(&digits, width);
        }
        self.padded(conversion, format!("{sign}{digits}").as_bytes(), false);
    }

    fn float(&mut self, conversion: &Conversion, number: f64) {
        let text = float(conversion.letter, conversion.precision, conversion.alternate, number.abs());
        let negative = number.is_sign_negative() && !number.is_nan();
        let sign = conversion.sign(negative);
        let mut text = text;
        if conversion.zero && !conversion.left && number.is_finite() {
            let width = conversion.width.unwrap_or(0).saturating_sub(sign.len());
            text = zeros(&text, width);
        }
        self.padded(conversion, format!("{sign}{text}").as_bytes(), false);
    }

    /// An argument as a whole number, as C reads it.
    fn whole(&mut self, arg: &[u8]) -> i64 {
        let text = arg.to_str_lossy().into_owned();
        if let Some(quoted) = text.strip_prefix(['\'', '"']) {
            return quoted.chars().next().map_or(0, |char| i64::from(u32::from(char)));
        }
        let trimmed = text.trim_start();
        let (negative, digits) = match trimmed.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, trimmed.strip_prefix('+').unwrap_or(trimmed)),
        };
        let (radix, digits) = match digits {
            hex if hex.starts_with("0x") || hex.starts_with("0X") => (16, &hex[2..]),
            octal if octal.len() > 1 && octal.starts_with('0') => (8, &octal[1..]),
            plain => (10, plain),
        };
        let count = digits.chars().take_while(|digit| digit.is_digit(radix)).count();
        if !trimmed.is_empty() && (count < digits.len() || (count == 0 && radix == 10)) {
            let what = match radix {
                8 => "invalid octal number",
                16 => "invalid hex number",
                _ => "invalid number",
            };
            self.complaints.push(format!("{text}: {what}"));
        }
        let value = i128::from_str_radix(&digits[..count], radix).unwrap_or(0);
        let value = if negative { -value } else { value };
        if let Ok(value) = i64::try_from(value) {
            return value;
        }
        if let (false, Ok(value)) = (negative, u64::try_from(value)) {
            return value.cast_signed();
        }
        if negative { i64::MIN } else { i64::MAX }
    }

    fn real(&mut self, arg: &[u8]) -> f64 {
        let text = arg.to_str_lossy().trim().to_owned();
        if text.is_empty() {
            return 0.0;
        }
        match text.parse() {
            Ok(number) => number,
            Err(_) if text.starts_with("0x") => {
                let number = self.whole(text.as_bytes());
                number as f64
            }
            Err(_) => {
                let end = (0..=text.len())
                    .rev()
                    .find(|end| text.is_char_boundary(*end) && text[..*end].parse::<f64>().is_ok());
                self.complaints.push(format!("{text}: invalid number"));
                end.and_then(|end| text[..end].parse().ok()).unwrap_or(0.0)
            }
        }
    }
}
