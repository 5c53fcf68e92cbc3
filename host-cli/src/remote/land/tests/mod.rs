//! Landing, with git itself as the oracle of what the repository should look like.

mod afterwards;
mod approved;
mod conflicts;
mod crash;
mod lands;
mod layouts;
mod line_endings;
mod many;
mod refused;
mod sharing;
mod sparse;
pub(in crate::remote) mod support;
mod undone;
