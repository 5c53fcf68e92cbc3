//! Annotated tags.

use gix_hash::ObjectId;
use gix_object::Kind;

use super::{
    Broken,
    commit::{header, id_header},
    identity,
};
use crate::pack::Origin;

/// Checks a tag and returns the tagged object.
pub(super) fn check(data: &[u8], origin: Origin) -> Result<(ObjectId, Kind), Broken> {
    let (target, name, rest) = parse(data)?;
    if origin == Origin::New {
        strict(data, name, rest)?;
    }
    Ok(target)
}

/// The tagged object of a target's tag, if the tag can be read.
pub(crate) fn target(data: &[u8]) -> Option<ObjectId> {
    parse(data).ok().map(|((target, _), ..)| target)
}

/// The tagged object, the tag's name, and the rest.
#[expect(clippy::type_complexity, reason = "the parts of one line each")]
fn parse(data: &[u8]) -> Result<((ObjectId, Kind), &[u8], &[u8]), Broken> {
    let mut rest = data;
    let target = id_header(&mut rest, b"object ")?.ok_or_else(|| Broken::format("does not start with its object"))?;
    let kind = header(&mut rest, b"type ")
        .and_then(|kind| Kind::from_bytes(kind).ok())
        .ok_or_else(|| Broken::format("has no type line with a known type"))?;
    let name = header(&mut rest, b"tag ").ok_or_else(|| Broken::format("has no tag line"))?;
    Ok(((target, kind), name, rest))
}

fn strict(data: &[u8], name: &[u8], mut rest: &[u8]) -> Result<(), Broken> {
    if data.contains(&0) {
        return Err(Broken::format("holds a NUL byte"));
    }
    if gix_validate::tag::name(name.into()).is_err() {
        return Err(Broken::format("has a name that is not valid for a ref"));
    }
    let tagger = header(&mut rest, b"tagger ").unwrap_or_default();
    if let Some(why) = identity::malformed(tagger) {
        return Err(Broken::format(format!("the tagger line {why}")));
    }
    if !rest.starts_with(b"\n") {
        return Err(Broken::format("has a header other than object, type, tag and tagger"));
    }
    Ok(())
}
