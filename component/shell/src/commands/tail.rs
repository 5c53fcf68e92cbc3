//! `tail`. Nothing is appended to a file while it looks, so `-f` ends where the file ends.

use std::collections::VecDeque;

use bstr::BString;

use super::arguments::{Flag, Reading, flag, maybe, read, valued};
use super::ends::{Files, Part};
use super::numbers::{count, whole};
use crate::exec::{Call, Ended};
use crate::io::Source;

const FLAGS: &[Flag] = &[
    valued('c', "bytes"),
    valued('n', "lines"),
    flag('f', ""),
    maybe('\0', "follow"),
    flag('F', ""),
    flag('\u{1}', "retry"),
    valued('s', "sleep-interval"),
    valued('\u{2}', "pid"),
    flag('q', "quiet"),
    flag('q', "silent"),
    flag('v', "verbose"),
    flag('z', "zero-terminated"),
];

/// Prints the ends of files.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let old = old(&call.args);
    if old.is_some() {
        call.args.remove(0);
    }
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let end = if given.has('z') { 0 } else { b'\n' };
    let usual = old.unwrap_or(Part { bytes: false, other: false, number: 10, end });
    let part = usual.given(call, &given, b'+').await?;
    let mut files = Files::of(given);
    while let Some(source) = files.next(call).await? {
        one(call, &source, part).await?;
    }
    Ok(files.status)
}

/// The old form, `tail -5` or `tail +5c`, which stands alone or with one file.
fn old(args: &[BString]) -> Option<Part> {
    let alone = match args {
        [_] => true,
        [_, second] => second == "-" || second == "--" || !second.starts_with(b"-"),
        [_, second, _] => second == "--",
        _ => false,
    };
    let (sign, rest) = args.first().filter(|_| alone)?.split_first()?;
    let other = match sign {
        b'+' => true,
        b'-' if !matches!(rest, b"" | b"c") => false,
        _ => return None,
    };
    let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, letters) = rest.split_at(length);
    let (bytes, factor) = match letters.strip_suffix(b"f").unwrap_or(letters) {
        b"" | b"l" => (false, 1),
        b"c" => (true, 1),
        b"b" => (true, 512),
        _ => return None,
    };
    let number = count(whole(digits).unwrap_or(10).saturating_mul(factor));
    Some(Part { bytes, other, number, end: b'\n' })
}

async fn one(call: &mut Call<'_>, source: &Source, part: Part) -> Result<(), Ended> {
    match part {
        Part { other: true, bytes, number, end } => {
            for _ in 1..number {
                call.work(1)?;
                let is_there = if bytes { source.byte().await.is_some() } else { source.line(end).await.is_some() };
                if !is_there {
                    break;
                }
            }
            while let Some(some) = source.streamed().await {
                call.print(some).await?;
                call.flush().await?;
            }
            Ok(())
        }
        Part { bytes: true, number, .. } => {
            let mut last = Vec::new();
            while let Some(some) = source.streamed().await {
                call.work(1)?;
                last.extend_from_slice(&some);
                if last.len() / 2 > number {
                    last.drain(..last.len() - number);
                }
                call.shell.hold(last.len())?;
            }
            call.print(&last[last.len().saturating_sub(number)..]).await
        }
        Part { number, end, .. } => {
            let (mut last, mut held) = (VecDeque::new(), 0);
            while let Some(line) = source.line(end).await {
                call.work(1)?;
                held += line.len();
                last.push_back(line);
                if last.len() > number {
                    held -= last.pop_front().map_or(0, |line| line.len());
                }
                call.shell.hold(held)?;
            }
            for line in last {
                call.print(line).await?;
            }
            Ok(())
        }
    }
}
