//! Examples of git's documented rules for `.gitignore` files, globs and revisions.
//!
//! Each row has a rule and an example. The tests compare the tools and the git program with it.
#![cfg(not(target_os = "wasi"))]

mod history;
mod ignore;
mod revisions;
mod wildmatch;

/// Collects all mismatches, to report them at once.
#[derive(Default)]
struct Findings(Vec<String>);

impl Findings {
    /// Notes a mismatch if `who` differs from the row.
    fn compare<T: PartialEq + std::fmt::Debug>(&mut self, who: &str, row: &str, found: T, expected: T) {
        if found != expected {
            self.0.push(format!("{row}: {who} says {found:?} instead of {expected:?}"));
        }
    }

    fn assert_none(self) {
        assert!(self.0.is_empty(), "\n{}", self.0.join("\n"));
    }
}
