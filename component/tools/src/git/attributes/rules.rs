//! Attribute rules in their order: built in, of every folder on the way to a path, of `.git/info/attributes`. The last one decides.

use std::path::Path;

use gix::attrs::Search;
use gix::attrs::search::{MetadataCollection, Outcome};
use gix::bstr::{BStr, BString, ByteSlice};
use gix::glob::pattern::Case;

use crate::error::ToolError;
use crate::git::repo::Repo;
use crate::platform;

/// The name of the files that hold the rules of a folder.
const GITATTRIBUTES: &str = ".gitattributes";

/// The rules for the paths of the folder that was entered last.
///
/// As in git, the rules of a folder are read when a path in it is looked at, and kept until one outside is; those of the root are kept for
/// good.
pub struct Rules {
    built_in: Search,
    /// A list for each folder that was entered.
    folders: Search,
    everywhere: Search,
    /// All attributes that were ever named.
    names: MetadataCollection,
    /// The folders that were entered, the root first, each with a slash at its end but for the root.
    entered: Vec<BString>,
}

impl Rules {
    /// The rules that hold for every path.
    pub fn of(repo: &Repo) -> Result<Rules, ToolError> {
        let mut names = MetadataCollection::default();
        let mut rules = |content: &[u8]| {
            let mut search = Search::default();
            let source = "everywhere".into();
            search.add_patterns_buffer(content, source, None, &mut names, true).map_err(|error| failed(&error))?;
            Ok::<_, ToolError>(search)
        };
        let built_in = rules(b"[attr]binary -diff -merge -text")?;
        let everywhere = match platform::read(&repo.gix.common_dir().join("info/attributes")) {
            Ok(content) => rules(&content)?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Search::default(),
            Err(error) => return Err(ToolError::io(".git/info/attributes", &error)),
        };
        Ok(Rules { built_in, folders: Search::default(), everywhere, names, entered: Vec::new() })
    }

    /// Enters the folder of `path`, and leaves those that it is not in. `read` gives the rules in a file, by its path.
    pub fn enter(
        &mut self,
        path: &BStr,
        read: impl Fn(&BStr) -> Result<Option<Vec<u8>>, ToolError>,
    ) -> Result<(), ToolError> {
        while self.entered.last().is_some_and(|folder| !path.starts_with(folder)) {
            self.entered.pop();
            self.folders.pop_pattern_list();
        }
        if self.entered.is_empty() {
            self.push(BString::default(), &read)?;
        }
        let mut known = self.entered.last().map_or(0, |folder| folder.len());
        while let Some(slash) = path[known..].find_byte(b'/') {
            known += slash + 1;
            self.push(path[..known].into(), &read)?;
        }
        Ok(())
    }

    fn push(
        &mut self,
        folder: BString,
        read: &impl Fn(&BStr) -> Result<Option<Vec<u8>>, ToolError>,
    ) -> Result<(), ToolError> {
        let mut path = folder.clone();
        path.extend_from_slice(GITATTRIBUTES.as_bytes());
        let content = read(path.as_bstr())?.unwrap_or_default();
        let (source, root) = (platform::join(Path::new(""), &path), Some(Path::new("")));
        let (names, defines_macros) = (&mut self.names, folder.is_empty());
        self.folders
            .add_patterns_buffer(&content, source, root, names, defines_macros)
            .map_err(|error| failed(&error))?;
        self.entered.push(folder);
        Ok(())
    }

    /// Room for the values of the attributes `names`.
    pub fn outcome(&self, names: &[&str]) -> Outcome {
        let mut outcome = Outcome::default();
        outcome.initialize_with_selection(&self.names, names);
        outcome
    }

    /// Finds what the rules say of the file at `path`, whose folder was entered.
    pub fn fill(&self, path: &BStr, outcome: &mut Outcome) {
        // Attributes may have been named since the outcome was made.
        outcome.initialize(&self.names);
        for group in [&self.everywhere, &self.folders, &self.built_in] {
            if outcome.is_done() {
                break;
            }
            group.pattern_matching_relative_path(path, Case::Sensitive, Some(false), outcome);
        }
    }
}

fn failed(error: &dyn std::fmt::Display) -> ToolError {
    ToolError::failed(format!("Attributes cannot be read: {error}"))
}
