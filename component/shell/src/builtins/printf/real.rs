//! Real numbers as C's `printf` writes them.

use super::WIDEST;

/// A positive number as C's `printf` writes it.
pub fn float(letter: u8, precision: Option<usize>, alternate: bool, number: f64) -> String {
    let text = if number.is_nan() {
        "nan".to_owned()
    } else if number.is_infinite() {
        "inf".to_owned()
    } else {
        let precision = precision.unwrap_or(6).min(WIDEST);
        match letter.to_ascii_lowercase() {
            b'f' => format!("{number:.precision$}"),
            b'e' => exponential(number, precision),
            _ => general(number, precision.max(1), alternate),
        }
    };
    if letter.is_ascii_uppercase() { text.to_uppercase() } else { text }
}

fn exponential(number: f64, precision: usize) -> String {
    let text = format!("{number:.precision$e}");
    let (digits, exponent) = text.split_once('e').expect("it is written with one");
    let exponent: i32 = exponent.parse().expect("it is a number");
    format!("{digits}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

fn general(number: f64, precision: usize, alternate: bool) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    let text = exponential(number, precision - 1);
    let (_, exponent) = text.split_once('e').expect("it is written with one");
    let exponent: i64 = exponent.parse().expect("it is a number");
    let trimmed = |text: &str| match text.contains('.') && !alternate {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    let wide = i64::try_from(precision).unwrap_or(i64::MAX);
    if exponent < -4 || exponent >= wide {
        let (digits, exponent) = text.split_once('e').expect("it is written with one");
        return format!("{}e{exponent}", trimmed(digits));
    }
    let decimals = usize::try_from(wide - 1 - exponent).unwrap_or(0);
    trimmed(&format!("{number:.decimals$}"))
}
