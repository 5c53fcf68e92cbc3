//! Keeps an agent's call from losing records of tasks.

use super::{After, Coming};
use crate::error::Stop;
use crate::session::Context;
use crate::toolset::tasks::append_only::Before;

/// Looks where the branches are, and refuses what the tool has done where one has lost a record.
pub fn hook(context: &mut Context<'_>, coming: &Coming<'_>) -> Result<Option<After>, Stop> {
    if coming.is_fact {
        return Ok(None);
    }
    let before = Before::of(context.session, context.call, coming.reads)?;
    Ok(before.map(|before| -> After {
        Box::new(move |context, done| {
            let output = done?;
            before.ensure_kept(context.session, context.call, output.effect, context.embedding, context.deadline)?;
            Ok(output)
        })
    }))
}
