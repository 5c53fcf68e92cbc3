//! Where a hunk fits.

use bstr::ByteSlice;

use super::hunk::Hunk;
use super::target::Target;
use crate::exec::Call;
use crate::world::Halt;

/// How a place is looked for.
#[derive(Clone, Copy)]
pub struct How {
    /// How many lines of context need not match.
    pub fuzz: usize,
    /// Whether blanks are all alike.
    pub loose: bool,
}

struct Search<'a> {
    target: &'a Target,
    lines: Vec<&'a [u8]>,
    guess: isize,
    loose: bool,
}

/// The line before which a hunk fits, which is nearest to where it says.
/// Notes how far that is away, for the hunks behind it.
pub fn find(target: &mut Target, hunk: &Hunk, how: How, call: &Call<'_>) -> Result<Option<usize>, Halt> {
    let guess = signed(hunk.old_first) + target.drift;
    let lines = hunk.old();
    if lines.is_empty() {
        // Nothing fits everywhere.
        return Ok(Some(usize::try_from(guess.max(1)).expect("it is at least 1")));
    }
    let search = Search { target, lines, guess, loose: how.loose };
    let Some(offset) = search.offset(hunk, how.fuzz, call)? else { return Ok(None) };
    target.drift += offset;
    Ok(usize::try_from(guess + offset).ok())
}

fn signed(number: usize) -> isize {
    isize::try_from(number).expect("a file and the numbers in a patch have not so many lines")
}

impl Search<'_> {
    /// How far from the guess it fits.
    fn offset(&self, hunk: &Hunk, fuzz: usize, call: &Call<'_>) -> Result<Option<isize>, Halt> {
        let (prefix, suffix) = (signed(hunk.prefix()), signed(hunk.suffix()));
        let context = prefix.max(suffix);
        let before = signed(fuzz) + prefix - context;
        let behind = signed(fuzz) + suffix - context;
        let (count, there) = (signed(self.lines.len()), signed(self.target.count()));
        let least = signed(self.target.frozen) + 1;
        let most = there - (count - behind.max(0)) + 1;
        // Less context before than behind: the file began there.
        if before < 0 && hunk.old_first <= 1 {
            if behind < 0 && (count != there || prefix < signed(self.target.frozen)) {
                return Ok(None);
            }
            let offset = 1 - self.guess;
            let free = signed(self.target.frozen) <= prefix && self.guess + offset <= most;
            let fits = free && self.fits(offset, 0, behind, call)?;
            return Ok(fits.then_some(offset));
        }
        let before = before.max(0);
        // Less context behind than before: the file ended there.
        if behind < 0 {
            let offset = there - count + 1 - self.guess;
            let fits = self.guess + offset >= least && self.fits(offset, before, 0, call)?;
            return Ok(fits.then_some(offset));
        }
        self.nearest(least, most, before, behind, call)
    }

    fn nearest(
        &self,
        least: isize,
        most: isize,
        before: isize,
        behind: isize,
        call: &Call<'_>,
    ) -> Result<Option<isize>, Halt> {
        let forwards = most - self.guess;
        let backwards = self.guess - least.max(1);
        if forwards >= 0 && self.guess >= 1 && self.fits(0, before, behind, call)? {
            return Ok(Some(0));
        }
        // Neither before the first line nor behind the last one.
        let first = (self.guess - most).max(1 - self.guess).max(1);
        for offset in first..=forwards.max(backwards) {
            if offset <= forwards && self.fits(offset, before, behind, call)? {
                return Ok(Some(offset));
            }
            if offset <= backwards && self.fits(-offset, before, behind, call)? {
                return Ok(Some(-offset));
            }
        }
        Ok(None)
    }

    /// Whether it fits there, but for so many lines before and behind.
    fn fits(&self, offset: isize, before: isize, behind: isize, call: &Call<'_>) -> Result<bool, Halt> {
        let (before, behind) = (before.unsigned_abs(), behind.unsigned_abs());
        let end = self.lines.len().saturating_sub(behind);
        let place = self.guess + offset;
        call.work(1)?;
        for at in before..end {
            let number = usize::try_from(place + signed(at)).unwrap_or(0);
            let Some(line) = self.target.line(number) else { return Ok(false) };
            if !self.alike(line, self.lines[at]) {
                return Ok(false);
            }
            call.work(1)?;
        }
        Ok(true)
    }

    fn alike(&self, line: &[u8], wanted: &[u8]) -> bool {
        line == wanted || self.loose && collapsed(line).eq(collapsed(wanted))
    }
}

/// A line whose blanks are one blank each, and none at its end.
fn collapsed(line: &[u8]) -> impl Iterator<Item = u8> {
    let blank = |byte: &u8| matches!(*byte, b' ' | b'\t' | b'\n');
    let line = line.trim_end_with(|char| matches!(char, ' ' | '\t' | '\n'));
    line.iter().enumerate().filter_map(move |(at, byte)| match (blank(byte), at > 0 && blank(&line[at - 1])) {
        (true, true) => None,
        (true, false) => Some(b' '),
        (false, _) => Some(*byte),
    })
}
