//! The host accepts git's packs as git does.

use crate::support::{
    Repo, hex,
    packer::{self, Packer},
    rich_repo,
};
use bytes::Bytes;
use fastrand::Rng;
use gate::{
    FaultKind,
    objects::Objects,
    pack::{IndexedPack, Origin, PackLimits, VerifiedPack, verify},
};
use gix_hash::ObjectId;
use gix_object::Kind;

fn accepted(pack: Bytes) -> VerifiedPack {
    verify(pack, &PackLimits::push(), Origin::New).unwrap()
}

fn same_as_git(repo: &Repo, pack: Bytes) {
    let folder = tempfile::tempdir().unwrap();
    let (file, index) = (folder.path().join("x.pack"), folder.path().join("x.idx"));
    std::fs::write(&file, &pack).unwrap();
    repo.git(&["index-pack", "-o", index.to_str().unwrap(), file.to_str().unwrap()]);
    let verified = accepted(pack.clone());
    let indexed = IndexedPack::new(pack, verified.index().unwrap().into()).unwrap();
    assert_eq!(verified.index().unwrap(), std::fs::read(index).unwrap(), "the index is git's, byte for byte");

    let listed = repo.git(&["verify-pack", "-v", file.to_str().unwrap()]);
    let mut objects = 0;
    for line in String::from_utf8(listed).unwrap().lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (Some(id), Some(kind)) = (words.first().filter(|id| id.len() == 40), words.get(1)) else {
            continue;
        };
        let object = verified.object(&hex(id.as_bytes())).expect("git lists it, so it is there");
        assert_eq!(object.kind, Kind::from_bytes(kind.as_bytes()).unwrap());
        assert_eq!(object.offset.to_string(), words[4]);
        objects += 1;
    }
    assert_eq!(verified.objects().len(), objects);

    let all = repo.objects(&["--all"]);
    let mut out = Vec::new();
    for id in verified.ids() {
        let kind = verified.find(&id, &mut out).unwrap().unwrap();
        assert_eq!(Some(&(kind, out.clone())), all.0.get(&id), "{id} reads back as git has it");
        assert_eq!(Some(&(indexed.find(&id, &mut out).unwrap().unwrap(), out.clone())), all.0.get(&id));
    }
    let other = hex(b"0123456789012345678901234567890123456789");
    assert!(!indexed.contains(&other).unwrap() && indexed.find(&other, &mut out).unwrap().is_none());
}

#[test]
fn an_object_that_has_changed_since_is_not_given_out() {
    let repo = rich_repo();
    let pack = repo.pack(&["main", "v1"]);
    let verified = accepted(pack.clone());
    let mut index = verified.index().unwrap();
    // The places of two objects, exchanged.
    let offsets = index.len() - 40 - 4 * verified.objects().len();
    let [one, other] = [0, 1].map(|at| offsets + 4 * at..offsets + 4 * at + 4);
    let kept = index[one.clone()].to_vec();
    index.copy_within(other.clone(), one.start);
    index[other].copy_from_slice(&kept);
    let indexed = IndexedPack::new(pack, index.into()).unwrap();
    let faulty = |id: ObjectId| indexed.find(&id, &mut Vec::new()).unwrap_err().kind;
    assert!(verified.ids().take(2).all(|id| faulty(id) == FaultKind::MalformedPack));
    assert!(verified.ids().skip(2).all(|id| indexed.find(&id, &mut Vec::new()).is_ok()));
}

#[test]
fn an_index_is_only_taken_for_its_own_pack() {
    let repo = rich_repo();
    let (pack, other) = (repo.pack(&["main", "v1"]), repo.pack(&["main~1"]));
    let index = accepted(pack.clone()).index().unwrap();
    let cut = |length: usize| index[..length].to_vec();
    for index in [Vec::new(), cut(8), cut(1032), cut(index.len() - 1), other.to_vec()] {
        assert_eq!(IndexedPack::new(pack.clone(), index.into()).map(drop).unwrap_err().kind, FaultKind::MalformedPack);
    }
    assert!(IndexedPack::new(other, index.into()).is_err());
}

#[test]
fn index_is_git_s_byte_for_byte_with_offset_deltas() {
    let repo = rich_repo();
    same_as_git(&repo, repo.pack(&["main", "v1"]));
}

#[test]
fn index_is_git_s_byte_for_byte_with_reference_deltas() {
    let repo = rich_repo();
    same_as_git(&repo, repo.pack_with(&["--no-reuse-delta", "--depth=300"], &["main", "v1"]));
}

#[test]
fn index_is_git_s_byte_for_byte_without_objects() {
    let repo = Repo::new();
    same_as_git(&repo, Packer::new().finish());
}

#[test]
fn verification_does_not_depend_on_threads_or_memory() {
    let repo = rich_repo();
    let pack = repo.pack(&["main", "v1"]);
    let wide = accepted(pack.clone());
    for (threads, memory) in [(1, 128 << 20), (3, 128 << 20), (2, 0), (1, 4096), (2, 60_000)] {
        let limits = PackLimits { threads, memory, ..PackLimits::push() };
        let narrow = verify(pack.clone(), &limits, Origin::New).unwrap();
        assert_eq!(narrow.objects(), wide.objects(), "{threads} threads, {memory} bytes");
    }
}

#[test]
fn a_branching_delta_tree_is_resolved_with_almost_no_memory() {
    let mut packer = Packer::new();
    let mut content = vec![b'x'; 3000];
    packer.blob(&content);
    let mut ids = vec![packer::id(Kind::Blob, &content)];
    for depth in 0..60u8 {
        let base = *ids.last().unwrap();
        let leaf = [&content[..], &[b'l', depth]].concat();
        packer.reference_delta(base, &packer::insert_all(content.len(), &leaf));
        content.push(depth);
        packer.reference_delta(base, &packer::insert_all(content.len() - 1, &content));
        ids.push(packer::id(Kind::Blob, &content));
    }
    let pack = packer.finish();
    let limits = PackLimits { memory: 0, ..PackLimits::push() };
    let verified = verify(pack.clone(), &limits, Origin::New).unwrap();
    assert_eq!(verified.objects().len(), 121);
    assert!(ids.iter().all(|id| verified.contains(id).unwrap()));
}

#[test]
fn attack_12_a_flipped_bit_under_a_right_trailer_never_keeps_an_id_for_other_content() {
    let repo = rich_repo();
    let pack = repo.pack(&["main", "^main~3"]);
    let honest = accepted(pack.clone());
    let mut random = Rng::with_seed(12);
    let mut out = Vec::new();
    for _ in 0..3000 {
        let mut bytes = pack[..pack.len() - 20].to_vec();
        bytes[random.usize(..pack.len() - 20)] ^= 1 << random.usize(..8);
        if let Ok(other) = verify(packer::seal(bytes), &PackLimits::push(), Origin::New) {
            for id in other.ids() {
                let kind = other.find(&id, &mut out).unwrap().unwrap();
                assert_eq!(packer::id(kind, &out), id);
                if honest.contains(&id).unwrap() {
                    let mut expected = Vec::new();
                    assert_eq!(honest.find(&id, &mut expected).unwrap(), Some(kind));
                    assert_eq!(expected, out);
                }
            }
        }
    }
}
