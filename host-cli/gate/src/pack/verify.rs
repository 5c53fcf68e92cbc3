//! Verifies untrusted bytes into a [`VerifiedPack`].

use bytes::Bytes;
use gix_hash::ObjectId;
use gix_object::Kind;

use super::{
    Origin, PackLimits, VerifiedPack,
    check::{Checker, Seen},
    entry::What,
    resolve::{Bases, Reached, Resolver},
    scan::{self, Scan, TRAILER},
    verified::Object,
};
use crate::{
    error::{Fault, FaultKind},
    objects::Supplied,
    signing::Signed,
};

/// Verifies that `pack` is one whole, well-formed pack, and every object in it.
///
/// Every size is within `limits`, no byte is left over, the trailer is right, every delta base is inside the pack, no object is there
/// twice, every id is computed from its content (a SHA-1 collision attack is a fault), and every object meets the rules of `origin`.
/// [`crate::connectivity`] checks the objects that these name.
///
/// # Errors
/// [`FaultKind::MalformedPack`], [`FaultKind::MalformedObject`], [`FaultKind::UnsafePath`] or [`FaultKind::TooLarge`]. The same pack always
/// gives the same fault.
pub fn verify(pack: Bytes, limits: &PackLimits, origin: Origin) -> Result<VerifiedPack, Fault> {
    verify_watched(pack, limits, origin, &|_| {})
}

/// Receives the number of verified bytes of a pack, from any thread. The number never decreases.
pub type Watch<'a> = dyn Fn(u64) + Sync + 'a;

/// As [`verify`], with progress reports for a large pack.
pub(crate) fn verify_watched(
    pack: Bytes,
    limits: &PackLimits,
    origin: Origin,
    watch: &Watch<'_>,
) -> Result<VerifiedPack, Fault> {
    let of = |_: &ObjectId| origin;
    verify_as(pack, limits, &|| Checker::new(origin, &of), watch)
}

/// As [`verify`], for a push: every object is new, except the `supplied` ones. The `signed` ones have signatures.
pub(crate) fn verify_push(
    pack: Bytes,
    limits: &PackLimits,
    supplied: &Supplied,
    signed: &Signed,
) -> Result<VerifiedPack, Fault> {
    let origin = |id: &ObjectId| match id {
        id if supplied.contains(id) => Origin::Supplied,
        id if signed.contains(id) => Origin::Signed,
        _ => Origin::New,
    };
    verify_as(pack, limits, &|| Checker::new(Origin::New, &origin), &|_| {})
}

/// Creates a checker for each thread.
type Checkers<'a> = dyn Fn() -> Checker<'a> + Sync + 'a;

fn verify_as(
    pack: Bytes,
    limits: &PackLimits,
    checkers: &Checkers<'_>,
    watch: &Watch<'_>,
) -> Result<VerifiedPack, Fault> {
    // Both passes cover the whole pack, so each counts every byte half.
    let half = pack.len() as u64 / 2;
    let (scan, checker, trailer) = first_pass(&pack, limits, checkers, &|bytes| watch(bytes / 2))?;
    let stated = ObjectId::from_bytes_or_panic(&pack[pack.len() - TRAILER..]);
    if trailer? != stated {
        return Err(Fault::pack("the pack's bytes do not match its checksum"));
    }
    let bases = Bases::new(&scan.entries)?;
    let roots: Vec<(u32, ObjectId, Kind)> = checker
        .seen
        .iter()
        .filter(|seen| bases.has(seen.entry, &seen.id))
        .map(|seen| (seen.entry, seen.id, seen.kind))
        .collect();
    let reached = Reached::none_of(&scan);
    let done = |share: f64| watch(half + (half as f64 * share) as u64);
    let found = second_pass(&pack, limits, checkers, &scan, &bases, &reached, &roots, &done);
    if reached.twice() {
        return Err(Fault::pack("the pack holds the base of a delta more than once"));
    }
    let checker = found.into_iter().fold(checker, Checker::join);
    if let Some((_, fault)) = checker.fault {
        return Err(fault);
    }
    all_resolved(&scan, &checker.seen)?;
    let objects = checker.seen.iter().map(|seen| {
        let entry = &scan.entries[seen.entry as usize];
        Object { id: seen.id, kind: seen.kind, size: seen.size, offset: entry.offset, crc32: entry.crc32 }
    });
    VerifiedPack::new(pack.clone(), stated, objects.collect(), checker.links, checker.parents, checker.sha256)
}

