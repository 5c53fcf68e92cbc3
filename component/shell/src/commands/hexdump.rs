//! `hexdump` and `hd`

use bytes::Bytes;

use super::arguments::{Flag, Reading, flag, read, valued};
use super::input::{Input, number};
use crate::exec::{Call, Ended};

const FLAGS: &[Flag] = &[
    flag('b', "one-byte-octal"),
    flag('c', "one-byte-char"),
    flag('C', "canonical"),
    flag('d', "two-bytes-decimal"),
    flag('o', "two-bytes-octal"),
    flag('x', "two-bytes-hex"),
    flag('v', "no-squeezing"),
    valued('n', "length"),
    valued('s', "skip"),
];

/// Prints bytes as numbers.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let canonical = call.name.ends_with("hd");
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let mut kinds: Vec<char> =
        given.flags.iter().map(|(letter, _)| *letter).filter(|letter| "bcCdox".contains(*letter)).collect();
    if kinds.is_empty() {
        kinds.push(if canonical { 'C' } else { ' ' });
    }
    let count = |letter: char, none: u64| match given.value(letter) {
        None => Ok(none),
        Some(text) => number(text).ok_or_else(|| Ended::Failed(format!("failed to parse length: '{text}'"))),
    };
    let (mut left, skipped) = (count('n', u64::MAX)?, count('s', 0)?);
    let mut input = Input::new(given.operands.clone());
    let mut at = input.skip(call, skipped).await?;
    let (mut before, mut starred): (Option<Bytes>, _) = (None, false);
    loop {
        let part = input.take(call, usize::try_from(left).unwrap_or(16).min(16)).await?;
        if part.is_empty() {
            break;
        }
        call.work(1)?;
        if part.len() == 16 && !given.has('v') && before.as_ref() == Some(&part) {
            if !starred {
                call.line("*").await?;
            }
            starred = true;
        } else {
            starred = false;
            for kind in &kinds {
                call.line(line(*kind, at, &part)).await?;
            }
        }
        at += part.len() as u64;
        left -= part.len() as u64;
        before = Some(part);
    }
    if before.is_some() {
        let canonical = kinds.contains(&'C');
        call.line(if canonical { format!("{at:08x}") } else { format!("{at:07x}") }).await?;
    }
    Ok(input.status)
}

fn line(kind: char, at: u64, part: &[u8]) -> String {
    let words = || part.chunks(2).map(|pair| u16::from(pair[0]) | u16::from(pair.get(1).copied().unwrap_or(0)) << 8);
    let (text, width) = match kind {
        'C' => return canonical(at, part),
        'b' => (part.iter().map(|byte| format!(" {byte:03o}")).collect::<String>(), 64),
        'c' => (part.iter().map(|byte| format!(" {:>3}", character(*byte))).collect(), 64),
        'd' => (words().map(|word| format!("   {word:05}")).collect(), 64),
        'o' => (words().map(|word| format!("  {word:06o}")).collect(), 64),
        'x' => (words().map(|word| format!("    {word:04x}")).collect(), 64),
        _ => (words().map(|word| format!(" {word:04x}")).collect(), 40),
    };
    format!("{at:07x}{text:width$}")
}

fn canonical(at: u64, part: &[u8]) -> String {
    let mut text = String::new();
    for (place, byte) in part.iter().enumerate() {
        text.push_str(if place == 8 { "  " } else { " " });
        text.push_str(&format!("{byte:02x}"));
    }
    let shown: String =
        part.iter().map(|byte| if matches!(byte, b' '..=b'~') { char::from(*byte) } else { '.' }).collect();
    format!("{at:08x} {text:<49}  |{shown}|")
}

fn character(byte: u8) -> String {
    let escape = match byte {
        0 => "\\0",
        7 => "\\a",
        8 => "\\b",
        9 => "\\t",
        10 => "\\n",
        11 => "\\v",
        12 => "\\f",
        13 => "\\r",
        b' '..=b'~' => return char::from(byte).to_string(),
        byte => return format!("{byte:03o}"),
    };
    escape.to_owned()
}
