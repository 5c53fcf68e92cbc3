//! Any git server, a [forge](crate::forge), by git's own smart protocol: version 2, and older ones as a fallback.
//!
//! | file | what it has |
//! |---|---|
//! | `location` | where a repository is, in one spelling |
//! | `packet` | the frames of all that is said and heard |
//! | `remote` | the repository, and the wire to its server |
//! | `advertised` | what a server says of itself |
//! | `refs` | reads its refs |
//! | `pack` | asks it for a pack |
//! | `fetch` | what is asked for: commits, files, objects for the host |
//! | `land` | sends an approved push |
//! | `settle` | finds out what became of one |
//! | `server` | all that, as any forge's |
//! | `serve` | the server's side, for agents that fetch from a sandbox and push to it |
//! | `fault` | what went wrong |
//!
//! The path of a request is a whole address: that of the repository, and `/info/refs?service=SERVICE` or `/SERVICE`
//! behind it. A host sends a `POST` with `Content-Type: application/x-SERVICE-request`, and `Git-Protocol: version=2`
//! with each request to `git-upload-pack`. It adds credentials only where the connection is protected or does not
//! leave the machine.

mod advertised;
mod fault;
mod fetch;
mod land;
mod location;
mod pack;
mod packet;
mod refs;
mod remote;
pub mod serve;
mod server;
mod settle;

use crate::forge::{
    Along, BlobAt, Cut, Fault, FaultKind, Fetched, Forge, Landing, LeftOut, Listing, Method, Once, RefEntry, Request,
    Response, Row, Running, Settled, Wanted, Wire, again, clean, exchange, settled,
};
use location::Location;

pub(crate) const ROW: Row = Row {
    word: "git",
    name: "a git server",
    place: "URL",
    example: "https://host/path",
    address: location::address,
    canonical: location::canonical,
    read: location::read,
    open: |location| match Location::of(location) {
        Ok(location) => Ok(Box::new(location)),
        Err(why) => {
            let name = crate::text::name(location.as_bytes());
            Err(Fault::new(FaultKind::BadName, format!("'{name}' is not the address of a repository: {why}")))
        }
    },
    is_about: remote::is_about,
    propose: None,
    stands: None,
};
