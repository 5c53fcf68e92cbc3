//! Refs, branches and objects, as git has them.

use gate::objects::Objects as _;

use super::*;
use crate::remote::{Remotes, Silent, TargetErrorKind};

#[test]
fn refs_are_listed_as_git_lists_them() {
    let scene = Scene::new(&["a=a\n"]);
    scene.git(&["branch", "b/side"]);
    scene.git(&["tag", "light"]);
    scene.git(&["tag", "-a", "-m", "t", "heavy"]);
    scene.git(&["tag", "-a", "-m", "t", "heavier", "heavy"]);
    scene.git(&["update-ref", "refs/remotes/origin/x", "HEAD"]);
    scene.git(&["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/x"]);
    scene.git(&["pack-refs", "--all"]);
    scene.git(&["branch", "loose"]);
    scene.git(&["symbolic-ref", "refs/heads/alias", "refs/heads/loose"]);
    scene.git(&["symbolic-ref", "refs/heads/dangling", "refs/heads/nowhere"]);
    let listing = scene.target().refs(Remotes::With).unwrap();
    let ours: String = listing
        .refs
        .iter()
        .map(|r| format!("{} {} {}\n", r.name, r.id, r.peeled.map(|id| id.to_string()).unwrap_or_default()))
        .collect();
    let theirs = scene.git(&[
        "for-each-ref",
        "--format=%(refname) %(objectname) %(*objectname)",
        "refs/heads",
        "refs/remotes",
        "refs/tags",
    ]);
    // git peels one step; a tag of a tag stands for a commit in the end.
    let commit = scene.git(&["rev-parse", "HEAD"]);
    let theirs: String = theirs
        .lines()
        .map(|line| {
            if line.starts_with("refs/tags/heavier") {
                format!("{} {}\n", &line[..58], commit.trim())
            } else {
                format!("{line}\n")
            }
        })
        .collect();
    assert_eq!(ours, theirs);
    assert_eq!((listing.head.as_deref(), listing.detached), (Some("refs/heads/main"), None));
    assert!(scene.target().refs(Remotes::Without).unwrap().refs.iter().all(|r| !r.name.contains("remotes")));

    scene.git(&["checkout", "-q", "--detach"]);
    let listing = scene.target().refs(Remotes::Without).unwrap();
    assert_eq!((listing.head, listing.detached.map(|id| id.to_string())), (None, Some(commit.trim().to_owned())));
    assert_eq!(Scene::new(&[]).target().refs(Remotes::With).unwrap().head.as_deref(), Some("refs/heads/main"));
}

#[test]
fn branches_are_found_or_named_as_missing() {
    let scene = Scene::new(&["a=a\n"]);
    let target = open(&format!("local:{}#side", scene.repo.display())).unwrap();
    let branch = target.branch().unwrap().unwrap();
    assert_eq!(branch.as_str(), "refs/heads/side");
    assert_eq!(target.existing_branch(&branch).unwrap_err().kind, TargetErrorKind::NoSuchBranch);
    scene.git(&["branch", "side"]);
    assert_eq!(target.existing_branch(&branch).unwrap().to_string(), scene.git(&["rev-parse", "side"]).trim());
    assert_eq!(scene.target().branch().unwrap().unwrap().as_str(), "refs/heads/main");
}

#[test]
fn the_gate_sees_loose_packed_and_borrowed_objects() {
    let scene = Scene::new(&["a=a\n"]);
    scene.git(&["gc", "-q"]);
    edit(&scene.repo, &["b=b\n"]);
    scene.git(&["add", "b"]);
    git(scene.temp.path(), &["clone", "-q", "--shared", "--bare", "repo", "shared.git"]);
    for (text, blob) in [("local:repo", "a\n"), ("local:repo", "b\n"), ("bare:shared.git", "a\n")] {
        let target = Target::open(&TargetSpec::parse(text).unwrap(), scene.temp.path()).unwrap();
        let objects = target.objects().unwrap();
        let id = gix::objs::compute_hash(gix::hash::Kind::Sha1, gix::objs::Kind::Blob, blob.as_bytes()).unwrap();
        let mut content = b"left over".to_vec();
        assert_eq!(objects.find(&id, &mut content).unwrap(), Some(gix::objs::Kind::Blob));
        assert_eq!(content, blob.as_bytes());
        assert_eq!(objects.header(&id).unwrap(), Some((gix::objs::Kind::Blob, 2)));
        assert!(objects.contains(&id).unwrap());
        let absent = gix::ObjectId::from_hex(&[b'1'; 40]).unwrap();
        assert!(!objects.contains(&absent).unwrap() && objects.find(&absent, &mut content).unwrap().is_none());
    }
}

/// One branch and one tag for every sort of name that is not used, besides `main`.
fn odd() -> Scene {
    use std::os::unix::ffi::OsStrExt as _;
    let scene = Scene::new(&["a=a\n"]);
    scene.git(&["branch", "fix/nul"]);
    scene.git(&["tag", "v\u{200d}1"]);
    scene.git(&["tag", "v1"]);
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9");
    fs::copy(scene.repo.join(".git/refs/heads/main"), scene.repo.join(".git/refs/heads").join(name)).unwrap();
    scene
}

#[test]
fn refs_with_odd_names_are_left_out_and_told() {
    let scene = odd();
    let check = |supplied: &Supplied| {
        let names: Vec<&str> = supplied.listing.refs.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(names, ["refs/heads/main", "refs/tags/v1"]);
        let told: Vec<String> = supplied.listing.left_out.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "the ref 'refs/heads/caf\\xe9' is not UTF-8",
                "the ref 'refs/heads/fix/nul' has a component that is a device name on Windows",
                "the ref 'refs/tags/v<U+200D>1' has a control, bidirectional or invisible character",
            ]
        );
    };
    check(&scene.target().supply(&Silent).unwrap());
    let file = scene.temp.path().join("odd.bundle");
    scene.git(&["bundle", "create", "-q", file.to_str().unwrap(), "--all", "HEAD"]);
    check(&crate::remote::bundle::read_bundle(&file, &Silent).unwrap());
    // The branch that is pushed to is named well or not at all.
    assert!(TargetSpec::parse("local:repo#fix/nul").is_err());
}

#[test]
fn a_head_on_a_branch_that_is_left_out_is_detached() {
    let scene = odd();
    scene.git(&["checkout", "-q", "fix/nul"]);
    let listing = scene.target().refs(Remotes::With).unwrap();
    assert_eq!(listing.head, None);
    assert_eq!(listing.detached.unwrap().to_string(), scene.git(&["rev-parse", "HEAD"]).trim());
    assert_eq!(scene.target().branch().unwrap_err().kind, TargetErrorKind::NoSuchBranch);
    let supplied = scene.target().supply(&Silent).unwrap();
    assert!(supplied.supply.tips.iter().any(|(name, _)| name == "HEAD"));
}
