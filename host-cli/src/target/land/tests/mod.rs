//! Landing, with git itself as the oracle of what the repository should look like.

mod approved;
mod conflicts;
mod crash;
mod lands;
mod line_endings;
pub(in crate::target) mod support;
