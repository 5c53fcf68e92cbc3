//! The person's git repositories: what a sandbox may be opened from, and where an approved push lands.
//!
//! This folder is the only code of the native host that touches such a repository. It never starts the git binary,
//! and runs no hook, filter or driver: a repository's configuration is read as data, isolated from the environment.
//!
//! | file | what it does |
//! |---|---|
//! | `spec` | `local:PATH#BRANCH` and its kin, parsed |
//! | `open` | a parsed target, opened: canonical, trusted, supported |
//! | `layout` | its git folder, its main worktree, and the place that names both |
//! | `sharing` | who besides the owner may use what is written there |
//! | `refs` | branches, tags and HEAD, listed |
//! | `objects` | the objects a target already has, for the gate |
//! | `supply` | everything reachable, as one verified pack |
//! | `fetch` | what a sandbox lacks of it: commits, or single blobs |
//! | `history`, `lacking` | which commits those are, and which objects |
//! | `generate` | such a pack, put together |
//! | `bundle` | the same from a bundle file, and bundles written |
//! | `land` | an approved push, carried out so that a kill at any moment can be made good |

pub mod bundle;
mod error;
pub mod fetch;
mod generate;
mod history;
mod lacking;
pub mod land;
mod layout;
mod objects;
mod open;
mod progress;
mod refs;
mod sharing;
mod spec;
pub mod supply;
#[cfg(test)]
mod tests;

pub use error::{TargetError, TargetErrorKind};
pub use objects::TargetObjects;
pub use open::Target;
pub use progress::{Progress, Silent, Stage};
pub use refs::{LeftOut, RefEntry, RefListing, Remotes};
pub use spec::{Location, TargetSpec};
