//! What the tools share that bring in changes of other commits: `git_merge_branch`, `git_cherry_pick` and `git_revert`.
//!
//! | file | what it does |
//! |---|---|
//! | `named` | finds the commit that a call names |
//! | `abort` | gives an unfinished operation up |
//! | `report` | the result |

pub mod abort;
#[cfg(all(test, not(target_os = "wasi")))]
mod ending_tests;
pub mod named;
pub mod report;
#[cfg(all(test, not(target_os = "wasi")))]
mod tests;

use gix::bstr::BString;

use crate::error::{ErrorKind, ToolError};
use crate::git::change::three_way::{Merged, Refused, ThreeWay, Trees};
use crate::git::change::two_way::Command;
use crate::git::change::unfinished;
use crate::git::store::repo::Repo;
use crate::git::text::merge_messages;
use crate::git::words::streams::Streams;
use crate::paths::SandboxPath;
use crate::session::Context;

/// The words of git in which these tools differ.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Verb {
    /// `git merge`
    Merge,
    /// `git cherry-pick`
    Pick,
    /// `git revert`
    Revert,
}

impl Verb {
    /// The name of git's command.
    pub fn command(self) -> &'static str {
        match self {
            Verb::Merge => "merge",
            Verb::Pick => "cherry-pick",
            Verb::Revert => "revert",
        }
    }

    /// What it does, at the beginning of a sentence.
    fn doing(self) -> &'static str {
        match self {
            Verb::Merge => "Merging",
            Verb::Pick => "Cherry-picking",
            Verb::Revert => "Reverting",
        }
    }
}

/// Merges the trees into what is checked out, and appends git's messages.
///
/// # Errors
///
/// In git's words, if anything would be lost. Nothing has changed then.
pub fn trees(
    context: &mut Context<'_>,
    repo: &Repo,
    working_dir: &SandboxPath,
    verb: Verb,
    sides: &Trees<'_>,
    streams: &mut Streams,
) -> Result<Merged, ToolError> {
    let caches = &mut context.session.caches;
    let (index, trees) = (&mut caches.index, &mut caches.trees);
    let merged = ThreeWay { repo, index, trees, working_dir, deadline: context.deadline }.merge(sides)?;
    let merged = merged.map_err(|refused| error(verb, refused))?;
    merge_messages::say(&merged.outcome, streams);
    streams.err.extend_from_slice(merged.warnings.as_bytes());
    Ok(merged)
}

/// git's error (merge-ort.c; sequencer.c, `error_dirty_index`).
fn error(verb: Verb, refused: Refused) -> ToolError {
    match refused {
        Refused::Unmerged => {
            unfinished::unmerged(verb.doing()).hint("Nothing has changed. Resolve each file, and add it with git_add.")
        }
        Refused::Staged(paths) => {
            let command = verb.command();
            let message = match verb {
                Verb::Merge => {
                    let list = paths.join(&b' ');
                    let list = BString::from(list);
                    format!(
                        "error: Your local changes to the following files would be overwritten by merge:\n  {list}\nMerge with strategy \
                         ort failed."
                    )
                }
                Verb::Pick | Verb::Revert => format!(
                    "error: your local changes would be overwritten by {command}.\nhint: commit your changes or stash them to \
                     proceed.\nfatal: {command} failed"
                ),
            };
            let hint = "Nothing has changed. Commit what is in the index, unstage it with git_restore (staged: true), or put it away \
                        with git_stash.";
            ToolError::new(ErrorKind::Conflict, message).hint(hint)
        }
        Refused::InTheWay(rejected) => {
            let mut message = rejected.text(Command::Merge);
            if verb == Verb::Merge {
                message.push_str("Merge with strategy ort failed.");
            }
            rejected.error(message.trim_end())
        }
    }
}
