//! Branches that ask for a second look, whatever else a policy allows.

use crate::glob;

/// Names of branches, with `*` (anything but a slash), `**` (anything) and `?` (one character but a slash).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Protected(Vec<String>);

impl Protected {
    /// Always protected.
    pub const BUILT_IN: [&'static str; 3] = ["main", "master", "production"];

    /// The built-in names and those of a policy.
    pub fn with(globs: impl IntoIterator<Item = String>) -> Self {
        Protected(Self::BUILT_IN.map(str::to_owned).into_iter().chain(globs).collect())
    }

    /// Whether `branch`, a name without `refs/heads/`, is protected. Case plays no part: on some
    /// filesystems `Main` is `main`.
    pub fn matches(&self, branch: &str) -> bool {
        let branch = branch.to_lowercase();
        self.0.iter().any(|glob| glob::matches(glob.to_lowercase().as_bytes(), branch.as_bytes()))
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
        for branch in ["main", "master", "production", "Main", "PRODUCTION"] {
            assert!(Protected::default().matches(branch), "{branch}");
        }
        for branch in ["maintenance", "x/main", "main/x", "dev", ""] {
            assert!(!Protected::default().matches(branch), "{branch}");
        }
    }

    #[test]
    fn globs_match_whole_names() {
        let protected = Protected::with(["release/*".into(), "hot**fix".into(), "v?.x".into()]);
        for branch in ["release/1", "release/", "hot/a/b/fix", "hotfix", "v1.x"] {
            assert!(protected.matches(branch), "{branch}");
        }
        for branch in ["release/1/x", "release", "v10.x", "v/.x", "hotfixes"] {
            assert!(!protected.matches(branch), "{branch}");
        }
    }
}
