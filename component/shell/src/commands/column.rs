//! `column`

mod width;

use bstr::{BString, ByteSlice};

use self::width::width;
use super::arguments::{Flag, Given, Reading, flag, read, valued};
use super::feed::{Feed, body, fail, number};
use crate::exec::{Call, Ended};

const FLAGS: &[Flag] = &[
    valued('c', "output-width"),
    flag('d', "table-noheadings"),
    valued('H', "table-hide"),
    valued('l', "table-columns-limit"),
    flag('L', "keep-empty-lines"),
    valued('N', "table-columns"),
    valued('o', "output-separator"),
    valued('R', "table-right"),
    valued('s', "separator"),
    flag('t', "table"),
    flag('x', "fillrows"),
];

/// Columns between the entries of a list are a multiple of this.
const TAB: usize = 8;

/// Prints lines in columns, or as a table.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let is_table = given.has('t');
    // A dash is a file like any other.
    let names = given.operands.iter().map(|name| if name == "-" { "./-".into() } else { name.clone() }).collect();
    let mut feed = Feed::new(names, b'\n');
    let mut lines = Vec::new();
    let mut held = 0;
    while let Some(line) = feed.line(call).await? {
        let text = body(&line, b'\n');
        if text.iter().all(u8::is_ascii_whitespace) && !given.has('L') {
            continue;
        }
        held += text.len() + 32;
        call.shell.hold(held)?;
        lines.push(BString::from(text));
    }
    if is_table {
        table(call, &given, &lines).await?;
        return Ok(feed.status);
    }
    let most = match given.value('c').map(|text| (number(text).filter(|most| *most > 0), text)) {
        None => columns(call),
        Some((None, text)) if text == "unlimited" => usize::MAX,
        Some((Some(most), _)) => most,
        Some((None, text)) => return Err(fail(call, format!("invalid columns argument: '{text}'"), 1).await),
    };
    list(call, &lines, most, given.has('x')).await?;
    Ok(feed.status)
}

/// The columns of the terminal, as the environment has them.
fn columns(call: &Call<'_>) -> usize {
    let text = call.shell.exported().into_iter().find(|(name, _)| name == "COLUMNS");
    text.and_then(|(_, text)| number(&text)).filter(|columns| *columns > 0).unwrap_or(80)
}

/// Prints entries in as many columns as there is place for.
async fn list(call: &mut Call<'_>, entries: &[BString], most: usize, by_rows: bool) -> Result<(), Ended> {
    let widths: Vec<usize> = entries.iter().map(|entry| width(entry)).collect();
    let widest = widths.iter().copied().max().unwrap_or(0);
    if widest >= most {
        for entry in entries {
            call.line(entry).await?;
        }
        return Ok(());
    }
    let each = (widest + TAB) / TAB * TAB;
    let columns = (most / each).max(1);
    let rows = entries.len().div_ceil(columns);
    for row in 0..rows {
        let mut now = 0;
        for column in 0..columns {
            let at = if by_rows { row * columns + column } else { row + column * rows };
            let next = if by_rows { at + 1 } else { at + rows };
            if at >= entries.len() {
                break;
            }
            call.work(1)?;
            call.print(&entries[at]).await?;
            now += widths[at];
            if next >= entries.len() || column + 1 == columns {
                break;
            }
            let end = (column + 1) * each;
            let tabs = (end - now).div_ceil(TAB);
            call.print(b"\t".repeat(tabs)).await?;
            now = end;
        }
        call.print("\n").await?;
    }
    Ok(())
}

async fn table(call: &mut Call<'_>, given: &Given, lines: &[BString]) -> Result<(), Ended> {
    let names: Option<Vec<Vec<u8>>> = given.value('N').map(|names| names.split_str(",").map(<[u8]>::to_vec).collect());
    let limit = match given.value('l').map(|text| (number(text).filter(|limit| *limit > 0), text)) {
        None => usize::MAX,
        Some((Some(limit), _)) => limit,
        Some((None, text)) => {
            return Err(fail(call, format!("invalid columns limit argument: '{text}'"), 1).await);
        }
    };
    let separators = given.value('s').map(|separators| separators.as_slice());
    let mut rows: Vec<Vec<&[u8]>> = lines.iter().map(|line| cells(line, separators, limit)).collect();
    if let Some(names) = names.as_ref().filter(|_| !given.has('d')) {
        rows.insert(0, names.iter().map(Vec::as_slice).collect());
    }
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let chosen = |letter: char| chosen(given.value(letter), names.as_deref().unwrap_or_default(), columns);
    let (right, hidden) = match (chosen('R'), chosen('H')) {
        (Ok(right), Ok(hidden)) => (right, hidden),
        (Err(name), _) | (_, Err(name)) => {
            return Err(fail(call, format!("undefined column name '{}'", name.to_str_lossy()), 1).await);
        }
    };
    let shown: Vec<usize> = (0..columns).filter(|column| !hidden[*column]).collect();
    let mut widths = vec![0; columns];
    for row in &rows {
        for (cell, widest) in row.iter().zip(&mut widths) {
            *widest = width(cell).max(*widest);
        }
    }
    let joint = given.value('o').cloned().unwrap_or_else(|| "  ".into());
    for row in &rows {
        let mut out = Vec::new();
        for (number, column) in shown.iter().enumerate() {
            call.work(1)?;
            let cell = row.get(*column).copied().unwrap_or_default();
            let pad = b" ".repeat(widths[*column] - width(cell));
            let is_last = number + 1 == shown.len();
            match (right[*column], is_last) {
                (true, _) if !(is_last && cell.is_empty()) => out.extend([&pad, cell].concat()),
                (_, true) => out.extend_from_slice(cell),
                (_, false) => out.extend([cell, &pad].concat()),
            }
            if !is_last {
                out.extend_from_slice(&joint);
            }
        }
        call.line(out).await?;
    }
    Ok(())
}

/// The cells of a line. With separators that were given, there may be empty ones.
fn cells<'t>(line: &'t [u8], separators: Option<&[u8]>, limit: usize) -> Vec<&'t [u8]> {
    let is_separator = |byte: &u8| separators.unwrap_or(b" \t").contains(byte);
    let mut cells = Vec::new();
    let mut rest = Some(line);
    while let Some(text) = rest {
        let begin = if separators.is_none() { text.iter().take_while(|byte| is_separator(byte)).count() } else { 0 };
        let text = &text[begin..];
        if separators.is_none() && text.is_empty() {
            break;
        }
        if cells.len() + 1 == limit {
            cells.push(text);
            break;
        }
        match text.iter().position(&is_separator) {
            Some(at) => {
                cells.push(&text[..at]);
                rest = Some(&text[at + 1..]);
            }
            None => {
                cells.push(text);
                rest = None;
            }
        }
    }
    cells
}

/// Which columns a list of names or numbers means. The error is a name that there is not.
fn chosen(list: Option<&BString>, names: &[Vec<u8>], columns: usize) -> Result<Vec<bool>, Vec<u8>> {
    let mut chosen = vec![false; columns];
    let Some(list) = list else { return Ok(chosen) };
    for part in list.split_str(",") {
        let named = names.iter().position(|name| name == part);
        let place = named.or_else(|| number(part).and_then(|place| place.checked_sub(1)));
        match place {
            Some(place) if place < columns => chosen[place] = true,
            Some(_) => (),
            None if part == b"-" || part == b"0" => chosen.fill(true),
            None => return Err(part.to_vec()),
        }
    }
    Ok(chosen)
}
