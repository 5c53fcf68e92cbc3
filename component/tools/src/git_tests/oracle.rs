//! Compares the output of the tools with git.

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

/// The default number of random repositories.
const SCENES: u64 = 8;

/// The seeds of `scenes` repositories, unless the environment sets others.
fn seeds(scenes: u64) -> std::ops::Range<u64> {
    trial::seeds(0..scenes)
}
