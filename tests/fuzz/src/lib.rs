//! What a fuzzer runs: each target takes any bytes, does with them what a host or a sandbox does with what it does not trust, and panics if
//! something does not hold that has to, whatever comes in.
//!
//! | target | what comes in | what has to hold |
//! |---|---|---|
//! | `pack` | packs, whole and damaged | what is accepted hashes to its ids, is whole and exact, and stays within bounds |
//! | `journal` | journals, whole, damaged and forged | the tree after some whole step or an error; undo and compaction go on from there |
//! | `call` | names of tools and their arguments | what fails changes nothing; nothing outside the zone ever changes |
//! | `paths` | paths, names, refs and targets | what is accepted stays where it is and is no alias of `.git`; both sides of the wall agree |
//!
//! The targets themselves are in `fuzz_targets`, for libFuzzer. Inputs that were found once are in `corpus`, and a plain test runs all of
//! them.

#![forbid(unsafe_code)]

mod call;
mod choices;
mod journal;
mod model;
mod pack;
mod paths;

#[cfg(test)]
mod corpus;

// What the suites of these crates make and compare their inputs with. Public, as not all of it is used here.
#[path = "../../../component/vfs/tests/spec/life.rs"]
pub mod life;
#[allow(clippy::new_without_default, reason = "it is nobody's interface where it is")]
#[path = "../../../host-cli/gate/tests/suite/support/packer.rs"]
pub mod packer;
#[allow(clippy::should_implement_trait, reason = "it is nobody's interface where it is")]
#[path = "../../../component/vfs/tests/spec/support.rs"]
pub mod support;
#[path = "../../../component/vfs/tests/spec/tree_dump.rs"]
pub mod tree_dump;

pub use self::call::call;
pub use self::journal::journal;
pub use self::pack::pack;
pub use self::paths::paths;

/// Runs `target` on the files that the program's arguments name: an input that was found, without a fuzzer around it.
pub fn run_files(target: fn(&[u8])) -> std::io::Result<()> {
    std::env::args_os().skip(1).try_for_each(|file| std::fs::read(file).map(|input| target(&input)))
}
