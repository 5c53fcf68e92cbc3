//! Deltas: a content as copied runs of an old content and inserted runs.
//!
//! The encoder cuts the old content into blocks of [`BLOCK`] bytes, and finds them at any position of the new one by a rolling hash. If it
//! finds none, it first tries the byte at the same distance from the last copy, because changes in place leave the rest in place. Time is
//! linear.
//!
//! Format: `length` of the result, then operations until the result has that length. An operation is `run << 1 | is_copy`. A copy continues
//! with the signed distance of its source from the end of the previous copy's source, an insertion with its bytes. All integers are LEB128.

use crate::varint::{Malformed, Reader, Source, put, put_signed};

/// Bytes in a block.
const BLOCK: usize = 16;
/// The most places of one block to compare.
const CANDIDATES: usize = 8;
/// A match of this length ends the search for a longer one.
const LONG: usize = 1 << 10;
/// How many times longer than the old content and the delta together a result may be.
const GROWTH: u64 = 8;
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// The delta that turns `former` into `new`; `None` if it would hardly be shorter than `new`.
pub fn encode(former: &[u8], new: &[u8]) -> Option<Vec<u8>> {
    if former.len() < BLOCK || new.len() < BLOCK || u32::try_from(former.len()).is_err() {
        return None;
    }
    if let Some(delta) = changed_in_place(former, new) {
        return Some(delta);
    }
    let mut writer = Writer::new(former, new);
    let prefix = common_prefix(former, new);
    if prefix >= BLOCK {
        writer.copy(0, 0, prefix);
    }
    let suffix = common_suffix(&former[prefix..], &new[prefix..]);
    let end = new.len() - suffix;
    if end - writer.done >= BLOCK {
        scan(&Blocks::new(former), &mut writer, end)?;
    }
    if suffix >= BLOCK {
        writer.copy(former.len() - suffix, end, suffix);
    }
    let delta = writer.finish();
    let worthwhile = delta.len() < new.len() / 8 * 7;
    (worthwhile && (new.len() as u64) <= allowed(former, &delta)).then_some(delta)
}

/// The delta of a content that kept its length and changed little, each byte in its place. A git index after some files were added is an
/// example. The search looks nowhere else.
fn changed_in_place(former: &[u8], new: &[u8]) -> Option<Vec<u8>> {
    /// The largest share of new bytes: a 32nd.
    const NEW: usize = 32;
    if former.len() != new.len() {
        return None;
    }
    let mut writer = Writer::new(former, new);
    let (mut at, mut changed) = (0, 0);
    while at < new.len() {
        let same = common_prefix(&former[at..], &new[at..]);
        if same >= BLOCK || at + same == new.len() {
            writer.copy(at, at, same);
            at += same;
            continue;
        }
        // The end of the change: from there on a whole block is equal again.
        let (start, mut run) = (at, 0);
        while at < new.len() && run < BLOCK {
            run = if former[at] == new[at] { run + 1 } else { 0 };
            at += 1;
        }
        at -= run;
        changed += at - start;
        if changed > new.len() / NEW {
            return None;
        }
    }
    Some(writer.finish())
}

/// Applies a delta. Fails if it does not belong to this content.
pub fn apply(former: &[u8], delta: &[u8]) -> Result<Vec<u8>, NotADelta> {
    apply_checked(former, delta).map_err(|Malformed| NotADelta)
}

/// The bytes are not a delta of this content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotADelta;

impl std::fmt::Display for NotADelta {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("not a delta of this content")
    }
}

impl std::error::Error for NotADelta {}

fn apply_checked(former: &[u8], delta: &[u8]) -> Result<Vec<u8>, Malformed> {
    let mut reader = Reader::new(delta);
    let length = reader.varint()?;
    if length > allowed(former, delta) {
        return Err(Malformed);
    }
    let length = usize::try_from(length).map_err(|_| Malformed)?;
    let mut out = Vec::new();
    out.try_reserve_exact(length).map_err(|_| Malformed)?;
    let mut source = 0_i64;
    while out.len() < length {
        let operation = reader.varint()?;
        let run = usize::try_from(operation >> 1).map_err(|_| Malformed)?;
        if run == 0 || run > length - out.len() {
            return Err(Malformed);
        }
        if operation & 1 == 0 {
            out.extend_from_slice(reader.take(run)?);
        } else {
            source = source.checked_add(reader.signed()?).ok_or(Malformed)?;
            let start = usize::try_from(source).map_err(|_| Malformed)?;
            let end = start.checked_add(run).ok_or(Malformed)?;
            out.extend_from_slice(former.get(start..end).ok_or(Malformed)?);
            source = i64::try_from(end).map_err(|_| Malformed)?;
        }
    }
    if reader.left() == 0 { Ok(out) } else { Err(Malformed) }
}

fn allowed(former: &[u8], delta: &[u8]) -> u64 {
    GROWTH * (former.len() as u64 + delta.len() as u64)
}

