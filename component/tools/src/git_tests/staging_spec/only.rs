//! A commit pushed by itself is re-applied on top of the target's branch.

use super::*;
use crate::calling::target::Target;
use crate::git::staged::rewritten::landed_as;

/// A sandbox with four commits. The target has the first on `main`; each of the others adds a file.
fn four() -> (Sandbox, [Value; 4]) {
    let mut sandbox = sandbox();
    let staged = ["base", "one", "two", "three"].map(|name| {
        sandbox.write(name, format!("{name}\n"));
        stage(&mut sandbox, &[name], &format!("Add {name}\n\nWith a body."))
    });
    push(&mut sandbox, id(&staged[0]), None, landed).unwrap();
    (sandbox, staged)
}

fn id(staged: &Value) -> &str {
    staged["id"].as_str().unwrap()
}

/// Pushes a commit by itself to a target with these branches.
fn alone(
    sandbox: &mut Sandbox,
    id: &str,
    branches: &[(&str, ObjectId)],
    then: impl Fn(&Push) -> Option<Answer>,
) -> Result<Finished, Option<Push>> {
    push_with(sandbox, json!({"commitId": id, "only": true}), branches, then)
}

/// The question of a push of a single commit.
fn asked(sandbox: &mut Sandbox, id: &str, branches: &[(&str, ObjectId)]) -> Push {
    alone(sandbox, id, branches, |_| None).unwrap_err().unwrap()
}

/// Reports a push to the sandbox as a host does that finds it in its records: only as a fact.
fn tell(sandbox: &mut Sandbox, named: &str, pushed: &Push) -> Finished {
    let mut answers = Answers::default();
    answers.add(Question::Push(pushed.clone()).key(), landed(pushed).unwrap());
    let arguments = json!({"commitId": named, "only": true});
    sandbox.calling("git_push", arguments).as_user().answers(answers).done().unwrap()
}

fn noted(sandbox: &mut Sandbox) -> Vec<(ObjectId, ObjectId)> {
    let repo = sandbox.session.repo().unwrap();
    let deadline = crate::Deadline::after(|| 0, 1);
    landed_as(&repo, &deadline).unwrap().into_iter().collect()
}

fn parents(sandbox: &mut Sandbox, commit: ObjectId) -> Vec<ObjectId> {
    let repo = sandbox.session.repo().unwrap();
    repo.gix.find_commit(commit).unwrap().parent_ids().map(gix::Id::detach).collect()
}

#[test]
fn a_commit_is_made_again_on_top_of_the_targets_branch() {
    let (mut sandbox, [base, one, two, three]) = four();
    let before = sandbox.tree();
    let main = [("main", sha(&base))];
    let pushed = asked(&mut sandbox, id(&two), &main);
    assert_eq!((pushed.old, pushed.reference.as_str()), (Some(sha(&base)), "refs/heads/main"));
    assert!(![&one, &two, &three].map(sha).contains(&pushed.new));
    // The commit, its tree and `two`.
    assert_eq!(u32::from_be_bytes(pushed.pack[8..12].try_into().unwrap()), 3);
    assert_eq!(sandbox.tree(), before, "what was only shown leaves nothing");
    let done = alone(&mut sandbox, id(&two), &main, landed).unwrap();
    assert_eq!(done.effect, Effect::Fact);
    assert_eq!(
        (&done.structured()["status"], &done.structured()["commitSha"], &done.structured()["commits"]),
        (
            &json!("success"),
            &json!(pushed.new.to_string()),
            &json!([{"id": two["id"], "commitSha": pushed.new.to_string(), "subject": "Add two", "body": "With a body."}])
        )
    );
    assert_eq!(parents(&mut sandbox, pushed.new), [sha(&base)]);
    assert_eq!(noted(&mut sandbox), [(sha(&two), pushed.new)]);
    // The commit counts as landed, and the original stays.
    assert_eq!(staged_ids(&mut sandbox), [id(&one), id(&three)]);
}

