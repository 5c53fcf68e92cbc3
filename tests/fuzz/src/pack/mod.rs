//! Packs: arbitrary bytes, and a hostile sandbox's variants of a valid one.

mod make;
mod walk;

use std::collections::BTreeSet;

use bytes::Bytes;
use gate::approval::Proposal;
use gate::id::{Nonce, SandboxId};
use gate::import::{self, SupplyRequest};
use gate::objects::{Nothing, Objects};
use gate::pack::{self as packs, Origin, PackLimits, VerifiedPack};
use gate::push::{self, PushLimits, PushRequest, TargetFacts};
use gate::time::Timestamp;
use gate::{Fault, FaultKind};
use gix_hash::ObjectId;

use self::make::{Made, Target};
use crate::choices::Choices;
use crate::packer;

/// Takes any bytes. The first says whether the rest is a pack, or choices to build one.
pub fn pack(input: &[u8]) {
    let mut choices = Choices::of(input);
    let made = match choices.below(4) {
        0 => Made::of(Bytes::copy_from_slice(choices.rest())),
        1 => Made::of(packer::seal(choices.rest().to_vec())),
        _ => make::made(&mut choices),
    };
    verified(&made);
    supplied(&made);
    pushed(&made);
}

/// Small, so that reaching a limit takes no time.
fn limits(threads: usize) -> PackLimits {
    PackLimits {
        pack_bytes: 1 << 20,
        objects: 1000,
        object_bytes: 1 << 20,
        total_bytes: 4 << 20,
        delta_depth: 64,
        // Less than a chain needs, so that contents are recomputed.
        memory: 64 << 10,
        threads,
        ..PackLimits::push()
    }
}

/// Verified on its own, as new and as supplied.
fn verified(made: &Made) {
    let verify = |origin, threads| packs::verify(made.pack.clone(), &limits(threads), origin);
    let (new, supplied) = (verify(Origin::New, 1), verify(Origin::Supplied, 1));
    for (origin, one) in [(Origin::New, &new), (Origin::Supplied, &supplied)] {
        match (one, verify(origin, 2)) {
            (Ok(one), Ok(two)) => assert_eq!(one.objects(), two.objects(), "threads make no difference"),
            (Err(one), Err(two)) => assert_eq!(*one, two, "threads make no difference"),
            (one, two) => panic!("threads make a difference: {one:?} and {two:?}"),
        }
    }
    match &supplied {
        Ok(pack) => whole(made, pack),
        Err(fault) => {
            expected_fault(fault);
            assert!(new.is_err(), "what is refused of a person's own is refused of a sandbox's");
            assert!(!made.is_plain, "nothing is wrong with it: {fault}");
        }
    }
    match &new {
        Ok(pack) => whole(made, pack),
        Err(fault) => expected_fault(fault),
    }
}

fn expected_fault(fault: &Fault) {
    use FaultKind::{MalformedObject, MalformedPack, TooLarge, UnsafePath};
    assert!(matches!(fault.kind, MalformedObject | MalformedPack | TooLarge | UnsafePath), "{fault:?}");
    assert!(!fault.to_string().contains(['\n', '\u{1b}']), "{fault:?} is no line that can be printed");
}

/// An accepted pack is as it claims: every object has the id of its content, and there is nothing else.
fn whole(made: &Made, pack: &VerifiedPack) {
    assert_eq!(pack.bytes(), &made.pack);
    assert!(made.pack.ends_with(pack.checksum().as_slice()));
    let bounds = limits(1);
    let (mut total, mut content) = (0, Vec::new());
    for object in pack.objects() {
        assert_eq!(pack.find(&object.id, &mut content).expect("it was read once"), Some(object.kind));
        assert_eq!(packer::id(object.kind, &content), object.id);
        assert_eq!((content.len() as u64, true), (object.size, object.size <= bounds.object_bytes));
        assert!(object.offset >= 12 && (object.offset as usize) < made.pack.len() - 20);
        total += object.size;
    }
    assert!(total <= bounds.total_bytes && pack.objects().is_sorted_by(|a, b| a.id < b.id));
    let count = u32::from_be_bytes(made.pack[8..12].try_into().expect("a pack has a header"));
    assert_eq!(pack.objects().len(), count as usize);
    if made.is_plain {
        let ids: BTreeSet<ObjectId> = made.objects.iter().copied().collect();
        assert!(pack.ids().eq(ids), "it holds what was put into it");
    }
    index(pack);
}

