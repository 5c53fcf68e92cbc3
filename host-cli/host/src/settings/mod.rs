//! Settings: where a repository is, and what a worker file may say.

pub mod front_matter;
mod place;

pub use place::{AutoPull, Place};
