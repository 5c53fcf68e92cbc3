//! Explains that a sparse sandbox has left out a file that a call did not find.

use super::{After, Coming};
use crate::error::{ErrorKind, Stop, ToolError};
use crate::git::worktree::sparse;
use crate::session::Context;

/// The arguments that name a file or folder.
const NAMING: [&str; 3] = ["path", "from", "file"];

/// Explains the error of a call that named something.
pub fn hook(_: &mut Context<'_>, coming: &Coming<'_>) -> Result<Option<After>, Stop> {
    let named = NAMING.iter().find_map(|argument| coming.arguments.get(argument)?.as_str()).map(str::to_owned);
    Ok(named.map(|named| -> After {
        Box::new(move |context, done| match done {
            Err(Stop::Failed(error)) if error.kind == ErrorKind::NotFound => {
                Err(explained(context, &named, error).into())
            }
            done => done,
        })
    }))
}

/// The error, with a hint where a sparse sandbox lacks what the repository has.
fn explained(context: &mut Context<'_>, named: &str, error: ToolError) -> ToolError {
    let session = &mut *context.session;
    match session.repo() {
        Ok(repo) => sparse::explain(&repo, &mut session.caches.index, &session.zones, named, error),
        // Without a repository, nothing more can be said.
        Err(_) => error,
    }
}
