//! Journals of a random history, then cut, flipped, reordered or forged; and the deltas in them.

mod damage;
mod deltas;
mod forgery;
mod life;

use vfs::Bytes;
use vfs::journal::{Attachments, JournalError};
use vfs::timeline::{ReplayReport, Replayer, Timeline, UndoLimits};

use self::life::Life;
use crate::choices::Choices;

/// Takes any bytes. The first says whether the rest is a journal, or choices to build and damage one.
pub fn journal(input: &[u8]) {
    let mut choices = Choices::of(input);
    match choices.below(6) {
        0 => forgery::hostile(None, choices.rest(), 1),
        1 => deltas::deltas(&mut choices),
        2 => {
            let life = Life::live(&mut choices);
            forgery::forged(&mut choices, &life);
        }
        _ => {
            let life = Life::live(&mut choices);
            damage::damaged(&mut choices, &life);
        }
    }
}

fn read(
    journal: &[u8],
    attachments: &Attachments,
    limits: UndoLimits,
    chunk: usize,
) -> Result<(Timeline, ReplayReport), JournalError> {
    let mut replayer = Replayer::new(None, limits, attachments.clone());
    for chunk in journal.chunks(chunk.max(1)) {
        replayer.feed(Bytes::copy_from_slice(chunk))?;
    }
    replayer.finish()
}
