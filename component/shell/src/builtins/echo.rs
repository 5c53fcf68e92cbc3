//! `echo`

use bstr::{BString, ByteSlice};

use crate::exec::{Call, Ended};
use crate::expand::quote;

/// Prints its arguments.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let args = std::mem::take(&mut call.args);
    let (mut ends, mut escapes, mut first) = (true, false, 0);
    for arg in &args {
        let is_flags = arg.len() > 1 && arg[0] == b'-' && arg[1..].iter().all(|flag| b"neE".contains(flag));
        if !is_flags {
            break;
        }
        for flag in &arg[1..] {
            match flag {
                b'n' => ends = false,
                flag => escapes = *flag == b'e',
            }
        }
        first += 1;
    }
    let text = bstr::join(" ", &args[first..]);
    if !escapes {
        call.print(text).await?;
    } else {
        let (text, stops) = escaped(&text);
        call.print(text).await?;
        ends &= !stops;
    }
    if ends {
        call.print("\n").await?;
    }
    Ok(0)
}

/// The text with what its backslashes mean, and whether `\c` ends it.
pub fn escaped(text: &[u8]) -> (BString, bool) {
    let mut out = BString::default();
    let mut rest = text;
    while let Some(at) = rest.find_byte(b'\\') {
        out.extend_from_slice(&rest[..at]);
        rest = &rest[at + 1..];
        match rest.first() {
            None => {
                out.push(b'\\');
                return (out, false);
            }
            Some(b'c') => return (out, true),
            // Here an octal number begins with a zero of its own.
            Some(b'0') => {
                let digits = rest[1..].iter().take(3).take_while(|digit| (b'0'..=b'7').contains(digit)).count();
                let number = rest[1..=digits].iter().fold(0_u32, |number, digit| number * 8 + u32::from(digit - b'0'));
                out.push(number.to_le_bytes()[0]);
                rest = &rest[1 + digits..];
            }
            Some(b'1'..=b'7') => {
                out.push(b'\\');
            }
            Some(_) => {
                let (taken, bytes) = quote::escape(rest, false);
                match bytes {
                    Some(bytes) => {
                        out.extend_from_slice(&bytes);
                        rest = &rest[taken..];
                    }
                    None => out.push(b'\\'),
                }
            }
        }
    }
    out.extend_from_slice(rest);
    (out, false)
}
