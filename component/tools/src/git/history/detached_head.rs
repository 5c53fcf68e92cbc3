//! The origin of a detached HEAD, from HEAD's reflog.

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::objs::Kind;

use crate::error::ToolError;
use crate::git::history::branch_name::substitute;
use crate::git::history::peeling;
use crate::git::store::abbrev::Abbrev;
use crate::git::store::refs::Refs;
use crate::platform;

/// The last switch of HEAD.
pub struct Detached {
    /// The target of the switch: a branch, a tag or a short id.
    pub from: BString,
    /// Whether HEAD is still at that commit.
    pub at: bool,
}

/// The switch that detached HEAD at `head`, if the reflog has it (git's wt-status.c, `wt_status_get_detached_from`).
pub fn origin(refs: &Refs<'_>, head: ObjectId) -> Result<Option<Detached>, ToolError> {
    let Some((id, name)) = last_switch(refs)? else {
        return Ok(None);
    };
    let from = match refs.meanings(name.as_bstr())?.refs.as_slice() {
        [(full, target)] if *target == id || peeling::end(refs.repo, *target)? == Some((id, Kind::Commit)) => {
            let name = full.strip_prefix(b"refs/tags/");
            let name = name.or_else(|| full.strip_prefix(b"refs/remotes/"));
            name.unwrap_or(full).into()
        }
        _ => Abbrev::of(refs.repo)?.short(&id)?.into(),
    };
    Ok(Some(Detached { from, at: id == head }))
}

/// The commit and the name of HEAD's last switch, in git's interpretation.
pub fn last_switch(refs: &Refs<'_>) -> Result<Option<(ObjectId, BString)>, ToolError> {
    let log = match platform::read(&refs.repo.git_dir().join("logs/HEAD")) {
        Ok(log) => log,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(ToolError::io(".git/logs/HEAD", &error)),
    };
    let Some((id, name)) = log.rsplit(|byte| *byte == b'\n').find_map(switch) else { return Ok(None) };
    let name = match name == "HEAD" {
        // HEAD itself has moved since, so its name means nothing here.
        true => Abbrev::of(refs.repo)?.short(&id)?.into(),
        false => substitute(refs, name)?,
    };
    Ok(Some((id, name)))
}

/// The commit and the name of the switch in a line of the reflog.
fn switch(line: &[u8]) -> Option<(ObjectId, &BStr)> {
    let (ids, message) = line.split_once_str(b"\t")?;
    let moved = message.strip_prefix(b"checkout: moving from ")?;
    let (_, name) = moved.split_once_str(b" to ")?;
    let new = ids.split(|byte| *byte == b' ').nth(1)?;
    Some((ObjectId::from_hex(new).ok()?, name.as_bstr()))
}
