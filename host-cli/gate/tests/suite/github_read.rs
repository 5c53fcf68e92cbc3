//! Reading objects from GitHub: the host rebuilds git's exact bytes, or refuses.

use std::collections::{BTreeSet, HashSet};
use std::num::NonZeroU32;
use std::rc::Rc;

use gate::forge::{BlobAt, Fault, FaultKind, Fetched, Wanted};
use gate::github::{Blobs, Fetch, Read, Tags};
use gate::import::{SupplyRequest, check_supply};
use gate::objects::{Nothing, Objects};
use gate::pack::{Origin, PackLimits, verify};
use gix_hash::ObjectId;
use gix_object::Kind;

use crate::support::github::{Server, Trouble, repository};
use crate::support::{Repo, Store, hex};

fn wanted(want: ObjectId) -> Wanted {
    Wanted {
        want,
        tips: vec![want],
        have: Vec::new(),
        shallow: Vec::new(),
        depth: None,
        blobs: true,
        known: Rc::new(Nothing),
        limits: PackLimits::import(),
    }
}

fn fetch(server: &mut Server, wanted: Wanted) -> Result<Fetched, Fault> {
    server.drive(Fetch::new(repository(), wanted))
}

/// The ids in a pack, sorted. Verification computes them.
fn ids(fetched: &Fetched) -> Vec<ObjectId> {
    verify(fetched.pack.clone(), &PackLimits::import(), Origin::Supplied).unwrap().ids().collect()
}

/// What git lists for `arguments`, sorted.
fn listed(repo: &Repo, arguments: &[&str]) -> Vec<ObjectId> {
    let out = repo.git(&[&["rev-list", "--objects", "--no-object-names"], arguments].concat());
    let ids: BTreeSet<ObjectId> = out.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(hex).collect();
    ids.into_iter().collect()
}

/// A commit of exactly these bytes after its tree, on `main`.
fn made(repo: &Repo, rest: &[u8]) -> ObjectId {
    let content = [format!("tree {}\n", repo.id("main^{tree}")).as_bytes(), rest].concat();
    let id = repo.git_with(&["hash-object", "-t", "commit", "-w", "--stdin"], &content);
    let id = hex(id.trim_ascii());
    repo.git(&["update-ref", "refs/heads/main", &id.to_string()]);
    id
}

/// A history with a merge, folders, all kinds of entries, and three zones.
fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("a.txt", "a\n").write("dir/sub/deep.txt", "deep\n").write("dir-x", "x").commit("first");
    repo.git(&["checkout", "-q", "-b", "side"]);
    std::os::unix::fs::symlink("a.txt", repo.path().join("link")).unwrap();
    repo.write("bin", [0, 159, 255]).write("s p\u{e9}ce\"", "odd name\n").commit("side");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("dir/other.txt", "other\n").commit("main\n\nbody");
    repo.git(&["merge", "-q", "-m", "merge", "side"]);
    for (author, committer) in [("-0330", "+1345"), ("+0545", "+0545"), ("+0200", "-1200")] {
        let mut command = repo.command(&["commit", "-q", "--allow-empty", "-m", "zone"]);
        command.env("GIT_AUTHOR_DATE", format!("1234567890 {author}"));
        command.env("GIT_COMMITTER_DATE", format!("1234567899 {committer}"));
        assert!(command.status().unwrap().success());
    }
    repo
}

#[test]
fn a_whole_history_is_what_git_has() {
    let repo = repo();
    let mut server = Server::of(&repo);
    let fetched = fetch(&mut server, wanted(repo.id("main"))).unwrap();
    assert_eq!(ids(&fetched), listed(&repo, &["main"]));
    assert!(fetched.shallow.is_empty());
    let tips = [("refs/heads/main".to_owned(), repo.id("main"))];
    let request = SupplyRequest {
        pack: fetched.pack,
        tips: &tips,
        shallow: &[],
        absent_blobs: false,
        have: &Nothing,
        watch: &|_| {},
    };
    check_supply(request, &PackLimits::import()).unwrap();
}

