//! Finds a longest common subsequence, and among several the one that git picks.
//!
//! git fills a table of lengths and walks back from its end. On equal lines it steps over both, otherwise towards the greater length, and
//! over the new line if the lengths are equal. Here each cell of a row is one bit, which says whether the length grows at this column, and
//! one step computes 64 columns. Only some rows are kept. The walk back computes the others again when it reaches them, so memory is the
//! square root of what the table would take.

use std::collections::HashMap;

use crate::deadline::{Deadline, Interrupted};

/// Computing this many words of a row takes about as long as one line takes elsewhere.
const WORDS_PER_UNIT: usize = 64;

/// The next step through the two sequences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// An item that both have.
    Both,
    /// An item of the old sequence.
    Old,
    /// An item of the new sequence.
    New,
}

/// The steps through both sequences, from first to last.
pub(super) fn alignment(old: &[u32], new: &[u32], deadline: Deadline<'_>) -> Result<Vec<Step>, Interrupted> {
    let equal_at_end = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let (old_rest, new_rest) = (&old[..old.len() - equal_at_end], &new[..new.len() - equal_at_end]);
    let equal_at_start = old_rest.iter().zip(new_rest).take_while(|(old, new)| old == new).count();
    let mut table = Table::new(&old_rest[equal_at_start..], &new_rest[equal_at_start..], deadline)?;
    let (mut row, mut column) = (old.len(), new.len());
    let mut steps = Vec::with_capacity(row.max(column));
    let mut ticker = deadline.ticker();
    while row > 0 || column > 0 {
        ticker.tick()?;
        let is_new = row == 0
            || column > 0 && {
                if old[row - 1] == new[column - 1] {
                    steps.push(Step::Both);
                    row -= 1;
                    column -= 1;
                    continue;
                }
                match (row.checked_sub(equal_at_start), column.checked_sub(equal_at_start)) {
                    (Some(row @ 1..), Some(column @ 1..)) => !table.grows(row, column, deadline)?,
                    // Within the common start, the length is the smaller of the two positions.
                    _ => column > row,
                }
            };
        if is_new {
            steps.push(Step::New);
            column -= 1;
        } else {
            steps.push(Step::Old);
            row -= 1;
        }
    }
    steps.reverse();
    Ok(steps)
}

/// The table of lengths. Row `r` and column `c` cover the first `r` old items and the first `c` new ones.
struct Table<'s> {
    old: &'s [u32],
    /// The columns of each new item, counted from zero.
    columns: HashMap<u32, Vec<usize>>,
    /// Words in a row. A clear bit says that the length grows.
    width: usize,
    /// Every this many rows, one is kept.
    height: usize,
    /// Row zero, and then every `height`-th row.
    kept: Vec<Vec<u64>>,
    /// The rows from one kept row, included, to the next.
    block: Vec<Vec<u64>>,
    /// The number of the kept row that `block` starts at.
    block_number: Option<usize>,
}

impl<'s> Table<'s> {
    fn new(old: &'s [u32], new: &[u32], deadline: Deadline<'_>) -> Result<Self, Interrupted> {
        let mut columns: HashMap<u32, Vec<usize>> = HashMap::new();
        for (column, number) in new.iter().enumerate() {
            columns.entry(*number).or_default().push(column);
        }
        let width = new.len().div_ceil(64);
        let height = old.len().isqrt().max(1);
        let mut table = Self { old, columns, width, height, kept: Vec::new(), block: Vec::new(), block_number: None };
        if width == 0 {
            return Ok(table);
        }
        let mut row = vec![u64::MAX; width];
        let mut scratch = vec![0; width];
        let mut ticker = deadline.ticker();
        for (index, number) in old.iter().enumerate() {
            if index.is_multiple_of(height) {
                table.kept.push(row.clone());
            }
            ticker.tick_by(1 + width / WORDS_PER_UNIT)?;
            table.advance(&mut row, *number, &mut scratch);
        }
        Ok(table)
    }

    /// Turns the previous row into the row of the old item `number`.
    fn advance(&self, row: &mut [u64], number: u32, scratch: &mut [u64]) {
        let Some(columns) = self.columns.get(&number) else { return };
        columns.iter().for_each(|column| scratch[column / 64] |= 1 << (column % 64));
        let mut carry = false;
        for (word, equal) in row.iter_mut().zip(scratch.iter()) {
            let (sum, over) = word.overflowing_add(*word & equal);
            let (sum, over_again) = sum.overflowing_add(u64::from(carry));
            carry = over || over_again;
            *word = sum | (*word & !equal);
        }
        columns.iter().for_each(|column| scratch[column / 64] = 0);
    }

    /// Whether the length at `row` and `column`, both counted from one, is greater than at the column before.
    fn grows(&mut self, row: usize, column: usize, deadline: Deadline<'_>) -> Result<bool, Interrupted> {
        let number = (row - 1) / self.height;
        if self.block_number != Some(number) {
            self.fill_block(number, deadline)?;
        }
        let row = &self.block[(row - 1) % self.height];
        Ok(row[(column - 1) / 64] >> ((column - 1) % 64) & 1 == 0)
    }

    fn fill_block(&mut self, number: usize, deadline: Deadline<'_>) -> Result<(), Interrupted> {
        let first = number * self.height;
        let mut row = self.kept[number].clone();
        let mut scratch = vec![0; self.width];
        let mut ticker = deadline.ticker();
        let mut block = Vec::with_capacity(self.height);
        for number in self.old.iter().skip(first).take(self.height) {
            ticker.tick_by(1 + self.width / WORDS_PER_UNIT)?;
            self.advance(&mut row, *number, &mut scratch);
            block.push(row.clone());
        }
        self.block = block;
        self.block_number = Some(number);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;

    /// The reference: a full table of lengths, and git's walk back through it.
    fn by_the_table(old: &[u32], new: &[u32]) -> Vec<Step> {
        let mut lengths = vec![vec![0; new.len() + 1]; old.len() + 1];
        for (row, a) in old.iter().enumerate() {
            for (column, b) in new.iter().enumerate() {
                lengths[row + 1][column + 1] = if a == b {
                    lengths[row][column] + 1
                } else {
                    lengths[row + 1][column].max(lengths[row][column + 1])
                };
            }
        }
        let (mut row, mut column) = (old.len(), new.len());
        let mut steps = Vec::new();
        while row > 0 || column > 0 {
            if row > 0 && column > 0 && old[row - 1] == new[column - 1] {
                (row, column) = (row - 1, column - 1);
                steps.push(Step::Both);
            } else if row == 0 || column > 0 && lengths[row][column - 1] >= lengths[row - 1][column] {
                column -= 1;
                steps.push(Step::New);
            } else {
                row -= 1;
                steps.push(Step::Old);
            }
        }
        steps.reverse();
        steps
    }

    #[test]
    fn the_way_is_that_of_the_whole_table() {
        for seed in 0..3000 {
            let mut random = Rng::with_seed(seed);
            let variety = 1 + random.u32(..12);
            let most = if seed % 20 == 0 { 300 } else { 20 };
            let mut sequence = || (0..random.usize(..most)).map(|_| random.u32(..variety)).collect::<Vec<_>>();
            let (old, new) = (sequence(), sequence());
            let steps = alignment(&old, &new, Deadline::none()).expect("no deadline is set");
            assert_eq!(steps, by_the_table(&old, &new), "seed {seed}: {old:?} {new:?}");
        }
    }
}
