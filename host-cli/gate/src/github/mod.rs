//! GitHub's REST protocol, as conversations that a host carries.
//!
//! Nothing here reaches a network: an [`Exchange`] says what to send and how long to wait, and is
//! told what came back. The host adds the base of the API and the token to each request, and
//! nothing else.
//!
//! What is read is rebuilt to the exact bytes of git's objects and taken only if the id is right.
//! What is written has been approved: [`Land`] is made of a [`Redeemed`](crate::approval::Redeemed)
//! push alone, and moves the branch only after the server has stored every object under its
//! approved id.
//!
//! What a host does:
//!
//! - It drives an exchange with [`Exchange::poll`] until [`Poll::Done`] or a [`Fault`]. It follows
//!   no redirect and repeats no request by itself, and reports an answer that it does not get as
//!   [`Cut`].
//! - It records the intent before a [`Land`] starts, and before each request that
//!   [moves](Request::moves) the time of it, so that both survive a crash.
//! - After [`Landing::Landed`], [`Landing::Conflict`] or a [`Fault`] of a [`Land`], it records the
//!   outcome: the branch has the push in the first case alone. After [`Landing::InDoubt`], and
//!   after a crash, the intent stays open, and a [`Settle`] finds out.
//! - It names a repository in hints and commands of its own.
mod answer;
mod api;
mod date;
mod exchange;
mod fault;
mod fetch;
mod land;
mod limit;
mod pull_request;
mod rebuild;
mod refs;
mod repository;
mod settle;

pub use exchange::{Cut, Exchange, Headers, Method, Poll, Request, Response};
pub use fault::{Fault, FaultKind};
pub use fetch::{BlobAt, Blobs, Fetch, Fetched, Read, Tags, Wanted};
pub use land::{Land, Landing};
pub use pull_request::{OpenPullRequest, Proposed, PullRequest};
pub use refs::{LeftOut, Listing, RefEntry, Refs, Tip};
pub use repository::Repository;
pub use settle::{GRACE, Settle, Settled};
