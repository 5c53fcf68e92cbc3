//! `fold`

use super::arguments::{Flag, Reading, flag, read, valued};
use super::feed::{Feed, fail, number, numbered, out_of_range, quoted};
use crate::exec::{Call, Ended};

const FLAGS: &[Flag] = &[flag('b', "bytes"), flag('s', "spaces"), valued('w', "width")];

/// Breaks long lines.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    numbered(&mut call.args, 'w');
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let width = match given.value('w').map(|text| number(text).filter(|width| *width > 0).ok_or(text)) {
        None => 80,
        Some(Ok(width)) => width,
        Some(Err(text)) => {
            return Err(
                fail(call, format!("invalid number of columns: {}{}", quoted(text), out_of_range(text)), 1).await
            );
        }
    };
    let (by_bytes, at_blanks) = (given.has('b'), given.has('s'));
    let column = |column: usize, byte: u8| match byte {
        _ if by_bytes => column + 1,
        8 => column.saturating_sub(1),
        b'\r' => 0,
        b'\t' => column + 8 - column % 8,
        _ => column + 1,
    };
    let mut feed = Feed::new(given.operands, b'\n');
    while let Some(line) = feed.line(call).await? {
        let (mut begin, mut at, mut now) = (0, 0, 0);
        while at < line.len() && line[at] != b'\n' {
            let next = column(now, line[at]);
            // One byte at least is on each line.
            if next <= width || at == begin {
                (now, at) = (next, at + 1);
                continue;
            }
            let blank = line[begin..at].iter().rposition(|byte| matches!(byte, b' ' | b'\t'));
            let end = blank.filter(|_| at_blanks).map_or(at, |blank| begin + blank + 1);
            call.line(&line[begin..end]).await?;
            call.work(1)?;
            begin = end;
            now = line[begin..at].iter().fold(0, |now, byte| column(now, *byte));
        }
        call.print(&line[begin..]).await?;
    }
    Ok(feed.status)
}
