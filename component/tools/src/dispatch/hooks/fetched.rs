//! Puts the objects that the host has fetched for a call where git looks for them.

use std::collections::BTreeSet;

use super::{After, Coming};
use crate::answer::{Answers, Fetched};
use crate::embedding::Embedding;
use crate::error::{Stop, ToolError};
use crate::git::staged::fetch::update_shallow;
use crate::output::Effect;
use crate::platform;
use crate::session::{Context, Session};

/// Objects that a reading tool fetched stay: nobody would undo them.
pub fn hook(context: &mut Context<'_>, coming: &Coming<'_>) -> Result<Option<After>, Stop> {
    place(context.session, context.answers, context.embedding)?;
    let has_only_fetched = coming.reads && context.answers.fetched().next().is_some();
    Ok(has_only_fetched.then(|| -> After { Box::new(|_, done| done.map(|output| output.effect(Effect::Fact))) }))
}

/// Puts what the answers brought where git looks for it. Doing it twice is harmless.
fn place(session: &mut Session, answers: &Answers, embedding: &mut dyn Embedding) -> Result<(), ToolError> {
    let mut shallow = BTreeSet::new();
    for fetched in answers.fetched() {
        place_packs(session, fetched, embedding)?;
        shallow.extend(fetched.shallow.iter().copied());
    }
    if answers.fetched().next().is_some() {
        session.forget();
        update_shallow(&session.repo()?, &shallow)?;
        session.forget();
    }
    Ok(())
}

fn place_packs(session: &Session, fetched: &Fetched, embedding: &mut dyn Embedding) -> Result<(), ToolError> {
    for attached in &fetched.packs {
        let base = session.pack_place(&attached.pack);
        if platform::stat(&base.with_extension("idx")).is_err() {
            embedding.place_attachment(&attached.pack, &base.with_extension("pack"))?;
            embedding.place_attachment(&attached.index, &base.with_extension("idx"))?;
        }
    }
    Ok(())
}
