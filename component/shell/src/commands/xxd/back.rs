//! `xxd -r`: from hexadecimal numbers to bytes.

use bstr::ByteSlice;

use crate::exec::{Call, Ended};

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|digit| digit as u8)
}

/// The bytes of a plain dump: pairs of digits, whatever is between the pairs.
pub fn plain(text: &[u8]) -> Vec<u8> {
    let (mut out, mut high) = (Vec::with_capacity(text.len() / 2), None);
    for byte in text {
        match (digit(*byte), high.take()) {
            (Some(low), Some(before)) => out.push(before << 4 | low),
            (Some(digit), None) => high = Some(digit),
            (None, _) => (),
        }
    }
    out
}

/// The bytes of a dump with addresses.
pub fn lines(call: &Call<'_>, text: &[u8], columns: usize, shift: i64) -> Result<Vec<u8>, Ended> {
    let mut out: Vec<u8> = Vec::new();
    for line in text.lines() {
        call.work(1)?;
        let line = line.trim_start();
        let end = line.iter().position(|byte| digit(*byte).is_none()).unwrap_or(line.len());
        let address = line[..end].to_str().ok().and_then(|digits| u64::from_str_radix(digits, 16).ok());
        let Some(at) = address.and_then(|at| usize::try_from(at.checked_add_signed(shift)?).ok()) else { continue };
        let rest = line[end..].strip_prefix(b":").unwrap_or(&line[end..]);
        call.shell.hold(at.saturating_add(out.len()))?;
        if out.len() < at {
            out.resize(at, 0);
        }
        out.truncate(at);
        out.extend(octets(rest, columns));
    }
    Ok(out)
}

/// The pairs of digits up to the column of characters, which two blanks begin.
fn octets(rest: &[u8], columns: usize) -> Vec<u8> {
    let (mut out, mut high, mut blanks) = (Vec::new(), None, 0);
    let rest = rest.strip_prefix(b" ").unwrap_or(rest);
    for byte in rest {
        if out.len() == columns {
            break;
        }
        match digit(*byte) {
            Some(low) => {
                blanks = 0;
                match high.take() {
                    Some(before) => out.push(before << 4 | low),
                    None => high = Some(low),
                }
            }
            None if *byte == b' ' || *byte == b'\t' => {
                blanks += 1;
                if blanks > 1 {
                    break;
                }
            }
            None => break,
        }
    }
    out
}
