//! Places a run of changed lines that could stand some lines higher or lower: git's indent
//! heuristic (`diff.indentHeuristic`).
//!
//! The weights are git's. They were found by rating positions in real histories.

use std::ops::{AddAssign, Range};

use gix_imara_diff::{SliderHeuristic, Token};

/// The furthest that a run may slide, in lines.
const FURTHEST_SLIDE: u32 = 100;
/// The heuristic treats deeper indentation as equal.
const DEEPEST_INDENT: i32 = 200;
/// The heuristic counts no more blank lines than this.
const MOST_BLANKS: i32 = 20;
const TAB_WIDTH: i32 = 8;

const START_OF_FILE_PENALTY: i32 = 1;
const END_OF_FILE_PENALTY: i32 = 21;
/// For each blank line around the split. It is negative, since blank lines separate unrelated code.
const BLANK_WEIGHT: i32 = -30;
/// For each blank line after the split.
const BLANK_AFTER_WEIGHT: i32 = 6;
/// The next line is indented more than the previous one; without and with blank lines around.
const INDENT_PENALTY: [i32; 2] = [-4, 10];
/// It is indented less, and starts a block.
const OUTDENT_PENALTY: [i32; 2] = [24, 17];
/// It is indented less, and starts no block.
const DEDENT_PENALTY: [i32; 2] = [23, 17];
/// The penalty that a difference in indentation outweighs.
const INDENT_WEIGHT: i32 = 60;

/// Chooses a run's position by the indentation of the lines around its two ends.
pub(crate) struct Slider<F> {
    /// The indentation of each distinct line, or `None` for a blank one.
    pub indent_of: F,
}

impl<F: Fn(Token) -> Option<i32>> SliderHeuristic for Slider<F> {
    fn best_slider_end(&mut self, tokens: &[Token], run: Range<u32>, earliest_end: u32) -> u32 {
        let length = run.end - run.start;
        let first = earliest_end.max(run.start.saturating_sub(1)).max(run.end.saturating_sub(FURTHEST_SLIDE));
        let score = |end: u32| {
            let mut score = self.split(tokens, end as usize).score();
            score += self.split(tokens, (end - length) as usize).score();
            score
        };
        let mut best = (score(first), first);
        for end in first + 1..=run.end {
            let candidate = score(end);
            // Among equally good positions the last wins.
            if candidate.badness_against(best.0) <= 0 {
                best = (candidate, end);
            }
        }
        best.1
    }
}

impl<F: Fn(Token) -> Option<i32>> Slider<F> {
    fn split(&self, tokens: &[Token], at: usize) -> Split {
        let (blanks_before, indent_before) = self.look(tokens[..at].iter().rev());
        let after = tokens.get(at + 1..).unwrap_or_default();
        let (blanks_after, indent_after) = self.look(after.iter());
        Split {
            at_end: at >= tokens.len(),
            indent: tokens.get(at).and_then(|&token| (self.indent_of)(token)),
            blanks_before,
            indent_before,
            blanks_after,
            indent_after,
        }
    }

    /// Counts blank lines up to the first other line, and returns that line's indentation.
    fn look<'t>(&self, lines: impl Iterator<Item = &'t Token>) -> (i32, Option<i32>) {
        let mut blanks = 0;
        for &line in lines {
            let indent = (self.indent_of)(line);
            if indent.is_some() {
                return (blanks, indent);
            }
            blanks += 1;
            if blanks == MOST_BLANKS {
                return (blanks, Some(0));
            }
        }
        (blanks, None)
    }
}

/// The surroundings of a position between two lines.
struct Split {
    at_end: bool,
    /// Of the line after the split; `None` if it is blank or missing.
    indent: Option<i32>,
    /// Between the split and the last line before it that is not blank.
    blanks_before: i32,
    indent_before: Option<i32>,
    /// Between the line after the split and the next one that is not blank.
    blanks_after: i32,
    indent_after: Option<i32>,
}

impl Split {
    fn score(&self) -> Score {
        let blanks_after = if self.indent.is_none() { 1 + self.blanks_after } else { 0 };
        let blanks = self.blanks_before + blanks_after;
        let mut penalty = BLANK_WEIGHT * blanks + BLANK_AFTER_WEIGHT * blanks_after;
        if self.indent_before.is_none() && self.blanks_before == 0 {
            penalty += START_OF_FILE_PENALTY;
        }
        if self.at_end {
            penalty += END_OF_FILE_PENALTY;
        }
        let indent = self.indent.or(self.indent_after);
        if let (Some(indent), Some(before)) = (indent, self.indent_before) {
            let by_blanks = usize::from(blanks != 0);
            if indent > before {
                penalty += INDENT_PENALTY[by_blanks];
            } else if indent < before {
                let starts_block = self.indent_after.is_some_and(|after| after > indent);
                penalty += if starts_block { OUTDENT_PENALTY[by_blanks] } else { DEDENT_PENALTY[by_blanks] };
            }
        }
        Score { indent: indent.unwrap_or(-1), penalty }
    }
}

/// The penalty of a position.
#[derive(Clone, Copy)]
struct Score {
    indent: i32,
    penalty: i32,
}

impl AddAssign for Score {
    fn add_assign(&mut self, other: Self) {
        self.indent += other.indent;
        self.penalty += other.penalty;
    }
}

impl Score {
    /// Positive if `self` is worse than `other`.
    fn badness_against(self, other: Self) -> i32 {
        INDENT_WEIGHT * (self.indent - other.indent).signum() + self.penalty - other.penalty
    }
}

/// The column at which a line's text starts, or `None` if it is blank. Form feeds and vertical tabs are
/// text to git.
pub(crate) fn indent(line: &[u8]) -> Option<i32> {
    let mut column = 0;
    for &byte in line {
        match byte {
            b' ' => column += 1,
            b'\t' => column += TAB_WIDTH - column % TAB_WIDTH,
            b'\n' | b'\r' => {}
            _ => return Some(column),
        }
        if column >= DEEPEST_INDENT {
            return Some(DEEPEST_INDENT);
        }
    }
    None
}
