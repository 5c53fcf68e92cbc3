//! The HTTP interface of sandboxes, the same for a plain server and for edge functions.
//!
//! It does no I/O. A body hands over a request and gets what to do, or the answer that it is refused
//! with; what a sandbox does for it goes on step by step, as every call does.
//!
//! | file | what it does |
//! |---|---|
//! | `message` | a request and its answer |
//! | `description` | the OpenAPI file, which routes, roles and shapes are read from |
//! | `schema` | holds JSON to its shape |
//! | `operation` | what can be asked for |
//! | `role` | who may ask for it |
//! | `site` | by which names a server is reached, and which pages may ask it |
//! | `route` | from a request to an operation |
//! | `token` | the tokens of a sandbox |
//! | `authority` | whether a token may do what it asks for |
//! | `share` | what one token, and all of one role, may take of a server |
//! | `problem` | errors, as RFC 9457 has them |
//! | `creation` | a new sandbox, and what it begins with |
//! | `doing` | an operation on an open sandbox, step by step |
//! | `leaving` | whether anything would be lost with a sandbox |
//! | `forking` | a copy of a sandbox under another name |
//! | `exporting` | a branch as a bundle |
//! | `listening` | what somebody hears who listens |
//! | `mcp` | the tools over the Model Context Protocol |
//! | `making` | a call on its way, which nobody is there to be asked about |
//! | `reach` | the repositories that a sandbox can reach |
//! | `decision` | what a person decides, read from JSON |
//! | `answer` | what a sandbox says, as JSON |

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod answer;
mod authority;
mod creation;
mod decision;
mod description;
mod doing;
mod exporting;
mod forking;
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
mod share;
mod site;
pub mod token;

pub use authority::{Authorized, Operator, Permit, authorize};
pub use creation::NewSandbox;
pub use description::DESCRIPTION;
pub use doing::Doing;
pub use forking::Fork;
pub use listening::Listening;
pub use message::{Request, Response};
pub use operation::Operation;
pub use problem::{Problem, Refusal};
pub use role::Role;
pub use route::{Routed, preflight, route};
pub use share::{Body, Holder, LONGEST_BODY, Plan, Share, Shares};
pub use site::{Advice, Site};
