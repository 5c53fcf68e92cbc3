//! Forges: the servers that repositories are at, and what one is to a host.
//!
//! | file | what it has |
//! |---|---|
//! | `table` | all forges, one a row |
//! | `row` | what is to be said of a forge |
//! | `server` | what a repository on a forge's server can do |
//! | `exchange` | a conversation with a server, which the host carries |
//! | `refs`, `fetch`, `landing`, `settle`, `change_request` | what such conversations are about |
//! | `once` | a request that may be sent again, and one that may not |
//! | `moving` | how a branch is moved, and what became of it |
//! | `date` | dates as servers write them |
//! | `fault` | why one failed |
//!
//! A forge is a folder beside this one, such as [`github`](crate::github) or [`git`](crate::git), with a row in the
//! table.
//!
//! Nothing here reaches a network: an [`Exchange`] says what to send and how long to wait, and is told what came
//! back. The host adds the server's address and the token to each request, and nothing else.
//!
//! What a host does:
//!
//! - It drives an exchange with [`Exchange::poll`] until [`Poll::Done`] or a [`Fault`]. It follows
//!   no redirect and repeats no request by itself, and reports an answer that it does not get as
//!   [`Cut`].
//! - It records the intent before a [`Server::land`] starts, and before each request that
//!   [moves](Request::moves) the time of it, so that both survive a crash.
//! - After [`Landing::Landed`], [`Landing::Conflict`] or a [`Fault`] of a landing, it records the
//!   outcome: the branch has the push in the first case alone. After [`Landing::InDoubt`], and
//!   after a crash, the intent stays open, and [`Server::settle`] finds out.
//! - It names a repository in hints and commands of its own.

mod change_request;
pub(crate) mod date;
mod exchange;
mod fault;
mod fetch;
mod landing;
pub(crate) mod moving;
mod once;
mod refs;
mod row;
mod server;
mod settle;
mod table;

pub use change_request::{Along, ChangeRequest, Checks, Progress, Proposed, Standing};
pub use exchange::{Cut, Exchange, Headers, Method, Poll, Request, Response};
pub(crate) use exchange::{Running, Wire, exchange};
pub(crate) use fault::clean;
pub use fault::{Fault, FaultKind};
pub(crate) use fetch::ensure_stands;
pub use fetch::{BlobAt, Fetched, Wanted};
pub use landing::Landing;
pub(crate) use moving::{Branch, Moved};
pub(crate) use once::{Once, again};
pub use refs::{LeftOut, Listing, RefEntry};
pub use row::Misspelt;
pub(crate) use row::Row;
pub use server::{Conversation, Server};
pub(crate) use settle::settled;
pub use settle::{GRACE, Settled};
pub use table::Forge;
