//! The changed lines between two texts, as git finds them.

use gix_imara_diff::{Diff, InternedInput, Token};

use crate::deadline::{Deadline, Interrupted};
use crate::options::Options;
use crate::slider::{Slider, indent};

/// git trims a common tail in steps of this many bytes.
const TAIL_STEP: usize = 1024;

/// Two texts in lines, and which of them changed.
pub(crate) struct LineDiff<'a> {
    input: InternedInput<&'a [u8]>,
    diff: Diff,
}

impl<'a> LineDiff<'a> {
    /// Compares `old` and `new` line by line.
    pub(crate) fn of(mut old: &'a [u8], mut new: &'a [u8], options: &Options<'_>) -> Result<Self, Interrupted> {
        if options.context == 0 {
            // The lines cut off are never printed, but they would count in the heuristics that choose
            // among equally good results: to print what git prints, cut them as git does.
            (old, new) = without_common_tail(old, new);
        }
        let mut input = InternedInput::default();
        input.before = intern(old, &mut input, options.deadline)?;
        input.after = intern(new, &mut input, options.deadline)?;
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

    /// The lines of both texts, without the common tail where no context was asked for.
    pub(crate) fn into_lines(self) -> Lines<'a> {
        Lines(self.input)
    }
}

/// Two texts in lines. Equal lines are stored once.
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

fn intern<'a>(
    text: &'a [u8],
    input: &mut InternedInput<&'a [u8]>,
    deadline: Deadline<'_>,
) -> Result<Vec<Token>, Interrupted> {
    let mut ticker = deadline.ticker();
    text.split_inclusive(|&byte| byte == b'\n')
        .map(|line| {
            ticker.tick()?;
            Ok(input.interner.intern(line))
        })
        .collect()
}

/// Cuts whole kilobytes that both texts end with, and gives back the line that the cut went through.
fn without_common_tail<'a>(old: &'a [u8], new: &'a [u8]) -> (&'a [u8], &'a [u8]) {
    let steps =
        old.rchunks_exact(TAIL_STEP).zip(new.rchunks_exact(TAIL_STEP)).take_while(|(old, new)| old == new).count();
    let tail = &old[old.len() - steps * TAIL_STEP..];
    let kept = tail.iter().position(|&byte| byte == b'\n').map_or(tail.len(), |newline| newline + 1);
    let cut = tail.len() - kept;
    (&old[..old.len() - cut], &new[..new.len() - cut])
}
