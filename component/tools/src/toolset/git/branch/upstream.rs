//! What git looks at and complains of when it looks for the upstream of a branch.

use gix::bstr::{BStr, BString, ByteSlice};

use crate::error::ToolError;
use crate::git::history::branch_name::HEADS;
use crate::git::store::refs::Refs;
use crate::git::store::refspec;

/// The branch that git looks at when it looks for the upstream of `branch`, a full name: the current one instead of one that is called HEAD, if
/// there is one.
pub fn looked_up(refs: &Refs<'_>, branch: &BStr) -> Result<Option<BString>, ToolError> {
    if branch == "refs/heads/HEAD" { refs.head() } else { Ok(Some(branch.to_owned())) }
}

/// What git says in lines when it reads what is configured for `branch`, a full name.
///
/// # Errors
///
/// In git's words, if what is configured for any remote makes no sense.
pub fn complaints(refs: &Refs<'_>, branch: &BStr) -> Result<String, ToolError> {
    refspec::ensure_valid(refs.repo)?;
    let short = branch.strip_prefix(HEADS.as_bytes()).unwrap_or(branch).as_bstr();
    let config = refs.repo.gix.config_snapshot();
    let value = |key: &str| config.plumbing().strings_by("branch", Some(short), key).unwrap_or_default();
    if value("remote").last().is_none_or(|remote| remote != ".") {
        return Ok(String::new());
    }
    // Branches of this repository are looked up by their short names.
    value("merge").iter().map(|merge| Ok(refs.meanings(merge.as_bstr())?.warnings)).collect()
}
