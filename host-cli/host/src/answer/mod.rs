//! Makes a call: runs it, answers its question, and runs it again until it is done.
//!
//! | file | what it answers |
//! |---|---|
//! | `call` | a call, and how it ends |
//! | `turn` | what a call needs from its body, and what it is given |
//! | `run` | a call from its beginning to its end |
//! | `going` | one call of the component, with what is known so far |
//! | `paths` | which files does this call concern? |
//! | `questions` | the loop over its questions |
//! | `person` | what a person is asked and says |
//! | `approval` | may this call go on? |
//! | `refs` | which refs has this target? |
//! | `fetch` | bring these commits, or these blobs |
//! | `push` | take these commits there: checks, review, decision |
//! | `revise` | edits a push or an export before it is approved |
//! | `landing` | writes and records an approved push |
//! | `landing_far` | the same on a server |
//! | `opened` | a repository that a call has opened, near or on a server |
//! | `exchanges` | the requests to a server |
//! | `base` | what a push to a server builds on |
//! | `export` | the same into a bundle file |
//! | `making` | a call or an export, for a body that plays both |
//! | `mounted` | may this call of another server's tool be made? |
//! | `pull_request` | opens a pull request for what was pushed |
//! | `recover` | settles an interrupted push |
//! | `settling` | the same on a server |
//! | `unsettled` | blocks pushes to the branch of an unsettled one |
//! | `record` | a call as the audit log keeps it |
//! | `audit` | writes decisions to the audit log |
//! | `spend` | spends a nonce by recording the intent |
//! | `waiting` | calls that wait for an answer from another process |
//! | `said` | errors of the host in the component's words |
//! | `json` | questions and ends as JSON, for programs |
//! | `words` | errors in words |

mod approval;
mod audit;
mod base;
mod call;
mod exchanges;
mod export;
mod fetch;
mod going;
pub mod json;
mod landing;
mod landing_far;
mod making;
mod mounted;
mod opened;
pub mod paths;
mod person;
mod pull_request;
mod push;
pub(crate) mod questions;
mod record;
mod recover;
mod refs;
mod revise;
mod run;
mod said;
mod settling;
mod spend;
mod turn;
mod unsettled;
mod waiting;
mod words;

pub use approval::facts_of;
pub use call::{Call, NotApproved, Reply, ShownPush};
pub use export::{Export, branch as branch_to_export, call as export_call};
pub use making::Making;
pub use mounted::decide_mounted;
pub use pull_request::Proposing;
pub use recover::{settle_by_word, try_recover};
pub use refs::named_by as targets_named_by;
pub use run::{Ruled, Run, Wanted};
pub use settling::Settling;
pub use turn::{Answered, Ask, Given, Need, PushRequest, Said, Turn};
pub(crate) use turn::{Halt, Halting};
pub use unsettled::ensure_settled;
pub use waiting::{ask_waiting, decide_waiting, forget_told, reject_waiting, settle_waiting};
pub use words::Words;

use crate::error::{ErrorKind, HostError, Result};
use crate::sandbox::{Locked, Sandbox};

/// Takes the sandbox's lock and settles the pushes that an earlier process left open. Fails if the
/// person has interrupted the call meanwhile.
pub fn enter(sandbox: &mut Sandbox) -> Result<Locked<'_>> {
    let mut locked = sandbox.lock()?;
    recover::recover(&mut locked)?;
    locked.sandbox().around().ensure_wanted()?;
    Ok(locked)
}

fn misbehaved(how: &str) -> HostError {
    HostError::new(ErrorKind::Component, format!("the component broke its interface: {how}"))
        .hint("rebuild gitgate, because the component is part of it; nothing has changed")
}
