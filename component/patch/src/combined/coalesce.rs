//! Lines lost at one place from several parents, brought together.

use std::collections::HashMap;

use super::lcs::{Step, alignment};
use super::rows::{Lost, Parents};
use crate::deadline::{Deadline, Interrupted};

/// `lost`, with the lines `new` that one more parent lost at the same place. Where both have a line, it stands there once.
pub(super) fn coalesce<'a>(
    lost: Vec<Lost<'a>>,
    new: Vec<Lost<'a>>,
    deadline: Deadline<'_>,
) -> Result<Vec<Lost<'a>>, Interrupted> {
    if lost.is_empty() {
        return Ok(new);
    }
    let mut numbers: HashMap<&[u8], u32> = HashMap::new();
    let mut ticker = deadline.ticker();
    let mut number = |lines: &[Lost<'a>]| {
        let numbered = lines.iter().map(|lost| {
            ticker.tick()?;
            let next = u32::try_from(numbers.len()).expect("no text of more than 512 MiB is compared");
            Ok(*numbers.entry(lost.line).or_insert(next))
        });
        numbered.collect::<Result<Vec<u32>, Interrupted>>()
    };
    let steps = alignment(&number(&lost)?, &number(&new)?, deadline)?;
    let (mut lost, mut new) = (lost.into_iter(), new.into_iter());
    let merged = steps.into_iter().filter_map(|step| match step {
        Step::Old => lost.next(),
        Step::New => new.next(),
        Step::Both => {
            let parents = new.next().map_or(0, |new| mark(new.parents));
            lost.next().map(|lost| Lost { parents: lost.parents | parents, ..lost })
        }
    });
    Ok(merged.collect())
}

/// The columns in which git marks a line of `parent`, the bit of one parent, where an earlier one has it, too. It counts them in a number
/// of 32 bits: the 32nd parent stands for all from there on, and each one behind it for the one 32 before.
fn mark(parent: Parents) -> Parents {
    match parent.trailing_zeros() {
        number @ 0..31 => 1 << number,
        31 => Parents::MAX << 31,
        number => mark(1 << (number % 32)),
    }
}
