//! What git's own clients are answered: an agent that works with git fetches from its sandbox, and
//! proposes by pushing to it. The frames are the gate's
//! ([`gate::git::serve`]), what is in them the sandbox's.
//!
//! | file | what it does |
//! |---|---|
//! | `refs` | what the sandbox has, as its tool says it |
//! | `verdicts` | what was decided about pushes, for a client to fetch |
//! | `fetching` | answers a client that fetches |
//! | `pushing` | answers a client that pushes |
//! | `packed` | the pack that a client fetches |
//! | `awaiting` | a push whose client waits for the review |
//! | `proposed` | what became of what was pushed, in words |

use bytes::Bytes;

mod awaiting;
mod fetching;
mod packed;
mod proposed;
mod pushing;
mod refs;
mod verdicts;

pub use awaiting::{Awaiting, News};
pub use fetching::Fetching;
pub use pushing::Pushing;

/// What a client of git is answered, in parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Served {
    /// The answer, or its beginning.
    pub body: Vec<Bytes>,
    /// What it waits for before it goes on.
    pub rest: Option<Box<Awaiting>>,
}
