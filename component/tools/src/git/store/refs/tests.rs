//! Compares the files of refs after edits with git's.
#![cfg(all(test, not(target_os = "wasi")))]

use serde_json::{Value, json};

use crate::answer::{Answer, Answers};
use crate::dispatch::{Finished, Step};
use crate::error::ToolError;
use crate::platform::undo;
use crate::testing::Sandbox;

fn call(sandbox: &mut Sandbox, arguments: &Value) -> Result<Finished, ToolError> {
    let mut answers = Answers::default();
    loop {
        match sandbox.calling("git_branch", arguments.clone()).answers(answers.clone()).step() {
            Step::Ask(question) => answers.add(question.key(), Answer::Approved),
            Step::Done(done) => return done,
        }
    }
}

/// Loose and packed branches with logs and config sections. One of them is the only one in its folder.
fn several() -> Sandbox {
    let mut sandbox = Sandbox::with_two_commits();
    for name in ["packed", "packed/not", "a/b/c", "other"] {
        sandbox.git_output(&["branch", name]);
    }
    sandbox.git(&["pack-refs", "--all"]);
    sandbox.git(&["branch", "loose"]);
    sandbox.git(&["branch", "x/y"]);
    sandbox.git(&["config", "branch.loose.remote", "."]);
    sandbox
}

#[test]
fn on_a_real_directory_every_change_of_refs_can_be_taken_back() {
    for arguments in [
        json!({"create": "new/a/b"}),
        json!({"force_delete": "loose"}),
        json!({"force_delete": "packed"}),
        json!({"force_delete": "x/y"}),
        json!({"force_delete": "a/b/c"}),
        json!({"rename": "main", "new_name": "trunk"}),
        json!({"rename": "loose", "new_name": "loose/below"}),
        json!({"rename": "x/y", "new_name": "x"}),
        json!({"rename": "a/b/c", "new_name": "a"}),
    ] {
        let mut sandbox = several();
        let before = sandbox.tree();
        let around = tempfile::tempdir().unwrap();
        let [noted, aside] = ["undo", "aside"].map(|name| around.path().join(name));
        undo::begin(&noted, "call");
        call(&mut sandbox, &arguments).unwrap();
        assert_ne!(sandbox.tree(), before, "{arguments}");
        assert_eq!(undo::roll_back(&noted, &aside).unwrap(), [], "{arguments}");
        let mut after = sandbox.tree();
        // Empty folders made for a ref may stay.
        after.retain(|path, kind| kind != "folder" || before.contains_key(path));
        assert_eq!(after, before, "{arguments}");
        sandbox.git(&["fsck", "--strict"]);
    }
}

#[test]
fn a_file_that_git_has_locked_is_left_alone() {
    for (lock, arguments, words) in [
        ("refs/heads/new", json!({"create": "new"}), vec!["branch", "new"]),
        ("refs/heads/loose", json!({"force_delete": "loose"}), vec!["branch", "-D", "loose"]),
        ("packed-refs", json!({"force_delete": "other"}), vec!["branch", "-D", "other"]),
        ("refs/heads/new", json!({"rename": "loose", "new_name": "new"}), vec!["branch", "-m", "loose", "new"]),
        ("packed-refs", json!({"rename": "other", "new_name": "new"}), vec!["branch", "-m", "other", "new"]),
        ("refs/heads/loose", json!({"rename": "loose", "new_name": "new"}), vec!["branch", "-m", "loose", "new"]),
    ] {
        let mut sandbox = several();
        sandbox.write(&format!(".git/{lock}.lock"), "");
        let before = sandbox.tree();
        let error = call(&mut sandbox, &arguments).unwrap_err();
        assert_eq!(sandbox.tree(), before, "{arguments}");
        let theirs = sandbox.git_output(&words);
        let theirs = String::from_utf8(theirs.stderr).unwrap();
        let theirs = theirs.replace(&sandbox.root().display().to_string(), "/workspace");
        assert_eq!(error.message, theirs.trim_end(), "{arguments}");
    }
}
