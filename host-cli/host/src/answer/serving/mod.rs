//! What git's own clients are answered: an agent that works with git fetches from its sandbox, and
//! proposes by pushing to it. The frames are the gate's
//! ([`gate::git::serve`]), what is in them the sandbox's.
//!
//! | file | what it does |
//! |---|---|
//! | `refs` | what the sandbox has, as its tool says it |
//! | `fetching` | answers a client that fetches |
//! | `pushing` | answers a client that pushes |
//! | `proposed` | what became of what was pushed, in words |

mod fetching;
mod proposed;
mod pushing;
mod refs;

pub use fetching::Fetching;
pub use pushing::Pushing;
