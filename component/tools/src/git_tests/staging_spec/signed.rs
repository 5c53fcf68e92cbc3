//! A push whose commits the host signs.

use super::*;
use crate::answer::CommitSignature;

/// Two staged commits, and their names.
fn two() -> (Sandbox, [Value; 2]) {
    let mut sandbox = sandbox();
    let staged = ["one", "two"].map(|name| {
        sandbox.write(name, format!("{name}\n"));
        stage(&mut sandbox, &[name], &format!("Add {name}"))
    });
    (sandbox, staged)
}

/// Answers a push of unsigned commits with signatures of these, and one of anything else by `then`.
fn signing<'a>(
    commits: &'a [ObjectId],
    then: impl Fn(&Push) -> Option<Answer> + 'a,
) -> impl Fn(&Push) -> Option<Answer> + 'a {
    move |push| match commits.last() == Some(&push.new) {
        true => {
            let signature = |commit: &ObjectId| CommitSignature { commit: *commit, text: "one\n\nthree\n".to_owned() };
            Some(Answer::Signatures(commits.iter().map(signature).collect()))
        }
        false => then(push),
    }
}

fn content(sandbox: &mut Sandbox, commit: ObjectId) -> String {
    let repo = sandbox.session.repo().unwrap();
    String::from_utf8(repo.gix.find_commit(commit).unwrap().data.clone()).unwrap()
}

fn head(sandbox: &mut Sandbox) -> ObjectId {
    sandbox.session.repo().unwrap().head().unwrap().id().unwrap()
}

#[test]
fn the_signed_commits_are_pushed_and_the_sandbox_has_them_once_they_have_landed() {
    let (mut sandbox, [one, two]) = two();
    let commits = [sha(&one), sha(&two)];
    let before = sandbox.tree();
    let asked = push(&mut sandbox, "HEAD", None, signing(&commits, |_| None)).unwrap_err().unwrap();
    assert!(!commits.contains(&asked.new));
    assert_eq!(u32::from_be_bytes(asked.pack[8..12].try_into().unwrap()), 6);
    assert_eq!(sandbox.tree(), before, "until then it has none of it");
    // What is staged meanwhile builds on the signed commits afterwards.
    sandbox.write("three", "three\n");
    let three = stage(&mut sandbox, &["three"], "Add three");
    let done = push(&mut sandbox, two["id"].as_str().unwrap(), None, signing(&commits, landed)).unwrap();
    assert_eq!(done.structured()["commitSha"], asked.new.to_string());
    let last = content(&mut sandbox, asked.new);
    assert!(last.contains("\ngpgsig one\n \n three\n\nAdd two"), "{last}");
    assert!(!last.contains(&commits[0].to_string()), "its parent is the signed one: {last}");
    let now = head(&mut sandbox);
    assert_ne!(now, sha(&three));
    assert!(content(&mut sandbox, now).contains(&format!("parent {}\n", asked.new)));
    assert_eq!(staged_ids(&mut sandbox), [three["id"].as_str().unwrap()], "its id is the same");
    assert!(!status(&mut sandbox).contains("one"), "the files are as they were: {}", status(&mut sandbox));
}

#[test]
fn a_rejected_push_leaves_no_signature() {
    let (mut sandbox, [one, two]) = two();
    let commits = [sha(&one), sha(&two)];
    let before = sandbox.tree();
    let conflict = |_: &Push| {
        Some(Answer::Conflict(Conflict { reason: "other".to_owned(), message: "no".to_owned(), target_head: None }))
    };
    push(&mut sandbox, "HEAD", None, signing(&commits, conflict)).unwrap();
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn a_commit_by_itself_is_signed_as_it_is_made_again() {
    let (mut sandbox, [one, two]) = two();
    push(&mut sandbox, one["id"].as_str().unwrap(), None, landed).unwrap();
    let base = sha(&one);
    sandbox.write("three", "three\n");
    let three = stage(&mut sandbox, &["three"], "Add three");
    let arguments = json!({"commitId": three["id"], "only": true});
    let unsigned = push_with(&mut sandbox, arguments.clone(), &[("main", base)], |_| None).unwrap_err().unwrap().new;
    let done = push_with(&mut sandbox, arguments, &[("main", base)], signing(&[unsigned], landed)).unwrap();
    let made = ObjectId::from_hex(done.structured()["commitSha"].as_str().unwrap().as_bytes()).unwrap();
    assert!(content(&mut sandbox, made).contains("\ngpgsig one\n"));
    assert_eq!(staged_ids(&mut sandbox), [two["id"].as_str().unwrap()], "the other waits on");
}

#[test]
fn commits_of_another_branch_count_as_landed_and_stay() {
    let (mut sandbox, [one, two]) = two();
    let commits = [sha(&one), sha(&two)];
    approved(&mut sandbox, "git_branch", json!({"create": "kept"})).unwrap();
    approved(&mut sandbox, "git_discard", json!({"commitId": two["id"]})).unwrap();
    approved(&mut sandbox, "git_discard", json!({"commitId": one["id"]})).unwrap();
    push(&mut sandbox, "kept", None, signing(&commits, landed)).unwrap();
    let repo = sandbox.session.repo().unwrap();
    let kept = repo.gix.find_reference("refs/heads/kept").unwrap().id().detach();
    assert_eq!(kept, commits[1]);
}
