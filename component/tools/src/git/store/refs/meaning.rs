//! Resolves short ref names (gitrevisions, "refname").

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};

use super::read::{End, Refs, Value};
use crate::error::ToolError;
use crate::git::store::abbrev::by_first_digits;
use crate::git::store::repo::Repo;

/// The text before and after a short name in the full names that it can mean. The first match wins.
pub const RULES: [(&str, &str); 6] = [
    ("", ""),
    ("refs/", ""),
    ("refs/tags/", ""),
    ("refs/heads/", ""),
    ("refs/remotes/", ""),
    ("refs/remotes/", "/HEAD"),
];

/// All meanings of a short name.
#[derive(Debug, Default)]
pub struct Meanings {
    /// The refs, each by the name at the end of its chain.
    pub refs: Vec<(BString, ObjectId)>,
    /// git's warnings about dangling and broken refs, in lines.
    pub warnings: String,
}

impl Refs<'_> {
    /// All meanings of `name`.
    pub fn meanings(&self, name: &BStr) -> Result<Meanings, ToolError> {
        let mut meanings = Meanings::default();
        for (before, behind) in RULES {
            let full = BString::from([before.as_bytes(), name, behind.as_bytes()].concat());
            if let End::Id { name, id } = self.follow(full.as_bstr())? {
                meanings.refs.push((name, id));
                if !warns_of_ambiguity(self.repo) {
                    break;
                }
                continue;
            }
            let what = match self.value(full.as_bstr())? {
                Some(Value::Symbolic(_)) if full != "HEAD" => "dangling symref",
                Some(Value::Broken) if full.contains(&b'/') => "broken ref",
                _ => continue,
            };
            meanings.warnings.push_str(&format!("warning: ignoring {what} {full}\n"));
        }
        Ok(meanings)
    }

    /// git's warning if `name` means several refs, or both a ref and an object with these first digits.
    pub fn warning_of(&self, name: &str, meanings: &Meanings) -> String {
        let is_too = || by_first_digits(self.repo, name.into()).is_some();
        match meanings.refs.len() > 1 || (meanings.refs.len() == 1 && warns_of_ambiguity(self.repo) && is_too()) {
            true => ambiguous(name),
            false => String::new(),
        }
    }

    /// git's warning for an `id` in full that is also the name of a ref.
    pub fn warning_of_id(&self, id: &str) -> Result<String, ToolError> {
        if !warns_of_ambiguity(self.repo) {
            return Ok(String::new());
        }
        let meanings = self.meanings(id.into())?;
        let mut warnings = meanings.warnings;
        if !meanings.refs.is_empty() {
            warnings.push_str(&ambiguous(id));
            warnings.push_str(NAMED_LIKE_AN_ID);
        }
        Ok(warnings)
    }
}

/// Whether git warns of ambiguous names (git-config, "core.warnAmbiguousRefs").
pub fn warns_of_ambiguity(repo: &Repo) -> bool {
    repo.gix.config_snapshot().boolean("core.warnAmbiguousRefs").unwrap_or(true)
}

/// git's warning that `name` is ambiguous, as a line.
pub fn ambiguous(name: &str) -> String {
    format!("warning: refname '{name}' is ambiguous.\n")
}

/// git's advice about a ref with the name of an id, in lines.
pub const NAMED_LIKE_AN_ID: &str = "\
Git normally never creates a ref that ends with 40 hex characters
because it will be ignored when you just specify 40-hex. These refs
may be created by mistake. For example,

  git switch -c $br $(git rev-parse ...)

where \"$br\" is somehow empty and a 40-hex ref is created. Please
examine these refs and maybe delete them. Turn this message off by
running \"git config advice.objectNameWarning false\"
";
