//! Opening a pull request for a branch that was pushed.

use gate::forge::{ChangeRequest, FaultKind, Proposed};
use gate::github::OpenPullRequest;
use gate::refname::BranchRef;

use crate::support::Repo;
use crate::support::github::{Server, Trouble, repository};

fn server() -> Server {
    let repo = Repo::new();
    repo.write("a", "a\n").commit("first");
    let mut server = Server::of(&repo);
    server.refs.insert("refs/heads/topic".to_owned(), repo.id("main"));
    server
}

fn open(head: &str) -> OpenPullRequest {
    let proposed = Proposed {
        head: BranchRef::from_branch(head).unwrap(),
        base: BranchRef::from_branch("main").unwrap(),
        title: "A title".to_owned(),
        body: String::new(),
        is_draft: false,
    };
    OpenPullRequest::new(repository(), proposed)
}

fn number_one(existed: bool) -> ChangeRequest {
    ChangeRequest { number: 1, address: "https://github.example/octo/hello/pull/1".to_owned(), existed }
}

#[test]
fn it_is_opened_and_its_address_told() {
    assert_eq!(server().drive(open("topic")), Ok(number_one(false)));
}

#[test]
fn one_that_is_open_already_is_found() {
    let mut server = server();
    server.drive(open("topic")).unwrap();
    assert_eq!(server.drive(open("topic")), Ok(number_one(true)));
    assert_eq!(server.pulls.len(), 1);
}

#[test]
fn a_lost_answer_opens_no_second_one() {
    for trouble in [Trouble::CutAfter, Trouble::FailsAfter] {
        let mut server = server().troubled(0, trouble);
        assert_eq!(server.drive(open("topic")), Ok(number_one(true)));
        assert_eq!(server.pulls.len(), 1);
    }
}

#[test]
fn a_branch_that_is_not_there_is_a_refusal() {
    let fault = server().drive(open("absent")).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Remote { status: 422 });
    assert!(!fault.hint.is_empty());
}
