//! Bundles, read and written.

use host::target::bundle::write_bundle;

use super::*;
use crate::remote::bundle::read_bundle;
use crate::remote::land::support::try_git;
use crate::remote::{Remotes, Silent, TargetErrorKind};

#[test]
fn bundles_of_git_are_read() {
    let scene = rich();
    for version in ["2", "3"] {
        let file = scene.temp.path().join("all.bundle");
        scene.git(&["bundle", "create", &format!("--version={version}"), file.to_str().unwrap(), "--all", "HEAD"]);
        let supplied = read_bundle(&file, &Silent).unwrap();
        assert_whole(&scene.repo, &supplied);
        assert_eq!(supplied.listing.head.as_deref(), Some("refs/heads/main"));
        assert_eq!(supplied.listing.refs, scene.target().refs(Remotes::With).unwrap().refs);
    }
}

#[test]
fn bundles_that_are_not_whole_are_refused() {
    let scene = rich();
    let file = scene.temp.path().join("x.bundle");
    let name = file.to_str().unwrap();
    let kind = || read_bundle(&file, &Silent).unwrap_err().kind;
    assert_eq!(kind(), TargetErrorKind::NotARepository);
    scene.git(&["bundle", "create", name, "main", "^main~1"]);
    assert_eq!(kind(), TargetErrorKind::Unsupported);
    scene.git(&["bundle", "create", "--version=3", name, "--filter=blob:none", "main"]);
    assert_eq!(kind(), TargetErrorKind::Unsupported);
    scene.git(&["bundle", "create", name, "main"]);
    let whole = fs::read(&file).unwrap();
    for cut in [0, 10, 30, 80, whole.len() - 1] {
        fs::write(&file, &whole[..cut]).unwrap();
        assert_eq!(kind(), TargetErrorKind::Damaged, "cut at {cut}");
        let hint = read_bundle(&file, &Silent).unwrap_err().hint;
        assert!(hint.is_some_and(|hint| hint.contains("git bundle verify")), "there is no repository to look at");
    }
}

#[test]
fn git_takes_the_bundles_that_are_written() {
    let scene = rich();
    let supplied = scene.target().supply(&Silent).unwrap();
    let mut refs = supplied.supply.tips.clone();
    refs.insert(
        0,
        ("HEAD".to_owned(), gix::ObjectId::from_hex(scene.git(&["rev-parse", "HEAD"]).trim().as_bytes()).unwrap()),
    );
    let file = scene.temp.path().join("out.bundle");
    fs::write(&file, write_bundle(&refs, supplied.supply.verified.bytes())).unwrap();
    let (ok, text) = try_git(&scene.repo, &["bundle", "verify", file.to_str().unwrap()]);
    assert!(ok && text.contains("is okay"), "{text}");
    git(scene.temp.path(), &["clone", "-q", "out.bundle", "from-bundle"]);
    let clone = scene.temp.path().join("from-bundle");
    git(&clone, &["fsck", "--strict"]);
    assert_eq!(git(&clone, &["rev-parse", "HEAD"]), scene.git(&["rev-parse", "HEAD"]));
}
