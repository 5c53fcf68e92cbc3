//! Changes as diff prints them.

use super::script::Change;
use super::text::Text;
use crate::exec::{Call, Ended};
use crate::regexp::Regex;

/// Prints changes as they are without options.
pub async fn normal(call: &mut Call<'_>, changes: &[Change], texts: [&Text; 2]) -> Result<(), Ended> {
    for hunk in hunks(changes, 0) {
        let (old, new) = spans(hunk);
        let letter = match (old.1, new.1) {
            (_, 0) => 'd',
            (0, _) => 'a',
            _ => 'c',
        };
        call.line(format!("{}{letter}{}", lines(old), lines(new))).await?;
        for line in old.0..old.0 + old.1 {
            show(call, "< ", texts[0], line).await?;
        }
        if letter == 'c' {
            call.line("---").await?;
        }
        for line in new.0..new.0 + new.1 {
            show(call, "> ", texts[1], line).await?;
        }
    }
    Ok(())
}

fn lines((from, count): (usize, usize)) -> String {
    match count {
        0 => from.to_string(),
        1 => (from + 1).to_string(),
        count => format!("{},{}", from + 1, from + count),
    }
}

/// Prints changes among some lines around them.
pub async fn unified(
    call: &mut Call<'_>,
    changes: &[Change],
    texts: [&Text; 2],
    context: usize,
    function: Option<&Regex>,
) -> Result<(), Ended> {
    let mut sought = Sought::default();
    for hunk in hunks(changes, context) {
        let (old, new) = spans(hunk);
        let before = context.min(old.0).min(new.0);
        let behind = |at: usize, text: &Text| (at + context).min(text.lines.len());
        let from = (old.0 - before, new.0 - before);
        let counts = (behind(old.0 + old.1, texts[0]) - from.0, behind(new.0 + new.1, texts[1]) - from.1);
        let mut head = format!("@@ -{} +{} @@", range(from.0, counts.0), range(from.1, counts.1)).into_bytes();
        if let Some(found) = function.and_then(|function| sought.find(function, texts[0], from.0)) {
            head.push(b' ');
            head.extend_from_slice(found);
        }
        call.line(head).await?;
        let mut at = from.0;
        for change in hunk {
            for line in at..change.old {
                show(call, " ", texts[0], line).await?;
            }
            for line in change.old..change.old + change.gone {
                show(call, "-", texts[0], line).await?;
            }
            for line in change.new..change.new + change.come {
                show(call, "+", texts[1], line).await?;
            }
            at = change.old + change.gone;
        }
        for line in at..from.0 + counts.0 {
            show(call, " ", texts[0], line).await?;
        }
    }
    Ok(())
}

fn range(from: usize, count: usize) -> String {
    match count {
        0 => format!("{from},0"),
        1 => (from + 1).to_string(),
        count => format!("{},{count}", from + 1),
    }
}

/// The last line that names a function.
#[derive(Default)]
struct Sought {
    /// Lines that were looked at.
    until: usize,
    found: Option<usize>,
}

impl Sought {
    fn find<'a>(&mut self, function: &Regex, text: &'a Text, before: usize) -> Option<&'a [u8]> {
        let found = (self.until..before).rev().find(|line| function.is_match(&text.lines[*line]));
        self.found = found.or(self.found);
        self.until = before;
        let line = &text.lines[self.found?];
        let begin = line.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let line = &line[begin..];
        Some(line[..line.len().min(40)].trim_ascii_end())
    }
}

/// The lines that changes cover in both texts: the first and how many.
fn spans(hunk: &[Change]) -> ((usize, usize), (usize, usize)) {
    let (first, last) = (hunk[0], hunk[hunk.len() - 1]);
    let (old, new) = (last.old + last.gone - first.old, last.new + last.come - first.new);
    ((first.old, old), (first.new, new))
}

/// The changes that are printed together. Those that do not matter are not printed by themselves.
fn hunks(changes: &[Change], context: usize) -> Vec<&[Change]> {
    let mut hunks = Vec::new();
    let mut from = 0;
    for at in 1..=changes.len() {
        let together = changes.get(at).is_some_and(|next| {
            let last = changes[at - 1];
            let near = if last.ignored || next.ignored { context } else { 2 * context + 1 };
            next.old - (last.old + last.gone) < near
        });
        if !together {
            hunks.push(&changes[from..at]);
            from = at;
        }
    }
    hunks.retain(|hunk| hunk.iter().any(|change| !change.ignored));
    hunks
}

async fn show(call: &mut Call<'_>, mark: &str, text: &Text, at: usize) -> Result<(), Ended> {
    call.work(1)?;
    let line = &text.lines[at];
    call.print(mark).await?;
    call.line(line).await?;
    if text.open && at + 1 == text.lines.len() {
        call.line("\\ No newline at end of file").await?;
    }
    Ok(())
}
