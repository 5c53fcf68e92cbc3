//! Makes a call: runs it, answers its question, and runs it again until it is done.
//!
//! | part | what it does |
//! |---|---|
//! | `call` | runs a call: its questions, and where it waits for its body |
//! | `approval` | decides whether a call may go on, by the rules or by a person |
//! | `comments` | what a call asks about comments on pushes, and what it answers them |
//! | `repository` | what a call asks a repository: its refs, commits and blobs |
//! | `push` | checks a push, reviews it and gets it approved |
//! | `landing` | writes and records an approved push |
//! | `recovery` | settles interrupted pushes |
//! | `export` | a push into a bundle file |
//! | `pull_request` | opens a pull request for what was pushed |
//! | `making` | a call or an export, for a body that plays both |
//! | `serving` | answers git's own clients |
//! | `wording` | errors, questions and ends, in words and as JSON |

mod approval;
mod call;
mod comments;
mod export;
mod landing;
mod making;
mod pull_request;
mod push;
mod recovery;
mod repository;
mod serving;
mod wording;

pub use approval::facts_of;
pub use approval::mounted::decide_mounted;
pub use approval::waiting::{ask_waiting, decide_waiting, forget_told, reject_waiting, settle_waiting};
pub use call::following::Script;
pub(crate) use call::questions;
pub use call::run::{Ruled, Run, Wanted};
pub use call::suspend::{Advance, Answered, Ask, Given, Need, PushRequest, Said};
pub(crate) use call::suspend::{Halt, Halting};
pub use call::{Call, NotApproved, Reply, ShownPush};
pub use export::{Export, branch as branch_to_export, call as export_call};
pub use making::Making;
pub use pull_request::{Looking, Proposing};
pub use recovery::server::Settling;
pub use recovery::unsettled::ensure_settled;
pub use recovery::{settle_by_word, try_recover};
pub use repository::given_commit;
pub use repository::refs::named_by as targets_named_by;
pub use serving::{Awaiting, Fetching, News, Pushing, Served};
pub use wording::json;
pub use wording::words::Words;

use crate::error::{ErrorKind, HostError, Result};
use crate::sandbox::{Locked, Sandbox};

/// Takes the sandbox's lock and settles the pushes that an earlier process left open. Fails if the
/// person has interrupted the call meanwhile.
pub fn enter(sandbox: &mut Sandbox) -> Result<Locked<'_>> {
    let mut locked = sandbox.lock()?;
    recovery::recover(&mut locked)?;
    locked.sandbox().platform().ensure_wanted()?;
    Ok(locked)
}

fn misbehaved(how: &str) -> HostError {
    HostError::new(ErrorKind::Component, format!("the component broke its interface: {how}"))
        .hint("rebuild gitgate, because the component is part of it; nothing has changed")
}
