//! git itself, as the judge of what the tools print.

mod apart;
mod blame;
mod calls;
mod changing;
mod commits;
mod covering;
mod facts;
mod judge;
mod log;
mod pulling;
mod reading;
mod run;
mod scene;
mod show;
mod shrink;
mod staging;
mod unmerged;

pub use self::commits::import;

/// How many random repositories are looked at, where a test does not say otherwise.
const SCENES: u64 = 8;

/// The seeds of so many repositories, unless the environment chooses others.
fn seeds(scenes: u64) -> std::ops::Range<u64> {
    trial::seeds(0..scenes)
}
