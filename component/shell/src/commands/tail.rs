//! `tail`. Nothing is appended to a file while it looks, so `-f` ends where the file ends.

use std::collections::VecDeque;

use bstr::BString;

use super::arguments::{Flag, Reading, flag, maybe, read, valued};
use super::head::title;
use super::numbers::{count, size, whole};
use crate::exec::{Call, Ended};
use crate::io::{Source, reason};

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

/// Which part is printed.
#[derive(Clone, Copy)]
struct Part {
    bytes: bool,
    /// From this one on, counted from 1.
    from: bool,
    number: usize,
    end: u8,
}

/// Prints the ends of files.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let old = old(&call.args);
    if old.is_some() {
        call.args.remove(0);
    }
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let end = if given.has('z') { 0 } else { b'\n' };
    let mut part = old.unwrap_or(Part { bytes: false, from: false, number: 10, end });
    for (letter, value) in given.flags.iter().filter(|(letter, _)| matches!(letter, 'c' | 'n')) {
        part.bytes = *letter == 'c';
        part.from = value.starts_with(b"+");
        match size(value.strip_prefix(b"+").or(value.strip_prefix(b"-")).unwrap_or(value)) {
            Some(number) => part.number = count(number),
            None => {
                let what = if part.bytes { "bytes" } else { "lines" };
                call.complain(format!("invalid number of {what}: '{value}'")).await?;
                return Ok(1);
            }
        }
    }
    let names = if given.operands.is_empty() { vec![BString::from("-")] } else { given.operands.clone() };
    let titled = match given.last(&['q', 'v']) {
        Some(letter) => letter == 'v',
        None => names.len() > 1,
    };
    files(call, &names, titled, part).await
}

async fn files(call: &mut Call<'_>, names: &[BString], titled: bool, part: Part) -> Result<i32, Ended> {
    let (mut status, mut is_first) = (0, true);
    for name in names {
        let source = match call.open(name) {
            Ok(source) => Some(source),
            Err(error) if error.kind() == std::io::ErrorKind::IsADirectory => None,
            Err(error) => {
                call.complain(format!("cannot open '{name}' for reading: {}", reason(&error))).await?;
                status = 1;
                continue;
            }
        };
        if titled {
            title(call, name, is_first).await?;
            is_first = false;
        }
        match source {
            Some(source) => one(call, &source, part).await?,
            None => {
                call.complain(format!("error reading '{name}': Is a directory")).await?;
                status = 1;
            }
        }
    }
    Ok(status)
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
    let from = match sign {
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
    Some(Part { bytes, from, number, end: b'\n' })
}

async fn one(call: &mut Call<'_>, source: &Source, part: Part) -> Result<(), Ended> {
    match part {
        Part { from: true, bytes, number, end } => {
            for _ in 1..number {
                call.work(1)?;
                let is_there = if bytes { source.byte().await.is_some() } else { source.line(end).await.is_some() };
                if !is_there {
                    break;
                }
            }
            while let Some(some) = source.some().await {
                call.print(some).await?;
                call.flush().await?;
            }
            Ok(())
        }
        Part { bytes: true, number, .. } => {
            let mut last = Vec::new();
            while let Some(some) = source.some().await {
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
