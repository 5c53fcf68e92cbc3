//! Connects agents' programs to gitgate's MCP server, by changing their configuration files, and
//! takes that back.
//!
//! | file | what it does |
//! |---|---|
//! | `place`, `server` | whose files are changed, and what a client starts |
//! | `client/` | what each client wants, in which file |
//! | `change` | a change to a file, and what takes it back |
//! | `json`, `toml`, `markdown`, `ignore` | the changes to a text |
//! | `exclusion` | what git is told to overlook of them |
//! | `plan` | what is to be written, from what is there |
//! | `record` | what was written, kept for `--undo` |
//! | `write` | reading and writing the files |
//! | `diff` | what the person sees |

pub mod change;
pub mod client;
pub mod diff;
pub mod exclusion;
mod ignore;
mod json;
mod markdown;
pub mod place;
pub mod plan;
pub mod record;
pub mod server;
#[cfg(test)]
mod tests;
mod toml;
pub mod write;
