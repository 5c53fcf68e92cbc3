//! git itself, as the judge of what the tools print.
#![cfg(all(test, not(target_os = "wasi")))]

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
const SCENES: u64 = 24;

/// The seeds of so many repositories. `GITGATE_SEED` looks at one of them again, `GITGATE_SCENES` at more, both together at so many from that on.
fn seeds(scenes: u64) -> std::ops::Range<u64> {
    let number = |name: &str| {
        let value = std::env::var(name).ok()?;
        Some(value.parse::<u64>().expect("it is a number"))
    };
    let scenes = number("GITGATE_SCENES").unwrap_or_else(|| number("GITGATE_SEED").map_or(scenes, |_| 1));
    let first = number("GITGATE_SEED").unwrap_or_default();
    first..first + scenes
}
