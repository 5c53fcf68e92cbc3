//! `head`

use std::collections::VecDeque;

use bstr::{BString, ByteSlice};

use super::arguments::{Flag, Reading, flag, read, valued};
use super::numbers::{count, size};
use crate::exec::{Call, Ended};
use crate::io::{Source, reason};

const FLAGS: &[Flag] = &[
    valued('c', "bytes"),
    valued('n', "lines"),
    flag('q', "quiet"),
    flag('q', "silent"),
    flag('v', "verbose"),
    flag('z', "zero-terminated"),
];

/// How much is printed.
#[derive(Clone, Copy)]
struct Most {
    bytes: bool,
    /// All but the last ones.
    but: bool,
    number: usize,
    end: u8,
}

/// Prints the beginnings of files.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    modernize(&mut call.args);
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let mut most = Most { bytes: false, but: false, number: 10, end: if given.has('z') { 0 } else { b'\n' } };
    for (letter, value) in given.flags.iter().filter(|(letter, _)| matches!(letter, 'c' | 'n')) {
        most.bytes = *letter == 'c';
        let digits = value.strip_prefix(b"-");
        most.but = digits.is_some();
        match size(digits.unwrap_or(value.strip_prefix(b"+").unwrap_or(value))) {
            Some(number) => most.number = count(number),
            None => {
                let what = if most.bytes { "bytes" } else { "lines" };
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
    files(call, &names, titled, most).await
}

async fn files(call: &mut Call<'_>, names: &[BString], titled: bool, most: Most) -> Result<i32, Ended> {
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
            Some(source) => one(call, &source, most).await?,
            None => {
                call.complain(format!("error reading '{name}': Is a directory")).await?;
                status = 1;
            }
        }
    }
    Ok(status)
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

/// The line above what is printed of a file.
pub async fn title(call: &mut Call<'_>, name: &BString, is_first: bool) -> Result<(), Ended> {
    let name = if name == "-" { b"standard input".as_bstr() } else { name.as_bstr() };
    call.line(format!("{}==> {name} <==", if is_first { "" } else { "\n" })).await
}

async fn one(call: &mut Call<'_>, source: &Source, most: Most) -> Result<(), Ended> {
    match most {
        Most { bytes: true, but: true, number, .. } => {
            let all = source.all().await;
            call.shell.hold(all.len())?;
            call.print(&all[..all.len().saturating_sub(number)]).await
        }
        Most { bytes: true, number, .. } => first_bytes(call, source, number).await,
        Most { but: true, number, end, .. } => {
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
        Most { number, end, .. } => {
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
    for _ in 0..number {
        call.work(1)?;
        let Some(byte) = source.byte().await else { break };
        call.print([byte]).await?;
    }
    Ok(())
}
