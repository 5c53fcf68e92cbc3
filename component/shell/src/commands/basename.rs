//! `basename` and `dirname`

use bstr::{BString, ByteSlice};

use super::arguments::{Flag, Reading, flag, read, valued};
use crate::exec::{Call, Ended};

const BASE: &[Flag] = &[flag('a', "multiple"), valued('s', "suffix"), flag('z', "zero")];
const DIR: &[Flag] = &[flag('z', "zero")];

/// Prints the last parts of paths.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: BASE, status: 1, stops: true }).await?;
    let end = if given.has('z') { "\0" } else { "\n" };
    let many = given.has('a') || given.has('s');
    let (names, suffix) = match &*given.operands {
        [] => return call.misused("missing operand", 1).await,
        names if many => (names, given.value('s')),
        [_] => (&given.operands[..1], None),
        [_, suffix] => (&given.operands[..1], Some(suffix)),
        [_, _, extra, ..] => return call.misused(format!("extra operand '{extra}'"), 1).await,
    };
    for name in names {
        call.work(1)?;
        let base = base(name);
        let shorter = suffix.and_then(|suffix| base.strip_suffix(suffix.as_bytes())).filter(|rest| !rest.is_empty());
        call.print(shorter.unwrap_or(base)).await?;
        call.print(end).await?;
    }
    Ok(0)
}

/// The last part of a path.
fn base(path: &[u8]) -> &[u8] {
    let trimmed = path.trim_end_with(|char| char == '/');
    if trimmed.is_empty() {
        return &path[..path.len().min(1)];
    }
    trimmed.rfind_byte(b'/').map_or(trimmed, |at| &trimmed[at + 1..])
}

/// Prints what lies before the last parts of paths.
pub async fn dirname(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: DIR, status: 1, stops: false }).await?;
    if given.operands.is_empty() {
        return call.misused("missing operand", 1).await;
    }
    for name in &given.operands {
        call.work(1)?;
        call.print(folder(name)).await?;
        call.print(if given.has('z') { "\0" } else { "\n" }).await?;
    }
    Ok(0)
}

fn folder(path: &BString) -> &[u8] {
    let trimmed = path.trim_end_with(|char| char == '/');
    match trimmed.rfind_byte(b'/') {
        None if trimmed.is_empty() && !path.is_empty() => b"/",
        None => b".",
        Some(at) => match trimmed[..at].trim_end_with(|char| char == '/') {
            b"" => b"/",
            folder => folder,
        },
    }
}
