//! What a call asks a repository.
//!
//! | file | what it answers |
//! |---|---|
//! | `refs` | which refs has this target? |
//! | `fetch` | bring these commits, or these blobs |
//! | `opened` | a repository that a call has opened, near or on a server |
//! | `exchanges` | the requests to a server |
//! | `known` | the objects that a push to a server builds on |

pub(crate) mod exchanges;
pub(crate) mod fetch;
pub(crate) mod known;
pub(crate) mod opened;
pub(crate) mod refs;
