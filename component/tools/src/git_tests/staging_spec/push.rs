//! The objects that a push sends, and the answers that it accepts.

use super::*;

#[test]
fn a_push_sends_exactly_what_the_target_lacks() {
    let mut sandbox = sandbox();
    sandbox.write("a", "1\n");
    sandbox.write("keep/b", "2\n");
    let first = stage(&mut sandbox, &["a", "keep"], "First");
    let id = first["id"].as_str().unwrap().to_owned();
    push(&mut sandbox, &id, None, landed).unwrap();
    assert!(staged_ids(&mut sandbox).is_empty());
    sandbox.ok("move_file", json!({"from": "a", "to": "moved/a"}));
    sandbox.write("c", "3\n");
    let second = stage(&mut sandbox, &["a", "moved", "c"], "Second");
    let asked = push(&mut sandbox, second["id"].as_str().unwrap(), Some(sha(&first)), |_| None).unwrap_err().unwrap();
    assert_eq!(
        (asked.target.as_str(), asked.reference.as_str(), asked.old, asked.new),
        (TARGET, "refs/heads/main", Some(sha(&first)), sha(&second))
    );
    // A commit, the root, the folder `moved`, and `c`. The target has the moved file already.
    assert_eq!(&asked.pack[..4], b"PACK");
    assert_eq!(u32::from_be_bytes(asked.pack[8..12].try_into().unwrap()), 4);
}

#[test]
fn a_push_brings_the_commits_before_it() {
    let mut sandbox = sandbox();
    sandbox.write("a", "1\n");
    stage(&mut sandbox, &["a"], "First");
    sandbox.write("a", "2\n");
    let second = stage(&mut sandbox, &["a"], "Second");
    let asked = push(&mut sandbox, second["id"].as_str().unwrap(), None, |_| None).unwrap_err().unwrap();
    assert_eq!(u32::from_be_bytes(asked.pack[8..12].try_into().unwrap()), 6);
    let done = push(&mut sandbox, second["id"].as_str().unwrap(), None, landed).unwrap();
    assert_eq!(done.structured()["status"], "success");
    assert_eq!(done.structured()["commitSha"], second["commitSha"]);
    assert_eq!(done.effect, Effect::Fact);
    assert!(staged_ids(&mut sandbox).is_empty());
}

#[test]
fn what_landed_is_noted_beyond_the_limits_of_the_sandbox_and_nothing_else_is() {
    let mut sandbox = sandbox();
    sandbox.write("a", "1\n");
    let staged = stage(&mut sandbox, &["a"], "First");
    let id = staged["id"].as_str().unwrap();
    push(&mut sandbox, id, None, |_| None).unwrap_err();
    assert!(!sandbox.embedding.limits_lifted);
    push(&mut sandbox, id, None, landed).unwrap();
    assert!(sandbox.embedding.limits_lifted);
}

#[test]
fn a_target_that_moved_is_a_conflict_that_changes_nothing() {
    let mut sandbox = sandbox();
    sandbox.write("a", "1\n");
    let staged = stage(&mut sandbox, &["a"], "First");
    let id = staged["id"].as_str().unwrap().to_owned();
    let elsewhere = ObjectId::from_hex(b"1234567890123456789012345678901234567890").unwrap();
    let before = sandbox.tree();
    let outcome = push(&mut sandbox, &id, Some(elsewhere), |_| panic!("nothing is proposed")).unwrap();
    assert_eq!(outcome.structured()["status"], "conflict");
    assert_eq!(
        outcome.structured()["conflict"],
        json!({"reason": "non-fast-forward", "message": "Target has new commits since your base", "targetHead": elsewhere.to_string()})
    );
    let late = |_: &Push| {
        Some(Answer::Conflict(Conflict {
            reason: "other".to_owned(),
            message: "README.md has uncommitted changes".to_owned(),
            target_head: None,
        }))
    };
    assert_eq!(push(&mut sandbox, &id, None, late).unwrap().structured()["conflict"]["reason"], "other");
    assert_eq!(sandbox.tree(), before);
    assert_eq!(staged_ids(&mut sandbox), [id]);
}

