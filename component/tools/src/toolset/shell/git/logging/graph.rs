//! The lines to the left of a log (`--graph`).
//!
//! Each commit that is awaited has a lane. A commit is drawn in its own, which its parents take over. Where two lanes
//! then await the same commit, the right one moves left, a lane in a row, until both meet.

use std::collections::VecDeque;

use gix::ObjectId;

/// The graph so far.
#[derive(Default)]
pub struct Graph {
    /// The commits that are awaited, from left to right, each once.
    lanes: Vec<ObjectId>,
    /// Rows of the current commit that are still to be drawn.
    rows: VecDeque<String>,
    /// Lanes above its first row, which has the commit, while that is to be drawn.
    above: Option<usize>,
    /// Characters of a row.
    width: usize,
}

impl Graph {
    /// Goes on to the next commit, with its parents.
    pub fn update(&mut self, commit: ObjectId, mut parents: Vec<ObjectId>) {
        self.above = Some(self.lanes.len());
        let at = self.lanes.iter().position(|lane| *lane == commit).unwrap_or_else(|| {
            self.lanes.push(commit);
            self.lanes.len() - 1
        });
        let before = self.lanes.len();
        // A parent of a merge that the lane to the left awaits is reached at once.
        let left = at.checked_sub(1).map(|left| self.lanes[left]);
        let joined = parents.len() == 2 && parents.iter().any(|parent| Some(*parent) == left);
        if joined {
            parents.retain(|parent| Some(*parent) != left);
        }
        let count = parents.len();
        let mut edges = self.lanes.clone();
        edges.splice(at..=at, parents);
        self.width = 2 * before.max(edges.len());
        let (row, fans) = (self.row(), count > 1);
        let mut first = row.clone();
        for lane in 0..before {
            // What is right of a merge of many stands beside all its parents.
            let place = if lane > at { lane + count.saturating_sub(2) } else { lane };
            put(&mut first, 2 * place, if lane == at { '*' } else { '|' });
        }
        for place in 2 * at + 1..2 * (at + count.saturating_sub(2)) {
            put(&mut first, place, '-');
        }
        if count > 2 {
            put(&mut first, 2 * (at + count - 2), '.');
        }
        self.rows.push_back(self.fill(first));
        if fans || joined {
            let mut next = row;
            (0..=at).take(at + usize::from(count > 0)).for_each(|lane| put(&mut next, 2 * lane, '|'));
            if joined {
                put(&mut next, 2 * at - 1, '/');
            }
            for place in at + 1..edges.len() {
                match fans {
                    true => put(&mut next, 2 * place - 1, '\\'),
                    false => put(&mut next, 2 * place, '|'),
                }
            }
            self.rows.push_back(self.fill(next));
        }
        self.lanes = self.meet(edges);
    }

    /// Draws lanes until each stands where it belongs and awaits another commit than all others. Returns what they
    /// await.
    fn meet(&mut self, edges: Vec<ObjectId>) -> Vec<ObjectId> {
        let mut lanes: Vec<ObjectId> = Vec::new();
        for edge in &edges {
            if !lanes.contains(edge) {
                lanes.push(*edge);
            }
        }
        let goal = |edge: &ObjectId| lanes.iter().position(|lane| lane == edge).unwrap_or_default();
        let mut places: Vec<(usize, usize)> = edges.iter().map(goal).enumerate().collect();
        while places.iter().any(|(place, goal)| place > goal) {
            let mut row = self.row();
            for (place, goal) in &mut places {
                if *place > *goal {
                    put(&mut row, 2 * *place - 1, '/');
                    *place -= 1;
                } else {
                    put(&mut row, 2 * *place, '|');
                }
            }
            places.dedup();
            self.rows.push_back(self.fill(row));
        }
        lanes
    }

    fn row(&self) -> Vec<char> {
        vec![' '; self.width]
    }

    fn fill(&self, row: Vec<char>) -> String {
        row.into_iter().collect()
    }

    /// Whether the commit is drawn to its end.
    pub fn is_finished(&self) -> bool {
        self.rows.is_empty()
    }

    /// A row that leaves the commit as it is.
    pub fn padding(&mut self) -> String {
        if !self.rows.is_empty() && self.above.is_none() {
            return self.line();
        }
        let mut row = self.row();
        (0..self.above.unwrap_or(self.lanes.len())).for_each(|lane| put(&mut row, 2 * lane, '|'));
        self.fill(row)
    }

    /// The begin of the row that the commit is in, which has no end yet.
    pub fn up_to_commit(&mut self) -> String {
        self.above = None;
        self.line()
    }

    /// The begin of the next row.
    pub fn line(&mut self) -> String {
        match self.rows.pop_front() {
            Some(row) => row,
            None => self.padding(),
        }
    }

    /// What is left of the commit. The last row has no end.
    pub fn remainder(&mut self) -> String {
        Vec::from(std::mem::take(&mut self.rows)).join("\n")
    }
}

/// Draws a character, where there is room.
fn put(row: &mut Vec<char>, place: usize, character: char) {
    if place >= row.len() {
        row.resize(place + 1, ' ');
    }
    row[place] = character;
}
