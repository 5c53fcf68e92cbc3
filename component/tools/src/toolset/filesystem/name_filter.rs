//! Chooses files by their names.

use globset::{Candidate, GlobBuilder, GlobSet, GlobSetBuilder};

use crate::error::ToolError;

/// Chooses files by globs. A glob with a slash has to match the path below the folder, any other the name.
#[derive(Default)]
pub struct NameFilter {
    /// Each has to match.
    all: Vec<Globs>,
}

/// Globs of which one has to match.
struct Globs {
    of_name: GlobSet,
    of_path: GlobSet,
}

impl NameFilter {
    /// Chooses all files.
    pub fn new() -> NameFilter {
        NameFilter::default()
    }

    /// The same of those that one of `globs` names. A glob becomes a regular expression, so it cannot backtrack either.
    pub fn and_any(mut self, globs: &[impl AsRef<str>], ignore_case: bool) -> Result<NameFilter, ToolError> {
        let invalid = |error: globset::Error| ToolError::bad_args(format!("Invalid glob: {error}"));
        // Sets, because compiling a single glob panics if it is too large, while a set returns an error.
        let (mut of_name, mut of_path) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        for glob in globs.iter().map(AsRef::as_ref) {
            let parsed = GlobBuilder::new(glob.strip_prefix('/').unwrap_or(glob))
                .literal_separator(true)
                .backslash_escape(true)
                .case_insensitive(ignore_case)
                .build()
                .map_err(invalid)?;
            if glob.contains('/') { &mut of_path } else { &mut of_name }.add(parsed);
        }
        let globs = Globs { of_name: of_name.build().map_err(invalid)?, of_path: of_path.build().map_err(invalid)? };
        self.all.push(globs);
        Ok(self)
    }

    /// Whether to take the file at `path`, which is relative to the folder.
    pub fn take(&self, path: &[u8]) -> bool {
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
        let is_any = |globs: &Globs| {
            globs.of_name.is_match_candidate(&Candidate::from_bytes(name))
                || globs.of_path.is_match_candidate(&Candidate::from_bytes(path))
        };
        self.all.iter().all(is_any)
    }
}
