//! Shared parts of all crates' tests: the seeds of random tests, the number of repetitions, the git
//! to compare with, [random arguments](arguments) for tools, a misbehaving [server](http), [git's
//! own](backend), a real [ssh server](sshd), [TLS](tls), a [fake GitHub](emulate), and [programs](node) in node.
//!
//! A random test has its own seeds, the same in every run. Two environment variables choose others:
//! `GITGATE_SEED` is the first and `GITGATE_SCENES` the number. A seed without a number runs alone,
//! to reproduce a finding. `GITGATE_FULL` makes tests without seeds try everything they can.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod arguments;
pub mod backend;
pub mod emulate;
pub mod http;
pub mod node;
pub mod sshd;
pub mod tls;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The seeds to run: `usual`, unless the environment chooses others.
///
/// # Panics
///
/// If a variable is set to something other than a whole number.
pub fn seeds(usual: Range<u64>) -> Range<u64> {
    choose(usual, number("GITGATE_SEED"), number("GITGATE_SCENES"))
}

/// Whether the environment chooses no seeds. Statistics over all seeds, such as the number of
/// conflicts, hold only then.
pub fn has_usual_seeds() -> bool {
    number("GITGATE_SEED").is_none() && number("GITGATE_SCENES").is_none()
}

/// True in a soak. A test that repeats an operation at many moments, or many times, then tries all
/// of them, and otherwise some.
pub fn in_full() -> bool {
    std::env::var_os("GITGATE_FULL").is_some()
}

/// How often a test repeats: `usual`, or `full` in a soak.
pub fn times<T>(usual: T, full: T) -> T {
    if in_full() { full } else { usual }
}

/// The path of git. A command with its own environment starts much faster by its path: otherwise
/// std searches the new environment, which forks the whole test.
///
/// # Panics
///
/// If git is not on the path.
pub fn git() -> &'static Path {
    static GIT: OnceLock<PathBuf> = OnceLock::new();
    GIT.get_or_init(|| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let name = format!("git{}", std::env::consts::EXE_SUFFIX);
        let found = std::env::split_paths(&path).map(|folder| folder.join(&name)).find(|file| file.is_file());
        found.expect("git is on the path")
    })
}

fn number(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name} is not a whole number: {value}")))
}

fn choose(usual: Range<u64>, seed: Option<u64>, scenes: Option<u64>) -> Range<u64> {
    let count = match (seed, scenes) {
        (_, Some(scenes)) => scenes,
        (Some(_), None) => 1,
        (None, None) => usual.end - usual.start,
    };
    let first = seed.unwrap_or(usual.start);
    first..first + count
}

#[cfg(test)]
mod tests {
    use super::choose;

    #[test]
    fn the_environment_chooses_seeds() {
        assert_eq!(choose(10..34, None, None), 10..34);
        assert_eq!(choose(10..34, Some(7), None), 7..8);
        assert_eq!(choose(10..34, None, Some(3)), 10..13);
        assert_eq!(choose(10..34, Some(7), Some(3)), 7..10);
    }
}
