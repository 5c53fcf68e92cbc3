//! What every host of a sandbox does. The native command line, the browser page, the extension and the
//! edge worker are bodies around it: they bring an engine for the component, a place to store things, a
//! clock and a person, and decide nothing.
//!
//! | module | what it does |
//! |---|---|
//! | `wit`, `component` | the component's interface, whichever engine runs it |
//! | `session` | the interface in order and in chunks |
//! | `attachment` | packs, by their hashes |
//! | `answer` | a call, until every question of it is answered |
//! | `approve` | what a person is asked, and what they can answer |
//! | `review` | comments on pushes, and what was looked at |
//! | `platform` | clock, randomness and user, which a body has |
//! | `sandbox` | an open sandbox: its tools, and what they are restored from |
//! | `hint` | what a person can do, for a body to put in words |
//! | `fsck` | whether all that is stored is sound |
//! | `settings` | what a person has set |
//! | `target` | repositories: their names, what is asked of them, how a push ends |
//! | `store` | what is durable of a sandbox, wherever a body keeps it |
//! | `screen` | text that a person may read |
//! | `limits` | what a sandbox and its callers are held to |
//! | `moment` | wall time, as a value |
//! | `fake` | a platform for tests |

pub use ::wit;
pub use gate::hint;

pub mod answer;
pub mod approve;
pub mod attachment;
pub mod component;
pub mod error;
#[cfg(any(test, feature = "conformance"))]
pub mod fake;
pub mod fsck;
pub mod limits;
pub mod moment;
pub mod platform;
pub mod review;
pub mod sandbox;
pub mod screen;
pub mod session;
pub mod settings;
pub mod store;
pub mod target;
