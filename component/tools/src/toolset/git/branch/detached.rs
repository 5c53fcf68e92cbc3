//! git's description of a detached HEAD.

use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};

use crate::error::ToolError;
use crate::git::change::operation::{Operations, Rebase};
use crate::git::history::detached_head::{last_switch, origin};
use crate::git::store::refs::Refs;

/// Replaces an unknown name in a text.
const NOTHING: &str = "(null)";

/// Describes a HEAD that is detached at `id`.
pub fn description(refs: &Refs<'_>, id: ObjectId) -> Result<BString, ToolError> {
    let operations = Operations::of(refs.repo)?;
    let with = |words: &str, name: Option<BString>| {
        let name = name.unwrap_or_else(|| NOTHING.into());
        BString::from([b"(", words.as_bytes(), b" ", name.as_bytes(), b")"].concat())
    };
    let origin = origin(refs, id)?;
    Ok(match (operations.rebase, operations.bisect) {
        (Some(Rebase::Commits { branch: Some(branch), .. }), _) => with("no branch, rebasing", Some(branch)),
        (Some(Rebase::Commits { .. }), _) => {
            with("no branch, rebasing detached HEAD", origin.map(|origin| origin.from))
        }
        (_, Some(branch)) => with("no branch, bisect started on", branch),
        _ => match origin {
            Some(origin) if origin.at => with("HEAD detached at", Some(origin.from)),
            Some(origin) => with("HEAD detached from", Some(origin.from)),
            None => "(no branch)".into(),
        },
    })
}

/// How often git computes the description: once for the width of the list, then each time it uses a name.
const LOOKS: usize = 4;

/// git's warnings, in lines, while it computes the description: it looks up the target of the last switch, and HEAD.
pub fn complaints(refs: &Refs<'_>) -> Result<String, ToolError> {
    let Some((_, from)) = last_switch(refs)? else { return Ok(String::new()) };
    let mut warnings = refs.meanings(from.as_bstr())?.warnings;
    let head = refs.meanings("HEAD".into())?;
    warnings.push_str(&head.warnings);
    warnings.push_str(&refs.warning_of("HEAD", &head));
    Ok(warnings.repeat(LOOKS))
}
