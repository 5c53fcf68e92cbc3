//! What to search for, and where.

use globset::{Candidate, GlobBuilder, GlobSet, GlobSetBuilder};
use regex::bytes::{Regex, RegexBuilder};

use crate::error::ToolError;

/// Limit, in bytes, for a compiled expression, and again for its state while it runs. Nested
/// repetitions would otherwise grow without bound.
const MAX_COMPILED: usize = 1 << 20;

/// The regular expression `pattern`, which takes time in proportion to what it searches.
pub fn regex(pattern: &str) -> Result<Regex, ToolError> {
    RegexBuilder::new(pattern).size_limit(MAX_COMPILED).dfa_size_limit(MAX_COMPILED).build().map_err(|error| {
        ToolError::bad_args(format!("Invalid pattern: {error}"))
            .hint("To match text literally, put a \\ before each of .*+?()[]{}|^$\\.")
    })
}

/// Which files are searched.
pub struct NameFilter(Option<Filter>);

struct Filter {
    set: GlobSet,
    /// Whether the path below the folder has to match, and not only the name.
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
        // Uses a set of one, because compiling a single glob panics where a set returns an error
        // that it is too large.
        let set = GlobSetBuilder::new().add(parsed).build().map_err(invalid)?;
        Ok(NameFilter(Some(Filter { set, whole_path: glob.contains('/') })))
    }

    /// Whether the file at `path`, relative to the folder that is searched, is one of them.
    pub fn take(&self, path: &[u8]) -> bool {
        let Some(filter) = &self.0 else {
            return true;
        };
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
        filter.set.is_match_candidate(&Candidate::from_bytes(if filter.whole_path { path } else { name }))
    }
}