#[test]
fn attack_22_an_agent_cannot_push() {
    let mut sandbox = sandbox();
    let error = sandbox.fail("git_push", json!({"commitId": "HEAD"}));
    assert_eq!(error.kind, ErrorKind::NotPermitted);
    assert_eq!(sandbox.fail("sandbox_import", json!({})).kind, ErrorKind::NotPermitted);
}

#[test]
fn a_push_without_a_target_needs_an_upstream() {
    let mut sandbox = sandbox();
    sandbox.write("a", "1\n");
    let id = stage(&mut sandbox, &["a"], "First")["id"].as_str().unwrap().to_owned();
    let error = approved(&mut sandbox, "git_push", json!({"commitId": id})).unwrap_err();
    assert_eq!(error.message, "target is required: the current branch has no upstream");
    for bad in ["--upload-pack=x", "../../config", "a b"] {
        let arguments = json!({"commitId": id, "target": {"type": "local", "path": "/p", "branch": bad}});
        assert_eq!(approved(&mut sandbox, "git_push", arguments).unwrap_err().kind, ErrorKind::BadArgs, "{bad}");
    }
    for bad in ["-x", "--help", "nothing", "HEAD^{/", "HEAD:a"] {
        let arguments = json!({"commitId": bad, "target": {"type": "local", "path": "/p"}});
        assert_eq!(approved(&mut sandbox, "git_push", arguments).unwrap_err().kind, ErrorKind::NotFound, "{bad}");
    }
}

#[test]
fn a_commit_that_was_discarded_or_undone_cannot_be_pushed() {
    let mut sandbox = sandbox();
    sandbox.write("a", "1\n");
    stage(&mut sandbox, &["a"], "First");
    sandbox.write("secret", "1\n");
    let secret = stage(&mut sandbox, &["secret"], "Secret");
    let (id, name) = (secret["id"].as_str().unwrap(), secret["commitSha"].as_str().unwrap());
    sandbox.ok("git_discard", json!({"commitId": id}));
    for named in [id, &id[..7], &name[..12], name] {
        let arguments = json!({"commitId": named, "target": {"type": "local", "path": "/p"}});
        let error = approved(&mut sandbox, "git_push", arguments).unwrap_err();
        assert_eq!((error.kind, error.message), (ErrorKind::NotFound, format!("Staged commit not found: {named}")));
    }
    push(&mut sandbox, "HEAD", None, |_| None).unwrap_err();
}

#[test]
fn a_commit_that_was_rewritten_is_pushed_as_it_is_now_under_every_name() {
    let mut sandbox = sandbox();
    sandbox.write("secret", "1\n");
    let secret = stage(&mut sandbox, &["secret"], "Secret");
    sandbox.write("b", "1\n");
    let later = stage(&mut sandbox, &["b"], "Later");
    sandbox.ok("git_discard", json!({"commitId": secret["id"]}));
    let (id, name) = (later["id"].as_str().unwrap(), later["commitSha"].as_str().unwrap());
    for named in [id, &id[..7], &id[..4], &name[..9], name] {
        let asked = push(&mut sandbox, named, None, |_| None).unwrap_err().unwrap();
        assert_ne!(asked.new, sha(&later), "{named}");
        // The commit, its tree and `b`. The discarded commit adds nothing.
        assert_eq!(u32::from_be_bytes(asked.pack[8..12].try_into().unwrap()), 3, "{named}");
    }
    for named in [&format!("{name}~1"), &format!("{name}^{{/Secret}}")] {
        let arguments = json!({"commitId": named, "target": {"type": "local", "path": "/p"}});
        assert_eq!(approved(&mut sandbox, "git_push", arguments).unwrap_err().kind, ErrorKind::NotFound, "{named}");
    }
}

