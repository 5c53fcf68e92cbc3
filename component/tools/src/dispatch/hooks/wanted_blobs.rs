//! Asks for the objects that a call missed, if some target has them.

use super::{After, Coming};
use crate::error::Stop;
use crate::git::staged::wanted_blobs;
use crate::session::Context;

/// Where a question is asked, what the tool has done is ignored: it runs again once the objects are here.
pub fn hook(_: &mut Context<'_>, coming: &Coming<'_>) -> Result<Option<After>, Stop> {
    Ok((!coming.is_fact).then(|| -> After {
        Box::new(|context, done| match done {
            Err(Stop::Ask(_)) => done,
            done => ask(context).and(done),
        })
    }))
}

fn ask(context: &mut Context<'_>) -> Result<(), Stop> {
    let missed = std::mem::take(&mut *context.session.caches.repo.missed.borrow_mut());
    match missed.is_empty() {
        true => Ok(()),
        false => wanted_blobs::ask(&context.session.repo()?, missed, context.answers, context.deadline),
    }
}
