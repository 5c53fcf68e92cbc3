//! A person's git repositories, as far as a host must know of them: how they are named, what is
//! asked of them, and how a push to them ends. A body opens them ([`Near`]).
//!
//! | file | what it has |
//! |---|---|
//! | `spec` | a target as a person writes it: `local:PATH#BRANCH` and similar |
//! | `spelling` | the other names of a target, and every conversion between them |
//! | `near` | what a body does with a repository that it reaches synchronously |
//! | `keeping` | a file that is made for somebody who is not here |
//! | `refs` | branches, tags and HEAD |
//! | `bundle` | a repository in one file |
//! | `supply` | a whole repository for a new sandbox |
//! | `wanted` | what a sandbox lacks, and what was fetched for it |
//! | `landing` | the plan of a push, and how it ended |
//! | `error`, `land_error` | why a target cannot be used, why a push did not land |
//! | `progress` | how far a long operation is |

pub mod bundle;
mod error;
mod keeping;
mod land_error;
mod landing;
mod near;
mod progress;
mod refs;
mod spec;
pub mod spelling;
pub mod supply;
mod wanted;

pub use error::{NOT_OVER_HTTP, TargetError, TargetErrorKind};
pub use keeping::Keeping;
pub use land_error::{LandError, Obstacle};
pub use landing::{Committer, Landed, RawPlan, Recovered, RecoveryReport, Undone};
pub use near::{Near, Repository};
pub use progress::{Progress, Silent, Stage};
pub use refs::{LeftOut, RefEntry, RefListing, Remotes};
pub use spec::{Location, TargetSpec};
pub use wanted::{BlobAt, CommitsWanted, Fetched};