#[test]
fn one_commit_without_its_blobs_takes_two_requests() {
    let repo = repo();
    let mut server = Server::of(&repo);
    let depth = NonZeroU32::new(1);
    let fetched = fetch(&mut server, Wanted { depth, blobs: false, ..wanted(repo.id("main")) }).unwrap();
    assert_eq!(ids(&fetched), listed(&repo, &["--filter=blob:none", "-1", "main"]));
    assert_eq!(fetched.shallow, [repo.id("main")]);
    assert_eq!(server.log.len(), 2, "{:?}", server.asked());
}

#[test]
fn a_depth_counts_along_every_line() {
    let repo = repo();
    for depth in 1..7 {
        let into = Repo::new();
        let source = format!("file://{}", repo.path().display());
        into.git(&["fetch", "-q", &format!("--depth={depth}"), &source, "main:refs/heads/copy"]);
        let mut server = Server::of(&repo);
        let wanted = Wanted { depth: NonZeroU32::new(depth), ..wanted(repo.id("main")) };
        let fetched = fetch(&mut server, wanted).unwrap();
        assert_eq!(ids(&fetched), listed(&into, &["copy"]), "{depth}");
        let shallow = std::fs::read(into.path().join(".git/shallow")).unwrap_or_default();
        let shallow: Vec<_> = shallow.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(hex).collect();
        assert_eq!(fetched.shallow, shallow, "{depth}");
    }
}

#[test]
fn a_sandbox_with_history_gets_what_it_lacks() {
    let repo = repo();
    let mut server = Server::of(&repo);
    // The branch `side` is below the merge.
    let have = repo.id("side");
    let known: Rc<dyn Objects> = Rc::new(repo.objects(&["side"]));
    let unknown = ObjectId::empty_blob(gix_hash::Kind::Sha1);
    let fetched = fetch(&mut server, Wanted { have: vec![unknown, have], known, ..wanted(repo.id("main")) }).unwrap();
    assert_eq!(ids(&fetched), listed(&repo, &["main", "^side"]));
    assert!(fetched.shallow.is_empty());
}

#[test]
fn commits_before_a_shallow_sandbox_come_along_without_their_parents() {
    let repo = repo();
    let mut server = Server::of(&repo);
    let have = repo.id("side");
    // The sandbox has the tip of `side` alone, and `main` starts below it.
    let known: Rc<dyn Objects> = Rc::new(repo.objects(&["-1", "side"]));
    let fetched = fetch(&mut server, Wanted { have: vec![have], known, ..wanted(repo.id("main")) }).unwrap();
    let found: HashSet<_> = ids(&fetched).into_iter().collect();
    assert!(found.contains(&repo.id("side~1")) && !found.contains(&have));
    assert!(fetched.shallow.is_empty());
}

#[test]
fn a_long_history_is_read_in_pages() {
    let repo = Repo::new();
    repo.write("a", "a\n").commit("0");
    let tree = repo.id("main^{tree}");
    let mut server = Server::of(&repo);
    let mut tip = repo.id("main");
    for number in 1..250 {
        tip = server.keep(Kind::Commit, crate::support::packer::commit(tree, &[tip], &format!("{number}\n")));
    }
    server.set_main(tip);
    let fetched = fetch(&mut server, wanted(tip)).unwrap();
    assert_eq!(ids(&fetched).len(), 250 + 2);
    assert_eq!(server.log.len(), 3 + 2);
    let have = repo.id("main");
    let known: Rc<dyn Objects> = Rc::new(repo.objects(&["main"]));
    let fetched = fetch(&mut server, Wanted { have: vec![have], known, ..wanted(tip) }).unwrap();
    assert_eq!(ids(&fetched).len(), 249);
}

#[test]
fn odd_commits_are_rebuilt_too() {
    let who = "author A <a@x> 1700000000 -0330\ncommitter A <a@x> 1700000000 -0330\n";
    let signature = "gpgsig -----BEGIN X-----\n \n abc=\n -----END X-----\n";
    for rest in [
        format!("{who}\nno line end").into_bytes(),
        format!("{who}\n").into_bytes(),
        format!("{who}\n\n two line ends\n\n").into_bytes(),
        format!("{who}{signature}\nsigned\n").into_bytes(),
        format!("{who}{signature} \n\nsigned by the forge").into_bytes(),
        [format!("{who}encoding ISO-8859-1\n\n").as_bytes(), b"caf\xe9\n"].concat(),
        format!("{who}\ncaf\u{e9} \u{1f980}\n").into_bytes(),
    ] {
        let repo = Repo::new();
        repo.write("a", "a\n").commit("first");
        let id = made(&repo, &rest);
        let fetched = fetch(&mut Server::of(&repo), wanted(id)).unwrap();
        assert!(ids(&fetched).contains(&id), "{}", String::from_utf8_lossy(&rest));
    }
}

