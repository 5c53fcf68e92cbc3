//! Protected branches, which always need approval.

use crate::glob;

/// Patterns of branches' names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Protected(Vec<String>);

impl Protected {
    /// Always protected.
    pub const BUILT_IN: [&'static str; 3] = ["main", "master", "production"];

    /// The built-in names and those of a policy.
    pub fn with(globs: impl IntoIterator<Item = String>) -> Self {
        Protected(Self::BUILT_IN.map(str::to_owned).into_iter().chain(globs).collect())
    }

    /// For a target that belongs to nobody yet, such as a new file: nothing in it is protected.
    pub fn nothing() -> Self {
        Protected(Vec::new())
    }

    /// The patterns.
    pub fn patterns(&self) -> &[String] {
        &self.0
    }

    /// Whether `branch`, a name without `refs/heads/`, is protected. Case does not matter, because
    /// on some filesystems `Main` is `main`.
    pub fn matches(&self, branch: &str) -> bool {
        self.0.iter().any(|glob| glob::matches_alike(glob, branch.as_bytes()))
    }
}

impl Default for Protected {
    fn default() -> Self {
        Protected::with([])
    }
}

#[cfg(test)]
mod tests {
    use super::Protected;

    #[test]
    fn the_built_in_branches_are_protected_in_any_case() {
        for branch in ["main", "master", "production", "Main", "PRODUCTION", "ma\u{17f}ter", "\u{ff4d}ain"] {
            assert!(Protected::default().matches(branch), "{branch}");
        }
        for branch in ["maintenance", "x/main", "main/x", "dev", ""] {
            assert!(!Protected::default().matches(branch), "{branch}");
        }
    }

    #[test]
    fn a_policy_protects_more() {
        let protected = Protected::with(["release/*".into()]);
        assert!(protected.matches("Release/1") && protected.matches("main"));
        assert!(!protected.matches("release/1/x"));
    }
}
