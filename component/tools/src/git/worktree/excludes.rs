//! Evaluates `.gitignore` files.
//!
//! Rules come from `.git/info/exclude` and from the `.gitignore` of every folder above a path. The last match in the deepest file with a
//! match wins. Nothing below an excluded folder can be included again.
//!
//! gix-glob matches the globs. globset is not git: there `a[/]b` matches `a/b` and `[[:alpha:]]` does not match `b`, in git the reverse.

use gix::bstr::{BStr, BString, ByteSlice};
use gix::glob::pattern::{Case, Mode};
use gix::glob::{Pattern, wildmatch};
use gix::index::State;
use gix::index::entry::Flags;

use crate::deadline::{Deadline, units};
use crate::error::ToolError;
use crate::git::store::blob;
use crate::git::store::repo::Repo;
use crate::git::worktree::rule_files;
use crate::platform::{self, Kind};

/// The name of the files with the rules of a folder.
pub const GITIGNORE: &str = ".gitignore";

/// The rules from the root down to the current folder of a walk.
pub struct Excludes<'a> {
    deadline: &'a Deadline,
    /// The rules of `.git/info/exclude`.
    everywhere: Vec<Rule>,
    folders: Vec<Folder>,
}

/// A line of a file.
struct Rule {
    pattern: Pattern,
    double_stars: usize,
}

/// The rules of a folder.
struct Folder {
    /// The length of the folder's path, including the slash at its end.
    path: usize,
    rules: Vec<Rule>,
    /// Whether the folder itself is excluded.
    excluded: bool,
}

impl<'a> Excludes<'a> {
    /// Loads the rules that apply everywhere.
    pub fn of(repo: &Repo, deadline: &'a Deadline) -> Result<Excludes<'a>, ToolError> {
        let everywhere = match platform::read(&repo.gix.common_dir().join("info/exclude")) {
            Ok(content) => parse(&content),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(ToolError::io(".git/info/exclude", &error)),
        };
        Ok(Excludes { deadline, everywhere, folders: Vec::new() })
    }

    /// Enters the folder `path`, whose rules are `gitignore`. The path ends with a slash, or is empty for the root.
    pub fn enter(&mut self, path: &BStr, gitignore: Option<&[u8]>, excluded: bool) -> Result<(), ToolError> {
        self.deadline.poll_units(units(gitignore.map_or(0, <[u8]>::len)))?;
        self.folders.push(Folder { path: path.len(), rules: gitignore.map(parse).unwrap_or_default(), excluded });
        Ok(())
    }

    /// Leaves the folder entered last.
    pub fn leave(&mut self) {
        self.folders.pop();
    }

    /// Whether `path`, an entry of the folder entered last, is excluded.
    pub fn contains(&self, path: &BStr, is_folder: bool) -> Result<bool, ToolError> {
        if self.folders.last().is_some_and(|folder| folder.excluded) {
            return Ok(true);
        }
        let deepest_first = self.folders.iter().rev();
        let lists = deepest_first.map(|folder| (folder.path, &folder.rules)).chain([(0, &self.everywhere)]);
        for (prefix, rules) in lists {
            let below = path[prefix..].as_bstr();
            let basename = below.rfind_byte(b'/').map(|slash| slash + 1);
            for rule in rules.iter().rev() {
                self.deadline.poll_units(1 + units(below.len()))?;
                rule_files::ensure_bounded(rule.double_stars, below, GITIGNORE)?;
                if rule.matches(below, basename, is_folder) {
                    return Ok(!rule.pattern.is_negative());
                }
            }
        }
        Ok(false)
    }
}

impl Rule {
    /// Whether the rule matches `path`, which is relative to the rule's folder. `basename` is the start of its last component.
    fn matches(&self, path: &BStr, basename: Option<usize>, is_folder: bool) -> bool {
        let Pattern { text, mode, first_wildcard_pos } = &self.pattern;
        let slashes = wildmatch::Mode::NO_MATCH_SLASH_LITERAL;
        let is_whole_path = !mode.contains(Mode::NO_SUB_DIR) || mode.contains(Mode::ABSOLUTE);
        match first_wildcard_pos {
            // git compares the text before the first wildcard separately. So the `**` of `a**/b` is at the start of the rest, where it
            // matches any number of folders.
            Some(wildcard) if is_whole_path => {
                // To git a leading backslash is a wildcard. gix has removed it where it escapes a `#` or `!`.
                let unescaped =
                    !mode.intersects(Mode::NEGATIVE | Mode::ABSOLUTE) && matches!(text.first(), Some(b'#' | b'!'));
                let (literal, rest) = text.split_at(if unescaped { 0 } else { *wildcard });
                let below = path.strip_prefix(literal).filter(|_| is_folder || !mode.contains(Mode::MUST_BE_DIR));
                below.is_some_and(|below| wildmatch(rest.as_bstr(), below.as_bstr(), slashes))
            }
            _ => self.pattern.matches_repo_relative_path(path, basename, Some(is_folder), Case::Sensitive, slashes),
        }
    }
}

/// The rules of a folder in the file `path`, relative to the root of the repository; `kind` is what exists there. If a sparse checkout
/// leaves the file out, its content comes from the index.
pub fn rules(repo: &Repo, index: &State, path: &BStr, kind: Option<Kind>) -> Result<Option<Vec<u8>>, ToolError> {
    if let Some(rules) = rule_files::read(repo, path, kind)? {
        return Ok(Some(rules));
    }
    let skipped = index.entry_by_path(path).filter(|entry| entry.flags.contains(Flags::SKIP_WORKTREE));
    skipped.map_or(Ok(None), |entry| blob::read(repo, entry.id))
}

/// Whether the rules of the folders above `path` exclude it.
pub fn is_ignored(repo: &Repo, index: &State, path: &BStr, deadline: &Deadline) -> Result<bool, ToolError> {
    let mut excludes = Excludes::of(repo, deadline)?;
    let mut folder = BString::default();
    let mut excluded = false;
    loop {
        let mut file = folder.clone();
        file.extend_from_slice(GITIGNORE.as_bytes());
        let found = match excluded {
            true => None,
            false => rules(repo, index, file.as_bstr(), rule_files::kind(repo, file.as_bstr()))?,
        };
        excludes.enter(folder.as_bstr(), found.as_deref(), excluded)?;
        let rest = &path[folder.len()..];
        let Some(slash) = rest.find_byte(b'/') else {
            return excludes.contains(path, rule_files::kind(repo, path) == Some(Kind::Folder));
        };
        folder.extend_from_slice(&rest[..slash]);
        excluded = excludes.contains(folder.as_bstr(), true)?;
        folder.push(b'/');
    }
}

fn parse(content: &[u8]) -> Vec<Rule> {
    // gix drops a carriage return only before a line feed. git adds a line feed to the end of every file.
    let mut content = content.to_vec();
    content.push(b'\n');
    let rule = |pattern: Pattern| Rule { double_stars: patch::glob::double_stars(&pattern.text), pattern };
    gix::ignore::parse(&content, false).map(|(pattern, _, _)| rule(pattern)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn never() -> Deadline {
        Deadline::after(|| 0, u64::MAX)
    }

    fn excludes<'a>(rules: &[(&str, &str)], deadline: &'a Deadline) -> Excludes<'a> {
        let mut excludes = Excludes { deadline, everywhere: Vec::new(), folders: Vec::new() };
        for (folder, rules) in rules {
            excludes.enter(folder.as_bytes().as_bstr(), Some(rules.as_bytes()), false).unwrap();
        }
        excludes
    }

