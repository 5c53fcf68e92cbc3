//! git's histogram diff: the rarest common run of lines splits both texts, and so on in the parts.
//!
//! Written after git's own, since the choice among equally rare runs decides what a reader sees.

use std::ops::Range;

use gix_imara_diff::{Algorithm, Diff, Token};

use crate::deadline::{Deadline, Interrupted, Ticker};

/// A line that stands more often than this in a part never starts a run.
const MOST_OCCURRENCES: u32 = 64;

/// Two parts that are to be compared, as ranges of lines.
#[derive(Clone)]
struct Region {
    old: Range<usize>,
    new: Range<usize>,
}

/// The pairs of lines that `before` and `after` have in common, as for each line of `before` the one
/// of `after`, or `None` if it was taken out. The pairs ascend on both sides.
///
/// `distinct` is one more than the highest token.
pub(crate) fn common_lines(
    before: &[Token],
    after: &[Token],
    distinct: u32,
    deadline: Deadline<'_>,
) -> Result<Vec<Option<usize>>, Interrupted> {
    let mut common = vec![None; before.len()];
    let mut search = Search {
        before,
        after,
        first: vec![None; distinct as usize],
        count: vec![0; distinct as usize],
        next: vec![None; before.len()],
        ticker: deadline.ticker(),
    };
    let mut open = vec![Region { old: 0..before.len(), new: 0..after.len() }];
    // The parts do not depend on each other, so a list stands for git's recursion.
    while let Some(region) = open.pop() {
        if region.old.is_empty() || region.new.is_empty() {
            continue;
        }
        match search.rarest_run(&region)? {
            Found::Nothing => {}
            Found::OnlyFrequentLines => {
                deadline.check()?;
                myers(before, after, &region, &mut common);
            }
            Found::Run(run) => {
                for (old, new) in run.old.clone().zip(run.new.clone()) {
                    common[old] = Some(new);
                }
                open.push(Region { old: region.old.start..run.old.start, new: region.new.start..run.new.start });
                open.push(Region { old: run.old.end..region.old.end, new: run.new.end..region.new.end });
            }
        }
    }
    Ok(common)
}

/// Compares a region by the other algorithm.
fn myers(before: &[Token], after: &[Token], region: &Region, common: &mut [Option<usize>]) {
    let (old, new) = (&before[region.old.clone()], &after[region.new.clone()]);
    let mut diff = Diff::default();
    diff.compute_with(Algorithm::Myers, old, new, 0);
    let index = |line| u32::try_from(line).expect("no text of more than 512 MiB is compared");
    let kept_new = (0..new.len()).filter(|&line| !diff.is_added(index(line)));
    let kept_old = (0..old.len()).filter(|&line| !diff.is_removed(index(line)));
    for (old, new) in kept_old.zip(kept_new) {
        common[region.old.start + old] = Some(region.new.start + new);
    }
}

enum Found {
    Run(Region),
    /// There are common lines, and each stands too often.
    OnlyFrequentLines,
    Nothing,
}

struct Search<'t, 'd> {
    before: &'t [Token],
    after: &'t [Token],
    /// Of the region of `before` at hand: where each token stands first, and how often.
    first: Vec<Option<usize>>,
    count: Vec<u32>,
    /// For each line of `before`, the next one like it in the region.
    next: Vec<Option<usize>>,
    ticker: Ticker<'d>,
}

/// The best run so far.
struct Best {
    run: Option<Region>,
    /// How often its rarest line stands in the region of `before`.
    count: u32,
    has_common: bool,
}

impl Best {
    /// A longer run is better, and so is a rarer one, whatever came before.
    fn offer(&mut self, run: Region, count: u32) {
        let longest = self.run.as_ref().map_or(1, |best| best.old.len());
        if longest < run.old.len() || count < self.count {
            self.run = Some(run);
            self.count = count;
        }
    }
}

impl Search<'_, '_> {
    fn rarest_run(&mut self, region: &Region) -> Result<Found, Interrupted> {
        self.index(region)?;
        let mut best = Best { run: None, count: MOST_OCCURRENCES + 1, has_common: false };
        let mut line = region.new.start;
        while line < region.new.end {
            self.ticker.tick()?;
            line = self.try_runs(region, line, &mut best)?;
        }
        for old in region.old.clone() {
            let token = self.before[old].0 as usize;
            (self.first[token], self.count[token]) = (None, 0);
        }
        Ok(match best.run {
            _ if best.has_common && best.count > MOST_OCCURRENCES => Found::OnlyFrequentLines,
            Some(run) => Found::Run(run),
            None => Found::Nothing,
        })
    }

    fn index(&mut self, region: &Region) -> Result<(), Interrupted> {
        for line in region.old.clone().rev() {
            self.ticker.tick()?;
            let token = self.before[line].0 as usize;
            self.next[line] = self.first[token].replace(line);
            self.count[token] += 1;
        }
        Ok(())
    }

    /// Offers the runs around each occurrence of the line `new`, and returns the line after the
    /// furthest of them, where the search goes on.
    fn try_runs(&mut self, region: &Region, new: usize, best: &mut Best) -> Result<usize, Interrupted> {
        let token = self.after[new].0 as usize;
        let mut beyond = new + 1;
        let Some(mut old) = self.first[token] else {
            return Ok(beyond);
        };
        best.has_common = true;
        if self.count[token] > best.count {
            return Ok(beyond);
        }
        loop {
            self.ticker.tick()?;
            let (run, count) = self.run_around(region, old, new);
            beyond = beyond.max(run.new.end);
            let end = run.old.end;
            best.offer(run, count);
            let mut next = self.next[old];
            while let Some(line) = next.filter(|&line| line < end) {
                next = self.next[line];
            }
            match next {
                Some(line) => old = line,
                None => return Ok(beyond),
            }
        }
    }

    /// The longest common run through `old` and `new`, and how often its rarest line stands.
    fn run_around(&self, region: &Region, old: usize, new: usize) -> (Region, u32) {
        let same = |&(a, b): &(usize, usize)| self.before[a] == self.after[b];
        let up = (region.old.start..old).rev().zip((region.new.start..new).rev()).take_while(same).count();
        let down = (old..region.old.end).zip(new..region.new.end).take_while(same).count();
        let run = Region { old: old - up..old + down, new: new - up..new + down };
        let count = self.before[run.old.clone()].iter().map(|token| self.count[token.0 as usize]).min();
        (run, count.expect("the run holds the line it is around"))
    }
}
