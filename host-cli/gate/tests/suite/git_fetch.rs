//! Fetching from any git server: what comes is whole, no more than wanted, and the right objects.

use std::num::NonZeroU32;
use std::rc::Rc;

use gate::forge::{BlobAt, Fault, FaultKind, Fetched, Wanted};
use gate::import::{Supply, SupplyRequest, check_supply};
use gate::objects::{Nothing, Objects};
use gate::pack::{Origin, PackLimits, verify};
use gix_hash::ObjectId;
use gix_object::Kind;

use crate::support::git_server::{GitServer, repository};
use crate::support::{Repo, Store, rich_repo};

/// All of the history of `want`, for a sandbox that has nothing.
fn wanted(want: ObjectId, tips: &[ObjectId]) -> Wanted {
    Wanted {
        want,
        tips: tips.to_vec(),
        have: Vec::new(),
        shallow: Vec::new(),
        depth: None,
        blobs: true,
        known: Rc::new(Nothing),
        limits: PackLimits::import(),
    }
}

fn fetch(server: &mut GitServer, wanted: Wanted) -> Result<Fetched, Fault> {
    server.drive(repository().fetch(wanted))
}

/// What the host makes of it.
fn supply(fetched: Fetched, have: &dyn Objects, absent_blobs: bool) -> Supply {
    let Fetched { pack, shallow } = fetched;
    let request = SupplyRequest { pack, tips: &[], shallow: &shallow, absent_blobs, have, watch: &|_| {} };
    check_supply(request, &PackLimits::import()).unwrap()
}

/// The ids that git lists for `revisions`, sorted.
fn ids(repo: &Repo, revisions: &[&str]) -> Vec<ObjectId> {
    let mut ids: Vec<ObjectId> = repo.objects(revisions).0.into_keys().collect();
    ids.sort();
    ids
}

fn both(test: impl Fn(bool)) {
    [false, true].into_iter().for_each(test);
}

#[test]
fn a_whole_history_comes_with_every_object() {
    both(|is_old| {
        let repo = rich_repo();
        let mut server = GitServer::of(&repo).old(is_old);
        let main = repo.id("main");
        let supply = supply(fetch(&mut server, wanted(main, &[main])).unwrap(), &Nothing, false);
        assert_eq!(supply.verified.ids().collect::<Vec<_>>(), ids(&repo, &["main"]));
        assert!(supply.shallow.is_empty());
        assert_eq!(server.log.len(), 2);
    });
}

#[test]
fn no_more_history_comes_than_wanted() {
    both(|is_old| {
        let repo = rich_repo();
        let mut server = GitServer::of(&repo).old(is_old);
        let main = repo.id("main");
        let depth = NonZeroU32::new(3);
        let fetched = fetch(&mut server, Wanted { depth, ..wanted(main, &[main]) }).unwrap();
        let supply = supply(fetched, &Nothing, false);
        assert_eq!(supply.shallow, [repo.id("main~2")]);
        assert!(supply.verified.object(&repo.id("main~3")).is_none());
    });
}

#[test]
fn only_what_is_new_comes_on_top_of_what_the_host_has_given() {
    both(|is_old| {
        let repo = rich_repo();
        let mut server = GitServer::of(&repo).old(is_old);
        let (main, known) = (repo.id("main"), repo.objects(&["main~5"]));
        for depth in [None, NonZeroU32::new(1)] {
            // The sandbox also has a commit of its own, which the server does not know.
            let have = vec![ObjectId::from_hex(&[b'1'; 40]).unwrap(), repo.id("main~5")];
            let wanted = Wanted { have, depth, known: Rc::new(known.clone()), ..wanted(main, &[main]) };
            let supply = supply(fetch(&mut server, wanted).unwrap(), &known, false);
            let new = ids(&repo, &["main", "^main~5"]);
            assert_eq!(supply.verified.ids().filter(|id| new.contains(id)).count(), new.len());
            assert!(supply.verified.objects().len() < 2 * new.len());
        }
    });
}

#[test]
fn a_branch_that_was_written_anew_builds_on_what_both_have() {
    both(|is_old| {
        let repo = rich_repo();
        let known = repo.objects(&["main"]);
        let old = repo.id("main");
        repo.git(&["reset", "-q", "--hard", "main~2"]);
        let new = repo.write("dir/new.txt", "new\n").commit("another way");
        let mut server = GitServer::of(&repo).old(is_old);
        let wanted = Wanted { have: vec![old], known: Rc::new(known.clone()), ..wanted(new, &[new]) };
        let supply = supply(fetch(&mut server, wanted).unwrap(), &known, false);
        assert!(supply.verified.objects().len() < 10, "{}", supply.verified.objects().len());
    });
}

#[test]
fn a_history_that_ends_early_goes_on_from_its_end() {
    both(|is_old| {
        let repo = rich_repo();
        let (main, before) = (repo.id("main"), repo.id("main~4"));
        let mut server = GitServer::of(&repo).old(is_old);
        let first = Wanted { depth: NonZeroU32::new(2), ..wanted(before, &[main, before]) };
        server.git(&["branch", "before", "main~4"]);
        let had = supply(fetch(&mut server, first).unwrap(), &Nothing, false);
        let known = Rc::new(had.verified);
        let next = Wanted {
            have: vec![before],
            shallow: had.shallow,
            depth: NonZeroU32::new(1),
            known: known.clone(),
            ..wanted(main, &[main])
        };
        let supply = supply(fetch(&mut server, next).unwrap(), &*known, false);
        assert_eq!(supply.verified.objects().iter().filter(|object| object.kind == Kind::Commit).count(), 4);
    });
}

