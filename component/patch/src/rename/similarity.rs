//! Estimates how similar two files are.

use std::borrow::Cow;

use super::spans::Spans;
use super::{File, MAX_SCORE, Search};
use crate::change::is_regular;
use crate::deadline::{Deadline, Interrupted, Ticker};

/// What the estimate keeps of a file's content.
enum Known {
    Nothing,
    Absent,
    Content { size: u64, spans: Spans },
}

/// Estimates similarities, and reads each file once.
pub(super) struct Estimator<'s, 'p, F> {
    deleted: &'s [File<'p>],
    added: &'s [File<'p>],
    known_deleted: Vec<Known>,
    known_added: Vec<Known>,
    minimum_score: u32,
    deadline: Deadline<'s>,
    ticker: Ticker<'s>,
    blobs: F,
}

impl<'s, 'p, F> Estimator<'s, 'p, F> {
    pub(super) fn new(search: &Search<'s, 'p, '_>, minimum_score: u32, deadline: Deadline<'s>, blobs: F) -> Self {
        let unknown = |files: &[File<'_>]| files.iter().map(|_| Known::Nothing).collect();
        Self {
            deleted: search.deleted,
            added: search.added,
            known_deleted: unknown(search.deleted),
            known_added: unknown(search.added),
            minimum_score,
            deadline,
            ticker: deadline.ticker(),
            blobs,
        }
    }

    /// The lowest score of a rename.
    pub(super) fn minimum_score(&self) -> u32 {
        self.minimum_score
    }

    /// The share of the larger file that both have, or 0 if the sizes alone rule out `minimum`.
    /// Only regular files can be similar without being equal.
    pub(super) fn score<'b, E>(&mut self, deleted: usize, added: usize, minimum: u32) -> Result<u32, E>
    where
        F: FnMut(&File<'p>) -> Result<Option<Cow<'b, [u8]>>, E>,
        E: From<Interrupted>,
    {
        self.ticker.tick()?;
        let (old, new) = (&self.deleted[deleted], &self.added[added]);
        if !is_regular(old.mode) || !is_regular(new.mode) {
            return Ok(0);
        }
        let (deadline, blobs) = (self.deadline, &mut self.blobs);
        let old = read(&mut self.known_deleted[deleted], old, deadline, blobs)?;
        let new = read(&mut self.known_added[added], new, deadline, blobs)?;
        let (Some((old_size, old_spans)), Some((new_size, new_spans))) = (old, new) else {
            return Ok(0);
        };
        let (larger, smaller) = (old_size.max(new_size), old_size.min(new_size));
        let max_score = u64::from(MAX_SCORE);
        if larger * (max_score - u64::from(minimum)) < (larger - smaller) * max_score {
            return Ok(0);
        }
        if new_size == 0 {
            return Ok(0);
        }
        let score = old_spans.common(new_spans) * max_score / larger;
        Ok(u32::try_from(score).expect("no more can be common than the larger file has"))
    }

    /// Drops what was kept of a new path that nobody asks for again.
    pub(super) fn forget_added(&mut self, added: usize) {
        self.known_added[added] = Known::Nothing;
    }
}

fn read<'k, 'p, 'b, E: From<Interrupted>>(
    known: &'k mut Known,
    file: &File<'p>,
    deadline: Deadline<'_>,
    blobs: &mut impl FnMut(&File<'p>) -> Result<Option<Cow<'b, [u8]>>, E>,
) -> Result<Option<(u64, &'k Spans)>, E> {
    if matches!(known, Known::Nothing) {
        *known = match blobs(file)? {
            None => Known::Absent,
            Some(content) => Known::Content { size: content.len() as u64, spans: Spans::of(&content, deadline)? },
        };
    }
    Ok(match known {
        Known::Content { size, spans } => Some((*size, spans)),
        Known::Nothing | Known::Absent => None,
    })
}