#[test]
fn the_same_commit_on_the_same_head_is_the_same_whenever_it_is_made() {
    let (mut sandbox, [base, _, two, _]) = four();
    let first = asked(&mut sandbox, id(&two), &[("main", sha(&base))]);
    let mut answers = Answers::default();
    let target = json!({"type": "local-bare", "path": "/backup/project.git"});
    let arguments = json!({"commitId": id(&two), "only": true, "target": target});
    let later = crate::call::Moment { nanos: crate::testing::NOW.nanos + 86_400_000_000_000, utc_offset: 0 };
    let again = loop {
        let calling = sandbox.calling("git_push", arguments.clone()).as_user().at(later);
        let Step::Ask(question) = calling.answers(answers.clone()).step() else { panic!("it is to ask") };
        if let Question::Push(push) = *question {
            break push;
        }
        let references = vec![Reference { name: "refs/heads/main".to_owned(), id: sha(&base), peeled: None }];
        let head = Some("refs/heads/main".to_owned());
        answers.add(question.key(), Answer::Refs(Refs { target: TARGET.to_owned(), head, references }));
    };
    assert_eq!((first.new, &first.pack), (again.new, &again.pack));
}

#[test]
fn a_commit_that_stands_there_already_stays_the_same() {
    let (mut sandbox, [base, one, two, three]) = four();
    assert_eq!(asked(&mut sandbox, id(&one), &[("main", sha(&base))]).new, sha(&one));
    alone(&mut sandbox, id(&one), &[("main", sha(&base))], landed).unwrap();
    assert_eq!(noted(&mut sandbox), []);
    assert_eq!(staged_ids(&mut sandbox), [id(&two), id(&three)]);
}

#[test]
fn on_a_new_branch_it_comes_on_top_of_the_last_commit_that_the_target_has() {
    let (mut sandbox, [base, one, two, three]) = four();
    let target = json!({"type": "local-bare", "path": "/backup/project.git", "branch": "topic"});
    let arguments = json!({"commitId": id(&three), "only": true, "target": target});
    for main in [&base, &one, &two] {
        let push = push_with(&mut sandbox, arguments.clone(), &[("main", sha(main))], |_| None).unwrap_err().unwrap();
        assert_eq!((push.old, push.reference.as_str()), (None, "refs/heads/topic"));
        assert_eq!(push.new == sha(&three), main == &two, "it is the same where nothing is missing before it");
    }
    push_with(&mut sandbox, arguments.clone(), &[("main", sha(&one))], landed).unwrap();
    let made = noted(&mut sandbox)[0].1;
    assert_eq!(parents(&mut sandbox, made), [sha(&one)]);
    // In an empty target, the commit gets no parent.
    let first = push_with(&mut sandbox, arguments.clone(), &[], |_| None).unwrap_err().unwrap();
    assert_eq!(u32::from_be_bytes(first.pack[8..12].try_into().unwrap()), 3);
    push_with(&mut sandbox, arguments, &[], landed).unwrap();
    assert!(parents(&mut sandbox, first.new).is_empty());
    assert_eq!(staged_ids(&mut sandbox), [id(&one), id(&two)]);
}

