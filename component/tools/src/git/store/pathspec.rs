//! Matches pathspecs as git does: paths and globs that select files. It refuses magic (`:`).
//!
//! gix-glob matches the globs. globset is not git: there `**/c` matches `c` and `[[:alpha:]]` does not match `b`, in git the reverse.

use gix::bstr::{BStr, ByteSlice};
use gix::glob::wildmatch;

use crate::error::ToolError;
use crate::git::store::version::SUBMODULE;
use crate::paths::{SandboxPath, WORKSPACE};

/// The selected paths. Without any item, every path is selected.
#[derive(Debug, Default)]
pub struct Pathspec(Vec<Item>);

/// One path or glob.
#[derive(Debug)]
pub struct Item {
    /// The text of the caller.
    original: String,
    /// The pattern, from the root of the repository.
    pattern: Vec<u8>,
    /// The length of its literal prefix in bytes. The working folder's name is never a pattern.
    literal: usize,
}

impl Pathspec {
    /// Selects every path.
    pub fn all() -> Pathspec {
        Pathspec::default()
    }

    /// Parses `paths` relative to `working_dir`.
    pub fn parse(paths: &[String], working_dir: &SandboxPath) -> Result<Pathspec, ToolError> {
        let items = paths.iter().map(|path| item(path, working_dir));
        items.collect::<Result<_, _>>().map(Pathspec)
    }

    /// Selects exactly these literal files and folders, from the root of the repository. The empty path is the root.
    pub fn literal(paths: impl IntoIterator<Item = gix::bstr::BString>) -> Pathspec {
        let item = |path: gix::bstr::BString| Item {
            original: path.to_str_lossy().into_owned(),
            literal: path.len(),
            pattern: path.into(),
        };
        Pathspec(paths.into_iter().map(item).collect())
    }

    /// The items, in the order of the caller.
    pub fn items(&self) -> &[Item] {
        &self.0
    }

    /// The path of the item, if it is the only one and no glob.
    pub fn only_path(&self) -> Option<&BStr> {
        let [item] = self.0.as_slice() else { return None };
        let is_path = item.literal == item.pattern.len() && !item.pattern.is_empty() && !item.pattern.ends_with(b"/");
        is_path.then(|| item.pattern.as_bstr())
    }

    /// Whether a file below `folder` (with a slash at its end) may match.
    pub fn may_match_below(&self, folder: &BStr) -> bool {
        self.0.is_empty() || self.0.iter().any(|item| item.may_match_below(folder))
    }

    /// Whether `folder`, a nested repository with a slash at its end, matches as a whole. It does not if a more specific item may match
    /// something inside (git's dir.c, `treat_directory` and `prune_directory`).
    pub fn matches_repository(&self, folder: &BStr) -> bool {
        let best = self.0.iter().filter_map(|item| item.matching(folder)).max();
        let name = folder.strip_suffix(b"/").unwrap_or(folder).as_bstr();
        // git matches a glob against the name with its slash.
        let is_meant =
            |item: &Item| item.pattern == folder.as_bytes() || item.is_at_or_above(name) || item.globs(folder);
        let is_named = self.0.iter().any(is_meant);
        self.0.is_empty() || (is_named && best.is_some_and(|best| best != Matching::Below))
    }

    /// Whether the file at `path`, from the root of the repository, matches.
    pub fn matches(&self, path: &BStr) -> bool {
        self.0.is_empty() || self.0.iter().any(|item| item.matches(path))
    }

    /// Like [`matches`](Self::matches), for an entry with a mode: a submodule also matches as a folder.
    pub fn matches_mode(&self, path: &BStr, mode: u32) -> bool {
        self.0.is_empty() || self.0.iter().any(|item| item.matches_mode(path, mode))
    }
}

impl Item {
    /// The text of the caller.
    pub fn original(&self) -> &str {
        &self.original
    }

    /// The pattern, from the root of the repository. It is a path unless it is a glob, and empty for the root.
    pub fn path(&self) -> &BStr {
        self.pattern.as_bstr()
    }

