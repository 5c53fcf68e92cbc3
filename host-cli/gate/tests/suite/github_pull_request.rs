//! Opening a pull request for a branch that was pushed.

use gate::forge::{ChangeRequest, Checks, FaultKind, Progress, Proposed};
use gate::github::{LatestPullRequest, OpenPullRequest};
use gate::refname::BranchRef;
use serde_json::{Value, json};

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

/// How that of the branch `topic` stands.
fn standing(server: &mut Server) -> Option<(Progress, Option<Checks>)> {
    let head = BranchRef::from_branch("topic").unwrap();
    let found = server.drive(LatestPullRequest::new(repository(), head)).unwrap()?;
    assert_eq!((found.number, &*found.address), (1, "https://github.example/octo/hello/pull/1"));
    Some((found.progress, found.checks))
}

#[test]
fn how_it_stands_is_read_back() {
    let mut server = server();
    assert_eq!(standing(&mut server), None);
    server.drive(open("topic")).unwrap();
    for (told, progress) in [
        (json!({}), Progress::Open),
        (json!({"draft": true}), Progress::Draft),
        (json!({"state": "closed"}), Progress::Closed),
        (json!({"state": "closed", "merged_at": "2026-01-01T00:00:00Z"}), Progress::Merged),
    ] {
        server.told_pull = told;
        assert_eq!(standing(&mut server), Some((progress, None)), "the token may not read the checks");
    }
}

#[test]
fn checks_are_as_good_as_the_worst_of_them() {
    let mut server = server();
    server.drive(open("topic")).unwrap();
    let run = |status: &str, conclusion: Value| json!({"status": status, "conclusion": conclusion});
    let (good, bad, on) =
        (run("completed", "success".into()), run("completed", "timed_out".into()), run("queued", Value::Null));
    let skipped = run("completed", "skipped".into());
    let statuses = |state: &str, count: u64| json!({"state": state, "total_count": count});
    for (runs, statuses, checks) in [
        (json!([]), statuses("pending", 0), None),
        (json!([good, skipped]), statuses("pending", 0), Some(Checks::Pass)),
        (json!([good]), statuses("success", 1), Some(Checks::Pass)),
        (json!([good, on]), statuses("success", 1), Some(Checks::Run)),
        (json!([good]), statuses("pending", 1), Some(Checks::Run)),
        (json!([on, bad]), statuses("success", 1), Some(Checks::Fail)),
        (json!([]), statuses("error", 1), Some(Checks::Fail)),
    ] {
        let count = runs.as_array().unwrap().len();
        server.told_checks = Some([json!({"total_count": count, "check_runs": runs}), statuses]);
        assert_eq!(standing(&mut server), Some((Progress::Open, checks)), "{:?}", server.told_checks);
    }
    server.told_checks = Some([json!({"total_count": 101, "check_runs": [good]}), statuses("pending", 0)]);
    assert_eq!(standing(&mut server), Some((Progress::Open, Some(Checks::Run))), "one is not listed");
}
