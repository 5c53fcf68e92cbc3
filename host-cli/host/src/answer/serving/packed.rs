//! Puts together the pack that a client fetches: what the sandbox made, parts of attachments that are stored here, and verdicts.

use std::collections::BTreeMap;
use std::ops::Range;

use bytes::Bytes;
use gate::hex;
use gate::pack::{PackParts, PackWriter};
use serde::Deserialize;

use super::verdicts::Verdict;
use crate::answer::misbehaved;
use crate::attachment::AttachmentId;
use crate::error::Result;
use crate::sandbox::Sandbox;

/// A part of a pack, as `sandbox_upload` names it.
#[derive(Debug, Deserialize)]
pub struct Part {
    /// The attachment, by its SHA-256. `None` for the next bytes of what the sandbox made.
    attachment: Option<String>,
    /// Where the part begins in the attachment.
    from: u64,
    /// Bytes.
    size: u64,
}

/// The pack of these parts and what the sandbox `made`, with these verdicts behind it. A `made` of `None` is a pack of the verdicts alone.
///
/// # Errors
/// If the sandbox names what it has not, or an attachment cannot be read.
pub fn pack(parts: &[Part], made: Option<Bytes>, verdicts: &[Verdict], sandbox: &mut Sandbox) -> Result<Vec<Bytes>> {
    let mut told = PackWriter::new();
    for verdict in verdicts {
        told.add(gix_object::Kind::Blob, &verdict.text)?;
    }
    let Some(made) = made else { return Ok(vec![told.finish()?]) };
    let named = Named::of(parts)?;
    let held = if named.0.is_empty() { Vec::new() } else { sandbox.lock()?.attachments()? };
    let attachments = &sandbox.store.attachments;
    if let ([part], [(id, _)], true) = (parts, &Vec::from_iter(&named.0)[..], verdicts.is_empty())
        && held.contains(id)
        && part.is_all_of(attachments.size(id)?)
    {
        return Ok(vec![attachments.whole(id)?]);
    }
    let mut found = BTreeMap::new();
    for (id, ranges) in named.0 {
        if !held.contains(&id) {
            return Err(misbehaved("it names an attachment that it has not"));
        }
        ensure_inside(&ranges, attachments.size(&id)?)?;
        found.insert(id, attachments.ranges(&id, &ranges)?.into_iter());
    }
    let (mut all, mut made) = (Vec::with_capacity(parts.len() + 1), made);
    for part in parts {
        all.push(match part.id()? {
            Some(id) => found.get_mut(&id).and_then(Iterator::next).expect("each range was read"),
            None => {
                let size = usize::try_from(part.size).ok().filter(|size| *size <= made.len());
                made.split_to(size.ok_or_else(|| misbehaved("it made less than it says"))?)
            }
        });
    }
    if !made.is_empty() {
        return Err(misbehaved("it made more than it says"));
    }
    let parts = PackParts::new(all).map_err(|_| misbehaved("it made no pack"))?;
    let parts = if verdicts.is_empty() { parts } else { parts.with(told)? };
    Ok(parts.sealed()?)
}

impl Part {
    fn id(&self) -> Result<Option<AttachmentId>> {
        let named = |name: &String| hex::decode(name).ok_or_else(|| misbehaved("it names no attachment"));
        self.attachment.as_ref().map(named).transpose()
    }

    /// Whether this is a whole pack of that size, but for its checksum.
    fn is_all_of(&self, size: u64) -> bool {
        self.from == 0 && self.size.checked_add(gix_hash::Kind::Sha1.len_in_bytes() as u64) == Some(size)
    }
}

/// No pack has a byte of an attachment twice, so together the ranges are not longer than it.
fn ensure_inside(ranges: &[Range<u64>], size: u64) -> Result<()> {
    let mut rest = size;
    for range in ranges {
        let is_inside = range.start < range.end && range.end <= size;
        let left = rest.checked_sub(range.end - range.start).filter(|_| is_inside);
        rest = left.ok_or_else(|| misbehaved("it names more than an attachment has"))?;
    }
    Ok(())
}

/// The ranges of each attachment, in the order in which they are named.
struct Named(BTreeMap<AttachmentId, Vec<Range<u64>>>);

impl Named {
    fn of(parts: &[Part]) -> Result<Self> {
        let mut named: BTreeMap<_, Vec<Range<u64>>> = BTreeMap::new();
        for part in parts {
            if let Some(id) = part.id()? {
                let end = part.from.checked_add(part.size).ok_or_else(|| misbehaved("it names too large a part"))?;
                named.entry(id).or_default().push(part.from..end);
            }
        }
        Ok(Named(named))
    }
}
