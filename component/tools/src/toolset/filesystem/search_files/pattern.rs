//! Parses the pattern and the file filter of a search.

use globset::{Candidate, GlobBuilder, GlobSet, GlobSetBuilder};
use regex::bytes::{Regex, RegexBuilder};

use crate::error::ToolError;

/// Size limit, in bytes, of a compiled expression, and also of its state while it runs. Without it, nested repetitions would grow without
/// bound.
const MAX_COMPILED: usize = 1 << 20;

/// Compiles `pattern`. A search takes time linear in the size of its input.
pub fn regex(pattern: &str) -> Result<Regex, ToolError> {
    RegexBuilder::new(pattern).size_limit(MAX_COMPILED).dfa_size_limit(MAX_COMPILED).build().map_err(|error| {
        ToolError::bad_args(format!("Invalid pattern: {error}"))
            .hint("To match text literally, put a \\ before each of .*+?()[]{}|^$\\.")
    })
}

/// Chooses the files to search.
pub struct NameFilter(Option<Filter>);

struct Filter {
    set: GlobSet,
    /// Whether the glob has to match the path below the folder, not only the name.
    whole_path: bool,
}

impl NameFilter {
    /// Matches the files that `glob` names, or all files without one. A glob becomes a regular
    /// expression, so it cannot backtrack either.
    pub fn new(glob: Option<&str>) -> Result<NameFilter, ToolError> {
        let Some(glob) = glob else {
            return Ok(NameFilter(None));
        };
        let invalid = |error: globset::Error| ToolError::bad_args(format!("Invalid glob: {error}"));
        let parsed = GlobBuilder::new(glob.strip_prefix('/').unwrap_or(glob))
            .literal_separator(true)
            .backslash_escape(true)
            .build()
            .map_err(invalid)?;
        // A set of one glob, because compiling a single glob panics if it is too large, while a set returns an error.
        let set = GlobSetBuilder::new().add(parsed).build().map_err(invalid)?;
        Ok(NameFilter(Some(Filter { set, whole_path: glob.contains('/') })))
    }

    /// Whether to search the file at `path`, which is relative to the searched folder.
    pub fn take(&self, path: &[u8]) -> bool {
        let Some(filter) = &self.0 else {
            return true;
        };
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
        filter.set.is_match_candidate(&Candidate::from_bytes(if filter.whole_path { path } else { name }))
    }
}
