//! Formats such as `@csv`.

use jaq_core::native::Fun;

use super::values;
use crate::commands::jq::kind::Kind;
use crate::commands::jq::value::{Fail, Val, fail};
use crate::commands::jq::{ledger, number, write};

/// All of them.
pub fn all() -> Vec<Fun<Kind>> {
    values! {
        "@csv" => |value, ()| row(&value, "csv", ",", |text| format!("\"{}\"", text.replace('"', "\"\""))),
        "@tsv" => |value, ()| row(&value, "tsv", "\t", |text| {
            text.replace('\\', "\\\\").replace('\t', "\\t").replace('\r', "\\r").replace('\n', "\\n")
        }),
        "@html" => |value, ()| Ok(Val::text(html(&text(&value)))),
        "@uri" => |value, ()| Ok(Val::text(uri(&text(&value)))),
        "@urid" => |value, ()| Ok(Val::text(from_uri(&text(&value)))),
        "@sh" => |value, ()| sh(&value),
        "@base64" => |value, ()| Ok(Val::text(encoded(text(&value).as_bytes(), BASE64, 6))),
        "@base64d" => |value, ()| decoded(&value, BASE64, 6),
        "@base32" => |value, ()| Ok(Val::text(encoded(text(&value).as_bytes(), BASE32, 5))),
        "@base32d" => |value, ()| decoded(&value, BASE32, 5),
    }
}

const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE32: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

fn text(value: &Val) -> String {
    let text = match value {
        Val::Text(text) => text.text().to_owned(),
        value => write::compact(value),
    };
    ledger::bytes(text.len());
    // What is written is at most six times as long.
    if ledger::room(6 * text.len()) { text } else { String::new() }
}

fn row(value: &Val, name: &str, between: &str, quoted: fn(&str) -> String) -> Result<Val, Fail> {
    let Some(items) = value.as_list() else {
        return Err(fail(format!("{} cannot be {name}-formatted, only array", value.shown())));
    };
    let mut cells = Vec::with_capacity(items.len());
    let mut length = 0;
    for item in items {
        length += item.as_text().map_or(24, |text| 2 * text.len());
        if !ledger::term() || !ledger::room(length) {
            break;
        }
        cells.push(match item {
            Val::Null => String::new(),
            Val::Bool(truth) => truth.to_string(),
            Val::Num(number) => number::shown(*number),
            Val::Text(text) => {
                ledger::bytes(text.text().len());
                quoted(text.text())
            }
            item => return Err(fail(format!("{} is not valid in a csv row", item.shown()))),
        });
    }
    Ok(Val::text(cells.join(between)))
}

fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\'' => out.push_str("&apos;"),
            '"' => out.push_str("&quot;"),
            letter => out.push(letter),
        }
    }
    out
}

fn uri(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

fn from_uri(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let digits = behind.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match byte.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) if *first == b'%' => {
                out.push(byte);
                rest = &behind[2..];
            }
            _ => {
                out.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn sh(value: &Val) -> Result<Val, Fail> {
    let mut length = 0;
    let mut one = |value: &Val| match value {
        Val::Text(text) if !ledger::room(length + 4 * text.text().len()) => Ok(String::new()),
        Val::Text(text) => {
            length += 4 * text.text().len();
            Ok(format!("'{}'", text.text().replace('\'', "'\\''")))
        }
        Val::List(_) | Val::Map(_) => Err(fail(format!("{} can not be escaped for shell", value.shown()))),
        value => Ok(write::compact(value)),
    };
    let words: Result<Vec<String>, Fail> = match value {
        Val::List(list) => list.items().iter().map(&mut one).collect(),
        value => Ok(vec![one(value)?]),
    };
    let text = words?.join(" ");
    ledger::bytes(text.len());
    Ok(Val::text(text))
}

/// Bytes as letters that stand for so many bits each.
fn encoded(bytes: &[u8], letters: &[u8], bits: usize) -> String {
    // As many bytes as are a whole number of letters.
    let (group, wide) = if bits == 6 { (3, 4) } else { (5, 8) };
    let mut out = String::with_capacity(bytes.len().div_ceil(group) * wide);
    for chunk in bytes.chunks(group) {
        let number = chunk.iter().chain(std::iter::repeat(&0)).take(group);
        let number = number.fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        let used = (chunk.len() * 8).div_ceil(bits);
        for at in 0..wide {
            let letter = number >> ((wide - 1 - at) * bits) & ((1 << bits) - 1);
            out.push(if at < used { char::from(letters[letter as usize]) } else { '=' });
        }
    }
    out
}

fn decoded(value: &Val, letters: &[u8], bits: usize) -> Result<Val, Fail> {
    let text = text(value);
    let (mut out, mut number, mut filled) = (Vec::with_capacity(text.len()), 0_u32, 0);
    let digits = text.trim_end_matches('=');
    for letter in digits.bytes() {
        let digit = letters.iter().position(|known| *known == letter).and_then(|digit| u32::try_from(digit).ok());
        let Some(digit) = digit else {
            return Err(fail(format!("{} is not valid base{} data", value.shown(), 1 << bits)));
        };
        number = (number << bits | digit) & 0xffff;
        filled += bits;
        if filled >= 8 {
            filled -= 8;
            out.push(u8::try_from(number >> filled & 0xff).expect("it is a byte"));
        }
    }
    if out.is_empty() && !digits.is_empty() {
        return Err(fail(format!("{} is not valid base{} data", value.shown(), 1 << bits)));
    }
    Ok(Val::text(String::from_utf8_lossy(&out)))
}
