use serde_json::json;

use crate::testing::Sandbox;

/// A branch and a tag, each with a remote's HEAD of the same name that leads nowhere; HEAD was detached, and on the branch, before.
fn doubtful() -> (Sandbox, String) {
    let mut sandbox = Sandbox::with_two_commits();
    let commit = sandbox.git(&["rev-parse", "HEAD"]).trim_end().to_owned();
    sandbox.git(&["branch", "side"]);
    sandbox.git(&["branch", "@"]);
    sandbox.git(&["tag", "v1"]);
    sandbox.git(&["tag", "both", "HEAD~1"]);
    sandbox.git(&["update-ref", "refs/remotes/both", "HEAD"]);
    for name in ["side", "v1"] {
        sandbox.git(&["symbolic-ref", &format!("refs/remotes/{name}/HEAD"), "refs/heads/nowhere"]);
    }
    for to in ["HEAD~1", "side", "main"] {
        sandbox.git(&["checkout", "--quiet", to]);
    }
    (sandbox, commit)
}

#[test]
fn what_else_has_a_name_is_said_as_often_as_git_looks_it_up() {
    let (_, commit) = doubtful();
    let names = ["side", "v1", "both", "@{-1}", "@{-2}", "@{-9}", "-", "HEAD", "@", "nowhere", &commit, &commit[..7]];
    for name in names {
        for (argument, command) in [("branch", vec!["switch", name]), ("commit", vec!["checkout", name, "--"])] {
            let (mut theirs, _) = doubtful();
            let expected = String::from_utf8(theirs.git_output(&command).stderr).unwrap();
            let (mut ours, _) = doubtful();
            let said = match ours.calling("git_checkout", json!({ argument: name })).approved() {
                Ok(done) => done.text.split_once("[stderr]\n").map(|(_, stderr)| stderr.to_owned()).unwrap_or_default(),
                Err(error) => error.message,
            };
            assert_eq!(said.trim_end(), expected.trim_end(), "{command:?}");
        }
    }
}

#[test]
fn a_detached_head_is_named_as_git_looks_up_what_it_was_switched_to() {
    let mut sandbox = doubtful().0;
    sandbox.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    sandbox.git(&["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"]);
    sandbox.git(&["tag", "-a", "-m", "", "annotated"]);
    sandbox.git(&["config", "remote.origin.url", "/nowhere"]);
    sandbox.git(&["config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"]);
    sandbox.git(&["branch", "--quiet", "--set-upstream-to=origin/main", "side"]);
    for name in [
        "origin",
        "origin/HEAD",
        "origin/main",
        "heads/side",
        "side",
        "side@{u}",
        "@{u}",
        "side@{0}",
        "v1",
        "both",
        "annotated",
        "tags/annotated",
        "@{-1}",
        "HEAD~0",
        "refs/heads/@",
    ] {
        for elsewhere in [false, true] {
            sandbox.git(&["checkout", "--quiet", "side"]);
            sandbox.git(&["checkout", "--quiet", "--detach", name]);
            if elsewhere {
                sandbox.git(&["commit", "--quiet", "--allow-empty", "-m", "elsewhere"]);
            }
            let git = sandbox.git_output(&["branch", "-v"]);
            let listed = sandbox.ok("git_branch", json!({})).text;
            let (list, said) = listed.split_once("[stderr]\n").unwrap_or((&listed, ""));
            let expected = [git.stdout, git.stderr].map(|text| String::from_utf8(text).unwrap());
            assert_eq!([list, said].map(str::trim_end), expected.each_ref().map(|text| text.trim_end()), "{name}");
            let expected = sandbox.git(&["status"]);
            assert_eq!(sandbox.ok("git_status", json!({"porcelain": false})).text, expected, "{name}");
        }
    }
}
