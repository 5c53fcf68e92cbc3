//! The functions that awk has, but for those that read, write, or run something.

use std::cmp::Ordering;
use std::rc::Rc;

use bstr::ByteSlice;

use super::code::{Builtin, PROCINFO};
use super::machine::{Machine, fatal};
use super::strings::{cased, index, length, number, substr};
use super::value::{TableRef, Text, Value, prefix};
use crate::commands::date::{days, format};
use crate::exec::Ended;

const SECOND: i128 = 1_000_000_000;

impl Machine {
    /// Calls a function.
    pub fn builtin(&mut self, builtin: Builtin, args: Vec<Value>) -> Result<Value, Ended> {
        let real = |at: usize| args.get(at).map_or(0.0, Value::number);
        Ok(match builtin {
            Builtin::Length => match &args[0] {
                Value::Array(table) | Value::Maybe(table) => number(table.borrow().len()),
                value => number(length(&self.text(value))),
            },
            Builtin::Substr => {
                let text = self.text(&args[0]);
                let part = substr(&text, real(1), args.get(2).map(Value::number));
                self.hold(part.len())?;
                Value::text(part)
            }
            Builtin::Index => number(index(&self.text(&args[0]), &self.text(&args[1]))),
            Builtin::Split => self.split(&args, false)?,
            Builtin::Patsplit => self.split(&args, true)?,
            Builtin::Match => self.find_match(&args)?,
            Builtin::Gensub => self.gensub(&args)?,
            Builtin::Sprintf => Value::text(self.sprintf(&args)?),
            Builtin::Tolower | Builtin::Toupper => {
                let text = self.text(&args[0]);
                self.hold(text.len())?;
                Value::text(cased(&text, builtin == Builtin::Toupper))
            }
            Builtin::Int => Value::Num(real(0).trunc()),
            Builtin::Sqrt => Value::Num(real(0).sqrt()),
            Builtin::Exp => Value::Num(real(0).exp()),
            // As the C library has it, no number is a negative one here.
            Builtin::Log if real(0) < 0.0 => Value::Num(f64::NAN.copysign(-1.0)),
            Builtin::Log => Value::Num(real(0).ln()),
            Builtin::Sin => Value::Num(real(0).sin()),
            Builtin::Cos => Value::Num(real(0).cos()),
            Builtin::Atan2 => Value::Num(real(0).atan2(real(1))),
            Builtin::Rand => Value::Num(self.rand()),
            Builtin::Srand => {
                let seed = if args.is_empty() { self.seconds() } else { real(0) };
                self.random = seed.to_bits() ^ 0x9E37_79B9_7F4A_7C15;
                Value::Num(std::mem::replace(&mut self.seed, seed))
            }
            Builtin::And => bits(&args, |one, other| one & other)?,
            Builtin::Or => bits(&args, |one, other| one | other)?,
            Builtin::Xor => bits(&args, |one, other| one ^ other)?,
            Builtin::Lshift => bits(&args, |one, count| one.checked_shl(small(count)).unwrap_or(0))?,
            Builtin::Rshift => bits(&args, |one, count| one.checked_shr(small(count)).unwrap_or(0))?,
            Builtin::Compl => {
                bits(&args, |one, _| one).map(|value| Value::Num(9_007_199_254_740_991.0 - value.number()))?
            }
            Builtin::Strtonum => Value::Num(self.strtonum(&args[0])),
            Builtin::Systime => Value::Num(self.seconds().floor()),
            Builtin::Strftime => self.strftime(&args),
            Builtin::Mktime => Value::Num(self.mktime(&args)),
            Builtin::Isarray => Value::truth(matches!(args[0], Value::Array(_))),
            Builtin::Typeof => Value::text(match &args[0] {
                Value::Array(_) => "array",
                Value::Num(_) => "number",
                Value::Regex(_) => "regexp",
                Value::Text(_) => "string",
                value @ Value::Input(_) if value.is_numeric() => "strnum",
                Value::Input(_) => "string",
                Value::Maybe(table) if !table.borrow().is_empty() => "array",
                Value::Unset | Value::Maybe(_) | Value::Keys(_) => "untyped",
            }),
            Builtin::Asort | Builtin::Asorti => self.sort(&args, builtin == Builtin::Asorti)?,
            Builtin::Close | Builtin::System | Builtin::Fflush => unreachable!("they are called elsewhere"),
        })
    }

