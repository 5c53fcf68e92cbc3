//! The shared host and the gate for JavaScript: the body of pages, workers, extensions, edge
//! functions and node.
//!
//! It converts and decides nothing. What happens is `host`'s; where it is kept, what runs the
//! component and who is asked is JavaScript's.
//!
//! | file | what it has |
//! |---|---|
//! | `host` | what JavaScript begins with: sandboxes that are opened, made and checked |
//! | `sandbox` | an open sandbox |
//! | `run` | a call that is made step by step |
//! | `text` | texts of JavaScript in UTF-8 |
//! | `need` | what a call needs, is given, and ends with |
//! | `http` | requests to servers, and their answers |
//! | `settings` | how a sandbox is described when it is opened or made |
//! | `component` | the component, as jco transpiles it |
//! | `wit` | the types of its interface |
//! | `storage` | where a sandbox is kept |
//! | `platform` | clock, randomness and user |
//! | `act` | what a person can do, in words |
//! | `near` | files that are written, and repositories that are not reached |
//! | `value` | JavaScript values, read with suspicion |
//! | `error` | errors of either side |
//! | `visit` | a request over HTTP, with the feature `edge` |
//! | `fork` | a copy of a sandbox in another storage, with the same |

mod act;
mod component;
mod error;
#[cfg(feature = "edge")]
mod fork;
mod host;
mod http;
mod near;
mod need;
mod platform;
mod run;
mod sandbox;
mod settings;
mod storage;
mod text;
mod value;
#[cfg(feature = "edge")]
mod visit;
mod wit;

#[cfg(feature = "edge")]
pub use self::fork::{copied, forked};
pub use self::host::Host;
pub use self::run::Run;
pub use self::sandbox::Sandbox;
#[cfg(feature = "edge")]
pub use self::visit::Visit;
