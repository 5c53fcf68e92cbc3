//! Reading the refs of any git server, against what git says itself.

use gate::forge::{Fault, FaultKind, Listing};

use crate::support::Repo;
use crate::support::git_server::{GitServer, Trouble, repository};

fn list(server: &mut GitServer) -> Result<Listing, Fault> {
    server.drive(repository().refs())
}

/// A repository with branches, and tags of every kind.
fn tagged() -> Repo {
    let repo = Repo::new();
    repo.write("a", "a\n").commit("one");
    repo.git(&["branch", "topic/x"]);
    repo.git(&["tag", "light"]);
    repo.git(&["tag", "-a", "-m", "x", "heavy"]);
    repo.git(&["tag", "-a", "-m", "x", "of-a-tag", "heavy"]);
    repo.git(&["tag", "of-a-tree", "HEAD^{tree}"]);
    repo.git(&["update-ref", "refs/notes/x", "HEAD"]);
    repo.write("a", "b\n").commit("two");
    repo
}

#[test]
fn every_branch_and_tag_is_listed_as_git_has_it() {
    for is_old in [false, true] {
        let mut server = GitServer::of(&tagged()).old(is_old);
        let listing = list(&mut server).unwrap();
        let format = "--format=%(refname) %(objectname) %(*objectname)";
        let said = String::from_utf8(server.git(&["for-each-ref", format, "refs/heads", "refs/tags"])).unwrap();
        let ours = listing.refs.iter().map(|entry| {
            let peeled = entry.peeled.map_or(String::new(), |id| id.to_string());
            format!("{} {} {peeled}", entry.name, entry.id)
        });
        // git peels a tag of a tag once here, and the server wholly.
        let once = |line: &&str| !line.starts_with("refs/tags/of-a-tag");
        let (ours, said): (Vec<String>, Vec<&str>) = (ours.collect(), said.lines().collect());
        assert_eq!(ours.iter().map(String::as_str).filter(once).collect::<Vec<_>>(), {
            said.iter().copied().filter(once).collect::<Vec<_>>()
        });
        assert_eq!(ours.len(), said.len());
        assert_eq!(listing.head.as_deref(), Some("refs/heads/main"));
        assert_eq!(listing.left_out, []);
        assert_eq!(server.log.len(), if is_old { 1 } else { 2 });
    }
}

#[test]
fn a_repository_without_a_commit_has_no_refs() {
    for is_old in [false, true] {
        let mut server = GitServer::empty().old(is_old);
        let listing = list(&mut server).unwrap();
        assert_eq!(listing.refs, []);
        // Only the newer version says where a first commit would go.
        assert_eq!(listing.head.as_deref(), (!is_old).then_some("refs/heads/main"));
    }
}

#[test]
fn a_head_that_is_detached_or_elsewhere_is_no_branch() {
    for is_old in [false, true] {
        let repo = tagged();
        let mut server = GitServer::of(&repo).old(is_old);
        std::fs::write(server.path().join("HEAD"), format!("{}\n", repo.id("main~1"))).unwrap();
        assert_eq!(list(&mut server).unwrap().head, None);
        server.git(&["symbolic-ref", "HEAD", "refs/heads/topic/x"]);
        assert_eq!(list(&mut server).unwrap().head.as_deref(), Some("refs/heads/topic/x"));
    }
}

#[test]
fn one_branch_is_read_by_its_whole_name() {
    for is_old in [false, true] {
        let repo = tagged();
        repo.git(&["branch", "main2"]);
        let mut server = GitServer::of(&repo).old(is_old);
        let mut tip = |name: &str| server.drive(repository().tip(name.parse().unwrap())).unwrap();
        assert_eq!(tip("refs/heads/main"), Some(repo.id("main")));
        assert_eq!(tip("refs/heads/topic/x"), Some(repo.id("topic/x")));
        assert_eq!(tip("refs/heads/mai"), None);
        assert_eq!(tip("refs/heads/topic"), None);
    }
}

#[test]
fn a_read_is_tried_again_and_its_failure_is_told() {
    for index in 0..2 {
        for trouble in [Trouble::CutBefore, Trouble::CutAfter, Trouble::Status(500), Trouble::FailsAfter] {
            let mut server = GitServer::of(&tagged()).troubled(index, trouble);
            assert_eq!(list(&mut server).unwrap().refs.len(), 6, "{trouble:?}");
            let mut server = GitServer::of(&tagged()).troubled_from(index, trouble);
            let fault = list(&mut server).unwrap_err();
            assert!(matches!(fault.kind, FaultKind::NoAnswer | FaultKind::Remote { .. }), "{fault:?}");
            assert_eq!(server.log.len(), index + 4, "{trouble:?}");
        }
        for (trouble, kind) in [
            (Trouble::Status(301), FaultKind::Renamed { to: None }),
            (Trouble::Status(401), FaultKind::Unauthorized),
            (Trouble::Status(403), FaultKind::Forbidden),
            (Trouble::Status(404), FaultKind::NotFound),
            (Trouble::Status(429), FaultKind::Limited { seconds: None }),
            (Trouble::Huge, FaultKind::TooLarge),
            (Trouble::Page, FaultKind::Malformed),
            (Trouble::Malformed, FaultKind::Malformed),
        ] {
            let mut server = GitServer::of(&tagged()).troubled(index, trouble);
            let fault = list(&mut server).unwrap_err();
            assert_eq!(fault.kind, kind, "{trouble:?}");
            assert_eq!(fault.hint.is_empty(), trouble == Trouble::Malformed || index == 1 && trouble == Trouble::Page);
            assert_eq!(server.log.len(), index + 1);
        }
    }
}

#[test]
fn a_repository_with_longer_ids_is_refused_with_words() {
    for is_old in [false, true] {
        let mut server = GitServer::empty().old(is_old);
        std::fs::remove_dir_all(server.path()).unwrap();
        let made = std::process::Command::new(trial::git())
            .args(["init", "-q", "--bare", "--object-format=sha256"])
            .arg(server.path())
            .status();
        assert!(made.unwrap().success());
        assert!(list(&mut server).unwrap_err().message.contains("SHA-256"));
    }
}