#[test]
fn files_are_left_out_and_come_when_they_are_asked_for() {
    let repo = rich_repo();
    let mut server = GitServer::of(&repo);
    let main = repo.id("main");
    let fetched = fetch(&mut server, Wanted { blobs: false, ..wanted(main, &[main]) }).unwrap();
    let supply = supply(fetched, &Nothing, true);
    assert!(supply.verified.objects().iter().all(|object| object.kind != Kind::Blob));
    let known = Rc::new(supply.verified);
    let at = |path: &str, id| BlobAt { commit: main, path: path.into(), id };
    let (long, small) = (repo.id("main:dir/long.txt"), repo.id("main:dir/sub/3.txt"));
    let blobs = vec![at("dir/long.txt", long), at("dir/sub/3.txt", small)];
    let fetched = server.drive(repository().blobs(blobs, known.clone(), PackLimits::import())).unwrap();
    let pack = verify(fetched.pack, &PackLimits::import(), Origin::Supplied).unwrap();
    let mut expected = [long, small];
    expected.sort();
    assert_eq!(pack.ids().collect::<Vec<_>>(), expected);
    // Many files take one request, and one that does not stand there none.
    assert_eq!(server.log.len(), 4);
    let elsewhere = vec![at("dir/sub/4.txt", small)];
    let fault = server.drive(repository().blobs(elsewhere, known, PackLimits::import())).unwrap_err();
    assert_eq!((fault.kind, server.log.len()), (FaultKind::MissingObject { id: small }, 4));
}

#[test]
fn a_server_that_cannot_leave_out_files_gives_all() {
    for is_old in [false, true] {
        let repo = rich_repo();
        let mut server = GitServer::of(&repo).old(is_old);
        server.git(&["config", "uploadpack.allowFilter", "false"]);
        let main = repo.id("main");
        let fetched = fetch(&mut server, Wanted { blobs: false, ..wanted(main, &[main]) }).unwrap();
        assert_eq!(supply(fetched, &Nothing, true).verified.ids().collect::<Vec<_>>(), ids(&repo, &["main"]));
    }
}

#[test]
fn the_host_reads_single_objects() {
    let repo = rich_repo();
    let mut server = GitServer::of(&repo);
    let (commit, tree) = (repo.id("main~3"), repo.id("main:dir"));
    let (blob, tag) = (repo.id("main:bin"), repo.id("v1"));
    let objects = vec![(commit, Kind::Commit), (tree, Kind::Tree), (blob, Kind::Blob), (tag, Kind::Tag)];
    let fetched = server.drive(repository().read(objects, PackLimits::import())).unwrap();
    let pack = verify(fetched.pack, &PackLimits::import(), Origin::Supplied).unwrap();
    for id in [commit, tree, blob, tag] {
        assert!(pack.object(&id).is_some(), "{id}");
    }
    assert!(pack.object(&repo.id("main~4")).is_none());
    assert!(pack.object(&repo.id("main:dir/long.txt")).is_none());
    let lacking = ObjectId::from_hex(&[b'1'; 40]).unwrap();
    let fault = server.drive(repository().read(vec![(lacking, Kind::Blob)], PackLimits::import())).unwrap_err();
    assert_eq!(fault.kind, FaultKind::MissingObject { id: lacking });
}

#[test]
fn attack_02_only_what_a_branch_or_tag_reaches_is_fetched() {
    both(|is_old| {
        let repo = Repo::new();
        let first = repo.write("a", "a\n").commit("one");
        let main = repo.write("a", "b\n").commit("two");
        let hidden = repo.write("secret", "hidden\n").commit("taken back");
        let mut server = GitServer::of(&repo).old(is_old);
        server.git(&["update-ref", "refs/heads/main", &main.to_string()]);
        // The server itself would give it out.
        server.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
        let fault = fetch(&mut server, wanted(hidden, &[main])).unwrap_err();
        assert_eq!(fault.kind, FaultKind::MissingObject { id: hidden });
        let fetched = fetch(&mut server, wanted(first, &[main])).unwrap();
        assert_eq!(supply(fetched, &Nothing, false).verified.objects().len(), 3);
    });
}

#[test]
fn attack_12_whatever_a_server_answers_is_a_fault_or_the_right_objects() {
    let repo = Repo::new();
    repo.write("a", "a\n").commit("one");
    let main = repo.write("a", "b\n").commit("two");
    let known: Store = repo.objects(&["main~1"]);
    for seed in trial::seeds(0..150) {
        let mut server = GitServer::of(&repo).old(seed % 2 == 1);
        server.garbles = Some(fastrand::Rng::with_seed(seed));
        let have = vec![repo.id("main~1")];
        let wanted = Wanted { have, depth: NonZeroU32::new(1), known: Rc::new(known.clone()), ..wanted(main, &[main]) };
        let Ok(Fetched { pack, shallow }) = fetch(&mut server, wanted) else { continue };
        let watch = &|_| {};
        let request = SupplyRequest { pack, tips: &[], shallow: &shallow, absent_blobs: false, have: &known, watch };
        if let Ok(supply) = check_supply(request, &PackLimits::import()) {
            let all = repo.objects(&["main"]);
            assert!(supply.verified.ids().all(|id| all.0.contains_key(&id)), "seed {seed}");
        }
    }
}
