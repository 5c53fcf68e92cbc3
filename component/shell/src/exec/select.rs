//! `select`: a menu on the error output, and an answer from the input.

use brush_parser::ast;
use bstr::{BString, ByteSlice};

use super::compound::{Next, round};
use super::{Flow, Stop, call, settled};
use crate::expand;
use crate::state::Shell;

/// What stands in front of the name of the variable if a loop is a menu: the grammar knows only `for`.
pub const MARK: &str = "select ";
/// Characters of a line, unless COLUMNS says otherwise.
const WIDTH: usize = 80;
/// A tabulator leads to the next multiple.
const TAB: usize = 8;

/// Runs a menu until nobody answers any more.
pub async fn run(shell: &mut Shell, clause: &ast::ForClauseCommand, name: &str) -> Flow {
    shell.line = shell.place.above + clause.loc.start.line;
    let words = match &clause.values {
        None => shell.args.to_vec(),
        Some(words) => match expand::all(shell, words).await {
            Ok(words) => words,
            Err(ended) => return settled(shell, Err(ended)).await,
        },
    };
    if words.is_empty() {
        return Ok(0);
    }
    let depth = shell.depth;
    let mut shows = true;
    loop {
        shell.work(1)?;
        shell.depth = depth;
        let Some(answer) = asked(shell, &words, shows).await? else { return Ok(1) };
        if let Err(ended) = shell.set(name, answer) {
            return settled(shell, Err(ended)).await;
        }
        if let Next::End(status) = round(shell, &clause.body.list).await? {
            shell.depth = depth;
            return Ok(status);
        }
        shows = shell.text("REPLY").is_some_and(|reply| reply.is_empty());
    }
}

/// The word that was chosen: an empty one for what is no number of the menu, none at the end of the input.
async fn asked(shell: &mut Shell, words: &[BString], mut shows: bool) -> Result<Option<BString>, Stop> {
    loop {
        let mut text = if shows { menu(shell, words) } else { Vec::new() };
        text.extend_from_slice(&shell.text("PS3").unwrap_or_else(|| "#? ".into()));
        written(shell, 2, &text).await?;
        let read = call::again(shell, "read", Vec::new()).await;
        if settled(shell, read).await? != 0 {
            written(shell, 1, b"\n").await?;
            return Ok(None);
        }
        let reply = shell.text("REPLY").unwrap_or_default();
        if reply.is_empty() {
            shows = true;
            continue;
        }
        let number = reply.to_str_lossy().trim().parse::<usize>().ok();
        let chosen = number.and_then(|number| words.get(number.checked_sub(1)?)).cloned();
        return Ok(Some(chosen.unwrap_or_default()));
    }
}

async fn written(shell: &Shell, number: i32, text: &[u8]) -> Result<(), Stop> {
    match shell.fds.sink(number).write(text).await {
        Err(crate::io::Unwritten::Halt(halt)) => Err(halt.into()),
        // Nobody sees the menu, and the answers count all the same.
        _ => Ok(()),
    }
}

/// The menu, in as many columns as there is room for.
fn menu(shell: &Shell, words: &[BString]) -> Vec<u8> {
    let columns = shell.text("COLUMNS").and_then(|text| text.to_str_lossy().parse().ok());
    let width = columns.filter(|width| *width > 0).unwrap_or(WIDTH);
    let digits = |number: usize| number.to_string().len();
    let length = |word: &BString| word.chars().count();
    let longest = words.iter().map(length).max().unwrap_or(0) + digits(words.len()) + 4;
    let mut columns = (width / longest).max(1);
    let mut rows = words.len().div_ceil(columns);
    columns = words.len().div_ceil(rows);
    if rows == 1 {
        rows = columns;
    }
    let mut out = Vec::new();
    for row in 0..rows {
        let (mut at, mut place) = (row, 0);
        loop {
            let number = if place == 0 { digits(rows) } else { digits(words.len()) };
            out.extend_from_slice(format!("{:number$}) {}", at + 1, words[at]).as_bytes());
            let end = place + number + 2 + length(&words[at]);
            at += rows;
            if at >= words.len() {
                break;
            }
            indent(&mut out, end, place + longest);
            place += longest;
        }
        out.push(b'\n');
    }
    out
}

/// Goes from one column of the line to another one.
fn indent(out: &mut Vec<u8>, mut from: usize, to: usize) {
    while from < to {
        if to / TAB > from / TAB {
            out.push(b'\t');
            from += TAB - from % TAB;
        } else {
            out.push(b' ');
            from += 1;
        }
    }
}
