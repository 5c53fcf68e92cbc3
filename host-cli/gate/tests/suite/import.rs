//! The way in: packs that the host read from the person's own repository.

use crate::support::{
    Repo,
    packer::{self, Packer},
};
use bytes::Bytes;
use gate::{
    Fault, FaultKind,
    import::{Supply, SupplyRequest, check_supply},
    objects::{Nothing, Objects},
    pack::PackLimits,
};
use gix_hash::ObjectId;
use gix_object::Kind;

fn supply(
    pack: Bytes,
    tips: &[(&str, ObjectId)],
    shallow: &[ObjectId],
    absent_blobs: bool,
    have: &dyn Objects,
) -> Result<Supply, Fault> {
    let tips: Vec<_> = tips.iter().map(|(name, id)| ((*name).to_owned(), *id)).collect();
    check_supply(
        SupplyRequest { pack, tips: &tips, shallow, absent_blobs, have, watch: &|_| {} },
        &PackLimits::import(),
    )
}

fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("a", "1\n").write("dir/b", "b\n").commit("one");
    repo.write("a", "2\n").commit("two");
    repo.git(&["tag", "-a", "-m", "tag", "v1"]);
    repo.write("a", "3\n").commit("three");
    repo
}

#[test]
fn a_whole_clone_is_taken() {
    let repo = repo();
    let tips = [("HEAD", repo.id("main")), ("refs/heads/main", repo.id("main")), ("refs/tags/v1", repo.id("v1"))];
    let supply = supply(repo.pack(&["main", "v1"]), &tips, &[], false, &Nothing).unwrap();
    assert_eq!(supply.tips.len(), 3);
    assert_eq!(supply.verified.objects().len(), repo.objects(&["main", "v1"]).0.len());
}

#[test]
fn a_large_pack_is_watched_on_its_way() {
    let repo = Repo::new();
    let mut random = fastrand::Rng::with_seed(1);
    for name in ["a", "b", "c"] {
        let noise: String = std::iter::repeat_with(|| random.alphanumeric()).take(2 << 20).collect();
        repo.write(name, &noise).commit(name);
    }
    let pack = repo.pack(&["main"]);
    let told = std::sync::Mutex::new(Vec::new());
    let watch = |bytes| told.lock().unwrap().push(bytes);
    let tips = [("HEAD".to_owned(), repo.id("main"))];
    let request = SupplyRequest {
        pack: pack.clone(),
        tips: &tips,
        shallow: &[],
        absent_blobs: false,
        have: &Nothing,
        watch: &watch,
    };
    check_supply(request, &PackLimits::import()).unwrap();
    let told = told.into_inner().unwrap();
    assert!(told.len() > 2 && told.is_sorted() && told.iter().all(|bytes| *bytes <= pack.len() as u64), "{told:?}");
}

#[test]
fn a_shallow_pack_needs_its_boundary_stated() {
    let repo = repo();
    let tip = repo.id("main");
    let tree = repo.objects(&["main"]);
    let mut packer = Packer::new();
    let (_, commit) = &tree.0[&tip];
    packer.object(Kind::Commit, commit);
    let listed = repo.git(&["ls-tree", "-r", "-t", "main"]);
    let mut ids = vec![repo.id("main^{tree}")];
    ids.extend(String::from_utf8(listed).unwrap().lines().map(|line| crate::support::hex(&line.as_bytes()[12..52])));
    for id in ids {
        let (kind, data) = &tree.0[&id];
        packer.object(*kind, data);
    }
    let pack = packer.finish();
    let tips = [("refs/heads/main", tip)];
    assert!(supply(pack.clone(), &tips, &[tip], false, &Nothing).is_ok());
    assert_eq!(supply(pack.clone(), &tips, &[], false, &Nothing).unwrap_err().kind, FaultKind::MissingObject);
    let unknown = [tip, repo.id("main~1")];
    assert_eq!(supply(pack, &tips, &unknown, false, &Nothing).unwrap_err().kind, FaultKind::MissingObject);
}

#[test]
fn blobs_may_be_absent_only_where_it_is_said() {
    let repo = repo();
    let pack = repo.pack_with(&["--filter=blob:none"], &["main"]);
    let tips = [("refs/heads/main", repo.id("main"))];
    assert!(supply(pack.clone(), &tips, &[], true, &Nothing).is_ok());
    assert_eq!(supply(pack, &tips, &[], false, &Nothing).unwrap_err().kind, FaultKind::MissingObject);
    // Trees must never be missing.
    let pack = repo.pack_with(&["--filter=tree:1"], &["main"]);
    assert_eq!(supply(pack, &tips, &[], true, &Nothing).unwrap_err().kind, FaultKind::MissingObject);
}

#[test]
fn a_later_pack_builds_on_what_is_there() {
    let repo = repo();
    let pack = repo.pack(&["main", "^main~1"]);
    let tips = [("refs/heads/main", repo.id("main"))];
    assert!(supply(pack.clone(), &tips, &[], false, &repo.objects(&["main~1"])).is_ok());
    assert_eq!(supply(pack, &tips, &[], false, &Nothing).unwrap_err().kind, FaultKind::MissingObject);
}

#[test]
fn attack_06_bad_ref_names_are_not_brought_in() {
    let repo = repo();
    let (pack, tip) = (repo.pack(&["main"]), repo.id("main"));
    for name in ["refs/heads/../../config", "config", "refs/heads/a.lock", "refs/heads/nul", "refs/heads/a\u{202e}"] {
        let fault = supply(pack.clone(), &[(name, tip)], &[], false, &Nothing).unwrap_err();
        assert_eq!(fault.kind, FaultKind::BadRef, "{name}");
    }
    let twice = [("refs/heads/a", tip), ("refs/heads/a", tip)];
    assert_eq!(supply(pack.clone(), &twice, &[], false, &Nothing).unwrap_err().kind, FaultKind::BadRef);
    let tree = [("refs/heads/a", repo.id("main^{tree}"))];
    assert_eq!(supply(pack.clone(), &tree, &[], false, &Nothing).unwrap_err().kind, FaultKind::BadRef);
    let absent = [("refs/heads/a", packer::id(Kind::Commit, b"absent"))];
    assert_eq!(supply(pack, &absent, &[], false, &Nothing).unwrap_err().kind, FaultKind::MissingObject);
}

#[test]
fn attack_07_unsafe_paths_are_not_brought_in() {
    let mut packer = Packer::new();
    let blob = packer.blob(b"[core]\n\tfsmonitor = evil\n");
    let git = packer.tree(&[("100644", b"config", blob)]);
    let tree = packer.tree(&[("40000", b"GIT~1", git)]);
    let tip = packer.commit(tree, &[], "unsafe\n");
    let fault = supply(packer.finish(), &[("refs/heads/main", tip)], &[], false, &Nothing).unwrap_err();
    assert_eq!(fault.kind, FaultKind::UnsafePath);
    assert!(fault.message.contains("GIT~1"), "{}", fault.message);
}

#[test]
fn old_faults_of_format_are_brought_in() {
    let mut packer = Packer::new();
    let blob = packer.blob(b"x\n");
    let folder = packer.tree(&[("100664", b"x", blob)]);
    let tree = packer.tree(&[("040000", b"dir", folder)]);
    let who = "A <a> 1 +0000";
    let commit = format!("tree {tree}\nauthor {who}\ncommitter {who}\nHG:extra branch\n\nold\n");
    let tip = packer.object(Kind::Commit, commit.as_bytes());
    assert!(supply(packer.finish(), &[("refs/heads/main", tip)], &[], false, &Nothing).is_ok());
}
