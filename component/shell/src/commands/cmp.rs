//! `cmp`

use bstr::{BString, ByteSlice};
use bytes::Bytes;

use super::arguments::{Flag, Reading, flag, read, valued};
use super::cat::shown;
use crate::exec::{Call, Ended};

const FLAGS: &[Flag] = &[
    flag('b', "print-bytes"),
    valued('i', "ignore-initial"),
    flag('l', "verbose"),
    valued('n', "bytes"),
    flag('s', "quiet"),
    flag('s', "silent"),
];

/// Says where two files first differ, or everywhere that they do.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let args = call.args.clone();
    let given = read(call, Reading { flags: FLAGS, status: 2, stops: false }).await?;
    if given.has('l') && given.has('s') {
        return call.misused("options -l and -s are incompatible", 2).await;
    }
    let mut operands = given.operands.iter();
    let Some(old) = operands.next() else {
        let last = args.last().map_or(BString::from("cmp"), BString::clone);
        return call.misused(format!("missing operand after '{last}'"), 2).await;
    };
    let stdin = BString::from("-");
    let new = operands.next().unwrap_or(&stdin);
    let mut skipped = [0, 0];
    if let Some(text) = given.value('i') {
        let (one, other) = text.split_once_str(":").unwrap_or((text, text));
        match (size(one), size(other)) {
            (Some(one), Some(other)) => skipped = [one, other],
            _ => return call.misused(format!("invalid --ignore-initial value '{text}'"), 2).await,
        }
    }
    for skipped in &mut skipped {
        match operands.next() {
            None => break,
            Some(text) => match size(text) {
                Some(count) => *skipped = count,
                None => return call.misused(format!("invalid --ignore-initial value '{text}'"), 2).await,
            },
        }
    }
    if let Some(extra) = operands.next() {
        return call.misused(format!("extra operand '{extra}'"), 2).await;
    }
    let most = match given.value('n') {
        None => usize::MAX,
        Some(text) => match size(text) {
            Some(most) => most,
            None => return call.misused(format!("invalid --bytes value '{text}'"), 2).await,
        },
    };
    let mut contents = Vec::new();
    for (name, skipped) in [old, new].into_iter().zip(skipped) {
        let Some(content) = call.content(name).await? else { return Ok(2) };
        contents.push(content.slice(skipped.min(content.len())..));
    }
    let how = How { all: given.has('l'), silent: given.has('s'), bytes: given.has('b'), most };
    compare(call, [old, new], [&contents[0], &contents[1]], how).await
}

/// A count of bytes, perhaps with a unit.
fn size(text: &[u8]) -> Option<usize> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number: usize = text[..digits].to_str().ok()?.parse().ok()?;
    let unit = match &text[digits..] {
        b"" => 1,
        b"kB" => 1000,
        b"k" | b"K" | b"KiB" => 1 << 10,
        b"MB" => 1_000_000,
        b"M" | b"MiB" => 1 << 20,
        b"GB" => 1_000_000_000,
        b"G" | b"GiB" => 1 << 30,
        _ => return None,
    };
    Some(number.saturating_mul(unit))
}

struct How {
    all: bool,
    silent: bool,
    bytes: bool,
    most: usize,
}

async fn compare(call: &mut Call<'_>, names: [&BString; 2], contents: [&Bytes; 2], how: How) -> Result<i32, Ended> {
    let [old, new] = contents.map(|content| &content[..content.len().min(how.most)]);
    let common = old.len().min(new.len());
    call.work(u32::try_from(common / 1024 + 1).unwrap_or(u32::MAX))?;
    // As wide as the largest place that may be printed.
    let width = contents[0].len().min(contents[1].len()).min(how.most).to_string().len();
    let mut status = 0;
    for at in (0..common).filter(|at| old[*at] != new[*at]) {
        if how.silent {
            return Ok(1);
        }
        status = 1;
        let (one, other) = (old[at], new[at]);
        let place = at + 1;
        if how.all {
            call.work(1)?;
            call.print(format!("{place:>width$} {one:>3o} ")).await?;
            if how.bytes {
                call.print(format!("{:<4} ", seen(one))).await?;
            }
            call.print(format!("{other:>3o}")).await?;
            if how.bytes {
                call.print(format!(" {}", seen(other))).await?;
            }
            call.line("").await?;
            continue;
        }
        let line = old[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
        call.print(format!("{} {} differ: byte {place}, line {line}", names[0], names[1])).await?;
        if how.bytes {
            call.print(format!(" is {one:>3o} {} {other:>3o} {}", seen(one), seen(other))).await?;
        }
        call.line("").await?;
        return Ok(1);
    }
    if old.len() != new.len() {
        if !how.silent {
            let (name, short) = if old.len() < new.len() { (names[0], old) } else { (names[1], new) };
            let ends = short.iter().filter(|byte| **byte == b'\n').count();
            let count = short.len();
            let at = match short.last() {
                None => "which is empty".to_owned(),
                Some(_) if how.all => format!("after byte {count}"),
                Some(b'\n') => format!("after byte {count}, line {ends}"),
                Some(_) => format!("after byte {count}, in line {}", ends + 1),
            };
            call.complain(format!("EOF on {name} {at}")).await?;
        }
        status = 1;
    }
    Ok(status)
}

fn seen(byte: u8) -> String {
    match byte {
        b'\t' | b'\n' => shown(&[byte], true, true).to_string().replace('\n', "^J"),
        byte => shown(&[byte], true, true).to_string(),
    }
}
