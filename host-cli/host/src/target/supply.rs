//! Whole repositories as they come into a new sandbox: refs, and everything that they reach,
//! verified.

use bytes::Bytes;
use gate::import::{Supply, SupplyRequest, check_supply};
use gate::objects::Nothing;
use gate::pack::PackLimits;
use gate::refname::BranchRef;
use gate::{Fault, FaultKind, hex};
use gix_hash::ObjectId;
use serde_json::{Value, json};

use super::{Progress, RefListing, Stage, TargetError, TargetErrorKind, spelling};
use crate::attachment::Attachment;

/// Refs and the objects they reach.
#[derive(Debug)]
pub struct Supplied {
    /// The refs, remote-tracking ones included.
    pub listing: RefListing,
    /// The verified pack with tips (every ref by full name, and a detached `HEAD`) and shallow
    /// boundary.
    pub supply: Supply,
}

/// The call of `sandbox_import` that brings it in.
#[derive(Debug)]
pub struct Import {
    /// The arguments.
    pub arguments: Value,
    /// What they name.
    pub attached: Vec<Attachment>,
}

impl Supplied {
    /// The call that brings it into a new sandbox, on `branch`, else where its HEAD is. A bundle is
    /// no `origin`: nothing can be pushed to it.
    ///
    /// # Errors
    /// If the pack is damaged.
    pub fn import(&self, branch: Option<&BranchRef>, origin: Option<&Origin<'_>>) -> Result<Import, Fault> {
        let (listing, verified) = (&self.listing, &self.supply.verified);
        let mut attached = Vec::new();
        if !verified.objects().is_empty() {
            attached.push(Attachment::new(verified.bytes().clone()));
            attached.push(Attachment::new(verified.index()?));
        }
        let packs = attached
            .chunks_exact(2)
            .map(|pair| json!({ "pack": hex::encode(&pair[0].id), "index": hex::encode(&pair[1].id) }));
        let refs = listing.refs.iter().map(|entry| json!({ "name": entry.name, "id": entry.id.to_string() }));
        let head = match (branch, &listing.head, listing.detached) {
            (Some(branch), _, _) => Some(json!({ "branch": branch.as_str() })),
            (None, Some(head), _) => Some(json!({ "branch": head })),
            (None, None, Some(id)) => Some(json!({ "detached": id.to_string() })),
            (None, None, None) => None,
        };
        let origin = origin.map(|origin| {
            json!({
                "kind": spelling::tool_word(listing.canonical.kind()),
                "location": listing.canonical.location(),
                "target": listing.canonical.to_string(),
                "head": listing.head_branch(origin.default_branch),
            })
        });
        let arguments = json!({
            "origin": origin,
            "head": head,
            "refs": refs.collect::<Vec<_>>(),
            "packs": packs.collect::<Vec<_>>(),
            "shallow": self.supply.shallow.iter().map(ToString::to_string).collect::<Vec<_>>(),
        });
        Ok(Import { arguments, attached })
    }
}

/// That the sandbox may push to where it came from.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// What git calls the branch of a new repository: the first guess for a detached HEAD.
    pub default_branch: &'a str,
}

/// Verifies a pack read from the person's own files.
///
/// # Errors
/// If the pack is damaged, lacks what a tip reaches, or the gate refuses it.
pub fn verify(
    pack: Bytes,
    tips: &[(String, ObjectId)],
    shallow: &[ObjectId],
    progress: &dyn Progress,
) -> Result<Supply, TargetError> {
    let bytes = pack.len() as u64;
    let watch = |done| progress.at(Stage::Verifying, done, Some(bytes));
    let request = SupplyRequest { pack, tips, shallow, absent_blobs: false, have: &Nothing, watch: &watch };
    let supply = check_supply(request, &PackLimits::import()).map_err(refused)?;
    progress.at(Stage::Verifying, bytes, Some(bytes));
    Ok(supply)
}

/// Why the gate's refusal makes a target unusable.
pub fn refused(fault: Fault) -> TargetError {
    let kind = match fault.kind {
        FaultKind::MissingObject => TargetErrorKind::MissingObject,
        FaultKind::MalformedPack => TargetErrorKind::Damaged,
        _ => TargetErrorKind::Refused,
    };
    let error = TargetError::new(kind, format!("cannot import the repository: {}", fault.message));
    let error = match (kind, &fault.hint) {
        (TargetErrorKind::Refused, _) if fault.kind == FaultKind::TooLarge => {
            error.hint("bring in fewer files (`paths`), or less history (`depth`)")
        }
        (TargetErrorKind::Refused, hint) if !hint.is_empty() => error.hint(hint.clone()),
        _ => error.hint("run `git fsck` in that repository"),
    };
    error.caused_by(fault)
}
