//! `tr`

mod set;

use super::arguments::{Flag, Given, Reading, flag, read};
use super::feed::{fail, quoted};
use crate::exec::{Call, Ended};

const FLAGS: &[Flag] = &[
    flag('c', "complement"),
    flag('C', "complement"),
    flag('d', "delete"),
    flag('s', "squeeze-repeats"),
    flag('t', "truncate-set1"),
];

/// What becomes of each byte.
struct Change {
    deleted: [bool; 256],
    to: [u8; 256],
    squeezed: [bool; 256],
}

/// Replaces, deletes and squeezes bytes.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    if let Some(message) = wrong_count(&given) {
        let (message, hint) = message;
        call.complain(message).await?;
        if !hint.is_empty() {
            call.say(format!("{hint}\n")).await?;
        }
        let name = call.name.clone();
        call.say(format!("Try '{name} --help' for more information.\n")).await?;
        return Ok(1);
    }
    let change = match change(&given) {
        Ok(change) => change,
        Err(message) => return Err(fail(call, message, 1).await),
    };
    let source = call.stdin.clone();
    let mut last = None;
    while let Some(part) = source.streamed().await {
        call.work(1 + u32::try_from(part.len() / 64).unwrap_or(u32::MAX))?;
        // What is large goes on piece by piece, so that it is never there twice.
        for piece in part.chunks(16 * 1024) {
            let mut out = Vec::with_capacity(piece.len());
            for byte in piece.iter().filter(|byte| !change.deleted[usize::from(**byte)]) {
                let to = change.to[usize::from(*byte)];
                if change.squeezed[usize::from(to)] && last == Some(to) {
                    continue;
                }
                last = Some(to);
                out.push(to);
            }
            call.print(out).await?;
        }
    }
    Ok(0)
}

/// What is wrong with the number of operands, and more about it.
fn wrong_count(given: &Given) -> Option<(String, &'static str)> {
    let (deletes, squeezes) = (given.has('d'), given.has('s'));
    let least = if deletes == squeezes { 2 } else { 1 };
    let most = if deletes && !squeezes { 1 } else { 2 };
    match &*given.operands {
        [] => Some(("missing operand".to_owned(), "")),
        [only] if least == 2 => {
            let hint = if squeezes {
                "Two strings must be given when both deleting and squeezing repeats."
            } else {
                "Two strings must be given when translating."
            };
            Some((format!("missing operand after {}", quoted(only)), hint))
        }
        operands if operands.len() > most => {
            let one = most == 1 && operands.len() == 2;
            let hint = if one { "Only one string may be given when deleting without squeezing repeats." } else { "" };
            Some((format!("extra operand {}", quoted(&operands[most])), hint))
        }
        _ => None,
    }
}

fn change(given: &Given) -> Result<Change, String> {
    let complements = given.has('c') || given.has('C');
    let (deletes, squeezes) = (given.has('d'), given.has('s'));
    let mut change = Change { deleted: [false; 256], to: identity(), squeezed: [false; 256] };
    let first = set::read(&given.operands[0])?;
    first.without_repeats()?;
    let second = given.operands.get(1).map(|text| set::read(text)).transpose()?;
    let mut from = first.bytes(None);
    if complements {
        from = (0..=255).filter(|byte| !from.contains(byte)).collect();
    }
    if deletes {
        mark(&mut change.deleted, &from);
        if let Some(second) = &second {
            second.finite()?;
            mark(&mut change.squeezed, &second.bytes(None));
        }
        return Ok(change);
    }
    let Some(second) = second else {
        mark(&mut change.squeezed, &from);
        return Ok(change);
    };
    let to = set::targets(&first, &second, &mut from, complements, given.has('t'))?;
    for (from, to) in from.iter().zip(&to) {
        change.to[usize::from(*from)] = *to;
    }
    if squeezes {
        mark(&mut change.squeezed, &to);
    }
    Ok(change)
}

fn identity() -> [u8; 256] {
    let mut all = [0; 256];
    for (byte, slot) in (0..=255).zip(&mut all) {
        *slot = byte;
    }
    all
}

fn mark(marks: &mut [bool; 256], bytes: &[u8]) {
    for byte in bytes {
        marks[usize::from(*byte)] = true;
    }
}