    #[expect(clippy::cast_precision_loss, reason = "53 bits are kept")]
    fn rand(&mut self) -> f64 {
        // SplitMix64.
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    #[expect(clippy::cast_precision_loss, reason = "seconds are small numbers")]
    fn seconds(&self) -> f64 {
        self.now.nanos.div_euclid(SECOND) as f64
    }

    fn strtonum(&self, value: &Value) -> f64 {
        let (Value::Text(text) | Value::Input(text)) = value else { return value.number() };
        let text = text.trim_start();
        let (sign, digits) = match text.first() {
            Some(b'-') => (-1.0, &text[1..]),
            Some(b'+') => (1.0, &text[1..]),
            _ => (1.0, text),
        };
        let (radix, digits) = match digits {
            [b'0', b'x' | b'X', rest @ ..] => (16, rest),
            [b'0', rest @ ..] if !rest.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E' | b'8' | b'9')) => (8, rest),
            _ => return value.number(),
        };
        let digits = digits.iter().map_while(|byte| char::from(*byte).to_digit(radix));
        sign * digits.fold(0.0, |sum, digit| sum * f64::from(radix) + f64::from(digit))
    }

    fn offset(&self, utc: Option<&Value>) -> i32 {
        if utc.is_some_and(Value::is_true) { 0 } else { self.now.utc_offset }
    }

    fn strftime(&self, args: &[Value]) -> Value {
        let pattern =
            args.first().map_or_else(|| Rc::new(b"%a %b %e %H:%M:%S %Z %Y".to_vec()), |value| self.text(value));
        #[expect(clippy::cast_possible_truncation, reason = "later times are not written")]
        let seconds = args.get(1).map_or_else(|| self.seconds(), Value::number) as i64;
        let nanos = i128::from(seconds) * SECOND;
        Value::text(Vec::from(format(&pattern, nanos, self.offset(args.get(2)))))
    }

    fn mktime(&self, args: &[Value]) -> f64 {
        let text = self.text(&args[0]);
        let numbers: Option<Vec<i64>> =
            String::from_utf8_lossy(&text).split_whitespace().map(|word| word.parse().ok()).collect();
        let Some([year, month, day, hour, minute, second, ..]) = numbers.as_deref() else { return -1.0 };
        let parts = [year, month, day, hour, minute, second];
        if parts.iter().any(|part| part.unsigned_abs() > 1_000_000_000) {
            return -1.0;
        }
        let (year, month) = (year + (month - 1).div_euclid(12), (month - 1).rem_euclid(12) + 1);
        let first = days(year, u32::try_from(month).expect("it is from 1 to 12"), 1);
        let seconds = (first + day - 1) * 86_400 + hour * 3_600 + minute * 60 + second;
        #[expect(clippy::cast_precision_loss, reason = "seconds are small numbers")]
        let seconds = (seconds - i64::from(self.offset(args.get(1)))) as f64;
        seconds
    }

    /// The keys of an array, in the order in which `for` takes them.
    pub fn sorted_keys(&mut self, table: &TableRef) -> Result<Vec<Text>, Ended> {
        let how = match &self.globals[PROCINFO] {
            Value::Array(info) => info.borrow().get(&b"sorted_in".to_vec()).map(|how| self.text(how)),
            _ => None,
        };
        let how = how.unwrap_or_default();
        let name = if how.is_empty() { "@ind_num_asc".to_owned() } else { String::from_utf8_lossy(&how).into_owned() };
        let entries = self.sorted(table, &name)?;
        Ok(entries.into_iter().map(|(key, _)| key).collect())
    }

    fn sorted(&mut self, table: &TableRef, how: &str) -> Result<Vec<(Text, Value)>, Ended> {
        let mut entries: Vec<(Text, Value)> =
            table.borrow().iter().map(|(key, value)| (Rc::clone(key), value.clone())).collect();
        self.hold(entries.len() * 64)?;
        let convfmt = self.convfmt();
        let by_key = |one: &(Text, Value), other: &(Text, Value)| one.0.cmp(&other.0);
        let (what, falls) = match how.strip_suffix("_desc") {
            Some(what) => (what, true),
            None => (how.strip_suffix("_asc").unwrap_or(how), false),
        };
        // What is no number is 0.
        let by_number = |one: &Text, other: &Text| prefix(one).0.total_cmp(&prefix(other).0);
        match what {
            "@ind_str" => entries.sort_by(by_key),
            "@ind_num" => entries.sort_by(|one, other| by_number(&one.0, &other.0).then_with(|| by_key(one, other))),
            "@val_str" => entries.sort_by(|one, other| {
                rank(&one.1)
                    .cmp(&rank(&other.1))
                    .then_with(|| one.1.shown(&convfmt).cmp(&other.1.shown(&convfmt)))
                    .then_with(|| by_key(one, other))
            }),
            "@val_num" => entries.sort_by(|one, other| {
                one.1
                    .number()
                    .total_cmp(&other.1.number())
                    .then_with(|| one.1.shown(&convfmt).cmp(&other.1.shown(&convfmt)))
                    .then_with(|| by_key(one, other))
            }),
            "@val_type" => {
                entries.sort_by(|one, other| by_type(&one.1, &other.1, &convfmt).then_with(|| by_key(one, other)))
            }
            "@unsorted" => entries.sort_by(by_key),
            other => return fatal(format!("sorting by the function `{other}' is not supported")),
        }
        if falls {
            entries.reverse();
        }
        Ok(entries)
    }

    /// `asort` and `asorti`
    fn sort(&mut self, args: &[Value], by_keys: bool) -> Result<Value, Ended> {
        let Value::Array(source) = &args[0] else { unreachable!("it is read as an array") };
        let target = match args.get(1) {
            Some(Value::Array(target)) => target,
            _ => source,
        };
        let usual = if by_keys { "@ind_str_asc" } else { "@val_type_asc" };
        let how =
            args.get(2).map_or_else(|| usual.to_owned(), |how| String::from_utf8_lossy(&self.text(how)).into_owned());
        let entries = self.sorted(source, &how)?;
        let mut table = target.borrow_mut();
        table.clear();
        for (at, (key, value)) in entries.iter().enumerate() {
            let value = if by_keys { Value::Text(Rc::clone(key)) } else { value.clone() };
            table.insert(Rc::new((at + 1).to_string().into_bytes()), value);
        }
        Ok(number(entries.len()))
    }
}

/// Arrays come behind all else.
fn rank(value: &Value) -> u8 {
    u8::from(matches!(value, Value::Array(_)))
}

/// Numbers come before texts, and those before arrays.
fn by_type(one: &Value, other: &Value, convfmt: &[u8]) -> Ordering {
    let kind = |value: &Value| match value {
        value if value.is_numeric() => 0,
        Value::Array(_) => 2,
        Value::Unset => 0,
        _ => 1,
    };
    kind(one).cmp(&kind(other)).then_with(|| match kind(one) {
        0 => one.number().total_cmp(&other.number()),
        _ => one.shown(convfmt).cmp(&other.shown(convfmt)),
    })
}

fn small(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn bits(args: &[Value], combine: impl Fn(u64, u64) -> u64) -> Result<Value, Ended> {
    let mut numbers = args.iter().map(Value::number);
    if numbers.clone().any(|number| number < 0.0) {
        return fatal("negative values are not allowed in bit operations");
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "none is negative")]
    let first = numbers.next().unwrap_or(0.0) as u64;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "none is negative")]
    let all = numbers.fold(first, |one, other| combine(one, other as u64));
    #[expect(clippy::cast_precision_loss, reason = "as gawk does")]
    Ok(Value::Num(all as f64))
}
