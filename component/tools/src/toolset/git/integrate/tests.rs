//! Compares each call with git's command in an equal repository.

use std::fs;

use serde_json::{Value, json};

use crate::answer::{Answer, Answers};
use crate::dispatch::{Finished, Step};
use crate::error::ToolError;
use crate::options::{Identity, Options};
use crate::question::Question;
use crate::testing::Sandbox;

/// A repository whose commits are by the people that the tests' git has.
fn repository() -> Sandbox {
    let who = |name: &str, email: &str| Some(Identity { name: name.to_owned(), email: email.to_owned() });
    let options = Options {
        identity: who("A U Thor", "author@example.com"),
        committer: who("C O Mitter", "committer@example.com"),
        ..Options::default()
    };
    let mut sandbox = Sandbox::with(options, &[]);
    sandbox.git(&["init", "--quiet", "-b", "main"]);
    sandbox
}

/// Makes these changes and commits them: `path=content`, or `path-` to remove it.
pub(super) fn commit(sandbox: &mut Sandbox, changes: &[&str], message: &str) {
    edit(sandbox, changes);
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "--quiet", "--allow-empty", "-m", message]);
}

pub(super) fn edit(sandbox: &mut Sandbox, changes: &[&str]) {
    for change in changes {
        match change.split_once('=') {
            Some((path, content)) => sandbox.write(path, content.replace(',', "\n")),
            None => fs::remove_file(sandbox.real(change.trim_end_matches('-'))).unwrap(),
        }
    }
}

/// `base` on `main`, then `theirs` on `topic`, then `ours` on `main`, which is checked out.
pub(super) fn forked(base: &[&str], theirs: &[&str], ours: &[&str]) -> Sandbox {
    let mut sandbox = repository();
    commit(&mut sandbox, base, "base");
    sandbox.git(&["checkout", "--quiet", "-b", "topic"]);
    commit(&mut sandbox, theirs, "topic: change it\n\nWith a reason.");
    sandbox.git(&["checkout", "--quiet", "main"]);
    if !ours.is_empty() {
        commit(&mut sandbox, ours, "ours");
    }
    sandbox
}

/// The call, approved.
pub(super) fn call(sandbox: &mut Sandbox, tool: &str, arguments: &Value) -> Result<Finished, ToolError> {
    let mut answers = Answers::default();
    loop {
        match sandbox.calling(tool, arguments.clone()).answers(answers.clone()).step() {
            Step::Done(outcome) => return outcome,
            Step::Ask(question) => match &*question {
                Question::Approval(_) => answers.add(question.key(), Answer::Approved),
                other => panic!("it asks {other:?}"),
            },
        }
    }
}

/// Ids are those of the time, so they stand as `#` in what is compared.
fn without_ids(text: &str) -> String {
    let is_id = |word: &str| word.len() >= 7 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let mut out = String::new();
    let mut word = String::new();
    for char in text.chars().chain(['\0']) {
        if char.is_ascii_alphanumeric() {
            word.push(char);
            continue;
        }
        out.push_str(if is_id(&word) { "#" } else { &word });
        word.clear();
        out.push(char);
    }
    out.lines().filter(|line| !line.starts_with(" Date: ")).collect::<Vec<_>>().join("\n")
}

/// Where the reflog is in a state.
const REFLOG: usize = 2;

/// What is the same after both, if both did the same.
pub(super) fn state(sandbox: &mut Sandbox) -> Vec<String> {
    let mut state: Vec<String> = [
        &["status", "--porcelain", "--branch"][..],
        &["ls-files", "--stage"],
        &["reflog", "--format=%gs", "-2"],
        &["rev-parse", "--abbrev-ref", "HEAD"],
    ]
    .into_iter()
    .map(|words| without_ids(&sandbox.git(words)))
    .collect();
    // Commits of the same second come in any order. Their trees are the same whatever the time is.
    let log = sandbox.git(&["log", "--format=%an %cn %T %P%n%B%x01", "--all"]);
    let mut commits: Vec<String> = log.split('\u{1}').map(|commit| without_ids(commit.trim())).collect();
    commits.sort();
    state.extend(commits);
    state.push(sandbox.git(&["rev-parse", "HEAD^{tree}"]));
    for file in ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "MERGE_MSG", "MERGE_MODE"] {
        let path = sandbox.real(&format!(".git/{file}"));
        state.push(format!("{file} {:?}", fs::read_to_string(path).ok().map(|text| without_ids(&text))));
    }
    let files = sandbox.tree().into_iter().filter(|(path, _)| !path.contains("/.git/"));
    state.push(files.map(|(path, file)| format!("{path} {file:?}\n")).collect());
    state
}

