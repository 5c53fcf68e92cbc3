//! The server's side of git's smart protocol, as bytes: what a server says of a sandbox's repository, and what a client asks of it.
//! Version 2 and version 0, which a push has in any case.
//!
//! | file | what it has |
//! |---|---|
//! | `advertised` | the refs, and what the server can do |
//! | `line` | reads a client's packet lines |
//! | `asked` | what a client wants to fetch |
//! | `old` | the same in version 0 |
//! | `sent` | the answer to that |
//! | `pushed` | what a client pushes, and what it is told of it |
//! | `zipped` | a request that is compressed |
//!
//! Everything that a client sends is foreign. Nothing here does I/O, and nothing believes a length before the bytes are there.

mod advertised;
mod asked;
mod line;
mod old;
mod pushed;
mod sent;
mod zipped;

pub use advertised::{Advertised, Protocol, Service, refused};
pub use asked::{Asked, Fetch, Filter, Listing};
pub use line::Unfit;
pub use pushed::{Command, Pushed};
pub use sent::{Band, Sent};
pub use zipped::unzipped;
