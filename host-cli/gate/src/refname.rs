//! Branches: the only refs a push may move.

use std::{fmt, str::FromStr};

use bstr::ByteSlice;
use serde::{Deserialize, Serialize};

use crate::{
    error::{Fault, FaultKind},
    text,
};

/// A full, valid name of a branch: `refs/heads/<branch>`.
///
/// Valid is what git's `check-ref-format --branch` accepts, except for names that some filesystem or terminal takes for something else:
/// device names, control, bidirectional and invisible characters, bytes that are not UTF-8.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct BranchRef(String);

const PREFIX: &str = "refs/heads/";

impl BranchRef {
    /// The full name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name without `refs/heads/`.
    pub fn branch(&self) -> &str {
        &self.0[PREFIX.len()..]
    }

    /// Builds it from a branch name without `refs/heads/`.
    ///
    /// # Errors
    /// As [`BranchRef::from_str`].
    pub fn from_branch(branch: &str) -> Result<Self, Fault> {
        format!("{PREFIX}{branch}").parse()
    }
}

impl FromStr for BranchRef {
    type Err = Fault;

    fn from_str(full: &str) -> Result<Self, Fault> {
        let branch =
            full.strip_prefix(PREFIX).ok_or_else(|| bad(full, "is not a branch: it is not below refs/heads/"))?;
        check_name(full)?;
        if branch == "HEAD" {
            return Err(bad(full, "is reserved"));
        }
        if branch.starts_with('-') {
            return Err(bad(full, "has a branch that starts with '-'"));
        }
        Ok(BranchRef(full.to_owned()))
    }
}

/// Checks any full ref name, by the rules of [`BranchRef`] in any folder.
///
/// # Errors
/// [`FaultKind::BadRef`], naming the broken rule.
pub fn check_name(full: &str) -> Result<(), Fault> {
    if full != "HEAD" && !full.starts_with("refs/") {
        return Err(bad(full, "is neither HEAD nor below refs/"));
    }
    if full.len() > 1024 {
        return Err(bad(full, "is longer than 1024 bytes"));
    }
    // A file name has at most 255 bytes, and git puts a lock beside a ref.
    if full.split('/').any(|part| part.len() + ".lock".len() > 255) {
        return Err(bad(full, "has a component of more than 250 bytes"));
    }
    if full.split('/').any(|part| part == "." || part == "..") {
        return Err(bad(full, "has a component '.' or '..'"));
    }
    gix_validate::reference::name(full.as_bytes().as_bstr())
        .map_err(|error| bad(full, &format!("is not valid: {error}")))?;
    if full.split('/').any(is_device) {
        return Err(bad(full, "has a component that is a device name on Windows"));
    }
    if full.split('/').any(|part| part.to_ascii_lowercase().ends_with(".lock")) {
        return Err(bad(full, "has a component that ends in .lock"));
    }
    if full.chars().any(char::is_control) || text::has_hidden(full.as_bytes()) {
        return Err(bad(full, "has a control, bidirectional or invisible character"));
    }
    Ok(())
}

/// Whether Windows opens a device for this name, with any extension.
pub(crate) fn is_device(component: &str) -> bool {
    let stem = component.split(['.', ':']).next().unwrap_or_default().trim_end_matches(' ').to_ascii_uppercase();
    match stem.as_str() {
        "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$" => true,
        port => ["COM", "LPT"].iter().any(|kind| {
            port.strip_prefix(kind).is_some_and(|number| {
                matches!(number, "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "\u{b9}" | "\u{b2}" | "\u{b3}")
            })
        }),
    }
}

fn bad(full: &str, rule: &str) -> Fault {
    Fault::new(FaultKind::BadRef, format!("the ref '{}' {rule}", text::name(full.as_bytes())))
        .with_hint("name a branch as git allows it, such as refs/heads/topic")
}

impl TryFrom<String> for BranchRef {
    type Error = Fault;

    fn try_from(full: String) -> Result<Self, Fault> {
        full.parse()
    }
}

impl From<BranchRef> for String {
    fn from(reference: BranchRef) -> String {
        reference.0
    }
}

impl fmt::Display for BranchRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
