//! git's lookups and warnings when it searches for the upstream of a branch.

use gix::bstr::{BStr, BString, ByteSlice};

use crate::error::ToolError;
use crate::git::history::branch_name::HEADS;
use crate::git::store::refs::Refs;
use crate::git::store::refspec;

/// The branch whose upstream git looks up for `branch`, a full name. For a branch called HEAD that is the current branch, if any.
pub fn looked_up(refs: &Refs<'_>, branch: &BStr) -> Result<Option<BString>, ToolError> {
    if branch == "refs/heads/HEAD" { refs.head() } else { Ok(Some(branch.to_owned())) }
}

/// git's warnings, in lines, when it reads the configuration of `branch`, a full name.
///
/// # Errors
///
/// In git's words, if the configuration of any remote is invalid.
pub fn complaints(refs: &Refs<'_>, branch: &BStr) -> Result<String, ToolError> {
    refspec::ensure_valid(refs.repo)?;
    let short = branch.strip_prefix(HEADS.as_bytes()).unwrap_or(branch).as_bstr();
    let config = refs.repo.gix.config_snapshot();
    let value = |key: &str| config.plumbing().strings_by("branch", Some(short), key).unwrap_or_default();
    if value("remote").last().is_none_or(|remote| remote != ".") {
        return Ok(String::new());
    }
    // git looks up branches of this repository by their short names.
    value("merge").iter().map(|merge| Ok(refs.meanings(merge.as_bstr())?.warnings)).collect()
}
