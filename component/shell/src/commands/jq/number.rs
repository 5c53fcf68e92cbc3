//! Numbers, as jq reads and prints them.

/// A number as jq prints it: with as many digits as tell it from others. What is not finite is the largest number.
pub fn shown(number: f64) -> String {
    if number.is_nan() {
        return "null".to_owned();
    }
    let number = number.clamp(f64::MIN, f64::MAX);
    let text = format!("{:e}", number.abs());
    let (digits, exponent) = text.split_once('e').expect("Rust writes an exponent");
    let digits = digits.replace('.', "");
    let exponent: i32 = exponent.parse().expect("Rust writes a number");
    let count = i32::try_from(digits.len()).expect("there are 17 digits at most");
    // Digits before the point.
    let before = exponent + 1;
    let sign = if number.is_sign_negative() { "-" } else { "" };
    if before <= -4 || before > count + 15 {
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        let minus = if exponent < 0 { '-' } else { '+' };
        return format!("{sign}{first}{point}{rest}e{minus}{:02}", exponent.abs());
    }
    if before <= 0 {
        let zeros = "0".repeat(before.unsigned_abs() as usize);
        return format!("{sign}0.{zeros}{digits}");
    }
    let before = before.unsigned_abs() as usize;
    if before >= digits.len() {
        return format!("{sign}{digits}{}", "0".repeat(before - digits.len()));
    }
    format!("{sign}{}.{}", &digits[..before], &digits[before..])
}

/// The number that a text is, if it is one.
pub fn read(text: &str) -> Option<f64> {
    // Rust reads names for what is not finite as well.
    let usual = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    if usual { text.parse().ok() } else { None }
}

/// A number without its fraction, as an integer of 64 bits.
#[expect(clippy::cast_possible_truncation, reason = "what is out of range is the nearest, as Rust has it")]
pub fn whole(number: f64) -> i64 {
    number as i64
}

/// A number of 64 bits as jq has it.
#[expect(clippy::cast_precision_loss, reason = "jq's numbers have 53 bits")]
pub fn real(number: i64) -> f64 {
    number as f64
}
