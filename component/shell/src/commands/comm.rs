//! `comm`

use std::cmp::Ordering;

use bstr::BString;

use super::arguments::{Flag, Reading, flag, read, valued};
use super::feed::{body, fail, misuse, quoted};
use crate::exec::{Call, Ended};
use crate::io::{Source, reason};

const CHECK: char = '\u{e000}';
const NO_CHECK: char = '\u{e001}';
const OUTPUT: char = '\u{e002}';
const TOTAL: char = '\u{e003}';

const FLAGS: &[Flag] = &[
    flag('1', ""),
    flag('2', ""),
    flag('3', ""),
    flag('z', "zero-terminated"),
    flag(CHECK, "check-order"),
    flag(NO_CHECK, "nocheck-order"),
    valued(OUTPUT, "output-delimiter"),
    flag(TOTAL, "total"),
];

/// A file of sorted lines.
struct Sorted {
    source: Source,
    end: u8,
    /// The line that is next, and those in front of it.
    now: Option<Vec<u8>>,
    last: Option<Vec<u8>>,
    last_but_one: Option<Vec<u8>>,
    disordered: bool,
}

impl Sorted {
    async fn next(&mut self) {
        let next = self.source.line(self.end).await.map(|line| body(&line, self.end).to_vec());
        self.last_but_one = std::mem::replace(&mut self.last, std::mem::replace(&mut self.now, next));
    }

    /// Whether the last two lines that were read are in the wrong order.
    fn is_disordered(&self) -> bool {
        match &self.now {
            Some(_) => self.last > self.now,
            // Only now it may be known that it matters.
            None => self.last_but_one > self.last,
        }
    }
}

/// Compares two sorted files line by line.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let (one, other) = match &*given.operands {
        [one, other] => (one, other),
        [] => return Err(misuse(call, "missing operand", 1).await),
        [only] => return Err(misuse(call, format!("missing operand after {}", quoted(only)), 1).await),
        [_, _, extra, ..] => return Err(misuse(call, format!("extra operand {}", quoted(extra)), 1).await),
    };
    let end = if given.has('z') { 0 } else { b'\n' };
    let mut files = [open(call, one, end).await?, open(call, other, end).await?];
    let check = given.last(&[CHECK, NO_CHECK]);
    let joint = match given.value(OUTPUT) {
        Some(joint) if joint.is_empty() => BString::from("\0"),
        Some(joint) => joint.clone(),
        None => BString::from("\t"),
    };
    let shows = [!given.has('1'), !given.has('2'), !given.has('3')];
    let mut totals = [0_u64; 3];
    let mut unpaired = false;
    for file in &mut files {
        file.next().await;
    }
    loop {
        call.work(1)?;
        let [one, other] = &files;
        let (order, line) = match (&one.now, &other.now) {
            (None, None) => break,
            (Some(line), None) => (Ordering::Less, line),
            (None, Some(line)) => (Ordering::Greater, line),
            (Some(line), Some(also)) => (line.cmp(also), if line <= also { line } else { also }),
        };
        let column = match order {
            Ordering::Less => 0,
            Ordering::Greater => 1,
            Ordering::Equal => 2,
        };
        totals[column] += 1;
        unpaired |= column < 2;
        if shows[column] {
            let columns = shows[..column].iter().filter(|shows| **shows).count();
            call.print([&joint.repeat(columns)[..], line, &[end]].concat()).await?;
        }
        for (at, stays) in [Ordering::Greater, Ordering::Less].into_iter().enumerate() {
            if order == stays {
                continue;
            }
            let file = &mut files[at];
            file.next().await;
            let checks = check == Some(CHECK) || (check.is_none() && unpaired);
            if checks && !file.disordered && file.is_disordered() {
                file.disordered = true;
                call.flush().await?;
                call.complain(format!("file {} is not in sorted order", at + 1)).await?;
                if check == Some(CHECK) {
                    return Ok(1);
                }
            }
        }
    }
    if given.has(TOTAL) {
        let totals = totals.map(|total| total.to_string().into_bytes());
        call.print([&totals.join(joint.as_slice())[..], &joint, b"total", &[end]].concat()).await?;
    }
    if files.iter().any(|file| file.disordered) {
        call.flush().await?;
        return Err(fail(call, "input is not in sorted order", 1).await);
    }
    Ok(0)
}

async fn open(call: &mut Call<'_>, name: &BString, end: u8) -> Result<Sorted, Ended> {
    match call.open(name) {
        Ok(source) => Ok(Sorted { source, end, now: None, last: None, last_but_one: None, disordered: false }),
        Err(error) => Err(fail(call, format!("{name}: {}", reason(&error)), 1).await),
    }
}
