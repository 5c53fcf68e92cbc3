//! GitHub, a [forge](crate::forge), by its REST protocol.
//!
//! What is read is rebuilt to the exact bytes of git's objects and taken only if the id is right.
//! What is written has been approved: [`Land`] is made of a [`Redeemed`](crate::approval::Redeemed)
//! push alone, and moves the branch only after the server has stored every object under its
//! approved id.
//!
//! A host adds to each request the base of the API, the token, and the headers `Accept:
//! application/vnd.github+json` and, with a body, `Content-Type: application/json`.

mod answer;
mod api;
mod fault;
mod fetch;
mod land;
mod limit;
mod pull_request;
mod reach;
mod rebuild;
mod refs;
mod repository;
mod server;
mod settle;

pub use fetch::{Blobs, Fetch, Read, Tags};
pub use land::Land;
pub use pull_request::{LatestPullRequest, OpenPullRequest};
pub use refs::{Refs, Tip};
pub use repository::Repository;
pub use settle::Settle;

use crate::forge::{
    BlobAt, ChangeRequest, Checks, Cut, Fault, FaultKind, Fetched, Forge, Landing, LeftOut, Listing, Method, Misspelt,
    Once, Progress, Proposed, RefEntry, Request, Response, Row, Running, Settled, Standing, Wanted, Wire, again, date,
    exchange, settled,
};

pub(crate) const ROW: Row = Row {
    word: "github",
    name: "GitHub",
    place: "OWNER/REPO",
    example: "owner/repo",
    address: repository::of_address,
    // GitHub ignores case in its names.
    canonical: |name| repository::fault(name).map_or_else(|| Ok(name.to_ascii_lowercase()), Err),
    read: repository::read,
    open: |name| Ok(Box::new(name.parse::<Repository>()?)),
    is_about: reach::is_about,
    propose: Some(|name, proposed| Ok(Box::new(OpenPullRequest::new(name.parse()?, proposed)))),
    stands: Some(|name, head| Ok(Box::new(LatestPullRequest::new(name.parse()?, head)))),
};
