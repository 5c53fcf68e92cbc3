//! `seq`. Numbers are whole multiples of a power of ten, so that nothing is rounded.

use bstr::{BString, ByteSlice};

use super::arguments::{Flag, Reading, flag, read, valued};
use crate::builtins::printf::{float, zeros};
use crate::exec::{Call, Ended};

const FLAGS: &[Flag] = &[valued('f', "format"), valued('s', "separator"), flag('w', "equal-width")];

/// The most digits behind the point.
const FINEST: u32 = 18;

/// A decimal number: `digits` divided by ten to the power of `places`.
#[derive(Clone, Copy)]
struct Number {
    digits: i128,
    places: u32,
    /// Places that are shown.
    shown: u32,
    /// Its width as it was written, without an exponent.
    width: usize,
}

/// How numbers are printed.
enum Format {
    Places(usize),
    /// With zeros in front, to a width.
    Wide(usize, usize),
    Printf(Printf),
}

/// A format with one directive.
struct Printf {
    before: BString,
    flags: Vec<u8>,
    width: usize,
    precision: Option<usize>,
    letter: u8,
    after: BString,
}

/// Prints numbers.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    end_options(&mut call.args);
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: true }).await?;
    if given.operands.is_empty() {
        return call.misused("missing operand", 1).await;
    }
    if let Some(extra) = given.operands.get(3) {
        return call.misused(format!("extra operand '{extra}'"), 1).await;
    }
    let printf = match given.value('f').map(|text| printf(text)).transpose() {
        Ok(printf) => printf,
        Err(message) => {
            call.complain(message).await?;
            return Ok(1);
        }
    };
    if printf.is_some() && given.has('w') {
        return call.misused("format string may not be specified when printing equal width strings", 1).await;
    }
    let mut numbers = Vec::new();
    for (at, text) in given.operands.iter().enumerate() {
        let is_last = at + 1 == given.operands.len();
        match (number(text), &***text) {
            (Some(number), _) => numbers.push(Some(number)),
            (None, b"inf" | b"infinity") if is_last => numbers.push(None),
            _ => return call.misused(format!("invalid floating point argument: '{text}'"), 1).await,
        }
    }
    let one = Number { digits: 1, places: 0, shown: 0, width: 1 };
    let (first, step, last) = match *numbers {
        [Some(first), Some(step), last] => (first, step, last),
        [Some(first), last] => (first, one, last),
        [last] => (one, one, last),
        _ => return call.misused("invalid floating point argument: 'inf'", 1).await,
    };
    if step.digits == 0 {
        return call.misused(format!("invalid Zero increment value: '{}'", given.operands[1]), 1).await;
    }
    let format = match printf {
        Some(printf) => Format::Printf(printf),
        None => format(first, step, last, given.has('w')),
    };
    let separator = given.value('s').cloned().unwrap_or_else(|| "\n".into());
    count(call, [Some(first), Some(step), last], &format, &separator).await
}

/// Puts `--` before the first negative number, which is no option.
fn end_options(args: &mut Vec<BString>) {
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        match arg.as_bytes() {
            [b'-', b'.' | b'0'..=b'9', ..] => return args.insert(at, "--".into()),
            b"-f" | b"-s" | b"-wf" | b"-ws" | b"--format" | b"--separator" => at += 2,
            b"--" => return,
            [b'-', _, ..] => at += 1,
            _ => return,
        }
    }
}

fn number(text: &[u8]) -> Option<Number> {
    let text = text.to_str().ok()?.trim_start_matches(|char: char| char.is_ascii_whitespace() || char == '+');
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok().filter(|e| e.abs() < 30)?),
        None => (text, 0),
    };
    let (negative, plain) = match mantissa.strip_prefix('-') {
        Some(plain) => (true, plain),
        None => (false, mantissa),
    };
    let (whole, fraction) = plain.split_once('.').unwrap_or((plain, ""));
    let all = format!("{whole}{fraction}");
    if all.is_empty() || !all.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits = all.parse::<i128>().ok()?;
    let digits = if negative { -digits } else { digits };
    let behind = i32::try_from(fraction.len()).ok()?;
    let places = behind - exponent;
    let shown = u32::try_from(places.max(0)).ok()?;
    // A larger exponent only adds zeros.
    let digits = digits.checked_mul(10_i128.checked_pow(u32::try_from((-places).max(0)).ok()?)?)?;
    let whole_width = i32::try_from(whole.len().max(1)).ok()?.saturating_add(exponent).max(1);
    let point = if shown > 0 { 1 + shown } else { 0 };
    let width = usize::try_from(whole_width).ok()? + usize::try_from(point).ok()? + usize::from(negative);
    (shown <= FINEST).then_some(Number { digits, places: shown, shown, width })
}

fn format(first: Number, step: Number, last: Option<Number>, equal: bool) -> Format {
    let places = first.shown.max(step.shown);
    // The width with so many places.
    let width = |number: Number| {
        let (point, wanted) = (usize::from(number.shown > 0), usize::from(places > 0));
        number.width + places as usize + wanted - number.shown as usize - point
    };
    match last {
        Some(last) if equal => Format::Wide(width(first).max(width(last)), places as usize),
        _ => Format::Places(places as usize),
    }
}

