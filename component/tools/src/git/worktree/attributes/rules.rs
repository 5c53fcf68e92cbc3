//! Attribute rules in order: the built-in ones, those of every folder above a path, and `.git/info/attributes`. The last match wins.

use std::path::Path;

use gix::attrs::Search;
use gix::attrs::search::{MetadataCollection, Outcome};
use gix::bstr::{BStr, BString, ByteSlice};
use gix::glob::pattern::Case;

use crate::deadline::{Deadline, units};
use crate::error::ToolError;
use crate::git::store::repo::Repo;
use crate::git::worktree::rule_files;
use crate::platform;

/// The name of the files with the rules of a folder.
const GITATTRIBUTES: &str = ".gitattributes";

/// The number of lines matched between two polls of the deadline.
const LINES_AT_ONCE: usize = 64;

/// The rules for paths in the folder entered last.
///
/// As in git, the rules of a folder are read for the first path in it, and dropped at the first path outside it. The rules of the root
/// stay.
pub struct Rules {
    built_in: Vec<Part>,
    /// The entered folders, starting with the root.
    entered: Vec<Folder>,
    everywhere: Vec<Part>,
    names: Names,
}

/// An entered folder.
struct Folder {
    /// With a slash at its end, except for the root.
    path: BString,
    rules: Vec<Part>,
}

/// Up to [`LINES_AT_ONCE`] lines of rules from one file.
struct Part {
    search: Search,
    /// The largest number of `**` in one rule.
    double_stars: usize,
}

/// All attribute names seen so far.
#[derive(Default)]
struct Names {
    known: MetadataCollection,
    /// The total length of all rules, in bytes.
    length: usize,
}

impl Rules {
    /// Loads the rules that apply to every path.
    pub fn of(repo: &Repo) -> Result<Rules, ToolError> {
        let mut names = Names::default();
        let built_in = names.rules(b"[attr]binary -diff -merge -text", None, true)?;
        let everywhere = match platform::read(&repo.gix.common_dir().join("info/attributes")) {
            Ok(content) => names.rules(&content, None, true)?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(ToolError::io(".git/info/attributes", &error)),
        };
        Ok(Rules { built_in, entered: Vec::new(), everywhere, names })
    }

    /// Enters the folder of `path`, and leaves the folders that it is not in. `read` returns the rules in the file at a path.
    pub fn enter(
        &mut self,
        path: &BStr,
        deadline: &Deadline,
        read: impl Fn(&BStr) -> Result<Option<Vec<u8>>, ToolError>,
    ) -> Result<(), ToolError> {
        while self.entered.last().is_some_and(|folder| !path.starts_with(&folder.path)) {
            self.entered.pop();
        }
        if self.entered.is_empty() {
            self.push(BString::default(), deadline, &read)?;
        }
        let mut known = self.entered.last().map_or(0, |folder| folder.path.len());
        while let Some(slash) = path[known..].find_byte(b'/') {
            known += slash + 1;
            self.push(path[..known].into(), deadline, &read)?;
        }
        Ok(())
    }

    fn push(
        &mut self,
        folder: BString,
        deadline: &Deadline,
        read: &impl Fn(&BStr) -> Result<Option<Vec<u8>>, ToolError>,
    ) -> Result<(), ToolError> {
        let mut path = folder.clone();
        path.extend_from_slice(GITATTRIBUTES.as_bytes());
        let content = read(path.as_bstr())?.unwrap_or_default();
        deadline.poll_units(1 + units(content.len()))?;
        let rules = self.names.rules(&content, Some(path.as_bstr()), folder.is_empty())?;
        self.entered.push(Folder { path: folder, rules });
        Ok(())
    }

    /// Prepares to look up the attributes `names`.
    pub fn outcome(&self, names: &[&str]) -> Outcome {
        let mut outcome = Outcome::default();
        outcome.initialize_with_selection(&self.names.known, names);
        outcome
    }

    /// Looks up the attributes of the file at `path`, whose folder was entered.
    pub fn fill(&self, path: &BStr, deadline: &Deadline, outcome: &mut Outcome) -> Result<(), ToolError> {
        deadline.poll_units(1 + units(self.names.length))?;
        // Later rules may have added attribute names.
        outcome.initialize(&self.names.known);
        let folders = self.entered.iter().rev().flat_map(|folder| folder.rules.iter().rev());
        for rules in self.everywhere.iter().rev().chain(folders).chain(&self.built_in) {
            if outcome.is_done() {
                break;
            }
            deadline.poll_units((1 + units(path.len())).saturating_mul(LINES_AT_ONCE as u32))?;
            rule_files::ensure_bounded(rules.double_stars, path, GITATTRIBUTES)?;
            rules.search.pattern_matching_relative_path(path, Case::Sensitive, Some(false), outcome);
        }
        Ok(())
    }
}

impl Names {
    /// Parses the rules in `content`, in parts in the order of lines. `path` is the file, or `None` for rules outside the working tree.
    fn rules(&mut self, content: &[u8], path: Option<&BStr>, defines_macros: bool) -> Result<Vec<Part>, ToolError> {
        self.length += content.len();
        let (source, root) = match path {
            Some(path) => (platform::join(Path::new(""), path), Some(Path::new(""))),
            None => ("everywhere".into(), None),
        };
        let mut parts = Vec::new();
        let mut rest = content;
        while !rest.is_empty() {
            let end = rest.find_iter(b"\n").nth(LINES_AT_ONCE - 1).map_or(rest.len(), |last| last + 1);
            let mut search = Search::default();
            search
                .add_patterns_buffer(&rest[..end], source.clone(), root, &mut self.known, defines_macros)
                .map_err(|error| failed(&error))?;
            parts.push(Part { search, double_stars: patch::glob::most_double_stars(&rest[..end]) });
            rest = &rest[end..];
        }
        Ok(parts)
    }
}

fn failed(error: &(dyn std::error::Error + 'static)) -> ToolError {
    ToolError::failed(format!("Attributes cannot be read: {error}")).caused_by(error)
}
