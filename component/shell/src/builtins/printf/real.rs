//! Real numbers as C's `printf` writes them.

/// No number of 64 bits has more digits behind the point: what comes then is zeros.
const FINEST: usize = 1_100;

/// A text with so many zeros in front that it is as wide as this. The standard library's own padding has a limit, and panics.
pub fn zeros(text: &str, width: usize) -> String {
    let mut padded = "0".repeat(width.saturating_sub(text.len()));
    padded.push_str(text);
    padded
}

/// A positive number as C's `printf` writes it.
pub fn float(letter: u8, precision: Option<usize>, alternate: bool, number: f64) -> String {
    let text = if number.is_nan() {
        "nan".to_owned()
    } else if number.is_infinite() {
        "inf".to_owned()
    } else {
        let precision = precision.unwrap_or(6);
        match letter.to_ascii_lowercase() {
            b'f' => {
                let exact = precision.min(FINEST);
                format!("{number:.exact$}{}", "0".repeat(precision - exact))
            }
            b'e' => exponential(number, precision),
            _ => general(number, precision.clamp(1, FINEST), alternate),
        }
    };
    if letter.is_ascii_uppercase() { text.to_uppercase() } else { text }
}

fn exponential(number: f64, precision: usize) -> String {
    let exact = precision.min(FINEST);
    let text = format!("{number:.exact$e}");
    let (digits, exponent) = text.split_once('e').expect("it is written with one");
    let exponent: i32 = exponent.parse().expect("it is a number");
    let zeros = "0".repeat(precision - exact);
    format!("{digits}{zeros}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
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