fn printf(text: &[u8]) -> Result<Printf, String> {
    let shown = text.as_bstr();
    let (before, rest) = literal(text);
    let Some(rest) = rest.strip_prefix(b"%") else { return Err(format!("format '{shown}' has no % directive")) };
    let flags = rest.iter().take_while(|byte| b"-+#0 '".contains(byte)).count();
    let (flags, rest) = rest.split_at(flags);
    let digits = |rest: &[u8]| rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    // Wider than this nobody reads.
    let parsed = |digits: &[u8]| super::numbers::whole(digits).map(|number| super::numbers::count(number).min(4096));
    let (width, rest) = rest.split_at(digits(rest));
    let (precision, rest) = match rest.strip_prefix(b".") {
        Some(rest) => {
            let (precision, rest) = rest.split_at(digits(rest));
            (Some(parsed(precision).unwrap_or(0)), rest)
        }
        None => (None, rest),
    };
    let rest = rest.strip_prefix(b"L").unwrap_or(rest);
    let Some((letter, rest)) = rest.split_first() else { return Err(format!("format '{shown}' ends in %")) };
    if !b"eEfFgG".contains(letter) {
        return Err(format!("format '{shown}' has unknown %{} directive", char::from(*letter)));
    }
    let (after, rest) = literal(rest);
    if !rest.is_empty() {
        return Err(format!("format '{shown}' has too many % directives"));
    }
    let width = parsed(width).unwrap_or(0);
    Ok(Printf { before, flags: flags.to_vec(), width, precision, letter: *letter, after })
}

/// The text up to the first directive, and what is left.
fn literal(text: &[u8]) -> (BString, &[u8]) {
    let (mut out, mut rest) = (BString::default(), text);
    loop {
        let at = rest.find_byte(b'%').unwrap_or(rest.len());
        out.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        let Some(behind) = rest.strip_prefix(b"%%") else { return (out, rest) };
        out.push(b'%');
        rest = behind;
    }
}

async fn count(
    call: &mut Call<'_>,
    [first, step, last]: [Option<Number>; 3],
    format: &Format,
    separator: &[u8],
) -> Result<i32, Ended> {
    let finest = [first, step, last].into_iter().flatten().map(|number| number.places).max().unwrap_or(0);
    let scaled = |number: Option<Number>| {
        number.and_then(|number| number.digits.checked_mul(10_i128.checked_pow(finest - number.places)?))
    };
    let end = scaled(last);
    let (Some(mut now), Some(step)) = (scaled(first), scaled(step)) else {
        return Err(Ended::Failed("the numbers have too many digits".to_owned()));
    };
    if last.is_some() != end.is_some() {
        return Err(Ended::Failed("the numbers have too many digits".to_owned()));
    }
    let mut is_first = true;
    while end.is_none_or(|end| if step > 0 { now <= end } else { now >= end }) {
        call.work(1)?;
        if !is_first {
            call.print(separator).await?;
        }
        is_first = false;
        call.print(shown(now, finest, format)).await?;
        let Some(next) = now.checked_add(step) else { break };
        now = next;
    }
    if !is_first {
        call.print("\n").await?;
    }
    Ok(0)
}

fn shown(digits: i128, finest: u32, format: &Format) -> BString {
    let places = |places: usize| {
        let text = format!("{:0>1$}", digits.unsigned_abs(), finest as usize + 1);
        let (whole, fraction) = text.split_at(text.len() - finest as usize);
        let point = if places > 0 { "." } else { "" };
        (if digits < 0 { "-" } else { "" }, format!("{whole}{point}{}", &fraction[..places]))
    };
    match format {
        Format::Places(number) => {
            let (sign, text) = places(*number);
            format!("{sign}{text}").into()
        }
        Format::Wide(width, number) => {
            let (sign, text) = places(*number);
            format!("{sign}{}", zeros(&text, width.saturating_sub(sign.len()))).into()
        }
        Format::Printf(printf) => {
            let number = format!("{digits}e-{finest}").parse().expect("it is a number");
            [&printf.before[..], printf.apply(number).as_bytes(), &printf.after].concat().into()
        }
    }
}

impl Printf {
    fn apply(&self, number: f64) -> String {
        let has = |flag: u8| self.flags.contains(&flag);
        let text = float(self.letter, self.precision, has(b'#'), number.abs());
        let sign = if number.is_sign_negative() {
            "-"
        } else if has(b'+') {
            "+"
        } else if has(b' ') {
            " "
        } else {
            ""
        };
        let (width, rest) = (self.width, self.width.saturating_sub(sign.len()));
        match (has(b'-'), has(b'0')) {
            (true, _) => format!("{:<width$}", format!("{sign}{text}")),
            (false, true) => format!("{sign}{text:0>rest$}"),
            (false, false) => format!("{:>width$}", format!("{sign}{text}")),
        }
    }
}
