//! Ends what has stopped with conflicts, here and with git.

use serde_json::json;

use super::tests::{LINES, agree, call, edit, forked, state};

#[test]
fn a_conflict_is_resolved_and_committed_or_given_up() {
    let conflict = || {
        let sandbox = forked(&[LINES, "b=b,"], &["a=1,2,x,", "new=n,"], &["a=1,2,y,"]);
        // A change that has nothing to do with it stays.
        sandbox.write("b", "mine\n");
        sandbox
    };
    for (git, tool, argument) in [
        ("merge", "git_merge_branch", "branch"),
        ("cherry-pick", "git_cherry_pick", "commit"),
        ("revert", "git_revert", "commit"),
    ] {
        let begin = |git_words: &[&str]| agree(&conflict, git_words, tool, json!({ argument: "topic" }));
        let words: &[&str] = if git == "revert" { &["revert", "--no-edit", "topic"] } else { &[git, "topic"] };
        let [mut theirs, mut ours] = begin(words);
        theirs.git(&[git, "--abort"]);
        call(&mut ours, tool, &json!({ "abort": true })).unwrap();
        assert_eq!(state(&mut ours)[0], state(&mut theirs)[0], "{git}");
        assert_eq!(ours.read("a"), theirs.read("a"));
        assert_eq!(ours.read("b"), b"mine\n");
        let nothing = call(&mut ours, tool, &json!({ "abort": true })).unwrap_err();
        assert_eq!(nothing.hint, "Nothing has changed.");

        let [mut theirs, mut ours] = begin(words);
        let again = call(&mut ours, tool, &json!({ argument: "topic" })).unwrap_err();
        assert!(again.hint.contains(&format!("call {tool} with abort")), "{again:?}");
        let early = call(&mut ours, "git_commit", &json!({ "type": "fix", "message": "early" })).unwrap_err();
        assert!(early.message.contains("unmerged files"), "{early:?}");
        for sandbox in [&mut theirs, &mut ours] {
            sandbox.write("a", "1\n2\nboth\n");
        }
        theirs.git(&["add", "a"]);
        theirs.git(&["commit", "--quiet", "-m", "fix: both"]);
        call(&mut ours, "git_add", &json!({ "paths": ["a"] })).unwrap();
        call(&mut ours, "git_commit", &json!({ "type": "fix", "message": "both" })).unwrap();
        assert_eq!(state(&mut ours), state(&mut theirs), "{git}");
    }
}

#[test]
fn what_was_changed_since_is_not_given_up() {
    let conflict = || forked(&[LINES, "b=b,"], &["a=1,2,x,", "new=n,"], &["a=1,2,y,"]);
    for (edits, added) in [(&["new=n,mine,"][..], &[][..]), (&["c=c,"], &["c"]), (&["b=staged,"], &["b"])] {
        let [mut theirs, mut ours] =
            agree(&conflict, &["merge", "topic"], "git_merge_branch", json!({ "branch": "topic" }));
        for sandbox in [&mut theirs, &mut ours] {
            edit(sandbox, edits);
            added.iter().for_each(|path| drop(sandbox.git(&["add", path])));
            if let [path] = added {
                sandbox.write(path, "changed again\n");
            }
        }
        let said = theirs.git_output(&["merge", "--abort"]);
        assert!(!said.status.success(), "{edits:?}");
        let error = call(&mut ours, "git_merge_branch", &json!({ "abort": true })).unwrap_err();
        assert_eq!(error.message, String::from_utf8_lossy(&said.stderr).trim_end(), "{edits:?}");
        assert_eq!(state(&mut ours), state(&mut theirs), "{edits:?}");
    }
}

#[test]
fn a_merge_of_a_tag_that_git_began_is_ended_with_the_commit() {
    let steps = || {
        let mut sandbox = forked(&[LINES], &["a=1,2,x,"], &["a=1,2,y,"]);
        sandbox.git(&["tag", "-m", "One", "v1", "topic"]);
        sandbox.git_output(&["merge", "v1"]);
        sandbox.write("a", "1\n2\nboth\n");
        sandbox.git(&["add", "a"]);
        sandbox
    };
    let [mut theirs, mut ours] = [steps(), steps()];
    theirs.git(&["commit", "--quiet", "-m", "fix: both"]);
    call(&mut ours, "git_commit", &json!({ "type": "fix", "message": "both" })).unwrap();
    assert_eq!(state(&mut ours), state(&mut theirs));
    assert_eq!(ours.git(&["fsck", "--strict", "--no-dangling"]), "");
    let mut broken = steps();
    broken.write(".git/MERGE_HEAD", "no id\n");
    let before = broken.git(&["rev-parse", "HEAD"]);
    call(&mut broken, "git_commit", &json!({ "type": "fix", "message": "both" })).unwrap_err();
    assert_eq!(broken.git(&["rev-parse", "HEAD"]), before);
}