/// Finds the parts of the old content in the new one, up to `end`. Gives up if it finds nearly nothing.
fn scan(blocks: &Blocks<'_>, writer: &mut Writer<'_>, end: usize) -> Option<()> {
    let new = writer.new;
    let hopeless = new.len() / 8 * 7;
    let mut at = writer.done;
    let mut hash = None;
    while at + BLOCK <= end {
        let block = &new[at..at + BLOCK];
        let found = match writer.in_place(at) {
            Some(source) if blocks.former[source..].starts_with(block) => Some((source, at)),
            _ => {
                let rolled = hash.unwrap_or_else(|| hash_of(block));
                hash = new.get(at + BLOCK).map(|&next| roll(rolled, block[0], next));
                blocks.longest(rolled, &new[..end], at)
            }
        };
        match found {
            Some((source, start)) => {
                let length = common_prefix(&blocks.former[source..], &new[start..end]);
                let back = common_suffix(&blocks.former[..source], &new[writer.done..start]);
                writer.copy(source - back, start - back, length + back);
                at = start + length;
                hash = None;
            }
            None => at += 1,
        }
        if writer.out.len() + (at - writer.done) > hopeless {
            return None;
        }
    }
    Some(())
}

/// The blocks of a content by their hash.
struct Blocks<'a> {
    former: &'a [u8],
    /// The last block of each hash bucket, plus one.
    heads: Vec<u32>,
    /// The previous block in the same bucket, plus one.
    chain: Vec<u32>,
    shift: u32,
}

impl<'a> Blocks<'a> {
    fn new(former: &'a [u8]) -> Self {
        let count = former.len() / BLOCK;
        let bits = (count * 2).next_power_of_two().trailing_zeros().clamp(4, 24);
        let mut blocks = Self { former, heads: vec![0; 1 << bits], chain: vec![0; count], shift: 64 - bits };
        for (index, block) in former.chunks_exact(BLOCK).enumerate().rev() {
            let bucket = blocks.bucket(hash_of(block));
            blocks.chain[index] = blocks.heads[bucket];
            blocks.heads[bucket] = index as u32 + 1;
        }
        blocks
    }

    fn bucket(&self, hash: u64) -> usize {
        (hash.wrapping_mul(MULTIPLIER) >> self.shift) as usize
    }

    /// The place where the block at `at` begins the longest match, among the first few.
    fn longest(&self, hash: u64, new: &[u8], at: usize) -> Option<(usize, usize)> {
        let mut next = self.heads[self.bucket(hash)];
        let mut best = None;
        let mut length = BLOCK - 1;
        for _ in 0..CANDIDATES {
            let index = next.checked_sub(1)? as usize;
            let start = index * BLOCK;
            let found = common_prefix(&self.former[start..], &new[at..new.len().min(at + LONG)]);
            if found > length {
                (best, length) = (Some((start, at)), found);
            }
            next = self.chain[index];
            if length >= LONG || next == 0 {
                break;
            }
        }
        best
    }
}

struct Writer<'a> {
    new: &'a [u8],
    former: &'a [u8],
    out: Vec<u8>,
    /// The number of bytes of the new content already encoded.
    done: usize,
    /// The end of the last copy in the old content.
    source: usize,
}

impl<'a> Writer<'a> {
    fn new(former: &'a [u8], new: &'a [u8]) -> Self {
        let mut out = Vec::new();
        put(&mut out, new.len() as u64);
        Self { new, former, out, done: 0, source: 0 }
    }

    /// The place in the old content at the same distance from the last copy as `at`.
    fn in_place(&self, at: usize) -> Option<usize> {
        let source = self.source + (at - self.done);
        (source + BLOCK <= self.former.len()).then_some(source)
    }

    fn insert_until(&mut self, at: usize) {
        if at > self.done {
            put(&mut self.out, ((at - self.done) as u64) << 1);
            self.out.extend_from_slice(&self.new[self.done..at]);
            self.done = at;
        }
    }

    fn copy(&mut self, source: usize, at: usize, length: usize) {
        self.insert_until(at);
        put(&mut self.out, (length as u64) << 1 | 1);
        put_signed(&mut self.out, source as i64 - self.source as i64);
        self.done += length;
        self.source = source + length;
    }

    fn finish(mut self) -> Vec<u8> {
        self.insert_until(self.new.len());
        self.out
    }
}

fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    const STEP: usize = 64;
    let whole = a.chunks_exact(STEP).zip(b.chunks_exact(STEP)).take_while(|(a, b)| a == b).count() * STEP;
    whole + a[whole..].iter().zip(&b[whole..]).take_while(|(a, b)| a == b).count()
}

fn common_suffix(a: &[u8], b: &[u8]) -> usize {
    a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count()
}

fn hash_of(block: &[u8]) -> u64 {
    block.iter().fold(0, |hash, &byte| hash.wrapping_mul(MULTIPLIER).wrapping_add(u64::from(byte) + 1))
}

fn roll(hash: u64, out: u8, next: u8) -> u64 {
    /// The weight of a block's first byte in its hash.
    const FIRST: u64 = {
        let mut power = 1_u64;
        let mut n = 1;
        while n < BLOCK {
            power = power.wrapping_mul(MULTIPLIER);
            n += 1;
        }
        power
    };
    hash.wrapping_sub(FIRST.wrapping_mul(u64::from(out) + 1)).wrapping_mul(MULTIPLIER).wrapping_add(u64::from(next) + 1)
}