#[test]
fn what_cannot_be_rebuilt_is_refused_and_named() {
    let who = "author A <a@x> 1700000000 +0000\ncommitter A <a@x> 1700000000 +0000\n";
    for odd in ["mergetag object x\n", "HG:extra 1\n"] {
        let repo = Repo::new();
        repo.write("a", "a\n").commit("first");
        let id = made(&repo, format!("{who}{odd}\nodd\n").as_bytes());
        let fault = fetch(&mut Server::of(&repo), wanted(id)).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Inexact { id });
        assert!(!fault.hint.is_empty());
    }
}

#[test]
fn a_tree_that_is_too_large_for_one_answer_is_read_folder_by_folder() {
    let repo = repo();
    let mut server = Server::of(&repo);
    server.most_entries = 7;
    let fetched = fetch(&mut server, Wanted { depth: NonZeroU32::new(1), ..wanted(repo.id("main")) }).unwrap();
    assert_eq!(ids(&fetched), listed(&repo, &["-1", "main"]));
    server.most_entries = 3;
    let fault = fetch(&mut server, wanted(repo.id("main"))).unwrap_err();
    assert_eq!(fault.kind, FaultKind::TooLarge);
}

#[test]
fn attack_11_other_content_than_was_asked_for_is_refused() {
    for path in ["a.txt", "dir/sub", ""] {
        let repo = repo();
        let id = repo.id(&format!("main:{path}"));
        let mut server = Server::of(&repo);
        let (kind, _) = server.objects[&id];
        let other = if kind == Kind::Blob { b"evil\n".to_vec() } else { Vec::new() };
        server.objects.insert(id, (kind, other));
        let fault = fetch(&mut server, Wanted { depth: NonZeroU32::new(1), ..wanted(repo.id("main")) }).unwrap_err();
        assert!(matches!(fault.kind, FaultKind::Malformed | FaultKind::Inexact { .. }), "{path}: {fault:?}");
    }
}

#[test]
fn attack_19_a_commit_that_no_ref_reaches_is_not_given_out() {
    let repo = repo();
    let mut server = Server::of(&repo);
    let (main, below) = (repo.id("main"), repo.id("main~2"));
    let tree = repo.id("main^{tree}");
    let stray = server.keep(Kind::Commit, crate::support::packer::commit(tree, &[below], "of a fork\n"));
    let tips = || vec![repo.id("side"), main];
    let fault = fetch(&mut server, Wanted { tips: tips(), ..wanted(stray) }).unwrap_err();
    assert_eq!(fault.kind, FaultKind::MissingObject { id: stray });
    assert!(fetch(&mut server, Wanted { tips: tips(), ..wanted(below) }).is_ok());
}

#[test]
fn blobs_are_given_out_where_the_commit_has_them() {
    let repo = repo();
    let mut server = Server::of(&repo);
    let Store(mut known) = repo.objects(&["main"]);
    known.retain(|_, (kind, _)| *kind != Kind::Blob);
    let known: Rc<dyn Objects> = Rc::new(Store(known));
    let main = repo.id("main");
    let at = |path: &str, id| BlobAt { commit: main, path: path.into(), id };
    let (deep, bin) = (repo.id("main:dir/sub/deep.txt"), repo.id("main:bin"));
    let mut get = |blobs| server.drive(Blobs::new(repository(), blobs, known.clone(), PackLimits::import()));
    let fetched = get(vec![at("dir/sub/deep.txt", deep), at("bin", bin), at("bin", bin)]).unwrap();
    let mut expected = [deep, bin];
    expected.sort_unstable();
    assert_eq!(ids(&fetched), expected);
    for (path, id) in [("bin", deep), ("dir/sub", deep), ("dir/sub/deep.txt/x", deep), ("", bin), ("absent", bin)] {
        assert_eq!(get(vec![at(path, id)]).unwrap_err().kind, FaultKind::MissingObject { id }, "{path}");
    }
}