/// The index has an entry for each object, in the order that the fan-out says.
fn index(pack: &VerifiedPack) {
    let index = pack.index().expect("nobody makes a collision by chance");
    let count = pack.objects().len();
    let fan_out = |byte: usize| {
        let at = 8 + byte * 4;
        u32::from_be_bytes(index[at..at + 4].try_into().expect("four bytes")) as usize
    };
    for (byte, _) in (0..=u8::MAX).enumerate() {
        assert_eq!(fan_out(byte), pack.ids().filter(|id| usize::from(id.as_slice()[0]) <= byte).count());
    }
    let ids = &index[8 + 1024..][..count * 20];
    assert!(ids.chunks(20).eq(pack.objects().iter().map(|object| object.id.as_slice())));
    assert_eq!(index.len(), 8 + 1024 + count * 28 + 40);
}

/// The way in.
fn supplied(made: &Made) {
    let target = Target::new();
    let have: &dyn Objects = if made.thin { &target } else { &Nothing };
    let tips: Vec<_> = made.head.iter().map(|head| ("refs/heads/main".to_owned(), *head)).collect();
    let (pack, shallow) = (made.pack.clone(), &made.shallow[..]);
    let request = SupplyRequest { pack, tips: &tips, shallow, absent_blobs: made.absent_blobs, have, watch: &|_| {} };
    match import::check_supply(request, &limits(1)) {
        Ok(supply) => {
            assert_eq!(supply.tips, tips);
            walk::complete(&supply.verified, have, &supply.shallow, made.absent_blobs);
        }
        Err(fault) => assert!(!matches!(fault.kind, FaultKind::Host | FaultKind::Refused), "{fault:?}"),
    }
}

/// The way out: a push that a person may see builds on the branch, is complete, and brings nothing else.
fn pushed(made: &Made) {
    let target = Target::new();
    let Some(new) = made.head else { return };
    let old = made.thin.then_some(target.head);
    let propose = || -> Result<(Proposal, VerifiedIds), Fault> {
        let request = PushRequest {
            sandbox: "default".parse::<SandboxId>()?,
            target: "local:/target".parse()?,
            reference: "refs/heads/main".parse()?,
            old,
            new,
            pack: made.pack.clone(),
        };
        let tips = made.tips_known.then(|| old.into_iter().collect());
        let facts = TargetFacts { current_head_of_ref: old, tips, ..TargetFacts::default() };
        let limits = PushLimits { pack: limits(1), review_bytes: 8 << 20, ..PushLimits::default() };
        let checked = push::check(request, &target, facts, &limits)?;
        let reached = walk::exact(checked.pack(), &target, new);
        assert!(old.is_none_or(|old| reached.contains(&old)), "what is pushed builds on what is there");
        let ids = checked.pack().ids().collect();
        Ok((checked.propose(&target, Nonce::from_random([7; 16]), Timestamp(1_700_000_000))?, ids))
    };
    match (propose(), propose()) {
        (Ok((first, ids)), Ok((second, again))) => {
            assert_eq!((first.digest(), ids), (second.digest(), again), "the same push has the same digest");
        }
        (Err(first), Err(second)) => assert_eq!(first, second, "the same push has the same fault"),
        (first, second) => panic!("once so and once so: {:?} {:?}", first.err(), second.err()),
    }
}

type VerifiedIds = Vec<ObjectId>;