/// The same steps, then git's command in one repository and the call in the other. They have to agree in words and effects.
pub(super) fn agree(steps: &dyn Fn() -> Sandbox, git: &[&str], tool: &str, arguments: Value) -> [Sandbox; 2] {
    let [mut theirs, mut ours] = [steps(), steps()];
    let said = theirs.git_output(git);
    let [out, err] = [&said.stdout, &said.stderr].map(|text| String::from_utf8(text.clone()).unwrap());
    let done = call(&mut ours, tool, &arguments);
    match &done {
        Ok(finished) => {
            let stderr = if err.is_empty() { String::new() } else { format!("\n\n[stderr]\n{err}") };
            assert_eq!(without_ids(&finished.text), without_ids(&format!("{out}{stderr}")), "{git:?}");
            let is_conflict = finished.structured()["hasConflicts"] == true;
            assert_eq!(said.status.success(), !is_conflict, "{git:?}: {err}");
        }
        Err(error) => {
            assert!(!said.status.success(), "{git:?}: {error:?}");
            assert_eq!(without_ids(&error.message), without_ids(err.trim_end()), "{git:?}");
        }
    }
    let [mut theirs_now, mut ours_now] = [state(&mut theirs), state(&mut ours)];
    if done.is_err() {
        // git notes a merge in the reflog before it refuses it.
        for state in [&mut theirs_now, &mut ours_now] {
            state.remove(REFLOG);
        }
    }
    assert_eq!(ours_now, theirs_now, "{git:?}");
    [theirs, ours]
}

pub(super) const LINES: &str = "a=1,2,3,4,5,6,7,8,9,";

#[test]
fn a_merge_is_gits() {
    let clean =
        || forked(&[LINES, "b=b,"], &["a=1,2,3,4,5,6,7,8,nine,", "new=n,"], &["b=B,", "a=one,2,3,4,5,6,7,8,9,"]);
    let ahead = || forked(&[LINES, "gone=g,"], &["a=1,", "new/deep=n,", "gone-"], &[]);
    let conflict = || forked(&[LINES], &["a=1,2,x,", "new=n,"], &["a=1,2,y,"]);
    let deleted = || forked(&[LINES, "b=b,"], &["a-"], &["a=1,2,y,"]);
    let added = || forked(&[LINES], &["new=theirs,"], &["new=ours,"]);
    let renamed = || forked(&[LINES], &["a-", "moved=1,2,3,4,5,6,7,8,9,"], &["a=1,2,3,4,5,6,7,8,nine,"]);
    let apart = || {
        let mut sandbox = forked(&[LINES], &["b=b,"], &["c=c,"]);
        sandbox.git(&["checkout", "--quiet", "--orphan", "alone"]);
        commit(&mut sandbox, &["d=d,"], "alone");
        sandbox
    };
    let merge = |branch: &str| json!({ "branch": branch });
    for (steps, git, arguments) in [
        (&clean as &dyn Fn() -> Sandbox, &["merge", "topic"][..], merge("topic")),
        (&clean, &["merge", "topic", "-m", "Bring it in"], json!({ "branch": "topic", "message": "Bring it in" })),
        (&ahead, &["merge", "topic"], merge("topic")),
        (&ahead, &["merge", "--no-ff", "--no-edit", "topic"], json!({ "branch": "topic", "no_ff": true })),
        (&ahead, &["merge", "main"], merge("main")),
        (&clean, &["merge", "topic~1"], merge("topic~1")),
        (&conflict, &["merge", "topic"], merge("topic")),
        (&deleted, &["merge", "topic"], merge("topic")),
        (&added, &["merge", "topic"], merge("topic")),
        (&renamed, &["merge", "topic"], merge("topic")),
        (&apart, &["merge", "topic"], merge("topic")),
    ] {
        agree(steps, git, "git_merge_branch", arguments);
    }
    // Into another branch than the first one, of a tag, of an id, and with a detached HEAD.
    for (prepare, named) in [
        (&["checkout", "--quiet", "-b", "side"][..], "topic"),
        (&["tag", "v1", "topic"], "v1"),
        (&["update-ref", "refs/remotes/origin/topic", "topic"], "origin/topic"),
        (&["checkout", "--quiet", "--detach"], "topic"),
    ] {
        let steps = || {
            let mut sandbox = clean();
            sandbox.git(prepare);
            sandbox
        };
        agree(&steps, &["merge", named], "git_merge_branch", merge(named));
    }
}

