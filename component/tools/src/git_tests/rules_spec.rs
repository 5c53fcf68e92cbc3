//! git's documented rules, as examples: which paths `.gitignore` files exclude, what globs match, what revisions name.
//!
//! Each row says a rule and an example of it. What the tools do is held against the row, and so is the git program.
#![cfg(not(target_os = "wasi"))]

mod history;
mod ignore;
mod revisions;
mod wildmatch;

/// Collects what does not hold, to show it all at once.
#[derive(Default)]
struct Findings(Vec<String>);

impl Findings {
    /// Notes that `who` says otherwise than the row.
    fn compare<T: PartialEq + std::fmt::Debug>(&mut self, who: &str, row: &str, found: T, expected: T) {
        if found != expected {
            self.0.push(format!("{row}: {who} says {found:?} instead of {expected:?}"));
        }
    }

    fn assert_none(self) {
        assert!(self.0.is_empty(), "\n{}", self.0.join("\n"));
    }
}
