//! `paste`

use bstr::BString;

use super::arguments::{Flag, Reading, flag, read, valued};
use super::feed::{body, fail};
use crate::exec::{Call, Ended};
use crate::io::reason;

const FLAGS: &[Flag] = &[valued('d', "delimiters"), flag('s', "serial"), flag('z', "zero-terminated")];

/// Joins the lines of files: those at the same place, or those of the same file.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let list = given.value('d').map_or(&b"\t"[..], |list| list.as_slice());
    let Some(delimiters) = delimiters(list) else {
        let list = BString::from(list);
        return Err(fail(call, format!("delimiter list ends with an unescaped backslash: {list}"), 1).await);
    };
    let end = if given.has('z') { 0 } else { b'\n' };
    let names = if given.operands.is_empty() { vec![BString::from("-")] } else { given.operands.clone() };
    if given.has('s') {
        return serial(call, &names, &delimiters, end).await;
    }
    parallel(call, &names, &delimiters, end).await
}

/// The delimiters, of which some may be nothing at all.
fn delimiters(list: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut delimiters = Vec::new();
    let mut rest = list.iter();
    while let Some(byte) = rest.next() {
        if *byte != b'\\' {
            delimiters.push(vec![*byte]);
            continue;
        }
        delimiters.push(match rest.next()? {
            b'0' => Vec::new(),
            b'b' => vec![8],
            b'f' => vec![12],
            b'n' => vec![b'\n'],
            b'r' => vec![b'\r'],
            b't' => vec![b'\t'],
            b'v' => vec![11],
            other => vec![*other],
        });
    }
    if delimiters.is_empty() {
        delimiters.push(Vec::new());
    }
    Some(delimiters)
}

async fn parallel(call: &mut Call<'_>, names: &[BString], delimiters: &[Vec<u8>], end: u8) -> Result<i32, Ended> {
    let mut sources = Vec::new();
    for name in names {
        match call.open(name) {
            Ok(source) => sources.push(source),
            Err(error) => return Err(fail(call, format!("{name}: {}", reason(&error)), 1).await),
        }
    }
    loop {
        let mut row = Vec::new();
        let mut is_over = true;
        for (at, source) in sources.iter().enumerate() {
            if at > 0 {
                row.extend_from_slice(&delimiters[(at - 1) % delimiters.len()]);
            }
            if let Some(line) = source.line(end).await {
                is_over = false;
                row.extend_from_slice(body(&line, end));
            }
            call.work(1)?;
        }
        if is_over {
            return Ok(0);
        }
        row.push(end);
        call.print(row).await?;
    }
}

async fn serial(call: &mut Call<'_>, names: &[BString], delimiters: &[Vec<u8>], end: u8) -> Result<i32, Ended> {
    let mut status = 0;
    for name in names {
        let Some(source) = call.opened(name).await? else {
            status = 1;
            continue;
        };
        let mut joints = delimiters.iter().cycle();
        let mut is_first = true;
        while let Some(line) = source.line(end).await {
            call.work(1)?;
            if !is_first {
                call.print(joints.next().expect("there is at least one")).await?;
            }
            is_first = false;
            call.print(body(&line, end)).await?;
        }
        call.print([end]).await?;
    }
    Ok(status)
}