#[test]
fn a_commit_that_builds_on_another_does_not_apply_by_itself_and_says_where() {
    let mut sandbox = sandbox();
    sandbox.write("a", "1\n");
    sandbox.write("b", "1\n");
    let base = stage(&mut sandbox, &["a", "b"], "Base");
    push(&mut sandbox, id(&base), None, landed).unwrap();
    sandbox.write("a", "2\n");
    sandbox.write("b", "2\n");
    stage(&mut sandbox, &["a", "b"], "Second");
    sandbox.write("a", "3\n");
    sandbox.write("b", "3\n");
    let third = stage(&mut sandbox, &["a", "b"], "Third");
    let before = sandbox.tree();
    let branch = json!({"type": "local-bare", "path": "/backup/project.git", "branch": "new"});
    for (target, message) in [(Value::Null, "to main by itself"), (branch, "without the commits before it")] {
        let arguments = json!({"commitId": id(&third), "only": true, "target": target});
        let outcome = push_with(&mut sandbox, arguments, &[("main", sha(&base))], |_| None).unwrap();
        let conflict = &outcome.structured()["conflict"];
        assert_eq!((&outcome.structured()["status"], &conflict["reason"]), (&json!("conflict"), &json!("other")));
        let expected = format!("Commit {} \"Third\" does not apply {message}: a, b", id(&third));
        assert_eq!(conflict["message"], expected);
        assert!(outcome.text.contains("hint: Nothing was pushed. First push the staged commits that it builds on"));
    }
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn what_a_known_target_has_by_now_is_brought_in_first() {
    let lines = |second: &str, last: &str| format!("1\n{second}\n3\n4\n5\n6\n7\n{last}\n");
    for paths in [json!(null), json!(["docs"])] {
        let mut target = Target::new();
        target.sandbox.write("src/b.rs", "b\n");
        target.commit_file("docs/a.md", &lines("2", "8"));
        let mut sandbox = sandbox();
        let source = json!({ "type": "local", "path": "/project" });
        target.serve(&mut sandbox, "git_pull", json!({ "source": source, "paths": paths })).unwrap();
        sandbox.write("docs/one.md", "one\n");
        let one = stage(&mut sandbox, &["docs/one.md"], "One");
        sandbox.write("docs/a.md", lines("two", "8"));
        let two = stage(&mut sandbox, &["docs/a.md"], "Two");
        target.commit_file("src/b.rs", "bb\n");
        let head = target.commit_file("docs/a.md", &lines("2", "eight"));
        let done = target.serve(&mut sandbox, "git_push", json!({ "commitId": two["id"], "only": true })).unwrap();
        let pushed = target.pushed.pop().unwrap();
        assert_eq!((pushed.old, parents(&mut sandbox, pushed.new)), (Some(head), vec![head]));
        assert_eq!((&done.structured()["status"], done.effect), (&json!("success"), Effect::Fact));
        assert_eq!(staged_ids(&mut sandbox), [id(&one)]);
        let repo = sandbox.session.repo().unwrap();
        let tree = repo.gix.find_commit(pushed.new).unwrap().tree().unwrap();
        let merged = tree.lookup_entry_by_path("docs/a.md").unwrap().unwrap().object().unwrap();
        assert_eq!(merged.data, lines("two", "eight").into_bytes());
    }
}

#[test]
fn what_does_not_apply_to_what_a_known_target_has_by_now_is_a_conflict_and_what_was_brought_stays() {
    let mut target = Target::new();
    target.commit_file("a.md", "a\n");
    let mut sandbox = sandbox();
    let source = json!({ "type": "local", "path": "/project" });
    target.serve(&mut sandbox, "git_pull", json!({ "source": source })).unwrap();
    sandbox.write("a.md", "mine\n");
    let mine = stage(&mut sandbox, &["a.md"], "Mine");
    let head = target.commit_file("a.md", "yours\n");
    for _ in 0..2 {
        let done = target.serve(&mut sandbox, "git_push", json!({ "commitId": mine["id"], "only": true })).unwrap();
        let conflict = &done.structured()["conflict"];
        assert_eq!((&conflict["reason"], &conflict["targetHead"]), (&json!("other"), &json!(head.to_string())));
        assert!(done.structured()["hint"].as_str().unwrap().contains("git_pull"), "{}", done.text);
    }
    assert_eq!((target.pushed.len(), target.fetches), (0, 2), "the pull's, and one more");
    assert_eq!(staged_ids(&mut sandbox), [id(&mine)]);
}

#[test]
fn a_head_of_a_target_that_the_sandbox_knows_nothing_of_is_a_conflict_as_for_any_push() {
    let (mut sandbox, [_, one, ..]) = four();
    let before = sandbox.tree();
    let unknown = ObjectId::from_hex(&[b'7'; 40]).unwrap();
    let target = json!({ "type": "local-bare", "path": "/other.git" });
    let arguments = json!({ "commitId": id(&one), "only": true, "target": target });
    let outcome = push_with(&mut sandbox, arguments, &[("main", unknown)], |_| None).unwrap();
    assert_eq!(outcome.structured()["conflict"]["reason"], "non-fast-forward");
    assert_eq!(outcome.structured()["conflict"]["targetHead"], unknown.to_string());
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn a_target_that_has_all_of_it_is_up_to_date() {
    let (mut sandbox, [base, _, two, _]) = four();
    let main = [("main", sha(&base))];
    alone(&mut sandbox, id(&two), &main, landed).unwrap();
    let made = noted(&mut sandbox)[0].1;
    // Call again, as after a lost answer.
    let again = alone(&mut sandbox, id(&two), &[("main", made)], |_| panic!("nothing is proposed")).unwrap();
    assert_eq!((again.text.as_str(), again.effect), ("Everything up-to-date\n", Effect::Keep));
    assert_eq!(again.structured()["commitSha"], made.to_string());
    // The same change on another base.
    sandbox.write("other", "2\n");
    let other = stage(&mut sandbox, &["other"], "Other");
    sandbox.ok("delete_file", json!({"path": "other"}));
    stage(&mut sandbox, &["other"], "Without");
    sandbox.write("other", "2\n");
    let same = stage(&mut sandbox, &["other"], "The same");
    let there = asked(&mut sandbox, id(&other), &[("main", made)]);
    alone(&mut sandbox, id(&other), &[("main", made)], landed).unwrap();
    let empty = alone(&mut sandbox, id(&same), &[("main", there.new)], |_| panic!("nothing is proposed")).unwrap();
    assert_eq!(empty.text, "Everything up-to-date\n");
    assert_eq!(empty.structured()["hint"], "The target already has everything that this commit changes.");
}

#[test]
fn the_fact_is_noted_whatever_the_sandbox_has_become_meanwhile() {
    type Meanwhile = fn(&mut Sandbox, &[Value; 4]);
    let meanwhiles: [Meanwhile; 4] = [
        |_, _| {},
        // The name now means another commit, a rewritten one, or none.
        |sandbox, _| {
            sandbox.write("more", "1\n");
            stage(sandbox, &["more"], "More");
        },
        |sandbox, [_, one, ..]| drop(sandbox.ok("git_discard", json!({"commitId": one["id"]}))),
        |sandbox, [.., three]| drop(sandbox.ok("git_discard", json!({"commitId": three["id"]}))),
    ];
    for (n, meanwhile) in meanwhiles.into_iter().enumerate() {
        for named in ["id", "commitSha", "HEAD"] {
            for is_new in [false, true] {
                let (mut sandbox, staged) = four();
                let named = staged[3][named].as_str().unwrap_or("HEAD").to_owned();
                let branch = if is_new { "topic" } else { "main" };
                let target = json!({"type": "local-bare", "path": "/backup/project.git", "branch": branch});
                let arguments = json!({"commitId": named, "only": true, "target": target});
                let pushed =
                    push_with(&mut sandbox, arguments, &[("main", sha(&staged[0]))], |_| None).unwrap_err().unwrap();
                meanwhile(&mut sandbox, &staged);
                // Report it twice, as a host does that was killed in between.
                for _ in 0..2 {
                    let done = tell(&mut sandbox, &named, &pushed);
                    assert_eq!(done.structured()["commitSha"], pushed.new.to_string());
                    assert_eq!(done.effect, Effect::Fact);
                }
                // A removed commit is found only by names that it had, not among all objects.
                let is_lost = n == 3 && named == "HEAD";
                let tracking = sandbox.root().join(format!(".git/refs/remotes/project/{branch}"));
                let tracked = std::fs::read_to_string(tracking).unwrap_or_default();
                assert_eq!(pushed.new == *tracked.trim(), !is_lost, "{n} {named} {branch}: {tracked}");
                let lines = std::fs::read_to_string(sandbox.root().join(".git/gitgate/landed-as")).unwrap_or_default();
                assert_eq!(lines.lines().count(), usize::from(!is_lost), "{n} {named}: {lines}");
                assert_eq!(noted(&mut sandbox).len(), usize::from(!is_lost), "{n} {named}");
                if !is_lost {
                    assert!(!staged_ids(&mut sandbox).contains(&id(&staged[3]).to_owned()), "{n} {named}");
                }
            }
        }
    }
}

#[test]
fn it_counts_as_landed_as_long_as_a_tracking_ref_has_it_and_under_every_name() {
    let (mut sandbox, [base, one, two, three]) = four();
    alone(&mut sandbox, id(&two), &[("main", sha(&base))], landed).unwrap();
    let made = noted(&mut sandbox)[0].1;
    let error = sandbox.fail("git_discard", json!({"commitId": two["id"]}));
    assert_eq!(error.message, format!("Not a staged commit: {}", id(&two)));
    // Discarding a commit below it rewrites it.
    sandbox.ok("git_discard", json!({"commitId": one["id"]}));
    assert_eq!(staged_ids(&mut sandbox), [id(&three)]);
    let now = noted(&mut sandbox);
    assert!(now.len() == 1 && now[0].0 != sha(&two) && now[0].1 == made, "{now:?}");
    let again = alone(&mut sandbox, id(&two), &[("main", made)], |_| panic!("nothing is proposed")).unwrap();
    assert_eq!(again.text, "Everything up-to-date\n");
    // The target's branch no longer has it.
    let forced =
        Landed { target: TARGET.to_owned(), reference: "refs/heads/main".to_owned(), old: None, new: sha(&base) };
    let mut answers = Answers::default();
    answers.add([0; 32], Answer::Landed(forced));
    sandbox.calling("git_push", json!({"commitId": "HEAD"})).as_user().answers(answers).done().unwrap();
    assert_eq!(staged_ids(&mut sandbox), [id(&two), id(&three)]);
}

#[test]
fn a_commit_lands_by_itself_at_more_than_one_target() {
    let (mut sandbox, [base, _, two, three]) = four();
    alone(&mut sandbox, id(&two), &[("main", sha(&base))], landed).unwrap();
    let first = noted(&mut sandbox)[0].1;
    let arguments =
        json!({"commitId": id(&two), "only": true, "target": {"type": "local-bare", "path": "/second.git"}});
    let second = push_with(&mut sandbox, arguments.clone(), &[], |_| None).unwrap_err().unwrap();
    assert_ne!(second.new, first);
    push_with(&mut sandbox, arguments, &[], landed).unwrap();
    assert_eq!(noted(&mut sandbox), [(sha(&two), second.new)], "the latest counts");
    assert!(!staged_ids(&mut sandbox).contains(&id(&two).to_owned()));
    let on_top = asked(&mut sandbox, id(&three), &[("main", first)]);
    assert_eq!(on_top.old, Some(first));
}

#[cfg(not(target_os = "wasi"))]
#[test]
fn the_commit_is_the_one_that_git_cherry_pick_makes() {
    let (mut sandbox, [base, _, two, _]) = four();
    sandbox.git(&["checkout", "--quiet", "--detach", &sha(&base).to_string()]);
    sandbox.git(&["cherry-pick", &sha(&two).to_string()]);
    let shown = ["--format=%T %P %an %ae %ad%n%B", "--no-patch"];
    let picked = sandbox.git(&["show", shown[0], shown[1]]);
    sandbox.git(&["checkout", "--quiet", "main"]);
    alone(&mut sandbox, id(&two), &[("main", sha(&base))], landed).unwrap();
    let made = noted(&mut sandbox)[0].1.to_string();
    assert_eq!(sandbox.git(&["show", shown[0], shown[1], &made]), picked);
    let who = "--format=%cn %ce %cd";
    let two = sha(&two).to_string();
    assert_eq!(sandbox.git(&["show", who, shown[1], &made]), sandbox.git(&["show", who, shown[1], &two]));
    sandbox.git(&["fsck", "--strict", "--no-dangling"]);
}

#[cfg(not(target_os = "wasi"))]
#[test]
fn a_merge_is_not_pushed_by_itself_and_a_signature_is_not_taken_along() {
    let (mut sandbox, [base, _, two, _]) = four();
    let main = [("main", sha(&base))];
    sandbox.git(&["checkout", "--quiet", "-b", "side", &sha(&base).to_string()]);
    sandbox.write("side", "1\n");
    sandbox.git(&["add", "side"]);
    sandbox.git(&["commit", "--quiet", "-m", "Side"]);
    sandbox.git(&["checkout", "--quiet", "main"]);
    sandbox.git(&["merge", "--quiet", "-m", "Both", "side"]);
    let mut answers = Answers::default();
    let arguments = json!({"commitId": "HEAD", "only": true, "target": {"type": "local-bare", "path": "/p.git"}});
    let Step::Ask(question) = sandbox.calling("git_push", arguments.clone()).as_user().step() else { panic!() };
    let references = vec![Reference { name: "refs/heads/main".to_owned(), id: sha(&base), peeled: None }];
    let head = Some("refs/heads/main".to_owned());
    answers.add(question.key(), Answer::Refs(Refs { target: TARGET.to_owned(), head, references }));
    let error = sandbox.calling("git_push", arguments).as_user().answers(answers).done().unwrap_err();
    assert!(error.message.ends_with(" is a merge"), "{error:?}");
    assert_eq!(error.hint, "Push without only, so that the commits before it go along.");
    // A signed commit.
    let tree = sandbox.git(&["rev-parse", &format!("{}^{{tree}}", sha(&two))]);
    let text = format!(
        "tree {}\nparent {}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\ngpgsig -----BEGIN\n line\n\nSigned\n",
        tree.trim(),
        parents(&mut sandbox, sha(&two))[0]
    );
    sandbox.write("signed", text);
    let signed = sandbox.git(&["hash-object", "-t", "commit", "-w", "signed"]);
    sandbox.git(&["update-ref", "refs/heads/signed", signed.trim()]);
    // With the right parent already, the commit stays unchanged.
    let parent = parents(&mut sandbox, sha(&two))[0];
    assert_eq!(asked(&mut sandbox, "signed", &[("main", parent)]).new.to_string(), signed.trim());
    let pushed = alone(&mut sandbox, "signed", &main, landed).unwrap();
    let made = pushed.structured()["commitSha"].as_str().unwrap().to_owned();
    assert!(!sandbox.git(&["cat-file", "commit", &made]).contains("gpgsig"));
    sandbox.git(&["fsck", "--strict", "--no-dangling"]);
}
