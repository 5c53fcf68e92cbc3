//! Merges the lines that several parents lost at one place.

use std::collections::HashMap;

use super::lcs::{Step, alignment};
use super::rows::{Lost, Parents};
use crate::deadline::{Deadline, Interrupted};

/// Adds to `lost` the lines `new` that one more parent lost at the same place. A line that both lost appears once.
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

/// The columns in which git marks a line of `parent` (one bit) that an earlier parent has too. git shifts a 32-bit number here: the 32nd
/// parent sets all columns from its own on, and each later parent sets the column of the parent 32 before it.
fn mark(parent: Parents) -> Parents {
    match parent.trailing_zeros() {
        number @ 0..31 => 1 << number,
        31 => Parents::MAX << 31,
        number => mark(1 << (number % 32)),
    }
}
