//! The histogram diff of git.
//!
//! It takes the longest run of equal lines among those rarest in the old text, then does the same before and after it. The library's own
//! version counts differently from git, so it would choose other runs.

use gix_imara_diff::{Algorithm, Diff, Interner, Token};

use crate::deadline::{Deadline, Interrupted, Ticker};

/// Lines that occur more often cannot start a run.
const MOST_OCCURRENCES: u32 = 64;
/// No line at this place.
const NONE: u32 = u32::MAX;

/// The lines of the old text that the new one lacks, and the other way round.
pub(super) struct Changed {
    pub removed: Vec<bool>,
    pub added: Vec<bool>,
}

/// A part of both texts, as ranges.
#[derive(Clone, Copy)]
struct Part {
    old: (u32, u32),
    new: (u32, u32),
}

/// A run of equal lines.
#[derive(Clone, Copy)]
struct Run {
    old: u32,
    new: u32,
    length: u32,
}

/// What the comparison knows about a line within a part.
#[derive(Clone, Copy, Default)]
struct Seen {
    /// The part that this entry belongs to.
    part: u32,
    count: u32,
    first: u32,
}

struct Search<'t> {
    old: &'t [Token],
    new: &'t [Token],
    part: u32,
    seen: Vec<Seen>,
    /// For each old line, the next equal one.
    next: Vec<u32>,
    changed: Changed,
}

/// The outcome of searching a part.
enum Found {
    Run(Run),
    /// The texts have nothing in common.
    Nothing,
    /// Everything they have in common occurs too often.
    TooMuch,
}

/// Compares two texts of `tokens` different lines.
pub(super) fn changed(
    old: &[Token],
    new: &[Token],
    tokens: u32,
    deadline: Deadline<'_>,
) -> Result<Changed, Interrupted> {
    let mut search = Search {
        old,
        new,
        part: 0,
        seen: vec![Seen::default(); tokens as usize],
        next: vec![NONE; old.len()],
        changed: Changed { removed: vec![false; old.len()], added: vec![false; new.len()] },
    };
    let length = |text: &[Token]| u32::try_from(text.len()).expect("no text has so many lines");
    let mut ticker = deadline.ticker();
    let mut parts = vec![Part { old: (0, length(old)), new: (0, length(new)) }];
    while let Some(part) = parts.pop() {
        if part.old.0 == part.old.1 || part.new.0 == part.new.1 {
            search.differs(part);
            continue;
        }
        match search.find(part, &mut ticker)? {
            Found::Run(run) => {
                parts.push(Part { old: (run.old + run.length, part.old.1), new: (run.new + run.length, part.new.1) });
                parts.push(Part { old: (part.old.0, run.old), new: (part.new.0, run.new) });
            }
            Found::Nothing => search.differs(part),
            Found::TooMuch => {
                search.compare_otherwise(part);
                deadline.check()?;
            }
        }
    }
    Ok(search.changed)
}

impl Search<'_> {
    fn seen(&self, token: Token) -> Seen {
        let seen = self.seen[token.0 as usize];
        if seen.part == self.part { seen } else { Seen::default() }
    }

    fn find(&mut self, part: Part, ticker: &mut Ticker<'_>) -> Result<Found, Interrupted> {
        self.part += 1;
        for at in (part.old.0..part.old.1).rev() {
            ticker.tick()?;
            let token = self.old[at as usize];
            let seen = self.seen(token);
            self.next[at as usize] = if seen.count == 0 { NONE } else { seen.first };
            self.seen[token.0 as usize] = Seen { part: self.part, count: seen.count + 1, first: at };
        }
        let mut best = None;
        let mut least = MOST_OCCURRENCES + 1;
        let mut has_common = false;
        let mut at = part.new.0;
        while at < part.new.1 {
            ticker.tick()?;
            let seen = self.seen(self.new[at as usize]);
            has_common |= seen.count > 0;
            if seen.count == 0 || seen.count > least {
                at += 1;
                continue;
            }
            at = self.try_runs(part, at, seen, &mut best, &mut least);
        }
        Ok(match best {
            _ if has_common && least > MOST_OCCURRENCES => Found::TooMuch,
            Some(run) => Found::Run(run),
            None => Found::Nothing,
        })
    }

    /// Tries all runs through a line of the new text. Returns the line after the longest.
    fn try_runs(&self, part: Part, at: u32, seen: Seen, best: &mut Option<Run>, least: &mut u32) -> u32 {
        let is_same = |old: u32, new: u32| self.old[old as usize] == self.new[new as usize];
        let count = |old: u32| self.seen(self.old[old as usize]).count;
        let mut next_at = at + 1;
        let mut through = seen.first;
        while through != NONE {
            let (mut old, mut new, mut rarest) = (through, at, seen.count);
            while old > part.old.0 && new > part.new.0 && is_same(old - 1, new - 1) {
                (old, new) = (old - 1, new - 1);
                rarest = rarest.min(count(old));
            }
            let (mut old_end, mut new_end) = (through + 1, at + 1);
            while old_end < part.old.1 && new_end < part.new.1 && is_same(old_end, new_end) {
                rarest = rarest.min(count(old_end));
                (old_end, new_end) = (old_end + 1, new_end + 1);
            }
            next_at = next_at.max(new_end);
            let length = old_end - old;
            if best.is_none_or(|best| length > best.length) || rarest < *least {
                *best = Some(Run { old, new, length });
                *least = rarest;
            }
            through = self.next[through as usize];
            while through != NONE && through < old_end {
                through = self.next[through as usize];
            }
        }
        next_at
    }

    fn differs(&mut self, part: Part) {
        self.changed.removed[part.old.0 as usize..part.old.1 as usize].fill(true);
        self.changed.added[part.new.0 as usize..part.new.1 as usize].fill(true);
    }

    /// Compares a part with git's default algorithm.
    fn compare_otherwise(&mut self, part: Part) {
        // The comparison allocates room for every possible token, so the tokens of the part get new numbers.
        let mut local = Interner::new(0);
        let old = &self.old[part.old.0 as usize..part.old.1 as usize];
        let new = &self.new[part.new.0 as usize..part.new.1 as usize];
        let old: Vec<Token> = old.iter().map(|&line| local.intern(line)).collect();
        let new: Vec<Token> = new.iter().map(|&line| local.intern(line)).collect();
        let mut diff = Diff::default();
        diff.compute_with(Algorithm::Myers, &old, &new, local.num_tokens());
        for at in part.old.0..part.old.1 {
            self.changed.removed[at as usize] = diff.is_removed(at - part.old.0);
        }
        for at in part.new.0..part.new.1 {
            self.changed.added[at as usize] = diff.is_added(at - part.new.0);
        }
    }
}

impl Changed {
    /// In the library's form, so that the library can slide the changes.
    pub(super) fn into_diff(self) -> Diff {
        let mut number = 0;
        let mut fresh = || {
            number += 1;
            Token(number - 1)
        };
        // Texts that allow only one comparison: no line occurs twice in them.
        let old: Vec<Token> = self.removed.iter().map(|_| fresh()).collect();
        let mut kept = old.iter().zip(&self.removed).filter(|(_, removed)| !**removed).map(|(&token, _)| token);
        let new: Vec<Token> = self
            .added
            .iter()
            .map(|&added| if added { fresh() } else { kept.next().expect("what is kept is in both texts") })
            .collect();
        let mut diff = Diff::default();
        diff.compute_with(Algorithm::Myers, &old, &new, number);
        diff
    }
}
