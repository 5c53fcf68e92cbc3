//! What has to change for one text to become another: the changes that GNU's diff finds.

use super::confusing;
use super::middle::Search;
use crate::world::Halt;

/// Lines of the old text that give way to lines of the new one. Either may be none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The first line of the old text.
    pub old: usize,
    /// How many lines of it.
    pub gone: usize,
    /// The first line of the new text.
    pub new: usize,
    /// How many lines of it.
    pub come: usize,
    /// Whether the change does not matter.
    pub ignored: bool,
}

/// What counts work.
pub type Work<'a> = &'a dyn Fn(u32) -> Result<(), Halt>;

/// Which lines of a text change. There is one that does not ahead of the first, and one behind the last.
#[derive(Debug)]
pub struct Marks(Vec<bool>);

impl Marks {
    fn new(count: usize) -> Marks {
        Marks(vec![false; count + 2])
    }

    /// Whether a line changes. Lines are counted from 1 here.
    fn has(&self, line: usize) -> bool {
        self.0[line]
    }

    fn set(&mut self, line: usize, changes: bool) {
        self.0[line] = changes;
    }
}

/// The changes between two texts, whose equal lines have equal numbers.
pub fn changes(old: &[u32], new: &[u32], minimal: bool, work: Work<'_>) -> Result<Vec<Change>, Halt> {
    work(u32::try_from((old.len() + new.len()) / 16 + 1).unwrap_or(u32::MAX))?;
    let head = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    let (old, new) = (&old[head..], &new[head..]);
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(|(one, other)| one == other).count();
    let (old, new) = (&old[..old.len() - tail], &new[..new.len() - tail]);
    let mut marks = marked(old, new, minimal, work)?;
    let [gone, come] = &mut marks;
    shift(old, gone, come, work)?;
    shift(new, come, gone, work)?;
    Ok(collected(&marks, head, old.len(), new.len()))
}

/// Marks what the longest common part of both lacks.
fn marked(old: &[u32], new: &[u32], minimal: bool, work: Work<'_>) -> Result<[Marks; 2], Halt> {
    let kept = match minimal {
        true => [(0..old.len()).collect(), (0..new.len()).collect()],
        false => [confusing::kept(old, new), confusing::kept(new, old)],
    };
    let texts = [old, new];
    let lines = [0, 1].map(|side| kept[side].iter().map(|line| texts[side][*line]).collect::<Vec<u32>>());
    let mut search = Search::new(&lines[0], &lines[1], work);
    search.compare(0, lines[0].len(), 0, lines[1].len(), minimal)?;
    let mut marks = [Marks::new(old.len()), Marks::new(new.len())];
    for side in [0, 1] {
        // What was left out of the search changes.
        marks[side].0[1..=texts[side].len()].fill(true);
        for (line, changes) in kept[side].iter().zip(&search.changed[side]) {
            marks[side].set(line + 1, *changes);
        }
    }
    Ok(marks)
}

/// Moves every run of changed lines as far down as equal lines let it, unless it can stand beside a change of the other
/// text: then there. Runs that meet become one.
fn shift(lines: &[u32], here: &mut Marks, there: &mut Marks, work: Work<'_>) -> Result<(), Halt> {
    let (end, last) = (lines.len() + 1, there.0.len() - 1);
    // The lines at `at` and `beside` stand beside each other, if both do not change.
    let (mut at, mut beside) = (1, 1);
    loop {
        while at < end && !here.has(at) {
            while there.has(beside) {
                beside += 1;
            }
            beside += 1;
            at += 1;
        }
        if at >= end {
            return Ok(());
        }
        let mut start = at;
        while here.has(at) {
            at += 1;
        }
        while there.has(beside) {
            beside += 1;
        }
        let mut corresponding;
        loop {
            let length = at - start;
            work(u32::try_from(length / 16 + 1).unwrap_or(u32::MAX))?;
            while start > 1 && lines[start - 2] == lines[at - 2] {
                start -= 1;
                at -= 1;
                here.set(start, true);
                here.set(at, false);
                while here.has(start - 1) {
                    start -= 1;
                }
                beside -= 1;
                while there.has(beside) {
                    beside -= 1;
                }
            }
            corresponding = if there.has(beside - 1) { at } else { end };
            while at < end && lines[start - 1] == lines[at - 1] {
                here.set(start, false);
                here.set(at, true);
                start += 1;
                at += 1;
                while here.has(at) {
                    at += 1;
                }
                beside += 1;
                while beside <= last && there.has(beside) {
                    corresponding = at;
                    beside += 1;
                }
            }
            if length == at - start {
                break;
            }
        }
        while corresponding < at {
            start -= 1;
            at -= 1;
            here.set(start, true);
            here.set(at, false);
            beside -= 1;
            while there.has(beside) {
                beside -= 1;
            }
        }
    }
}

fn collected(marks: &[Marks; 2], head: usize, old: usize, new: usize) -> Vec<Change> {
    let mut changes = Vec::new();
    let (mut at, mut beside) = (1, 1);
    while at <= old || beside <= new {
        let (from, other) = (at, beside);
        while marks[0].has(at) {
            at += 1;
        }
        while marks[1].has(beside) {
            beside += 1;
        }
        let (gone, come) = (at - from, beside - other);
        if gone + come > 0 {
            changes.push(Change { old: head + from - 1, gone, new: head + other - 1, come, ignored: false });
        }
        at += 1;
        beside += 1;
    }
    changes
}
