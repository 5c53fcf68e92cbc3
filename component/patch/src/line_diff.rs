//! Finds the changed lines between two texts as git does.

use bstr::ByteSlice;
use gix_imara_diff::{Diff, InternedInput, Token};

use crate::deadline::{Deadline, Interrupted};
use crate::options::Options;
use crate::slider::{Slider, indent};

/// git trims a common tail in steps of this many bytes.
const TAIL_STEP: usize = 1024;

/// Compares texts this many bytes at a time, and then byte by byte.
const COMMON_STEP: usize = 64;

/// The expected length of a line in bytes, to reserve room for lines.
const LIKELY_LINE: usize = 32;

/// Two texts split into lines, and which lines changed.
pub(crate) struct LineDiff<'a> {
    input: InternedInput<&'a [u8]>,
    diff: Diff,
}

impl<'a> LineDiff<'a> {
    /// Compares `old` and `new` line by line.
    pub(crate) fn of(mut old: &'a [u8], mut new: &'a [u8], options: &Options<'_>) -> Result<Self, Interrupted> {
        if options.context == 0 {
            // The lines cut off are never printed, but they would count in the heuristics that
            // choose among equally good results. So cut them as git does.
            (old, new) = without_common_tail(old, new);
        }
        let input = intern(old, new, options.deadline)?;
        let mut diff = Diff::compute(gix_imara_diff::Algorithm::Myers, &input);
        options.deadline.check()?;
        let indent_of = |token| indent(input.interner[token]);
        diff.postprocess_with_heuristic(&input, Slider { indent_of });
        options.deadline.check()?;
        Ok(Self { input, diff })
    }

    /// The runs of changed lines, from first to last.
    pub(crate) fn edits(&self) -> impl Iterator<Item = crate::hunk::Edit> {
        self.diff.hunks().map(|hunk| crate::hunk::Edit { old: hunk.before, new: hunk.after })
    }

    pub(crate) fn added(&self) -> u64 {
        self.diff.count_additions().into()
    }

    pub(crate) fn deleted(&self) -> u64 {
        self.diff.count_removals().into()
    }

    /// The lines of both texts, without the common tail if no context was asked for.
    pub(crate) fn into_lines(self) -> Lines<'a> {
        Lines(self.input)
    }
}

/// Two texts split into lines. Equal lines are stored once.
pub(crate) struct Lines<'a>(InternedInput<&'a [u8]>);

impl<'a> Lines<'a> {
    pub(crate) fn old_line(&self, index: u32) -> &'a [u8] {
        self.0.interner[self.0.before[index as usize]]
    }

    pub(crate) fn new_line(&self, index: u32) -> &'a [u8] {
        self.0.interner[self.0.after[index as usize]]
    }

    pub(crate) fn old_len(&self) -> u32 {
        length(&self.0.before)
    }

    pub(crate) fn new_len(&self) -> u32 {
        length(&self.0.after)
    }
}

fn length(tokens: &[Token]) -> u32 {
    u32::try_from(tokens.len()).expect("no text of more than 512 MiB is compared")
}

/// The lines of both texts. Lines of `new` in the common head or tail are not looked up again.
fn intern<'a>(old: &'a [u8], new: &'a [u8], deadline: Deadline<'_>) -> Result<InternedInput<&'a [u8]>, Interrupted> {
    let mut input = InternedInput::default();
    let lines = 1 + old.len() / LIKELY_LINE;
    input.before.reserve(lines);
    input.after.reserve(lines);
    input.interner.reserve(lines);
    let mut ticker = deadline.ticker();
    let common = Common::of(old, new);
    let parts = [&old[..common.head], &old[common.head..old.len() - common.tail], &old[old.len() - common.tail..]];
    let mut ends = [0; 3];
    for (part, end) in parts.into_iter().zip(&mut ends) {
        for line in part.lines_with_terminator() {
            ticker.tick()?;
            input.before.push(input.interner.intern(line));
        }
        *end = input.before.len();
    }
    input.after.extend_from_slice(&input.before[..ends[0]]);
    for line in new[common.head..new.len() - common.tail].lines_with_terminator() {
        ticker.tick()?;
        input.after.push(input.interner.intern(line));
    }
    input.after.extend_from_slice(&input.before[ends[1]..]);
    Ok(input)
}

/// The whole lines that two texts share at both ends.
struct Common {
    /// Bytes at the beginning, up to and including a newline.
    head: usize,
    /// Bytes at the end, from after a newline; they do not overlap the head.
    tail: usize,
}

impl Common {
    fn of(old: &[u8], new: &[u8]) -> Common {
        let steps = old.chunks_exact(COMMON_STEP).zip(new.chunks_exact(COMMON_STEP));
        let at = steps.take_while(|(old, new)| old == new).count() * COMMON_STEP;
        let rest = old[at..].iter().zip(&new[at..]).take_while(|(old, new)| old == new).count();
        let head = old[..at + rest].rfind_byte(b'\n').map_or(0, |newline| newline + 1);
        let (old, new) = (&old[head..], &new[head..]);
        let steps = old.rchunks_exact(COMMON_STEP).zip(new.rchunks_exact(COMMON_STEP));
        let at = steps.take_while(|(old, new)| old == new).count() * COMMON_STEP;
        let (before, after) = (&old[..old.len() - at], &new[..new.len() - at]);
        let rest = before.iter().rev().zip(after.iter().rev()).take_while(|(old, new)| old == new).count();
        let ending = &old[old.len() - at - rest..];
        let tail = ending.find_byte(b'\n').map_or(0, |newline| ending.len() - newline - 1);
        Common { head, tail }
    }
}

/// Cuts whole kilobytes that both texts end with, then restores the line that the cut went through.
fn without_common_tail<'a>(old: &'a [u8], new: &'a [u8]) -> (&'a [u8], &'a [u8]) {
    let steps =
        old.rchunks_exact(TAIL_STEP).zip(new.rchunks_exact(TAIL_STEP)).take_while(|(old, new)| old == new).count();
    let tail = &old[old.len() - steps * TAIL_STEP..];
    let kept = tail.iter().position(|&byte| byte == b'\n').map_or(tail.len(), |newline| newline + 1);
    let cut = tail.len() - kept;
    (&old[..old.len() - cut], &new[..new.len() - cut])
}
