//! GitHub's server: sends what the gate's exchanges ask for, and nothing else.
//!
//! | file | what it does |
//! |---|---|
//! | `environment` | the variables that count |
//! | `base` | where the API is, and whether a token may go there |
//! | `token` | the person's token |
//! | `gh` | asks the GitHub CLI for it |
//! | `client` | sends requests: the only file that knows the HTTP library |
//! | `carry` | plays an exchange to its end |
//!
//! The token goes to the one server that the settings name, over TLS unless that is this machine.
//! It is in no error, no log and no text for debugging.

mod base;
mod carry;
mod client;
mod environment;
mod gh;
#[cfg(test)]
mod tests;
mod token;

pub use carry::carry;
pub use client::{Client, LIMITS};
pub use environment::Environment;