    /// The literal part: all of a path, or a glob up to its first wildcard.
    pub fn literal(&self) -> &BStr {
        self.pattern[..self.literal].as_bstr()
    }

    /// Whether the entry at `path` with this mode matches: a submodule also matches as a folder.
    pub fn matches_mode(&self, path: &BStr, mode: u32) -> bool {
        let is_folder = || self.pattern.strip_suffix(b"/").is_some_and(|folder| folder == path.as_bytes());
        self.matches(path) || (mode == SUBMODULE && is_folder())
    }

    fn may_match_below(&self, folder: &[u8]) -> bool {
        let (literal, glob) = self.pattern.split_at(self.literal);
        match folder.strip_prefix(literal) {
            // The glob may match the rest of the folder, or the item is a folder above this one.
            Some(rest) => !glob.is_empty() || literal.is_empty() || literal.ends_with(b"/") || rest.starts_with(b"/"),
            None => literal.starts_with(folder),
        }
    }

    /// How the item matches `folder`, which has a slash at its end (git's dir.c, `match_pathspec_item`).
    fn matching(&self, folder: &BStr) -> Option<Matching> {
        let is_glob = self.literal < self.pattern.len();
        if self.pattern == folder.as_bytes() {
            return Some(Matching::Named);
        }
        if self.is_at_or_above(folder) {
            return Some(Matching::Whole);
        }
        if self.globs(folder) {
            return Some(Matching::Globbed);
        }
        let is_below = self.pattern.starts_with(folder) || (is_glob && folder.starts_with(self.literal()));
        is_below.then_some(Matching::Below)
    }

    /// Whether the file at `path`, from the root of the repository, matches.
    pub fn matches(&self, path: &BStr) -> bool {
        self.is_at_or_above(path) || self.globs(path)
    }

    fn is_at_or_above(&self, path: &BStr) -> bool {
        path.strip_prefix(self.pattern.as_slice()).is_some_and(|rest| {
            let whole = rest.is_empty() || rest[0] == b'/';
            whole || self.pattern.is_empty() || self.pattern.ends_with(b"/")
        })
    }

    fn globs(&self, path: &BStr) -> bool {
        let (start, glob) = self.pattern.split_at(self.literal);
        let rest = path.strip_prefix(start);
        !glob.is_empty()
            && rest.is_some_and(|rest| gix::glob::wildmatch(glob.as_bstr(), rest.as_bstr(), wildmatch::Mode::empty()))
    }
}

/// How an item matches a folder. A later variant is more specific.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Matching {
    /// The item is a folder above it, or its name without the slash.
    Whole,
    /// The item does not match it, but may match something below it.
    Below,
    /// The glob matches it.
    Globbed,
    /// The item is its name with the slash.
    Named,
}