    fn contains(excludes: &Excludes<'_>, path: &str) -> bool {
        excludes.contains(path.trim_end_matches('/').as_bytes().as_bstr(), path.ends_with('/')).unwrap()
    }

    #[test]
    fn the_last_rule_of_the_deepest_file_decides() {
        let deadline = never();
        let excludes = excludes(&[("", "*.log\n!keep.log\n"), ("sub/", "keep.log\n")], &deadline);
        assert!(contains(&excludes, "sub/a.log"));
        assert!(contains(&excludes, "sub/keep.log"));
        assert!(!contains(&excludes, "sub/a.txt"));
    }

    #[test]
    fn a_slash_ties_a_rule_to_its_folder_and_one_at_the_end_to_folders() {
        let deadline = never();
        let excludes = excludes(&[("", "/top\nbuild/\na/**/z\n")], &deadline);
        assert!(contains(&excludes, "top"));
        assert!(!contains(&excludes, "sub/top"));
        assert!(contains(&excludes, "sub/build/"));
        assert!(!contains(&excludes, "sub/build"));
        assert!(contains(&excludes, "a/b/c/z"));
    }

    #[test]
    fn lines_end_in_a_line_feed_with_or_without_a_carriage_return() {
        let deadline = never();
        let excludes = excludes(&[("", "one\r\ntwo\r")], &deadline);
        assert!(contains(&excludes, "one"));
        assert!(contains(&excludes, "two"));
    }

    #[test]
    fn below_an_excluded_folder_all_is_excluded() {
        let deadline = never();
        let mut excludes = excludes(&[("", "")], &deadline);
        excludes.enter("out/".into(), Some(b"!*"), true).unwrap();
        assert!(contains(&excludes, "out/a"));
    }
}
