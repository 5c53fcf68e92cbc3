//! The HTTP interface of sandboxes, the same for a native server and for edge functions.
//!
//! It does no I/O. A server passes in a request, and gets either an operation to perform or a
//! refusal. The operation on the sandbox proceeds step by step, like every call.
//!
//! | file | what it does |
//! |---|---|
//! | `message` | a request and its answer |
//! | `description` | the OpenAPI file, the source of routes, roles and shapes |
//! | `schema` | validates JSON against its shape |
//! | `operation` | the operations |
//! | `role` | the roles that may perform them |
//! | `site` | the names of a server, and the pages that may call it |
//! | `route` | finds the operation of a request |
//! | `token` | the tokens of a sandbox |
//! | `authority` | decides whether a token may perform an operation |
//! | `share` | limits what one token, and all of one role, may use of a server |
//! | `problem` | errors in the form of RFC 9457 |
//! | `creation` | creates a sandbox with its initial contents |
//! | `doing` | performs an operation on an open sandbox, step by step |
//! | `leaving` | checks whether removing a sandbox would lose work |
//! | `forking` | copies a sandbox under another name |
//! | `exporting` | exports a branch as a bundle |
//! | `listening` | answers that go on: the events, and a push that waits for its review |
//! | `mcp` | the tools over the Model Context Protocol |
//! | `making` | a running call, without anybody to ask |
//! | `reach` | the repositories that a sandbox can reach |
//! | `decision` | reads a person's decision from JSON |
//! | `answer` | a sandbox's answers as JSON |

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod answer;
mod authority;
mod commenting;
mod creation;
mod decision;
mod description;
mod doing;
mod exporting;
mod forking;
mod git;
mod leaving;
mod listening;
mod making;
pub mod mcp;
mod message;
mod operation;
mod problem;
mod reach;
mod role;
mod route;
mod schema;
mod serving;
mod share;
mod site;
pub mod token;

pub use authority::{Authorized, Operator, Permit, authorize};
pub use creation::NewSandbox;
pub use description::DESCRIPTION;
pub use doing::Doing;
pub use forking::Fork;
pub use listening::{Listening, News};
pub use message::{Content, Request, Response};
pub use operation::Operation;
pub use problem::{Problem, Refusal};
pub use role::Role;
pub use route::{Routed, preflight, route};
pub use share::{Body, Holder, LONGEST_BODY, Plan, Share, Shares};
pub use site::{Advice, Site};
