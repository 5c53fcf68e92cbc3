//! How far a call has come, as the host has it from the component.

use tools::ToolError;
use tools::dispatch::Finished;

use crate::error::Result;
use crate::sandbox::{Question, Step, wit};

/// The call is over and leaves no journal record.
pub fn done(outcome: std::result::Result<Finished, ToolError>) -> Step {
    let mut outcome = outcome;
    let pack = outcome.as_mut().map(|finished| std::mem::take(&mut finished.pack)).unwrap_or_default();
    Step::Done { outcome: outcome.map(convert::result).map_err(convert::error), record_size: 0, pack: pack.into() }
}

/// The call needs an answer.
pub fn ask(question: tools::Question) -> Result<Step> {
    let (wit::Question { key, body }, pack) = convert::question(question);
    Ok(Step::Ask { key, question: Question::new(body, |_| Ok(pack.into()))? })
}
