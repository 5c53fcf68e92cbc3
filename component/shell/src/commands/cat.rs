//! `cat`

use bstr::{BString, ByteSlice};

use super::arguments::{Flag, Reading, flag, read};
use crate::exec::{Call, Ended};

const FLAGS: &[Flag] = &[
    flag('A', "show-all"),
    flag('b', "number-nonblank"),
    flag('e', ""),
    flag('E', "show-ends"),
    flag('n', "number"),
    flag('s', "squeeze-blank"),
    flag('t', ""),
    flag('T', "show-tabs"),
    flag('u', ""),
    flag('v', "show-nonprinting"),
];

/// Prints files, one after the other.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let all = given.has('A');
    let ends = all || given.has('e') || given.has('E');
    let tabs = all || given.has('t') || given.has('T');
    let odd = all || given.has('e') || given.has('t') || given.has('v');
    let (numbers, filled, squeezes) = (given.has('n'), given.has('b'), given.has('s'));
    let plain = !(ends || tabs || odd || numbers || filled || squeezes);
    let names = if given.operands.is_empty() { vec![BString::from("-")] } else { given.operands };
    let mut status = 0;
    let (mut number, mut blank, mut begins) = (0_u64, false, true);
    for name in names {
        let Some(source) = call.opened(&name).await? else {
            status = 1;
            continue;
        };
        if plain {
            while let Some(part) = source.streamed().await {
                call.print(part).await?;
                // What is read next may come from whoever waits for this.
                call.flush().await?;
            }
            continue;
        }
        while let Some(line) = source.line(b'\n').await {
            let is_blank = line == b"\n" && begins;
            if squeezes && is_blank && blank {
                continue;
            }
            blank = is_blank;
            if begins && (numbers || filled) && !(filled && is_blank) {
                number += 1;
                call.print(format!("{number:>6}\t")).await?;
            }
            let (text, has_end) = match line.strip_suffix(b"\n") {
                Some(text) => (text, true),
                None => (&line[..], false),
            };
            call.print(shown(text, odd, tabs)).await?;
            if has_end {
                call.print(if ends { "$\n" } else { "\n" }).await?;
            }
            begins = has_end;
        }
    }
    Ok(status)
}

/// A text with what cannot be seen written out.
pub fn shown(text: &[u8], odd: bool, tabs: bool) -> BString {
    if !odd && !tabs {
        return text.as_bstr().to_owned();
    }
    let mut out = BString::default();
    for byte in text {
        match byte {
            b'\t' if tabs => out.extend_from_slice(b"^I"),
            b'\t' => out.push(b'\t'),
            byte if !odd => out.push(*byte),
            byte => {
                let (prefix, low) = if *byte >= 128 { (&b"M-"[..], byte - 128) } else { (&b""[..], *byte) };
                out.extend_from_slice(prefix);
                match low {
                    0..=31 => out.extend_from_slice(&[b'^', low + 64]),
                    127 => out.extend_from_slice(b"^?"),
                    low => out.push(low),
                }
            }
        }
    }
    out
}