#[test]
fn annotated_tags_are_what_git_has() {
    let repo = repo();
    repo.git(&["tag", "-a", "-m", "one\n\nbody", "v1"]);
    let signed = "two\n-----BEGIN PGP SIGNATURE-----\n\nabc=\n-----END PGP SIGNATURE-----\n";
    repo.git(&["tag", "-a", "-m", signed, "v2", "v1"]);
    let mut server = Server::of(&repo);
    let store = repo.objects(&["v1", "v2"]);
    server.objects.extend(store.0);
    let (v1, v2) = (repo.id("v1"), repo.id("v2"));
    let known: Rc<dyn Objects> = Rc::new(repo.objects(&["main"]));
    let fetched = server.drive(Tags::new(repository(), vec![v2], known, PackLimits::import())).unwrap();
    let mut expected = [v1, v2];
    expected.sort_unstable();
    assert_eq!(ids(&fetched), expected);
}

#[test]
fn the_host_reads_what_a_push_is_compared_with_object_by_object() {
    let repo = repo();
    let mut server = Server::of(&repo);
    let names = [("main", Kind::Commit), ("main:dir", Kind::Tree), ("main:bin", Kind::Blob)];
    let mut objects = names.map(|(name, kind)| (repo.id(name), kind)).to_vec();
    objects.push((ObjectId::empty_tree(gix_hash::Kind::Sha1), Kind::Tree));
    let fetched = server.drive(Read::new(repository(), objects.clone(), PackLimits::import())).unwrap();
    let mut expected: Vec<_> = objects.iter().map(|(id, _)| *id).collect();
    expected.sort_unstable();
    assert_eq!(ids(&fetched), expected);
    for (kind, name) in [(Kind::Blob, "main"), (Kind::Commit, "main:dir"), (Kind::Tree, "main:bin")] {
        let id = repo.id(name);
        let fault = server.drive(Read::new(repository(), vec![(id, kind)], PackLimits::import())).unwrap_err();
        assert_eq!(fault.kind, FaultKind::MissingObject { id });
    }
}

#[test]
fn a_list_of_commits_that_is_not_whole_is_refused() {
    let repo = repo();
    let mut server = Server::of(&repo);
    server.leaves_out_commits = true;
    let have = repo.id("side");
    let fault = fetch(&mut server, Wanted { have: vec![have], ..wanted(repo.id("main")) }).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Malformed);
}

#[test]
fn attack_21_a_commit_that_fits_nothing_takes_bounded_work() {
    let repo = Repo::new();
    repo.write("a", "a\n").commit("first");
    let who = "author A <a@x> 1700000000 +0000\ncommitter A <a@x> 1700000000 +0000\n";
    let id = made(&repo, format!("{who}odd x\n\n{}", "long ".repeat(400_000)).as_bytes());
    let fault = fetch(&mut Server::of(&repo), wanted(id)).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Inexact { id });
}

#[test]
fn attack_21_a_fetch_stops_at_its_limits() {
    let repo = repo();
    let limits = PackLimits::import();
    for limits in [
        PackLimits { objects: 5, ..limits.clone() },
        PackLimits { object_bytes: 10, ..limits.clone() },
        PackLimits { total_bytes: 500, ..limits.clone() },
        PackLimits { pack_bytes: 500, ..limits.clone() },
    ] {
        let fault = fetch(&mut Server::of(&repo), Wanted { limits, ..wanted(repo.id("main")) }).unwrap_err();
        assert_eq!(fault.kind, FaultKind::TooLarge);
    }
}

#[test]
fn whatever_fails_where_a_fetch_gives_everything_or_a_fault() {
    let repo = repo();
    let wanted = || Wanted { depth: NonZeroU32::new(2), ..wanted(repo.id("main")) };
    let mut server = Server::of(&repo);
    let whole = ids(&fetch(&mut server, wanted()).unwrap());
    let troubles = (0..server.log.len()).flat_map(|index| Trouble::ALL.map(|trouble| (index, trouble)));
    for (index, trouble) in troubles.step_by(trial::times(3, 1)) {
        if let Ok(fetched) = fetch(&mut Server::of(&repo).troubled(index, trouble), wanted()) {
            assert_eq!(ids(&fetched), whole, "{trouble:?} at {index}");
        }
    }
}
