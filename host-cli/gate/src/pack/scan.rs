//! The first pass: walks the entries from front to back, the only way to find their ends, and
//! checks every stated size against the limits before it allocates that size.

use gix_object::Kind;
use zlib_rs::crc32::crc32;

use super::{
    PackLimits, delta,
    entry::{self, What},
    inflate::{Inflater, MIN_STREAM},
    verify::Watch,
};
use crate::error::Fault;

pub(super) const HEADER: usize = 12;
pub(super) const TRAILER: usize = 20;

/// One entry, as far as the pack alone describes it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    /// Where it starts in the pack.
    pub offset: u64,
    /// Where its zlib stream starts.
    pub stream: u64,
    /// The size of the inflated stream.
    pub size: u64,
    pub what: What,
    /// CRC-32 of its bytes in the pack, as the index file lists it.
    pub crc32: u32,
}

/// The entries of a pack in pack order, with as many inflated deltas as the memory limit allows.
pub(super) struct Scan {
    pub entries: Vec<Entry>,
    /// By entry; `None` for whole objects and for deltas that did not fit.
    pub deltas: Vec<Option<Box<[u8]>>>,
}

/// `watch` is called after this many bytes.
const TOLD: usize = 1 << 20;

/// Scans `pack`, and passes the content of every whole object to `whole`, which may return a
/// buffer.
pub(super) fn scan(
    pack: &[u8],
    limits: &PackLimits,
    watch: &Watch<'_>,
    mut whole: impl FnMut(u32, Kind, Vec<u8>) -> Vec<u8>,
) -> Result<Scan, Fault> {
    let count = count(pack, limits)?;
    let end = pack.len() - TRAILER;
    let mut entries = Vec::with_capacity(count as usize);
    let mut deltas = Vec::with_capacity(count as usize);
    let mut inflater = Inflater::new();
    let mut totals = Totals { limits, pack: pack.len() as u64, bytes: 0 };
    let (mut at, mut spare, mut kept) = (HEADER, Vec::new(), 0);
    for index in 0..count {
        let here = |reason: &str| Fault::pack(format!("{reason} (entry {index} at offset {at})"));
        let head = entry::head(&pack[at..end]).map_err(here)?;
        if let What::Offset(distance) = head.what
            && (distance == 0 || distance > (at - HEADER) as u64)
        {
            return Err(here("a delta's base is outside the pack"));
        }
        // A delta counts by itself too: its instructions may be longer than its result.
        totals.add(head.size)?;
        let stream = at + head.len;
        let used = inflater.inflate(&pack[stream..end], head.size, &mut spare).map_err(here)?;
        let mut kept_delta = None;
        match head.what {
            What::Whole(kind) => spare = whole(index, kind, spare),
            What::Offset(_) | What::Reference(_) => {
                totals.add(delta::sizes(&spare).map_err(here)?.result)?;
                if kept + spare.len() <= limits.memory / 2 {
                    kept += spare.len();
                    kept_delta = Some(spare.as_slice().into());
                }
            }
        }
        let next = stream + used;
        entries.push(Entry {
            offset: at as u64,
            stream: stream as u64,
            size: head.size,
            what: head.what,
            crc32: crc32(0, &pack[at..next]),
        });
        deltas.push(kept_delta);
        if next / TOLD > at / TOLD {
            watch(next as u64);
        }
        at = next;
    }
    if at != end {
        return Err(Fault::pack(format!("{} bytes follow the last object of the pack", end - at)));
    }
    Ok(Scan { entries, deltas })
}

/// Checks the pack's header and returns the object count it states, which the pack's length must
/// allow.
fn count(pack: &[u8], limits: &PackLimits) -> Result<u32, Fault> {
    if pack.len() as u64 > limits.pack_bytes {
        return Err(Fault::too_large(format!(
            "the pack has {} bytes, more than the {} allowed",
            pack.len(),
            limits.pack_bytes
        )));
    }
    if pack.len() < HEADER + TRAILER {
        return Err(Fault::pack("the pack is shorter than its header and trailer"));
    }
    if !pack.starts_with(b"PACK\0\0\0\x02") {
        return Err(Fault::pack("this is not a pack of version 2"));
    }
    let count = u32::from_be_bytes([pack[8], pack[9], pack[10], pack[11]]);
    if count > limits.objects {
        return Err(Fault::too_large(format!(
            "the pack states {count} objects, more than the {} allowed",
            limits.objects
        )));
    }
    if u64::from(count) * (1 + MIN_STREAM) > (pack.len() - HEADER - TRAILER) as u64 {
        return Err(Fault::pack(format!("the pack states {count} objects, more than its bytes can hold")));
    }
    Ok(count)
}

/// The running total of the sizes of objects and deltas.
struct Totals<'a> {
    limits: &'a PackLimits,
    pack: u64,
    bytes: u64,
}

impl Totals<'_> {
    fn add(&mut self, size: u64) -> Result<(), Fault> {
        if size > self.limits.object_bytes {
            return Err(Fault::too_large(format!(
                "an object of the pack states {size} bytes, more than the {} allowed",
                self.limits.object_bytes
            )));
        }
        self.bytes = self.bytes.saturating_add(size);
        let by_ratio = self.pack.saturating_mul(self.limits.ratio).saturating_add(PackLimits::FREE_BYTES);
        let allowed = self.limits.total_bytes.min(by_ratio);
        if self.bytes > allowed {
            return Err(Fault::too_large(format!(
                "the pack of {} bytes inflates to more than the {allowed} allowed",
                self.pack
            )));
        }
        Ok(())
    }
}
