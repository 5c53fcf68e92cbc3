//! The effects of a discard.

use super::*;

#[test]
fn discarding_keeps_the_files() {
    let mut sandbox = sandbox();
    sandbox.write("a", "1\n");
    let only = stage(&mut sandbox, &["a"], "First");
    let discarded = sandbox.ok("git_discard", json!({"commitId": only["id"]})).structured();
    assert_eq!(discarded["discarded"], only["id"]);
    assert_eq!(status(&mut sandbox), "## No commits yet on main\n?? a\n");
    assert_eq!(sandbox.read("a"), b"1\n");
}

#[test]
fn discarding_in_the_middle_keeps_later_commits_and_their_ids() {
    let mut sandbox = sandbox();
    sandbox.write("a", "1\n");
    let first = stage(&mut sandbox, &["a"], "First");
    sandbox.write("b", "1\n");
    let second = stage(&mut sandbox, &["b"], "Second");
    sandbox.write("c", "1\n");
    let third = stage(&mut sandbox, &["c"], "Third");
    sandbox.ok("git_discard", json!({"commitId": second["id"]}));
    assert_eq!(staged_ids(&mut sandbox), [first["id"].as_str().unwrap(), third["id"].as_str().unwrap()]);
    assert_eq!(status(&mut sandbox), "## main\n?? b\n");
    let conflict = {
        sandbox.write("c", "1\n2\n");
        stage(&mut sandbox, &["c"], "Fourth");
        sandbox.fail("git_discard", json!({"commitId": third["id"]}))
    };
    assert_eq!(conflict.kind, ErrorKind::Conflict);
    assert_eq!(staged_ids(&mut sandbox).len(), 3);
}

#[test]
fn a_pushed_commit_cannot_be_discarded() {
    let mut sandbox = sandbox();
    sandbox.write("a", "1\n");
    let id = stage(&mut sandbox, &["a"], "First")["id"].as_str().unwrap().to_owned();
    push(&mut sandbox, &id, None, landed).unwrap();
    let error = sandbox.fail("git_discard", json!({"commitId": id}));
    assert_eq!((error.kind, error.message), (ErrorKind::NotFound, format!("Not a staged commit: {id}")));
}

#[test]
fn a_later_commit_of_which_nothing_is_left_keeps_its_place() {
    let mut sandbox = sandbox();
    sandbox.write("a", "1\n");
    stage(&mut sandbox, &["a"], "First");
    sandbox.write("a", "2\n");
    let second = stage(&mut sandbox, &["a"], "Second");
    sandbox.write("a", "1\n");
    let third = stage(&mut sandbox, &["a"], "Back again");
    let first = staged_ids(&mut sandbox)[0].clone();
    sandbox.ok("git_discard", json!({"commitId": second["id"]}));
    assert_eq!(staged_ids(&mut sandbox), [first.as_str(), third["id"].as_str().unwrap()]);
    assert_eq!(status(&mut sandbox), "## main\n");
}
