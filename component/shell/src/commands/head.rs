//! `head`

use std::collections::VecDeque;

use bstr::BString;

use super::arguments::{Flag, Reading, flag, read, valued};
use super::ends::{Files, Part};
use crate::exec::{Call, Ended};
use crate::io::Source;

const FLAGS: &[Flag] = &[
    valued('c', "bytes"),
    valued('n', "lines"),
    flag('q', "quiet"),
    flag('q', "silent"),
    flag('v', "verbose"),
    flag('z', "zero-terminated"),
];

/// Prints the beginnings of files.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    modernize(&mut call.args);
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let end = if given.has('z') { 0 } else { b'\n' };
    let part = Part { bytes: false, other: false, number: 10, end }.given(call, &given, b'-').await?;
    let mut files = Files::of(given);
    while let Some(source) = files.next(call).await? {
        one(call, &source, part).await?;
    }
    Ok(files.status)
}

/// The old form of the first argument, `-5` or `-5q`, in today's words.
fn modernize(args: &mut Vec<BString>) {
    let Some(rest) = args.first().and_then(|first| first.strip_prefix(b"-")) else { return };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 {
        return;
    }
    let (mut number, mut bytes, mut others) = (BString::from(&rest[..digits]), false, Vec::new());
    for letter in &rest[digits..] {
        match letter {
            b'c' => bytes = true,
            b'b' | b'k' | b'm' => {
                bytes = true;
                number.push(*letter);
            }
            b'l' => bytes = false,
            b'q' | b'v' | b'z' => others.push(BString::from(vec![b'-', *letter])),
            _ => return,
        }
    }
    let option = BString::from(if bytes { "-c" } else { "-n" });
    args.splice(..1, [option, number].into_iter().chain(others));
}

async fn one(call: &mut Call<'_>, source: &Source, part: Part) -> Result<(), Ended> {
    match part {
        Part { bytes: true, other: true, number, .. } => {
            let all = source.all().await;
            call.shell.hold(all.len())?;
            call.print(&all[..all.len().saturating_sub(number)]).await
        }
        Part { bytes: true, number, .. } => first_bytes(call, source, number).await,
        Part { other: true, number, end, .. } => {
            let (mut last, mut held) = (VecDeque::new(), 0);
            while let Some(line) = source.line(end).await {
                call.work(1)?;
                held += line.len();
                call.shell.hold(held)?;
                last.push_back(line);
                if last.len() > number
                    && let Some(line) = last.pop_front()
                {
                    held -= line.len();
                    call.print(line).await?;
                }
            }
            Ok(())
        }
        Part { number, end, .. } => {
            for _ in 0..number {
                call.work(1)?;
                let Some(line) = source.line(end).await else { break };
                call.print(line).await?;
            }
            Ok(())
        }
    }
}

/// Takes no more than these bytes, so that who reads behind finds the next one.
async fn first_bytes(call: &mut Call<'_>, source: &Source, number: usize) -> Result<(), Ended> {
    if let Source::Device(device) = source {
        let mut left = number;
        while left > 0 {
            call.work(1)?;
            let part = device.part(left);
            left -= part.len();
            call.print(part).await?;
        }
        return Ok(());
    }
    for _ in 0..number {
        call.work(1)?;
        let Some(byte) = source.byte().await else { break };
        call.print([byte]).await?;
    }
    Ok(())
}
