//! `tac` and `rev`

use bstr::{BString, ByteSlice};

use super::arguments::{Flag, Reading, flag, read, valued};
use crate::exec::{Call, Ended};
use crate::io::reason;
use crate::regexp::{Regex, Syntax};

const FLAGS: &[Flag] = &[flag('b', "before"), flag('r', "regex"), valued('s', "separator")];

/// What stands between the parts.
enum Separator {
    Text(BString),
    Matching(Regex),
}

/// Prints the lines of files from the last to the first.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let text = given.value('s').cloned().unwrap_or_else(|| "\n".into());
    let separator = if given.has('r') {
        if text.is_empty() {
            call.complain("separator cannot be empty").await?;
            return Ok(1);
        }
        let syntax = Syntax { extended: false, ignores_case: false, multiline: true };
        match syntax.read(&text) {
            Ok(regex) => Separator::Matching(regex),
            Err(message) => {
                call.complain(message).await?;
                return Ok(1);
            }
        }
    } else {
        Separator::Text(if text.is_empty() { "\0".into() } else { text })
    };
    let names = if given.operands.is_empty() { vec![BString::from("-")] } else { given.operands.clone() };
    let mut status = 0;
    for name in names {
        let content = match call.open(&name) {
            Ok(source) => source.all().await,
            Err(error) => {
                let is_folder = error.kind() == std::io::ErrorKind::IsADirectory;
                call.complain(match is_folder {
                    true => format!("{name}: read error: Is a directory"),
                    false => format!("failed to open '{name}' for reading: {}", reason(&error)),
                })
                .await?;
                status = 1;
                continue;
            }
        };
        call.shell.hold(content.len())?;
        turned(call, &content, &separator, given.has('b')).await?;
    }
    Ok(status)
}

async fn turned(call: &mut Call<'_>, content: &[u8], separator: &Separator, before: bool) -> Result<(), Ended> {
    let (mut end, mut from, mut is_first) = (content.len(), content.len(), true);
    while let Some((start, stop)) = last(call, &content[..from], separator)? {
        call.work(1)?;
        let cut = if before { start } else { stop };
        // What stands at the very end ends the last part, and begins no empty one.
        if before || !is_first || cut != end {
            call.print(&content[cut..end]).await?;
        }
        (end, from, is_first) = (cut, start, false);
    }
    call.print(&content[..end]).await
}

/// The last separator in a text.
fn last(call: &Call<'_>, text: &[u8], separator: &Separator) -> Result<Option<(usize, usize)>, Ended> {
    match separator {
        Separator::Text(separator) => Ok(text.rfind(separator).map(|at| (at, at + separator.len()))),
        Separator::Matching(regex) => {
            // The nearest match to the end: windows that grow, so that the common case looks at a few bytes.
            let mut width = 64;
            loop {
                call.work(u32::try_from(width / 16).unwrap_or(u32::MAX))?;
                let from = text.len().saturating_sub(width);
                let mut found = None;
                let mut at = from;
                while let Some((start, end)) = regex.find(text, at).filter(|(start, _)| *start < text.len()) {
                    call.work(1)?;
                    found = Some((start, end));
                    at = start + 1;
                }
                if found.is_some() || from == 0 {
                    return Ok(found);
                }
                width *= 4;
            }
        }
    }
}

/// Prints lines with their characters from the last to the first.
pub async fn rev(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: &[], status: 1, stops: false }).await?;
    // No name is what it reads anyway. A dash is the name of a file here.
    let names = if given.operands.is_empty() { vec![None] } else { given.operands.into_iter().map(Some).collect() };
    let mut status = 0;
    'files: for name in names {
        let opened = match &name {
            None => Ok(call.stdin.clone()),
            Some(name) if name == "-" => call.open(b"./-"),
            Some(name) => call.open(name),
        };
        let name = name.unwrap_or_else(|| "stdin".into());
        let source = match opened {
            Ok(source) => source,
            Err(error) => {
                call.flush().await?;
                call.complain(format!("cannot open {name}: {}", reason(&error))).await?;
                status = 1;
                continue;
            }
        };
        let mut number = 0;
        while let Some(line) = source.line(b'\n').await {
            call.work(1)?;
            let (text, end) = match line.strip_suffix(b"\n") {
                Some(text) => (text, "\n"),
                None => (&line[..], ""),
            };
            let Ok(text) = text.to_str() else {
                call.complain(format!("{name}: {number}: Invalid or incomplete multibyte or wide character")).await?;
                status = 1;
                continue 'files;
            };
            number += 1;
            call.print(text.chars().rev().collect::<String>()).await?;
            call.print(end).await?;
        }
    }
    Ok(status)
}
