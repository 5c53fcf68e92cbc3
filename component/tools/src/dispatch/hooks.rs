//! What happens around a call, whatever its tool. A hook looks before the tool runs, and says what to do with what the tool has done.

mod append_only;
mod fetched;
mod left_out;
mod wanted_blobs;

use serde_json::Value;

use crate::error::Stop;
use crate::output::Output;
use crate::session::Context;

/// A call on its way to its tool.
pub struct Coming<'c> {
    /// The arguments, a JSON object.
    pub arguments: &'c Value,
    /// Whether the tool never changes anything.
    pub reads: bool,
    /// Whether the call applies a fact from outside, which nothing may hinder.
    pub is_fact: bool,
}

/// What a tool has done.
pub type Done = Result<Output, Stop>;

/// What a hook makes of what the tool has done.
pub type After = Box<dyn FnOnce(&mut Context<'_>, Done) -> Done>;

type Hook = fn(&mut Context<'_>, &Coming<'_>) -> Result<Option<After>, Stop>;

/// In this order before the tool runs, and in the opposite order afterwards.
const HOOKS: &[Hook] = &[fetched::hook, wanted_blobs::hook, left_out::hook, append_only::hook];

/// Runs each hook before the tool runs.
pub fn before(context: &mut Context<'_>, coming: &Coming<'_>) -> Result<Vec<After>, Stop> {
    HOOKS.iter().filter_map(|hook| hook(context, coming).transpose()).collect()
}

/// Has each hook look at what the tool has done.
pub fn after(hooks: Vec<After>, context: &mut Context<'_>, done: Done) -> Done {
    hooks.into_iter().rev().fold(done, |done, after| after(context, done))
}
