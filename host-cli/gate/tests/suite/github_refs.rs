//! The refs of a repository on GitHub: branches, tags, and the kinds of refusal.

use gate::forge::{Exchange, FaultKind, Response};
use gate::github::{Refs, Tip};
use gix_object::Kind;

use crate::support::Repo;
use crate::support::github::{Server, Trouble, repository};
use crate::support::packer;

fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("a", "a\n").commit("first");
    repo
}

fn tip(server: &mut Server, branch: &str) -> Result<Option<gix_hash::ObjectId>, FaultKind> {
    let reference = gate::refname::BranchRef::from_branch(branch).unwrap();
    server.drive(Tip::new(repository(), reference)).map_err(|fault| fault.kind)
}

#[test]
fn branches_and_tags_are_listed_with_what_they_lead_to() {
    let repo = repo();
    repo.git(&["tag", "light"]);
    repo.git(&["tag", "-a", "-m", "one", "v1"]);
    repo.git(&["tag", "-a", "-m", "of a tag", "v2", "v1"]);
    repo.git(&["tag", "-a", "-m", "of a tree", "v3", "HEAD^{tree}"]);
    let mut server = Server::of(&repo);
    server.objects.extend(repo.objects(&["v1", "v2", "v3"]).0);
    for tag in ["light", "v1", "v2", "v3"] {
        server.refs.insert(format!("refs/tags/{tag}"), repo.id(&format!("refs/tags/{tag}")));
    }
    let listing = server.drive(Refs::new(repository())).unwrap();
    assert_eq!(listing.head.as_deref(), Some("refs/heads/main"));
    let refs: Vec<_> = listing.refs.iter().map(|entry| (entry.name.as_str(), entry.id, entry.peeled)).collect();
    let id = |name: &str| repo.id(name);
    assert_eq!(
        refs,
        [
            ("refs/heads/main", id("main"), None),
            ("refs/tags/light", id("main"), None),
            ("refs/tags/v1", id("v1"), Some(id("main"))),
            ("refs/tags/v2", id("v2"), Some(id("main"))),
            ("refs/tags/v3", id("v3"), Some(id("main^{tree}"))),
        ]
    );
    assert_eq!(listing.left_out, []);
}

#[test]
fn all_pages_are_read_and_no_address_of_the_servers_is_followed() {
    let repo = repo();
    let mut server = Server::of(&repo);
    for number in 0..299 {
        server.refs.insert(format!("refs/heads/b{number:03}"), repo.id("main"));
    }
    let listing = server.drive(Refs::new(repository())).unwrap();
    assert_eq!(listing.refs.len(), 300);
    assert_eq!(
        server.asked(),
        [
            "GET ",
            "GET /git/matching-refs/heads/?per_page=100&page=1",
            "GET /git/matching-refs/heads/?per_page=100&page=2",
            "GET /git/matching-refs/heads/?per_page=100&page=3",
            "GET /git/matching-refs/tags/?per_page=100&page=1",
        ]
    );
}

#[test]
fn attack_06_names_that_somebody_could_misread_are_left_out_with_a_reason() {
    let repo = repo();
    let mut server = Server::of(&repo);
    for name in ["refs/heads/a\u{202e}b", "refs/heads/con", "refs/tags/x.lock"] {
        server.refs.insert(name.to_owned(), repo.id("main"));
    }
    let listing = server.drive(Refs::new(repository())).unwrap();
    assert_eq!(listing.refs.len(), 1);
    assert_eq!(listing.left_out.len(), 3);
    assert!(listing.left_out.iter().all(|left| !left.reason.contains('\u{202e}')));
}

#[test]
fn a_branch_that_points_to_no_commit_is_not_believed() {
    let repo = repo();
    let mut server = Server::of(&repo);
    let blob = server.keep(Kind::Blob, b"x".to_vec());
    server.set_main(blob);
    assert_eq!(server.drive(Refs::new(repository())).unwrap_err().kind, FaultKind::Malformed);
}

