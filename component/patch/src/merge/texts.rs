//! Splits three texts into lines, and compares two of them.

use std::ops::Range;

use gix_imara_diff::{Algorithm, Diff, Interner, Token};

use super::histogram;
use super::regions::{Region, side_by_side};
use super::{Engine, Options};
use crate::deadline::{Deadline, Interrupted};
use crate::hunk::Edit;

/// The three texts of a merge. Equal lines are equal tokens in all of them.
pub(super) struct Texts<'a> {
    interner: Interner<&'a [u8]>,
    pub base: Vec<Token>,
    pub ours: Vec<Token>,
    pub theirs: Vec<Token>,
    pub engine: Engine,
    deadline: Deadline<'a>,
}

impl<'a> Texts<'a> {
    pub(super) fn of(
        base: &'a [u8],
        ours: &'a [u8],
        theirs: &'a [u8],
        options: &Options<'a>,
    ) -> Result<Self, Interrupted> {
        let mut interner = Interner::new(0);
        let mut ticker = options.deadline.ticker();
        let mut lines = |text: &'a [u8]| {
            text.split_inclusive(|&byte| byte == b'\n')
                .map(|line| {
                    ticker.tick()?;
                    Ok(interner.intern(line))
                })
                .collect::<Result<Vec<_>, _>>()
        };
        let (base, ours, theirs) = (lines(base)?, lines(ours)?, lines(theirs)?);
        Ok(Texts { interner, base, ours, theirs, engine: options.engine, deadline: options.deadline })
    }

    /// The bytes of a line, with its end.
    pub(super) fn line(&self, token: Token) -> &'a [u8] {
        self.interner[token]
    }

    /// The changes of both sides, aligned.
    pub(super) fn regions(&self) -> Result<Vec<Region>, Interrupted> {
        let ours = self.edits(&self.base, &self.ours, self.interner.num_tokens())?;
        let theirs = self.edits(&self.base, &self.theirs, self.interner.num_tokens())?;
        Ok(side_by_side(&ours, &theirs, self))
    }

    /// The differences between a part of our text and a part of theirs.
    pub(super) fn differences(&self, ours: Range<usize>, theirs: Range<usize>) -> Result<Vec<Edit>, Interrupted> {
        // The comparison allocates room for every possible token, so the tokens of the two parts get new numbers.
        let mut local = Interner::new(0);
        let ours: Vec<Token> = self.ours[ours].iter().map(|&line| local.intern(line)).collect();
        let theirs: Vec<Token> = self.theirs[theirs].iter().map(|&line| local.intern(line)).collect();
        self.edits(&ours, &theirs, local.num_tokens())
    }

    fn edits(&self, old: &[Token], new: &[Token], tokens: u32) -> Result<Vec<Edit>, Interrupted> {
        let mut diff = match self.engine {
            Engine::MergeFile => {
                let mut diff = Diff::default();
                diff.compute_with(Algorithm::Myers, old, new, tokens);
                diff
            }
            Engine::Ort => histogram::changed(old, new, tokens, self.deadline)?.into_diff(),
        };
        self.deadline.check()?;
        // git ignores indentation when it compares lines for a merge.
        diff.postprocess_with(old, new, gix_imara_diff::NoSliderHeuristic);
        self.deadline.check()?;
        Ok(diff.hunks().map(|hunk| Edit { old: hunk.before, new: hunk.after }).collect())
    }
}
