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
    while feed.open(call).await? {
        // A line may never end, so it goes on as it comes.
        let (mut line, mut now) = (Vec::new(), 0);
        while let Some(part) = feed.rest(call).await? {
            for byte in part.iter().copied() {
                if byte == b'\n' {
                    call.line(&std::mem::take(&mut line)).await?;
                    now = 0;
                    continue;
                }
                // One byte at least is on each line.
                while column(now, byte) > width && !line.is_empty() {
                    let blank = line.iter().rposition(|byte| matches!(byte, b' ' | b'\t'));
                    let end = blank.filter(|_| at_blanks).map_or(line.len(), |blank| blank + 1);
                    let rest = line.split_off(end);
                    call.line(&line).await?;
                    call.work(1)?;
                    (now, line) = (rest.iter().fold(0, |now, byte| column(now, *byte)), rest);
                }
                now = column(now, byte);
                line.push(byte);
            }
            call.shell.hold(line.len())?;
        }
        call.print(&line).await?;
    }
    Ok(feed.status)
}
