//! Any git server: sends what the gate's exchanges ask for, as git itself would reach it.
//!
//! | file | what it does |
//! |---|---|
//! | `place` | the repository that a request is about, and what is asked of it |
//! | `settings` | what git's configuration says of a server |
//! | `credentials` | what git's helpers know of the person there |
//! | `netrc` | what the person's `.netrc` has |
//! | `web` | sends requests over HTTPS: the only file that knows the HTTP library |
//! | `ssh` | holds conversations with the person's ssh |
//! | `client` | chooses between the two, and signs in |
//!
//! git's configuration counts where it is the person's own or the system's, never where it is a repository's: an
//! agent may have written that. Credentials go to the server that they are for, over TLS unless that is this machine,
//! and are in no error, no log and no text for debugging.

mod client;
mod credentials;
mod netrc;
mod place;
mod settings;
mod ssh;
#[cfg(test)]
mod tests;
mod web;

pub use client::Client;