/// A delta that no pass reached has a base outside the pack, or is part of a cycle.
fn all_resolved(scan: &Scan, seen: &[Seen]) -> Result<(), Fault> {
    if seen.len() == scan.entries.len() {
        return Ok(());
    }
    let mut reached = vec![false; scan.entries.len()];
    seen.iter().for_each(|seen| reached[seen.entry as usize] = true);
    let unreached = scan.entries.iter().zip(&reached).filter(|(_, reached)| !**reached).map(|(entry, _)| entry);
    let known: std::collections::HashSet<ObjectId> = seen.iter().map(|seen| seen.id).collect();
    for entry in unreached {
        if let What::Reference(base) = entry.what
            && !known.contains(&base)
        {
            return Err(Fault::pack(format!(
                "the delta at offset {} has a base that is not in the pack, or is part of a cycle: {base}",
                entry.offset
            ))
            .with_hint("send a whole pack, not a thin one"));
        }
    }
    Err(Fault::pack("a delta of the pack has no base that can be resolved"))
}

pub(super) fn duplicate(id: &ObjectId) -> Fault {
    Fault::new(FaultKind::MalformedPack, format!("the pack holds the object {id} more than once"))
}

/// The checksum over everything but the trailer.
fn trailer(pack: &[u8]) -> Result<ObjectId, Fault> {
    let mut hasher = gix_hash::hasher(gix_hash::Kind::Sha1);
    hasher.update(&pack[..pack.len().saturating_sub(TRAILER)]);
    hasher.try_finalize().map_err(|error| Fault::pack(format!("the pack is a SHA-1 collision attack: {error}")))
}

type FirstPass<'a> = (Scan, Checker<'a>, Result<ObjectId, Fault>);

/// Scans in this thread and hashes in another. A scan needs one thread, because only inflating an entry finds the start of the next.
fn first_pass<'a>(
    pack: &[u8],
    limits: &PackLimits,
    checkers: &Checkers<'a>,
    watch: &Watch<'_>,
) -> Result<FirstPass<'a>, Fault> {
    /// The bytes handed to the other thread at a time. Two such batches may wait.
    const BATCH: usize = 1 << 20;
    if limits.workers() < 2 || pack.len() < BATCH {
        return first_pass_alone(pack, limits, checkers, watch);
    }
    std::thread::scope(|scope| {
        let (send, receive) = std::sync::mpsc::sync_channel::<Vec<(u32, Kind, Vec<u8>)>>(2);
        let hashing = scope.spawn(move || {
            let trailer = trailer(pack);
            let mut checker = checkers();
            for (entry, kind, data) in receive.into_iter().flatten() {
                checker.object(entry, kind, &data);
            }
            (checker, trailer)
        });
        let (mut batch, mut bytes) = (Vec::new(), 0);
        let scan = scan::scan(pack, limits, watch, |entry, kind, data| {
            bytes += data.len();
            batch.push((entry, kind, data));
            if bytes >= BATCH {
                bytes = 0;
                send.send(std::mem::take(&mut batch)).expect("the other thread receives until this end is dropped");
            }
            Vec::new()
        });
        send.send(batch).expect("the other thread receives until this end is dropped");
        drop(send);
        let (checker, trailer) = hashing.join().expect("checking an object does not panic");
        Ok((scan?, checker, trailer))
    })
}

fn first_pass_alone<'a>(
    pack: &[u8],
    limits: &PackLimits,
    checkers: &Checkers<'a>,
    watch: &Watch<'_>,
) -> Result<FirstPass<'a>, Fault> {
    let mut checker = checkers();
    let scan = scan::scan(pack, limits, watch, |entry, kind, data| {
        checker.object(entry, kind, &data);
        data
    })?;
    Ok((scan, checker, trailer(pack)))
}

/// Resolves the delta trees of `roots`, divided among the threads. `done` receives the share of each.
#[expect(clippy::too_many_arguments, reason = "what the passes share, and one caller")]
fn second_pass<'s, 'a: 's>(
    pack: &'s [u8],
    limits: &'s PackLimits,
    checkers: &'s Checkers<'a>,
    scan: &'s Scan,
    bases: &'s Bases,
    reached: &'s Reached,
    roots: &[(u32, ObjectId, Kind)],
    done: &dyn Fn(f64),
) -> Vec<Checker<'s>> {
    /// `done` is called after this many trees.
    const TOLD: usize = 1 << 10;
    use std::sync::atomic::{AtomicUsize, Ordering};
    let next = AtomicUsize::new(0);
    let work = |done: &dyn Fn(f64)| {
        let mut told = 0;
        let mut resolver = Resolver::new(pack, scan, bases, reached, limits, checkers());
        while !reached.twice() {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some((entry, id, kind)) = roots.get(at) else { break };
            if at >= told + TOLD {
                told = at;
                done(at as f64 / roots.len() as f64);
            }
            resolver.tree(*entry, id, *kind);
        }
        resolver.checker
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..limits.workers().min(roots.len())).map(|_| scope.spawn(|| work(&|_| {}))).collect();
        let mut checkers = vec![work(done)];
        checkers.extend(others.into_iter().map(|other| other.join().expect("resolving a delta does not panic")));
        checkers
    })
}
