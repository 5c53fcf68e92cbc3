//! What is decided, and what is asked before.

use super::{Desk, pushed};
use crate::review::effect::Outcome;

#[test]
fn an_approval_takes_a_last_look_and_a_protected_branch_its_name() {
    let scene = pushed();
    let review = scene.review("topic");
    let mut desk = Desk::of(&review, (100, 30));
    desk.keys("a");
    let shown = desk.shown();
    assert!(shown.contains("Approve the push to topic") && shown.contains("0 of 5 parts"), "{shown}");
    assert!(shown.contains("high: Changes the workflow"), "{shown}");
    for other in ["n", "q", "\u{1b}"] {
        desk.keys(other);
        assert_eq!(desk.outcome, None);
        desk.keys("a");
    }
    for other in ["a", " ", "x", "\n"] {
        desk.keys(other);
        assert_eq!(desk.outcome, None, "{other} does not approve");
    }
    desk.keys("y");
    assert_eq!(desk.outcome, Some(Outcome::Approve));

    let review = scene.review("main");
    let mut desk = Desk::of(&review, (100, 30));
    desk.keys("a\n");
    assert_eq!(desk.outcome, None);
    desk.keys("amaster\n");
    assert!(desk.outcome.is_none() && desk.shown().contains("not its name"), "{}", desk.shown());
    desk.keys("amain\n");
    assert_eq!(desk.outcome, Some(Outcome::Approve));
}

#[test]
fn a_rejection_has_a_reason_and_changes_something_to_change() {
    let scene = pushed();
    let review = scene.review("topic");
    let mut desk = Desk::of(&review, (100, 30));
    desk.keys("rtoo much\n");
    assert_eq!(desk.outcome, Some(Outcome::Reject("too much".to_owned())));
    let mut desk = Desk::of(&review, (100, 30));
    desk.keys("R\n");
    assert_eq!(desk.outcome, None, "there is no comment, and nothing was said");
    desk.keys("split it\n");
    assert_eq!(desk.outcome, Some(Outcome::AskChanges("split it".to_owned())));
    let mut desk = Desk::of(&review, (100, 30));
    desk.keys("cwhy?\nR\n");
    assert_eq!(desk.outcome, Some(Outcome::AskChanges(String::new())));
}

#[test]
fn what_is_left_out_makes_another_push() {
    let scene = pushed();
    let review = scene.review("topic");
    let mut desk = Desk::of(&review, (100, 30));
    desk.keys("}x}}x");
    assert!(desk.shown().contains("2 left out"), "{}", desk.shown());
    desk.keys("ay");
    let Some(Outcome::Revise(revision)) = desk.outcome.take() else { panic!("it is another push") };
    let paths: Vec<_> = revision.leave_out.iter().map(|out| (&*out.path, out.hunks.clone())).collect();
    assert_eq!(paths, [(".github/workflows/ci.yml", None), ("src/a.rs", Some(vec![1]))]);
    desk.keys("uu");
    assert!(!desk.shown().contains("left out"), "{}", desk.shown());
    desk.keys("xq");
    assert!(desk.outcome.is_none() && desk.shown().contains("is forgotten"), "{}", desk.shown());
    desk.keys("y");
    assert_eq!(desk.outcome, Some(Outcome::Left));
    let mut desk = Desk::of(&review, (100, 30));
    desk.keys("may");
    let Some(Outcome::Revise(revision)) = desk.outcome.take() else { panic!("it is another push") };
    assert_eq!(revision.message.as_deref(), Some("Another message"));
}

#[test]
fn commits_are_gone_through_one_by_one_and_the_first_ones_pushed() {
    let scene = pushed();
    let review = scene.review("topic");
    let mut desk = Desk::of(&review, (100, 30));
    desk.keys(">");
    assert!(desk.shown().contains("1/2 ") && desk.shown().contains("first: src/a.rs"), "{}", desk.shown());
    assert!(!desk.shown().contains("b.rs"));
    desk.keys(" ");
    assert!(desk.shown().contains("Only a part of the whole push"), "{}", desk.shown());
    desk.keys("py");
    let first = review.commits[0].id.to_string();
    let Some(Outcome::Revise(revision)) = desk.outcome.take() else { panic!("it is another push") };
    assert_eq!((revision.upto, revision.leave_out.len()), (Some(first), 0));
    desk.keys(">");
    assert!(desk.shown().contains("2/2"), "{}", desk.shown());
    desk.keys("<<");
    assert!(desk.shown().contains("push to topic"), "{}", desk.shown());
}
