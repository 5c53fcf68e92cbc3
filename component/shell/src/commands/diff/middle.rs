//! The longest common part of two texts, as Myers finds it: from both ends at once, so that it takes little memory.

use super::script::Work;
use crate::world::Halt;

/// Edits after which a search takes the best it has found.
const EXPENSIVE: usize = 4096;

/// A search in two texts.
pub struct Search<'a> {
    old: &'a [u32],
    new: &'a [u32],
    /// What is not in the common part.
    pub changed: [Vec<bool>; 2],
    /// How far each diagonal was followed from the beginning, and from the end.
    ahead: Vec<isize>,
    back: Vec<isize>,
    expensive: usize,
    work: Work<'a>,
}

/// Where a search is split in two, and whether either half must be the smallest.
struct Split {
    old: isize,
    new: isize,
    minimal: (bool, bool),
}

/// A part of both texts.
#[derive(Clone, Copy)]
struct Area {
    left: isize,
    right: isize,
    top: isize,
    bottom: isize,
}

/// The diagonals that were looked at in one direction.
struct Band {
    low: isize,
    high: isize,
}

impl Band {
    /// Takes in a diagonal on each side, or leaves one out where the area ends. Where it takes one in, the diagonal next to that has
    /// nothing yet.
    fn widen(&mut self, area: Area, reached: &mut [isize], offset: isize, nothing: isize) {
        let (least, most) = (area.left - area.bottom, area.right - area.top);
        if self.low > least {
            self.low -= 1;
            reached[index(self.low - 1, offset)] = nothing;
        } else {
            self.low += 1;
        }
        if self.high < most {
            self.high += 1;
            reached[index(self.high + 1, offset)] = nothing;
        } else {
            self.high -= 1;
        }
    }

    fn diagonals(&self) -> impl Iterator<Item = isize> + use<> {
        let low = self.low;
        std::iter::successors(Some(self.high), |diagonal| Some(diagonal - 2))
            .take_while(move |diagonal| *diagonal >= low)
    }

    fn has(&self, diagonal: isize) -> bool {
        self.low <= diagonal && diagonal <= self.high
    }
}

fn index(diagonal: isize, offset: isize) -> usize {
    usize::try_from(diagonal + offset).expect("there is room for every diagonal")
}

fn signed(line: usize) -> isize {
    isize::try_from(line).expect("texts fit in memory")
}

fn unsigned(line: isize) -> usize {
    usize::try_from(line).expect("lines are not negative")
}

