//! Bundles: refs and a pack in one file, as `git bundle` writes and reads them (git's
//! gitformat-bundle).

use bstr::{BString, ByteSlice};
use bytes::Bytes;
use gate::pack::VerifiedPack;
use gate::target::{CanonicalTarget, TargetKind};
use gix_hash::ObjectId;
use gix_object::{Kind, TagRefIter};
use patch::sort::{sort, sort_by, sort_by_key};

use super::supply::{Supplied, verify};
use super::{LeftOut, Progress, RefEntry, RefListing, TargetError, TargetErrorKind};

/// What a bundle of version 2 begins with.
const V2: &[u8] = b"# v2 git bundle\n";
const V3: &[u8] = b"# v3 git bundle\n";

/// A version 2 bundle of these refs (full names or `HEAD`) and this whole pack.
pub fn write_bundle(refs: &[(String, ObjectId)], pack: &[u8]) -> Vec<u8> {
    let mut bytes = V2.to_vec();
    for (name, id) in refs {
        bytes.extend_from_slice(format!("{id} {name}\n").as_bytes());
    }
    bytes.push(b'\n');
    bytes.extend_from_slice(pack);
    bytes
}

/// Reads a whole bundle (version 2, or 3 with SHA-1), which lies at the absolute path `place`, and
/// verifies its pack.
///
/// HEAD is the branch of the same commit, as `git clone` guesses it: `main` or `master` before
/// others, or detached if there is none.
///
/// # Errors
/// If it is no bundle, is damaged, or needs commits that it does not hold.
pub fn read_bundle(bytes: &Bytes, place: &str, progress: &dyn Progress) -> Result<Supplied, TargetError> {
    let (refs, pack_at) = parse_header(bytes)?;
    let (mut tips, mut left_out) = (Vec::new(), Vec::new());
    for (name, id) in refs.iter().filter(|(name, _)| name.starts_with(b"refs/")) {
        match LeftOut::unless_usable(name.as_bstr()) {
            Ok(name) => tips.push((name, *id)),
            Err(odd) => left_out.push(odd),
        }
    }
    sort(&mut left_out);
    let head = refs.iter().find(|(name, _)| name == "HEAD").map(|(_, id)| *id);
    let branch = head.and_then(|id| guess_branch(&tips, id));
    let mut all = tips.clone();
    let detached = head.filter(|_| branch.is_none());
    all.extend(detached.map(|id| ("HEAD".to_owned(), id)));
    let supply = verify(bytes.slice(pack_at..), &all, &[], progress).map_err(of_file)?;
    let canonical = CanonicalTarget::new(TargetKind::Bare, place)
        .map_err(|fault| TargetError::new(TargetErrorKind::BadSpec, fault.message.clone()).caused_by(fault))?;
    let mut entries = Vec::with_capacity(tips.len());
    for (name, id) in tips {
        entries.push(RefEntry { peeled: peel(&supply.verified, id)?, name, id });
    }
    sort_by(&mut entries, |a, b| a.name.cmp(&b.name));
    Ok(Supplied { listing: RefListing { canonical, head: branch, detached, refs: entries, left_out }, supply })
}

/// The refs of a bundle, and where its pack starts.
fn parse_header(bytes: &[u8]) -> Result<(Vec<(BString, ObjectId)>, usize), TargetError> {
    let v3 = bytes.starts_with(V3);
    if !v3 && !bytes.starts_with(V2) {
        return Err(damaged("this is not a bundle of version 2 or 3"));
    }
    let mut at = V2.len();
    let mut refs = Vec::new();
    loop {
        let rest = &bytes[at..];
        let end = rest.iter().position(|b| *b == b'\n').ok_or_else(|| damaged("the bundle's header has no end"))?;
        let line = rest[..end].as_bstr();
        at += end + 1;
        if line.is_empty() {
            return Ok((refs, at));
        }
        if let Some(capability) = line.strip_prefix(b"@").filter(|_| v3) {
            ensure_known(&capability.to_str_lossy())?;
        } else if line.starts_with(b"-") {
            return Err(TargetError::new(
                TargetErrorKind::Unsupported,
                "the bundle needs commits that it does not hold",
            )
            .hint("create a whole one with `git bundle create FILE --all`"));
        } else {
            let (id, name) =
                line.split_once_str(" ").ok_or_else(|| damaged("the bundle's header has a line without a name"))?;
            let id = ObjectId::from_hex(id).map_err(|_| damaged("the bundle's header has a line without an id"))?;
            if id.kind() != gix_hash::Kind::Sha1 {
                return Err(sha256());
            }
            refs.push((name.into(), id));
        }
    }
}

fn ensure_known(capability: &str) -> Result<(), TargetError> {
    match capability.split_once('=') {
        Some(("object-format", "sha1")) => Ok(()),
        Some(("object-format", _)) => Err(sha256()),
        Some(("filter", _)) => {
            Err(TargetError::new(TargetErrorKind::Unsupported, "the bundle is partial: it lacks objects")
                .hint("create a whole one with `git bundle create FILE --all`"))
        }
        _ => Err(TargetError::new(
            TargetErrorKind::Unsupported,
            format!("the bundle requires the unknown capability `{capability}`"),
        )),
    }
}

fn sha256() -> TargetError {
    TargetError::new(TargetErrorKind::Unsupported, "the bundle uses SHA-256 object names")
        .hint("use a repository with SHA-1 object names")
}

const CHECK: &str = "fetch or create the file again, or check it with `git bundle verify FILE`";

fn damaged(what: &str) -> TargetError {
    TargetError::new(TargetErrorKind::Damaged, what).hint(CHECK)
}

/// There is no repository here that could be looked at, only the file.
fn of_file(error: TargetError) -> TargetError {
    match error.kind {
        TargetErrorKind::Damaged | TargetErrorKind::MissingObject => error.hint(CHECK),
        _ => error,
    }
}

fn guess_branch(refs: &[(String, ObjectId)], head: ObjectId) -> Option<String> {
    let mut same: Vec<&str> = refs
        .iter()
        .filter(|(name, id)| *id == head && name.starts_with("refs/heads/"))
        .map(|(name, _)| name.as_str())
        .collect();
    sort_by_key(&mut same, |name| (!matches!(*name, "refs/heads/main" | "refs/heads/master"), *name));
    same.first().map(|name| (*name).to_owned())
}

/// The object that a chain of tags ends at, or `None` if `id` is not a tag.
fn peel(pack: &VerifiedPack, id: ObjectId) -> Result<Option<ObjectId>, TargetError> {
    let mut content = Vec::new();
    let mut here = id;
    loop {
        let unreadable = |fault: gate::Fault| TargetError::damaged("cannot read the bundle's pack", fault);
        match pack.find(&here, &mut content).map_err(unreadable)? {
            Some(Kind::Tag) => {
                here = TagRefIter::from_bytes(&content, gix_hash::Kind::Sha1)
                    .target_id()
                    .map_err(|error| TargetError::damaged(format!("the tag {here} is damaged"), error))?;
            }
            _ => return Ok((here != id).then_some(here)),
        }
    }
}
