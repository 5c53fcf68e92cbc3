//! What a call asks a repository.
//!
//! | file | what it answers |
//! |---|---|
//! | `refs` | which refs has this target? |
//! | `fetch` | bring these commits, or these blobs |
//! | `opened` | what every repository can do, and where one is chosen |
//! | `near` | one on this disk |
//! | `server` | one on a server |
//! | `exchanges` | the requests to a server |
//! | `supply` | what a server gives to the sandbox |
//! | `known` | the objects that a push to a server builds on |

pub(crate) mod exchanges;
pub(crate) mod fetch;
mod known;
mod near;
pub(crate) mod opened;
pub(crate) mod refs;
mod server;
mod supply;

pub use known::given_commit;
pub(crate) use known::{Known, given};
