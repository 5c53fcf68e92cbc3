//! Lines that only get in the way of a comparison: those that the other text has nowhere, and those that it has so often that they
//! say nothing about what belongs together.

use std::collections::HashMap;

/// What a line is worth.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Worth {
    /// It is compared.
    Kept,
    /// It is nowhere in the other text.
    Alone,
    /// The other text has many such lines.
    Common,
}

/// The lines of a text that are to be compared with the other.
pub fn kept(lines: &[u32], others: &[u32]) -> Vec<usize> {
    let mut counts: HashMap<u32, usize> = HashMap::new();
    for line in others {
        *counts.entry(*line).or_default() += 1;
    }
    let many = many(lines.len());
    let mut worths: Vec<Worth> = lines
        .iter()
        .map(|line| match counts.get(line) {
            None => Worth::Alone,
            Some(count) if *count > many => Worth::Common,
            Some(_) => Worth::Kept,
        })
        .collect();
    settle(&mut worths);
    (0..lines.len()).filter(|line| worths[*line] == Worth::Kept).collect()
}

/// More lines than this are many: about the square root of a text's lines.
fn many(count: usize) -> usize {
    let (mut many, mut left) = (5, count / 64 / 4);
    while left > 0 {
        many *= 2;
        left /= 4;
    }
    many
}

/// Keeps common lines, unless they are within a run of lines that are not kept.
fn settle(worths: &mut [Worth]) {
    let mut at = 0;
    while at < worths.len() {
        match worths[at] {
            Worth::Kept => at += 1,
            Worth::Common => {
                worths[at] = Worth::Kept;
                at += 1;
            }
            Worth::Alone => {
                let run = worths[at..].iter().take_while(|worth| **worth != Worth::Kept).count();
                let inner = &mut worths[at..at + run];
                let length = run - keep_end(inner);
                thin(&mut inner[..length]);
                at += length;
            }
        }
    }
}

/// Keeps the common lines at the end of a run. Says how many.
fn keep_end(run: &mut [Worth]) -> usize {
    let mut count = 0;
    for worth in run.iter_mut().rev().take_while(|worth| **worth == Worth::Common) {
        *worth = Worth::Kept;
        count += 1;
    }
    count
}

/// Keeps common lines of a run that has many of them, or many at one place, or where it begins or ends.
fn thin(run: &mut [Worth]) {
    let common = run.iter().filter(|worth| **worth == Worth::Common).count();
    if common * 4 > run.len() {
        for worth in run.iter_mut().filter(|worth| **worth == Worth::Common) {
            *worth = Worth::Kept;
        }
        return;
    }
    let (mut least, mut left) = (1, run.len() / 4 / 4);
    while left > 0 {
        least *= 2;
        left /= 4;
    }
    least += 1;
    let mut from = 0;
    while from < run.len() {
        let length = run[from..].iter().take_while(|worth| **worth == Worth::Common).count();
        if length >= least {
            run[from..from + length].fill(Worth::Kept);
        }
        from += length.max(1);
    }
    keep_edge(run.iter_mut());
    keep_edge(run.iter_mut().rev());
}

/// Keeps common lines up to three in a row that the other text lacks, or to any such line behind the eighth.
fn keep_edge<'a>(run: impl Iterator<Item = &'a mut Worth>) {
    let mut row = 0;
    for (at, worth) in run.enumerate() {
        match worth {
            Worth::Alone if at >= 8 => return,
            Worth::Alone => {
                row += 1;
                if row == 3 {
                    return;
                }
            }
            Worth::Common => {
                *worth = Worth::Kept;
                row = 0;
            }
            Worth::Kept => row = 0,
        }
    }
}
