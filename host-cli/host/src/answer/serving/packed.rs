//! Puts together the pack that a client fetches: what the sandbox made, parts of attachments that are stored here, and verdicts.

use std::collections::HashMap;

use bytes::Bytes;
use gate::pack::{PackParts, PackWriter};
use serde::Deserialize;

use super::verdicts::Verdict;
use crate::answer::misbehaved;
use crate::attachment::AttachmentId;
use crate::error::Result;
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

/// The pack of these parts, with these verdicts behind it. A `made` of `None` is a pack of the verdicts alone.
///
/// # Errors
/// If the sandbox names what is not there, or an attachment cannot be read.
pub fn pack(
    parts: &[Part],
    made: Option<&Bytes>,
    verdicts: &[Verdict],
    attachments: &Attachments,
) -> Result<Vec<Bytes>> {
    let mut told = PackWriter::new();
    for verdict in verdicts {
        told.add(gix_object::Kind::Blob, &verdict.text)?;
    }
    let Some(made) = made else { return Ok(vec![told.finish()?]) };
    let mut found = Found { attachments, whole: HashMap::new(), made: made.clone() };
    if let ([part], true) = (parts, verdicts.is_empty())
        && let Some(whole) = found.whole_pack(part)?
    {
        return Ok(vec![whole]);
    }
    let parts = parts.iter().map(|part| found.part(part)).collect::<Result<_>>()?;
    let parts = PackParts::new(parts).map_err(|_| misbehaved("it made no pack"))?;
    let parts = if verdicts.is_empty() { parts } else { parts.with(told)? };
    Ok(parts.sealed()?)
}

/// Where parts are.
struct Found<'a> {
    attachments: &'a Attachments,
    /// Attachments that were read.
    whole: HashMap<AttachmentId, Bytes>,
    /// What the sandbox made, as far as it is not used up.
    made: Bytes,
}

impl Found<'_> {
    fn part(&mut self, part: &Part) -> Result<Bytes> {
        let Some((from, size)) = usize::try_from(part.from).ok().zip(usize::try_from(part.size).ok()) else {
            return Err(misbehaved("it names a part that is too large"));
        };
        let Some(name) = &part.attachment else {
            let is_there = size <= self.made.len();
            return if is_there { Ok(self.made.split_to(size)) } else { Err(misbehaved("it made less than it says")) };
        };
        let bytes = self.attachment(name)?;
        let end = from.checked_add(size).filter(|end| *end <= bytes.len());
        end.map(|end| bytes.slice(from..end)).ok_or_else(|| misbehaved("it names more than an attachment has"))
    }

    /// The attachment, if the part is all of it but a checksum.
    fn whole_pack(&mut self, part: &Part) -> Result<Option<Bytes>> {
        let Some(name) = &part.attachment else { return Ok(None) };
        let whole = self.attachment(name)?;
        let checksum = gix_hash::Kind::Sha1.len_in_bytes() as u64;
        Ok((part.from == 0 && part.size.checked_add(checksum) == Some(whole.len() as u64)).then_some(whole))
    }

    fn attachment(&mut self, name: &str) -> Result<Bytes> {
        let id = gate::hex::decode(name).ok_or_else(|| misbehaved("it names no attachment"))?;
        if let Some(known) = self.whole.get(&id) {
            return Ok(known.clone());
        }
        let whole = self.attachments.whole(&id)?;
        self.whole.insert(id, whole.clone());
        Ok(whole)
    }
}