impl<'a> Search<'a> {
    /// One in these texts.
    pub fn new(old: &'a [u32], new: &'a [u32], work: Work<'a>) -> Search<'a> {
        let diagonals = old.len() + new.len() + 3;
        let root = 1_usize << (usize::BITS - diagonals.leading_zeros()).div_ceil(2);
        Search {
            old,
            new,
            changed: [vec![false; old.len()], vec![false; new.len()]],
            ahead: vec![0; diagonals],
            back: vec![0; diagonals],
            expensive: root.max(EXPENSIVE),
            work,
        }
    }

    /// Marks what is not common to these parts.
    pub fn compare(&mut self, left: usize, right: usize, top: usize, bottom: usize, minimal: bool) -> Result<(), Halt> {
        let area = Area { left: signed(left), right: signed(right), top: signed(top), bottom: signed(bottom) };
        // A stack, since a text may be split very unevenly.
        let mut areas = vec![(area, minimal)];
        while let Some((mut area, minimal)) = areas.pop() {
            (self.work)(1)?;
            while area.left < area.right && area.top < area.bottom && self.equal(area.left, area.top) {
                area.left += 1;
                area.top += 1;
            }
            while area.left < area.right && area.top < area.bottom && self.equal(area.right - 1, area.bottom - 1) {
                area.right -= 1;
                area.bottom -= 1;
            }
            if area.left == area.right || area.top == area.bottom {
                self.changed[0][unsigned(area.left)..unsigned(area.right)].fill(true);
                self.changed[1][unsigned(area.top)..unsigned(area.bottom)].fill(true);
                continue;
            }
            let split = self.split(area, minimal)?;
            areas.push((Area { left: split.old, top: split.new, ..area }, split.minimal.1));
            areas.push((Area { right: split.old, bottom: split.new, ..area }, split.minimal.0));
        }
        Ok(())
    }

    fn equal(&self, old: isize, new: isize) -> bool {
        self.old[unsigned(old)] == self.new[unsigned(new)]
    }

    /// A place on a shortest way through the area, about in its middle.
    fn split(&mut self, area: Area, minimal: bool) -> Result<Split, Halt> {
        let offset = signed(self.new.len()) + 1;
        let (first, last) = (area.left - area.top, area.right - area.bottom);
        let odd = (first - last) % 2 != 0;
        let mut forward = Band { low: first, high: first };
        let mut backward = Band { low: last, high: last };
        self.ahead[index(first, offset)] = area.left;
        self.back[index(last, offset)] = area.right;
        for cost in 1.. {
            (self.work)(u32::try_from(cost / 8 + 1).unwrap_or(u32::MAX))?;
            forward.widen(area, &mut self.ahead, offset, -1);
            for diagonal in forward.diagonals() {
                let old = self.forward(area, diagonal, offset);
                if odd && backward.has(diagonal) && self.back[index(diagonal, offset)] <= old {
                    return Ok(Split { old, new: old - diagonal, minimal: (true, true) });
                }
            }
            backward.widen(area, &mut self.back, offset, isize::MAX);
            for diagonal in backward.diagonals() {
                let old = self.backward(area, diagonal, offset);
                if !odd && forward.has(diagonal) && old <= self.ahead[index(diagonal, offset)] {
                    return Ok(Split { old, new: old - diagonal, minimal: (true, true) });
                }
            }
            if !minimal && cost >= self.expensive {
                return Ok(self.best(area, &forward, &backward, offset));
            }
        }
        unreachable!("the ways from both ends meet")
    }

    fn forward(&mut self, area: Area, diagonal: isize, offset: isize) -> isize {
        let at = index(diagonal, offset);
        let (below, above) = (self.ahead[at - 1], self.ahead[at + 1]);
        let mut old = if below < above { above } else { below + 1 };
        while old < area.right && old - diagonal < area.bottom && self.equal(old, old - diagonal) {
            old += 1;
        }
        self.ahead[at] = old;
        old
    }

    fn backward(&mut self, area: Area, diagonal: isize, offset: isize) -> isize {
        let at = index(diagonal, offset);
        let (below, above) = (self.back[at - 1], self.back[at + 1]);
        let mut old = if below < above { below } else { above - 1 };
        while area.left < old && area.top < old - diagonal && self.equal(old - 1, old - diagonal - 1) {
            old -= 1;
        }
        self.back[at] = old;
        old
    }

    /// The place that is farthest from where it was reached.
    fn best(&self, area: Area, forward: &Band, backward: &Band, offset: isize) -> Split {
        let (mut far, mut far_old) = (-1, area.left);
        for diagonal in forward.diagonals() {
            let mut old = self.ahead[index(diagonal, offset)].min(area.right);
            if old - diagonal > area.bottom {
                old = area.bottom + diagonal;
            }
            if 2 * old - diagonal > far {
                (far, far_old) = (2 * old - diagonal, old);
            }
        }
        let (mut near, mut near_old) = (isize::MAX, area.right);
        for diagonal in backward.diagonals() {
            let mut old = self.back[index(diagonal, offset)].max(area.left);
            if old - diagonal < area.top {
                old = area.top + diagonal;
            }
            if 2 * old - diagonal < near {
                (near, near_old) = (2 * old - diagonal, old);
            }
        }
        if area.right + area.bottom - near < far - area.left - area.top {
            Split { old: far_old, new: far - far_old, minimal: (true, false) }
        } else {
            Split { old: near_old, new: near - near_old, minimal: (false, true) }
        }
    }
}
