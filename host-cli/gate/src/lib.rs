//! Decides what a host may trust from a sandbox, and what needs a person's approval.
//!
//! Everything a sandbox hands out is hostile until this crate has checked it. The crate does no I/O
//! of its own: packs come in as bytes, the target's objects through the trait [`objects::Objects`],
//! time and randomness as values. The same code therefore guards a native host, a browser page and
//! an edge function.
//!
//! The steps of a push:
//!
//! ```text
//! PushRequest --push::check--> CheckedPush     pack verified, whole, exact, a fast-forward
//!             --propose------> Proposal        review to show, digest to name
//!             --decide-------> Approved<Push>  a person said yes in time; the nonce is spent
//!             --redeem-------> Redeemed        the bytes about to be written are the ones approved
//! ```
//!
//! A [`forge`] carries a push to a server, and fetches what the sandbox needs from there, as conversations
//! without I/O; [`github`] is one, and [`git`] any other server. [`import::check_supply`] checks packs for the sandbox. [`policy`] decides whether a
//! call may run. The [`ledger`] records what was approved, and what recovery needs after a crash during a
//! push.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod approval;
pub mod columns;
pub mod comment;
pub mod connectivity;
pub mod digest;
pub mod error;
pub mod forge;
pub mod format;
pub mod git;
pub mod github;
pub mod glob;
pub mod hex;
pub mod hint;
mod history;
pub mod id;
mod ignore;
pub mod import;
pub mod ledger;
mod leftover;
mod look;
pub mod objects;
pub mod pack;
pub mod policy;
pub mod protected;
pub mod push;
mod reading;
pub mod refname;
pub mod reveal;
pub mod review;
pub mod secrets;
pub mod seen;
pub mod signing;
pub mod target;
mod text;
pub mod time;
pub mod toml;
mod walk;

pub use error::{ConflictReason, Fault, FaultKind};