#[test]
fn what_the_target_has_already_counts_as_landed() {
    // The target is at the commit itself, or others have pushed on top of it.
    for (head, left) in [(0, 1), (1, 0)] {
        let mut sandbox = sandbox();
        sandbox.write("a", "1\n");
        let first = stage(&mut sandbox, &["a"], "First");
        sandbox.write("a", "2\n");
        let second = stage(&mut sandbox, &["a"], "Second");
        let head = sha([&first, &second][head]);
        for effect in [Effect::Fact, Effect::Keep] {
            let id = first["id"].as_str().unwrap();
            let done = push(&mut sandbox, id, Some(head), |_| panic!("nothing is proposed")).unwrap();
            assert_eq!(
                (done.text.as_str(), &done.structured()["status"]),
                ("Everything up-to-date\n", &json!("success"))
            );
            assert_eq!((done.effect, staged_ids(&mut sandbox).len()), (effect, left));
        }
    }
}

#[test]
fn a_push_that_has_landed_lists_its_commits_in_order() {
    let mut sandbox = sandbox();
    let mut staged = Vec::new();
    for n in 0..103 {
        sandbox.write("a", format!("{n}\n"));
        staged.push(stage(&mut sandbox, &["a"], &format!("Number {n}\n\nWith a body.")));
    }
    let entry = |n: usize| {
        let (id, sha, subject) = (&staged[n]["id"], &staged[n]["commitSha"], format!("Number {n}"));
        json!({"id": id, "commitSha": sha, "subject": subject, "body": "With a body."})
    };
    let line = |n: usize| format!("     {} Number {n}\n", staged[n]["id"].as_str().unwrap());
    let id = |n: usize| staged[n]["id"].as_str().unwrap().to_owned();
    let two = push(&mut sandbox, &id(1), None, landed).unwrap();
    assert_eq!(two.structured()["commits"], json!([entry(0), entry(1)]));
    assert_eq!(two.structured()["commitsOmitted"], Value::Null);
    let head = " * [new branch]      main -> main\n";
    assert_eq!(two.text, format!("To {TARGET}\n{head}{}{}", line(0), line(1)));
    // Of many commits, the result lists the latest.
    let rest = push(&mut sandbox, &id(102), Some(sha(&staged[1])), landed).unwrap();
    let listed = rest.structured()["commits"].as_array().unwrap().clone();
    assert_eq!((listed.len(), &listed[0], &listed[99]), (100, &entry(3), &entry(102)));
    assert_eq!(rest.structured()["commitsOmitted"], 1);
    assert!(rest.text.contains(&format!("  main -> main\n     (1 before these)\n{}", line(3))), "{}", rest.text);
    let again = push(&mut sandbox, &id(102), Some(sha(&staged[102])), |_| None).unwrap();
    assert_eq!((&again.structured()["status"], &again.structured()["commits"]), (&json!("success"), &json!([])));
}

#[test]
fn each_branch_of_each_target_has_a_tracking_ref_of_its_own() {
    let mut sandbox = sandbox();
    sandbox.write("a", "1\n");
    let first = stage(&mut sandbox, &["a"], "First");
    let id = first["id"].as_str().unwrap().to_owned();
    let to = |path: &str, branch: &str| json!({"commitId": id, "target": {"type": "local-bare", "path": path, "branch": branch}});
    for (path, branch) in [("/one.git", "main"), ("/one.git", "topic"), ("/two.git", "main"), ("/deep/one.git", "main")]
    {
        let asked = push_with(&mut sandbox, to(path, branch), &[], |_| None).unwrap_err().unwrap();
        assert_eq!(u32::from_be_bytes(asked.pack[8..12].try_into().unwrap()), 3, "{path} {branch}");
        push_with(&mut sandbox, to(path, branch), &[], landed).unwrap();
    }
    let refs = sandbox.root().join(".git/refs/remotes");
    let tracked = |name: &str| std::fs::read_to_string(refs.join(name)).unwrap().trim().to_owned();
    for name in ["one/main", "one/topic", "two/main", "one-2/main"] {
        assert_eq!(tracked(name), first["commitSha"], "{name}");
    }
    // The sandbox learns what a third target has, even if another target has it too.
    let there = [("main", sha(&first))];
    for effect in [Effect::Fact, Effect::Keep] {
        let done =
            push_with(&mut sandbox, to("/three.git", "main"), &there, |_| panic!("nothing is proposed")).unwrap();
        assert_eq!((done.text.as_str(), done.effect), ("Everything up-to-date\n", effect));
        assert_eq!(tracked("three/main"), first["commitSha"]);
    }
}
