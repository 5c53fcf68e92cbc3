//! Checks packs that the host reads from the person's repository and gives to the sandbox.

use patch::sort::sort;
use std::collections::HashSet;

use bytes::Bytes;
use gix_hash::ObjectId;
use gix_object::Kind;

use crate::{
    connectivity,
    error::{Fault, FaultKind},
    objects::{Objects, Overlay},
    pack::{self, Origin, PackLimits, VerifiedPack, Watch},
    refname, text,
};

/// The circumstances of a pack on its way in.
pub struct SupplyRequest<'a> {
    /// A whole pack.
    pub pack: Bytes,
    /// Full ref names, or `HEAD`, and their targets.
    pub tips: &'a [(String, ObjectId)],
    /// Commits whose parents the host left out.
    pub shallow: &'a [ObjectId],
    /// Whether blobs may be left out.
    pub absent_blobs: bool,
    /// The objects that the sandbox already has.
    pub have: &'a dyn Objects,
    /// Receives the number of verified bytes of the pack, from any thread.
    pub watch: &'a Watch<'a>,
}

/// A pack that the host may hand to the sandbox.
#[derive(Debug)]
pub struct Supply {
    /// The verified pack; [`VerifiedPack::index`] makes the index file for it.
    pub verified: VerifiedPack,
    /// The refs: valid names, no duplicates, and their objects exist.
    pub tips: Vec<(String, ObjectId)>,
    /// Commits whose parents the host left out, sorted.
    pub shallow: Vec<ObjectId>,
}

/// Checks a pack, its refs and its shallow boundary.
///
/// # Errors
/// The errors of [`pack::verify`] and [`connectivity::complete`], or [`FaultKind::BadRef`].
pub fn check_supply(request: SupplyRequest<'_>, limits: &PackLimits) -> Result<Supply, Fault> {
    let mut names = HashSet::new();
    for (name, _) in request.tips {
        refname::check_name(name)?;
        if !names.insert(name.as_str()) {
            return Err(Fault::new(
                FaultKind::BadRef,
                format!("the ref '{}' appears twice", text::name(name.as_bytes())),
            ));
        }
    }
    let verified = pack::verify_watched(request.pack, limits, Origin::Supplied, request.watch)?;
    let all = Overlay { pack: &verified, below: request.have };
    for (name, id) in request.tips {
        match all.header(id)? {
            Some((kind, _)) if kind == Kind::Commit || !name.starts_with("refs/heads/") => {}
            Some((kind, _)) => {
                return Err(Fault::new(FaultKind::BadRef, format!("the branch '{name}' points to a {kind}: {id}")));
            }
            None => {
                return Err(Fault::new(
                    FaultKind::MissingObject,
                    format!("the ref '{name}' points to {id}, which is missing"),
                ));
            }
        }
    }
    let shallow: HashSet<ObjectId> = request.shallow.iter().copied().collect();
    for id in &shallow {
        match all.header(id)? {
            Some((Kind::Commit, _)) => {}
            _ => {
                return Err(Fault::new(FaultKind::MissingObject, format!("the shallow commit {id} is missing")));
            }
        }
    }
    connectivity::complete(&verified, request.have, &shallow, request.absent_blobs)?;
    let mut shallow: Vec<ObjectId> = shallow.into_iter().collect();
    sort(&mut shallow);
    Ok(Supply { verified, tips: request.tips.to_vec(), shallow })
}