#[test]
fn a_merge_of_branches_that_were_merged_into_each_other_is_gits() {
    let crossed = || {
        let mut sandbox = forked(&[LINES], &["a=1,2,3,4,5,6,7,8,nine,"], &["a=one,2,3,4,5,6,7,8,9,"]);
        sandbox.git(&["branch", "before"]);
        sandbox.git(&["merge", "--quiet", "--no-edit", "topic"]);
        sandbox.git(&["checkout", "--quiet", "topic"]);
        sandbox.git(&["merge", "--quiet", "--no-edit", "before"]);
        commit(&mut sandbox, &["a=one,2,3,4,5!,6,7,8,nine,"], "on topic");
        sandbox.git(&["checkout", "--quiet", "main"]);
        commit(&mut sandbox, &["b=b,"], "on main");
        sandbox
    };
    agree(&crossed, &["merge", "topic"], "git_merge_branch", json!({ "branch": "topic" }));
}

#[test]
fn nothing_that_is_not_committed_is_lost() {
    let base = || forked(&[LINES, "b=b,"], &["a=1,2,x,", "new=n,"], &["b=B,"]);
    for (prepare, is_added) in
        [(&["a=mine,"][..], false), (&["a=mine,"], true), (&["new=mine,"], false), (&["b=mine,"], false)]
    {
        let steps = || {
            let mut sandbox = base();
            edit(&mut sandbox, prepare);
            if is_added {
                sandbox.git(&["add", "-A"]);
            }
            sandbox
        };
        agree(&steps, &["merge", "topic"], "git_merge_branch", json!({ "branch": "topic" }));
        for (git, tool) in [("cherry-pick", "git_cherry_pick"), ("revert", "git_revert")] {
            let [mut theirs, mut ours] = [steps(), steps()];
            let said = theirs.git_output(&[git, "topic"]);
            let done = call(&mut ours, tool, &json!({ "commit": "topic" }));
            let is_conflict = done.as_ref().is_ok_and(|done| done.structured()["hasConflicts"] == true);
            assert_eq!(done.is_ok() && !is_conflict, said.status.success(), "{git} {prepare:?}: {done:?}");
            assert_eq!(state(&mut ours)[0], state(&mut theirs)[0], "{git} {prepare:?}");
        }
    }
}

#[test]
fn a_cherry_pick_and_a_revert_are_gits() {
    let clean = || forked(&[LINES], &["a=1,2,3,4,5,6,7,8,nine,", "new=n,"], &["a=one,2,3,4,5,6,7,8,9,"]);
    let conflict = || forked(&[LINES], &["a=1,2,x,", "new=n,"], &["a=1,2,y,"]);
    let reverted = || {
        let mut sandbox = clean();
        sandbox.git(&["revert", "--no-edit", "HEAD"]);
        sandbox
    };
    let merged = || {
        let mut sandbox = clean();
        sandbox.git(&["merge", "--quiet", "--no-edit", "topic"]);
        sandbox
    };
    let by_another = || {
        let mut sandbox = clean();
        sandbox.git(&["checkout", "--quiet", "topic"]);
        sandbox.git(&["commit", "--quiet", "--amend", "--no-edit", "--author", "Another <another@example.org>"]);
        sandbox.git(&["checkout", "--quiet", "main"]);
        sandbox
    };
    for (steps, git, tool, arguments) in [
        (
            &clean as &dyn Fn() -> Sandbox,
            &["cherry-pick", "topic"][..],
            "git_cherry_pick",
            json!({ "commit": "topic" }),
        ),
        (&by_another, &["cherry-pick", "topic"], "git_cherry_pick", json!({ "commit": "topic" })),
        (&conflict, &["cherry-pick", "topic"], "git_cherry_pick", json!({ "commit": "topic" })),
        (&clean, &["revert", "--no-edit", "HEAD"], "git_revert", json!({ "commit": "HEAD" })),
        (&reverted, &["revert", "--no-edit", "HEAD"], "git_revert", json!({ "commit": "HEAD" })),
        (&conflict, &["revert", "--no-edit", "main~1"], "git_revert", json!({ "commit": "main~1" })),
        (&merged, &["revert", "--no-edit", "HEAD"], "git_revert", json!({ "commit": "HEAD" })),
        (
            &merged,
            &["revert", "--no-edit", "-m", "1", "HEAD"],
            "git_revert",
            json!({ "commit": "HEAD", "mainline": 1 }),
        ),
        (
            &merged,
            &["revert", "--no-edit", "-m", "3", "HEAD"],
            "git_revert",
            json!({ "commit": "HEAD", "mainline": 3 }),
        ),
        (&clean, &["cherry-pick", "-m", "2", "topic"], "git_cherry_pick", json!({ "commit": "topic", "mainline": 2 })),
    ] {
        agree(steps, git, tool, arguments);
    }
    let mut sandbox = merged();
    let before = sandbox.tree();
    let error = call(&mut sandbox, "git_cherry_pick", &json!({ "commit": "topic" })).unwrap_err();
    assert_eq!(error.message, "The cherry-pick is empty: HEAD has its changes already");
    let is_object = |path: &str| path.starts_with("/workspace/.git/objects/");
    let after = sandbox.tree().into_iter().filter(|(path, _)| !is_object(path));
    assert!(after.eq(before.into_iter().filter(|(path, _)| !is_object(path))), "it changes nothing");
}