fn item(path: &str, working_dir: &SandboxPath) -> Result<Item, ToolError> {
    if path.is_empty() {
        let words = "fatal: empty string is not a valid pathspec. please use . instead if you meant to match all paths";
        return Err(ToolError::bad_args(words));
    }
    if path.starts_with(':') {
        return Err(ToolError::bad_args(format!("Pathspec magic is not supported: {path}"))
            .hint("Name files and folders. You can use *, ? and [...]."));
    }
    if path.contains('\0') {
        return Err(ToolError::bad_args("A path cannot contain a NUL character"));
    }
    let mut components = path.split('/').filter(|name| !name.is_empty() && *name != ".");
    let mut prefix = working_dir.relative();
    if path.starts_with('/') {
        prefix.clear();
        if components.next() != Some(WORKSPACE) {
            return Err(ToolError::outside(path));
        }
    }
    let named: Vec<&str> = components.collect();
    if named.contains(&"..") {
        return Err(ToolError::outside(path));
    }
    if !prefix.is_empty() {
        prefix.push('/');
    }
    let mut pattern = prefix.clone();
    pattern.push_str(&named.join("/"));
    if path.ends_with('/') && !named.is_empty() {
        pattern.push('/');
    }
    let pattern = pattern.into_bytes();
    let wildcard = pattern[prefix.len()..].find_byteset(br"*?[\");
    let literal = wildcard.map_or(pattern.len(), |at| prefix.len() + at);
    Ok(Item { original: path.to_owned(), pattern, literal })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::paths::Zones;

    fn root() -> SandboxPath {
        Zones::new("/nowhere", Vec::new()).workspace()
    }

    fn matches(pattern: &str, path: &str) -> bool {
        let pathspec = Pathspec::parse(&[pattern.to_owned()], &root()).unwrap();
        pathspec.matches(path.into())
    }

    #[test]
    fn a_folder_stands_for_what_is_in_it() {
        assert!(matches("a", "a"));
        assert!(matches("a", "a/b"));
        assert!(matches("a/", "a/b"));
        assert!(!matches("a/", "a"));
        assert!(!matches("a", "ab"));
        assert!(matches(".", "any/thing"));
        assert!(matches("/workspace/a", "a/b"));
    }

    #[test]
    fn a_star_goes_over_slashes() {
        assert!(matches("*.rs", "a/b.rs"));
        assert!(matches("a*c", "a/b/c"));
        assert!(matches(r"a\*", "a*"));
        assert!(!matches(r"a\*", "ab"));
    }

    #[test]
    fn a_folder_is_looked_into_where_something_in_it_may_count() {
        let may = |pattern: &str, folder: &str| {
            let pathspec = Pathspec::parse(&[pattern.to_owned()], &root()).unwrap();
            pathspec.may_match_below(folder.into())
        };
        for (pattern, folder) in
            [("a", "a/"), ("a/b", "a/"), ("a/b", "a/b/"), ("a/b", "a/b/c/"), ("a/", "a/"), (".", "x/")]
        {
            assert!(may(pattern, folder), "{pattern} {folder}");
        }
        for (pattern, folder) in [("*.rs", "any/"), ("a*c", "ab/"), ("a/*b", "a/x/"), ("a/*b", "a/")] {
            assert!(may(pattern, folder), "{pattern} {folder}");
        }
        for (pattern, folder) in [("a", "ab/"), ("a/b", "b/"), ("a/b", "a/c/"), ("ab", "a/"), ("b/*", "a/")] {
            assert!(!may(pattern, folder), "{pattern} {folder}");
        }
    }

    #[test]
    fn a_path_counts_alone_where_it_is_no_glob_and_no_folder_by_its_slash() {
        for (patterns, only) in [
            (&["a/b"][..], Some("a/b")),
            (&["/workspace/a"], Some("a")),
            (&["a/"], None),
            (&["."], None),
            (&["a*"], None),
            (&["a", "b"], None),
            (&[], None),
        ] {
            let patterns: Vec<String> = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
            let pathspec = Pathspec::parse(&patterns, &root()).unwrap();
            assert_eq!(pathspec.only_path(), only.map(BStr::new), "{patterns:?}");
        }
    }

    #[test]
    fn below_a_working_folder_paths_are_relative_to_it() {
        let folder = root().join("s[1]");
        let pathspec = Pathspec::parse(&["*.rs".to_owned()], &folder).unwrap();
        assert!(pathspec.matches("s[1]/a.rs".into()));
        assert!(!pathspec.matches("s1/a.rs".into()));
        let here = Pathspec::parse(&[".".to_owned()], &folder).unwrap();
        assert!(here.matches("s[1]/a".into()));
        assert!(!here.matches("other".into()));
    }

    #[test]
    fn t_git_sec_02_traversal_magic_and_other_zones_are_refused() {
        let kind = |path: &str| {
            let refused = Pathspec::parse(&[path.to_owned()], &root());
            refused.unwrap_err().kind
        };
        assert_eq!(kind("../x"), ErrorKind::SandboxViolation);
        assert_eq!(kind("a/../../x"), ErrorKind::SandboxViolation);
        assert_eq!(kind("/etc/passwd"), ErrorKind::SandboxViolation);
        assert_eq!(kind(":(top)x"), ErrorKind::BadArgs);
        assert_eq!(kind(":!x"), ErrorKind::BadArgs);
        assert_eq!(kind(""), ErrorKind::BadArgs);
    }
}
