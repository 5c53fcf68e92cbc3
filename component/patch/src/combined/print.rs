//! The hunks of a combined diff as text.

use super::hunks::Hunk;
use super::rows::{Parents, Rows};
use crate::deadline::Interrupted;
use crate::function::{is_space, starts_with_a_letter};
use crate::options::Options;

/// git searches this many bytes of a line for the words after `@@@`.
const LONGEST_NAME: usize = 40;

pub(super) fn print(
    rows: &Rows<'_>,
    hunks: &[Hunk],
    parents: usize,
    options: &Options<'_>,
    out: &mut Vec<u8>,
) -> Result<(), Interrupted> {
    let mut ticker = options.deadline.ticker();
    let mut numbers = Numbers { rows, next: 0, ahead: vec![0; parents] };
    let mut shown = 0;
    for hunk in hunks {
        let start = hunk.rows().start;
        let mut name = None;
        for line in rows.lines[shown..start].iter().rev() {
            ticker.tick()?;
            if starts_with_a_letter(line) {
                name = Some(*line);
                break;
            }
        }
        hunk_header(hunk, &mut numbers, options.context == 0, name, out);
        shown = hunk.rows().end;
        let mut next = rows.changed.partition_point(|(row, _)| *row < start);
        for part in &hunk.parts {
            for row in part.rows.clone() {
                ticker.tick()?;
                let changed = rows.changed.get(next).filter(|(other, _)| *other == row).map(|(_, changed)| changed);
                next += usize::from(changed.is_some());
                for lost in changed.iter().filter(|_| part.shows_lost).flat_map(|changed| &changed.lost) {
                    ticker.tick()?;
                    marks(lost.parents, b'-', parents, out);
                    push_line(until_nul(lost.line), out);
                }
                let added = changed.map_or(0, |changed| changed.added);
                // Without context, git does not show the line of a row that only lost lines.
                if let Some(line) = rows.lines.get(row).filter(|_| added != 0 || options.context != 0) {
                    marks(added, b'+', parents, out);
                    push_line(line, out);
                }
            }
        }
    }
    Ok(())
}

/// Appends one column for each parent.
fn marks(set: Parents, mark: u8, parents: usize, out: &mut Vec<u8>) {
    out.extend((0..parents).map(|parent| if set >> parent & 1 == 1 { mark } else { b' ' }));
}

/// Appends a line as git prints it: up to the first NUL, but with the carriage return at its end.
fn push_line(line: &[u8], out: &mut Vec<u8>) {
    let (text, end) = match line.strip_suffix(b"\r") {
        Some(text) => (text, &b"\r\n"[..]),
        None => (line, &b"\n"[..]),
    };
    out.extend_from_slice(until_nul(text));
    out.extend_from_slice(end);
}

fn until_nul(line: &[u8]) -> &[u8] {
    line.split(|&byte| byte == 0).next().unwrap_or_default()
}

/// Computes the line numbers of the parents.
struct Numbers<'r> {
    rows: &'r Rows<'r>,
    /// The first changed row not yet passed.
    next: usize,
    /// How many lines each parent is ahead of the outcome.
    ahead: Vec<i64>,
}

impl Numbers<'_> {
    /// The line number in each parent, from one, at `row`. Callers must not go back to an earlier row.
    fn at(&mut self, row: usize) -> Vec<u64> {
        while let Some((_, changed)) = self.rows.changed.get(self.next).filter(|(changed, _)| *changed < row) {
            for (parent, ahead) in self.ahead.iter_mut().enumerate() {
                let has = |parents: Parents| i64::from(parents >> parent & 1 == 1);
                *ahead += changed.lost.iter().map(|lost| has(lost.counted)).sum::<i64>() - has(changed.added);
            }
            self.next += 1;
        }
        let own = 1 + row.min(self.rows.lines.len()) as u64;
        self.ahead.iter().map(|ahead| own.wrapping_add_signed(*ahead)).collect()
    }
}

/// `@@@ -1,4 -1,5 +1,6 @@@ name`.
///
/// Without context, git subtracts every row that it does not show from both counts, and the row after the last line twice. The numbers then
/// wrap around, as git's do.
fn hunk_header(hunk: &Hunk, numbers: &mut Numbers<'_>, no_context: bool, name: Option<&[u8]>, out: &mut Vec<u8>) {
    let rows = hunk.rows();
    let lines = numbers.rows.lines.len();
    let (starts, first_changed) = (numbers.at(rows.start), numbers.next);
    let ends = numbers.at(rows.end);
    let not_shown = match no_context {
        true => {
            numbers.rows.changed[first_changed..numbers.next].iter().filter(|(_, row)| row.added == 0).count() as u64
        }
        false => 0,
    };
    let frame = vec![b'@'; starts.len() + 1];
    out.extend_from_slice(&frame);
    for (start, end) in starts.iter().zip(&ends) {
        out.extend_from_slice(format!(" -{start},{}", end.wrapping_sub(*start).wrapping_sub(not_shown)).as_bytes());
    }
    let length = (rows.end.min(lines) - rows.start) as u64;
    out.extend_from_slice(format!(" +{},{} ", rows.start + 1, length.wrapping_sub(not_shown)).as_bytes());
    out.extend_from_slice(&frame);
    if let Some(name) = name {
        let name = until_nul(&name[..name.len().min(LONGEST_NAME)]);
        // git counts up to the last byte that is not a space, and excludes that byte.
        let end = name.iter().rposition(|byte| !is_space(*byte)).unwrap_or(0);
        if end > 0 {
            out.push(b' ');
            out.extend_from_slice(&name[..end]);
        }
    }
    out.push(b'\n');
}
