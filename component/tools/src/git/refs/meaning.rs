//! What a short name can mean (gitrevisions, "refname").

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};

use super::read::{End, Refs, Value};
use crate::error::ToolError;

/// What stands before and behind a short name in the full ones that it can mean, first come first served.
pub const RULES: [(&str, &str); 6] = [
    ("", ""),
    ("refs/", ""),
    ("refs/tags/", ""),
    ("refs/heads/", ""),
    ("refs/remotes/", ""),
    ("refs/remotes/", "/HEAD"),
];

/// All that a short name means.
#[derive(Debug, Default)]
pub struct Meanings {
    /// Refs, each by the name that it leads to.
    pub refs: Vec<(BString, ObjectId)>,
    /// What git says of others, in lines.
    pub warnings: String,
}

impl Refs<'_> {
    /// What `name` means.
    pub fn meanings(&self, name: &BStr) -> Result<Meanings, ToolError> {
        let mut meanings = Meanings::default();
        for (before, behind) in RULES {
            let full = BString::from([before.as_bytes(), name, behind.as_bytes()].concat());
            if let End::Id { name, id } = self.follow(full.as_bstr())? {
                meanings.refs.push((name, id));
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

    /// What git says where it looks `id` up by its digits, and a ref has those for its name.
    pub fn warning_of_id(&self, id: &str) -> Result<String, ToolError> {
        let meanings = self.meanings(id.into())?;
        let mut warnings = meanings.warnings;
        if !meanings.refs.is_empty() {
            warnings.push_str(&format!("warning: refname '{id}' is ambiguous.\n{NAMED_LIKE_AN_ID}"));
        }
        Ok(warnings)
    }
}

/// What git says of a ref whose name has the digits of an id.
pub const NAMED_LIKE_AN_ID: &str = "\
Git normally never creates a ref that ends with 40 hex characters
because it will be ignored when you just specify 40-hex. These refs
may be created by mistake. For example,

  git switch -c $br $(git rev-parse ...)

where \"$br\" is somehow empty and a 40-hex ref is created. Please
examine these refs and maybe delete them. Turn this message off by
running \"git config advice.objectNameWarning false\"
";