#[test]
fn tags_are_gits() {
    let tagged = || forked(&[LINES], &["b=b,"], &["c=c,"]);
    for (git, arguments) in [
        (&["tag", "v1"][..], json!({ "create": "v1" })),
        (&["tag", "v1/a", "topic"], json!({ "create": "v1/a", "commit": "topic" })),
        (&["tag", "-m", "One\n\nMore", "v1"], json!({ "create": "v1", "message": "One\n\nMore" })),
        (&["tag", "bad name"], json!({ "create": "bad name" })),
        (&["tag", "-d", "none"], json!({ "delete": "none" })),
        (&["tag"], json!({})),
    ] {
        let [mut theirs, mut ours] = agree(&tagged, git, "git_tag", arguments);
        let all = |sandbox: &mut Sandbox| {
            sandbox.git(&["for-each-ref", "--format=%(refname) %(objecttype) %(contents)", "refs/tags"])
        };
        assert_eq!(all(&mut ours), all(&mut theirs), "{git:?}");
        assert_eq!(ours.git(&["fsck", "--strict"]), "");
    }
    let two = || {
        let mut sandbox = tagged();
        sandbox.git(&["tag", "b"]);
        sandbox.git(&["tag", "-m", "Annotated", "a", "topic"]);
        sandbox
    };
    for (git, arguments) in [
        (&["tag"][..], json!({})),
        (&["tag", "b"], json!({ "create": "b" })),
        (&["tag", "-d", "a"], json!({ "delete": "a" })),
        (&["tag", "b/c"], json!({ "create": "b/c" })),
    ] {
        agree(&two, git, "git_tag", arguments);
    }
    let listed = call(&mut two(), "git_tag", &json!({})).unwrap().structured();
    assert_eq!(listed["tags"][0]["message"], "Annotated");
}

#[test]
fn a_pick_of_a_commit_in_another_encoding_is_gits() {
    let steps = || {
        let mut sandbox = forked(&[LINES], &["b=b,"], &["c=c,"]);
        sandbox.git(&["checkout", "--quiet", "topic"]);
        let message = sandbox.real("../message");
        fs::write(&message, b"\n\ncaf\xe9\nsecond line\n\nbody\n").unwrap();
        let author = sandbox.git(&["log", "-1", "--format=%an"]);
        assert_eq!(author, "A U Thor\n");
        let message = message.display().to_string();
        sandbox.git(&["-c", "i18n.commitEncoding=ISO-8859-1", "commit", "--quiet", "--amend", "-F", &message]);
        sandbox.git(&["checkout", "--quiet", "main"]);
        sandbox
    };
    let [_, mut ours] = agree(&steps, &["cherry-pick", "topic"], "git_cherry_pick", json!({ "commit": "topic" }));
    assert_eq!(ours.git(&["fsck", "--strict"]), "");
    agree(&steps, &["revert", "--no-edit", "main"], "git_revert", json!({ "commit": "main" }));
}

#[test]
fn bases_that_conflict_are_not_merged_by_guess() {
    let mut sandbox = forked(&["f=1,", "g=g,"], &["f-"], &["f=2,"]);
    sandbox.git(&["branch", "before"]);
    sandbox.git_output(&["merge", "topic"]);
    edit(&mut sandbox, &["f=2,"]);
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "--quiet", "-m", "keep"]);
    sandbox.git(&["checkout", "--quiet", "topic"]);
    sandbox.git_output(&["merge", "before"]);
    sandbox.git(&["rm", "--quiet", "f"]);
    sandbox.git(&["commit", "--quiet", "-m", "drop"]);
    sandbox.git(&["checkout", "--quiet", "main"]);
    let error = call(&mut sandbox, "git_merge_branch", &json!({ "branch": "topic" })).unwrap_err();
    assert!(error.message.contains("merged into each other"), "{error:?}");
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "");
}