#[test]
fn an_empty_repository_has_a_default_branch_and_no_refs() {
    let listing = Server::empty().drive(Refs::new(repository())).unwrap();
    assert_eq!((listing.head.as_deref(), listing.refs.len()), (Some("refs/heads/main"), 0));
    assert_eq!(tip(&mut Server::empty(), "main"), Ok(None));
}

#[test]
fn an_archived_repository_is_read_and_says_so() {
    let mut server = Server::of(&repo());
    server.is_archived = true;
    assert!(server.drive(Refs::new(repository())).unwrap().is_archived);
}

#[test]
fn the_head_of_a_branch_is_read_by_its_exact_name() {
    let repo = repo();
    let mut server = Server::of(&repo);
    let odd = server.keep(Kind::Commit, packer::commit(repo.id("main^{tree}"), &[], "odd"));
    server.refs.insert("refs/heads/a/b#c%2e\u{e9}".to_owned(), odd);
    assert_eq!(tip(&mut server, "main"), Ok(Some(repo.id("main"))));
    assert_eq!(tip(&mut server, "a/b#c%2e\u{e9}"), Ok(Some(odd)));
    assert_eq!(tip(&mut server, "mai"), Ok(None));
}

#[test]
fn a_branch_that_is_not_there_is_told_from_a_repository_that_is_not() {
    let lost = |server: Server| tip(&mut server.troubled_from(0, Trouble::NotFound), "main");
    assert_eq!(lost(Server::of(&repo())), Err(FaultKind::NotFound));
}

#[test]
fn each_kind_of_no_has_its_fault_and_a_way_out() {
    let faults = [
        (Trouble::Unauthorized, FaultKind::Unauthorized),
        (Trouble::NotFound, FaultKind::NotFound),
        (Trouble::CutBefore, FaultKind::NoAnswer),
        (Trouble::FailsBefore, FaultKind::Remote { status: 502 }),
        (Trouble::Malformed, FaultKind::Malformed),
        (Trouble::Huge, FaultKind::TooLarge),
    ];
    for (trouble, kind) in faults {
        let fault = Server::of(&repo()).troubled_from(0, trouble).drive(Refs::new(repository())).unwrap_err();
        assert_eq!(fault.kind, kind);
        assert!(!fault.message.is_empty());
    }
}

#[test]
fn a_token_that_may_not_read_is_told_from_a_limit() {
    let mut exchange = Refs::new(repository());
    exchange.poll(None).unwrap();
    let body = r#"{"message": "Resource not accessible by personal access token"}"#;
    let response = Response { status: 403, body: body.into(), ..Response::default() };
    let fault = exchange.poll(Some(Ok(response))).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Forbidden);
    assert!(fault.hint.contains("contents") && fault.message.contains("not accessible"), "{fault:?}");
}

#[test]
fn a_repository_that_answers_under_another_name_is_renamed() {
    // A proxy followed the redirect.
    let mut exchange = Refs::new(repository());
    exchange.poll(None).unwrap();
    let body = r#"{"full_name": "octo/other", "default_branch": "main"}"#;
    let response = Response { status: 200, body: body.into(), ..Response::default() };
    let fault = exchange.poll(Some(Ok(response))).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Renamed { to: Some("octo/other".parse().unwrap()) });
}

#[test]
fn a_renamed_repository_is_not_followed_but_named() {
    let mut server = Server::of(&repo());
    server.renamed = Some("New-Octo/Other");
    let fault = server.drive(Refs::new(repository())).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Renamed { to: Some("new-octo/other".parse().unwrap()) });
    assert_eq!(fault.message, "octo/hello is now new-octo/other");
}

#[test]
fn the_exchange_is_over_at_its_end() {
    let mut exchange = Refs::new(repository());
    let mut server = Server::empty();
    assert!(server.drive(&mut exchange).is_ok());
    assert_eq!(exchange.poll(None).unwrap_err().kind, FaultKind::Over);
}
