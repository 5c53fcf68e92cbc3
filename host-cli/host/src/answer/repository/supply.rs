//! What a server gives to a sandbox: checked like a pack of any other repository.

use gate::forge;
use gate::import::{SupplyRequest, check_supply};
use gate::objects::Objects;
use gate::pack::PackLimits;
use gix_hash::{ObjectId, oid};
use gix_object::Kind;

use crate::answer::repository::known::Known;
use crate::answer::wording::tool_error;
use crate::sandbox::Sandbox;
use crate::target::Fetched;
use crate::wit;

/// What may be brought in from a server. It is refused as soon as it is known to be more than the
/// sandbox has room for, however long the whole would take.
pub(crate) fn room(sandbox: &Sandbox) -> PackLimits {
    let import = PackLimits::import();
    PackLimits { total_bytes: import.total_bytes.min(sandbox.platform().most_bytes()), ..import }
}

/// What a sandbox has of a history: what this host has given to it, and the commits that it says it
/// has. Of those only the sandbox knows the content, and only itself would suffer from a lie.
pub(crate) struct Had<'a> {
    pub(crate) known: &'a Known,
    pub(crate) commits: &'a [ObjectId],
}

impl Objects for Had<'_> {
    fn find(&self, id: &oid, out: &mut Vec<u8>) -> Result<Option<Kind>, gate::Fault> {
        self.known.find(id, out)
    }

    fn header(&self, id: &oid) -> Result<Option<(Kind, u64)>, gate::Fault> {
        let known = self.known.header(id)?;
        Ok(known.or_else(|| self.commits.iter().any(|commit| **commit == *id).then_some((Kind::Commit, 0))))
    }
}

/// Checks what a server gave. What the call asks for next may build on it.
pub(crate) fn supply(
    fetched: forge::Fetched,
    absent_blobs: bool,
    had: &Had<'_>,
    limits: &PackLimits,
) -> Result<Fetched, wit::ToolError> {
    let forge::Fetched { pack, shallow } = fetched;
    let request = SupplyRequest { pack, tips: &[], shallow: &shallow, absent_blobs, have: had, watch: &|_| {} };
    let checked = check_supply(request, limits).and_then(|supply| {
        let (pack, index) = (supply.verified.bytes().clone(), supply.verified.index()?.into());
        had.known.add(supply.verified);
        Ok(Fetched { pack, index, shallow: supply.shallow })
    });
    checked.map_err(|fault| tool_error::server(&fault.into()))
}
