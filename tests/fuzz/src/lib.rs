//! The fuzz targets. Each takes any bytes, treats them as a host or a sandbox treats untrusted input, and panics if an invariant breaks.
//!
//! | target | input | invariant |
//! |---|---|---|
//! | `pack` | packs, whole and damaged | an accepted pack hashes to its ids, is complete and exact, and stays within limits |
//! | `journal` | journals, whole, damaged and forged | the tree after some whole step or an error; undo and compaction continue from there
//! |
//! | `call` | names of tools and their arguments | a failed call changes nothing; nothing outside the zone ever changes |
//! | `paths` | paths, names, refs and targets | an accepted path stays inside and is no alias of `.git`; both sides of the wall agree |
//!
//! `fuzz_targets` has the entry points for libFuzzer. `corpus` has the inputs that once failed, and a plain test runs all of them.

#![forbid(unsafe_code)]

mod call;
mod choices;
mod journal;
mod model;
mod pack;
mod paths;

#[cfg(test)]
mod corpus;

// The helpers with which these crates' suites create and compare inputs. Public, because this crate does not use all of them.
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

/// Runs `target` on the files named by the program's arguments: reproduces a finding without a fuzzer.
pub fn run_files(target: fn(&[u8])) -> std::io::Result<()> {
    std::env::args_os().skip(1).try_for_each(|file| std::fs::read(file).map(|input| target(&input)))
}
