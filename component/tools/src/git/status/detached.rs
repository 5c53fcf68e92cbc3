//! Where a detached HEAD comes from, as the reflog of HEAD tells it.

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};

use crate::error::ToolError;
use crate::git::abbrev::Abbrev;
use crate::git::repo::{Repo, damaged};
use crate::platform;

/// The last switch of HEAD.
pub struct Detached {
    /// The name that was switched to: a branch's or a tag's, or a short id.
    pub from: BString,
    /// Whether HEAD is still there.
    pub at: bool,
}

/// Where HEAD, which is at `head`, was detached; none where the reflog does not know.
pub fn origin(repo: &Repo, head: ObjectId) -> Result<Option<Detached>, ToolError> {
    let Some((id, name)) = last_switch(repo)? else {
        return Ok(None);
    };
    let name = name.as_bstr();
    let abbrev = Abbrev::of(repo)?;
    let from = match full_name(repo, name, id)? {
        Some(full) => {
            let name = full.strip_prefix(b"refs/tags/");
            let name = name.or_else(|| full.strip_prefix(b"refs/remotes/"));
            name.unwrap_or(&full).into()
        }
        None => abbrev.short(&id)?.into(),
    };
    Ok(Some(Detached { from, at: id == head }))
}

/// The commit and the name that HEAD was switched to last.
pub fn last_switch(repo: &Repo) -> Result<Option<(ObjectId, BString)>, ToolError> {
    let log = match platform::read(&repo.git_dir().join("logs/HEAD")) {
        Ok(log) => log,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(ToolError::io(".git/logs/HEAD", &error)),
    };
    let last = log.rsplit(|byte| *byte == b'\n').find_map(switch);
    Ok(last.map(|(id, name)| (id, name.to_owned())))
}

/// The commit and the name that a line of the reflog says HEAD was switched to.
fn switch(line: &[u8]) -> Option<(ObjectId, &BStr)> {
    let (ids, message) = line.split_once_str(b"\t")?;
    let moved = message.strip_prefix(b"checkout: moving from ")?;
    let (_, name) = moved.split_once_str(b" to ")?;
    let new = ids.split(|byte| *byte == b' ').nth(1)?;
    Some((ObjectId::from_hex(new).ok()?, name.as_bstr()))
}

/// The one ref that `name` means, if it still leads to `id`.
fn full_name(repo: &Repo, name: &BStr, id: ObjectId) -> Result<Option<BString>, ToolError> {
    if name == "HEAD" {
        return Ok(None);
    }
    let mut found = Vec::new();
    for rule in ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"] {
        let mut full = BString::from(rule);
        full.extend_from_slice(name);
        let reference = repo.gix.try_find_reference(full.as_bstr()).ok().flatten();
        if let Some(mut reference) = reference.filter(|found| found.name().as_bstr() == full) {
            let target = reference.peel_to_id().map_err(|error| damaged(&error))?.detach();
            found.push((full, target));
        }
    }
    Ok(match found.as_slice() {
        [(full, target)] if *target == id => Some(full.clone()),
        _ => None,
    })
}
