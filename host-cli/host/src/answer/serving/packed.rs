//! Puts together the pack that a client fetches: what the sandbox made, parts of attachments that are stored here, and verdicts.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use bytes::Bytes;
use gate::hex;
use gate::pack::{PackParts, PackWriter};
use patch::sort::sort_by_key;
use serde::Deserialize;

use super::verdicts::Verdict;
use crate::answer::misbehaved;
use crate::attachment::AttachmentId;
use crate::error::Result;
use crate::sandbox::Sandbox;
use crate::store::Attachments;

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
    let mut found = match Named::of(parts)? {
        named if named.0.is_empty() => BTreeMap::new(),
        named => {
            // Nobody else removes an attachment meanwhile.
            let mut locked = sandbox.lock()?;
            let held = locked.attachments()?;
            let attachments = &locked.store().attachments;
            if let ([part], true, true) = (parts, made.is_empty(), verdicts.is_empty())
                && let Some(whole) = part.whole_pack(&held, attachments)?
            {
                return Ok(vec![whole]);
            }
            named.read(&held, attachments)?
        }
    };
    let (mut all, mut made) = (Vec::with_capacity(parts.len() + 1), made);
    for part in parts {
        all.push(match part.id()? {
            Some(id) => found.get_mut(&id).and_then(VecDeque::pop_front).expect("each range was read"),
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

    /// The attachment, if this one part is all of a pack but its checksum.
    fn whole_pack(&self, held: &[AttachmentId], attachments: &Attachments) -> Result<Option<Bytes>> {
        let Some(id) = self.id()?.filter(|id| self.from == 0 && held.contains(id)) else { return Ok(None) };
        let checksum = gix_hash::Kind::Sha1.len_in_bytes() as u64;
        if self.size.checked_add(checksum) != Some(attachments.size(&id)?) {
            return Ok(None);
        }
        let whole = attachments.whole(&id)?;
        Ok(PackParts::new(vec![whole.clone()]).is_ok().then_some(whole))
    }
}

/// No pack has a byte of an attachment twice.
fn ensure_apart(ranges: &[Range<u64>], size: u64) -> Result<()> {
    let mut sorted: Vec<&Range<u64>> = ranges.iter().collect();
    sort_by_key(&mut sorted, |range| range.start);
    let mut end = 0;
    for range in sorted {
        if range.start < end || range.end <= range.start || range.end > size {
            return Err(misbehaved("it names bytes of an attachment twice, or more than it has"));
        }
        end = range.end;
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

    fn read(self, held: &[AttachmentId], attachments: &Attachments) -> Result<BTreeMap<AttachmentId, VecDeque<Bytes>>> {
        let read = |(id, ranges): (AttachmentId, Vec<Range<u64>>)| {
            if !held.contains(&id) {
                return Err(misbehaved("it names an attachment that it has not"));
            }
            ensure_apart(&ranges, attachments.size(&id)?)?;
            Ok((id, attachments.ranges(&id, &ranges)?.into()))
        };
        self.0.into_iter().map(read).collect()
    }
}
