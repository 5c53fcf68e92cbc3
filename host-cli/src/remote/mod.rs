//! The person's git repositories: the sources of sandboxes and the targets of approved pushes.
//!
//! Only this folder of the native host accesses such a repository. It never starts the git binary
//! and runs no hook, filter or driver. It reads a repository's configuration as data, isolated from
//! the environment.
//!
//! | file | what it does |
//! |---|---|
//! | `near` | what the host asks of a repository |
//! | `prompt` | parses what a person writes at a command line |
//! | `open` | opens a parsed target: canonical, trusted, supported |
//! | `here` | the repository that a folder is in |
//! | `layout` | its git folder, its main worktree and its canonical path |
//! | `sharing` | who besides the owner may use new files |
//! | `refs` | lists branches, tags and HEAD |
//! | `objects` | the objects a target already has, for the gate |
//! | `supply` | packs and verifies everything reachable |
//! | `fetch` | fetches commits or blobs that a sandbox lacks |
//! | `history`, `lacking` | find those commits and their objects |
//! | `generate` | builds a pack |
//! | `bundle` | reads and writes bundle files |
//! | `land` | lands an approved push and recovers from a kill at any moment |

pub mod bundle;
mod elsewhere;
mod error;
mod fetch;
mod generate;
mod habits;
mod here;
mod history;
mod lacking;
mod land;
mod layout;
mod near;
mod objects;
mod open;
mod plain;
mod prompt;
mod refs;
mod sharing;
pub mod supply;
#[cfg(test)]
mod tests;
mod uncommitted;
mod untracked;
mod whole_index;

pub use here::{Commits, belonging, from_top, here, with_root};
pub use host::target::{
    BlobAt, CommitsWanted, Committer, Fetched, LandError, Landed, LeftOut, Location, Near, Obstacle, Progress, RawPlan,
    Recovered, RecoveryReport, RefEntry, RefListing, Remotes, Repository, Silent, Stage, TargetError, TargetErrorKind,
    TargetSpec, Undone,
};
pub use near::{Folders, Given, Outside, canonical};
pub use objects::TargetObjects;
pub use open::Target;
pub use prompt::{of_person, usage};
pub use uncommitted::uncommitted;
pub use untracked::untracked;
