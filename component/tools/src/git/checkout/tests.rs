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
    let whole = [
        "side",
        "v1",
        "both",
        "@{-1}",
        "@{-2}",
        "@{-9}",
        "-",
        "HEAD",
        "@",
        "nowhere",
        "side@{u}",
        "@{u}",
        &commit,
        &commit[..7],
    ];
    let with_suffixes =
        ["v1~1", "v1^2", "v1~9", "v1^{commit}", "v1^{tree}", "both~0", "both~9", "side~1", "v1~x", "v1:a", "v1@{1}"];
    let meetings = ["v1...main", "main...both", "v1...side", "nowhere...v1", "v1..main"];
    for name in whole.into_iter().chain(with_suffixes).chain(meetings) {
        as_git(name, || doubtful().0);
    }
}

/// What is said of `name`, as a branch and as a commit, is what git says.
fn as_git(name: &str, sandbox: impl Fn() -> Sandbox) {
    for (argument, command) in [("branch", vec!["switch", name]), ("commit", vec!["checkout", name, "--"])] {
        let expected = String::from_utf8(sandbox().git_output(&command).stderr).unwrap();
        let said = match sandbox().calling("git_checkout", json!({ argument: name })).approved() {
            Ok(done) => done.text.split_once("[stderr]\n").map(|(_, stderr)| stderr.to_owned()).unwrap_or_default(),
            Err(error) => error.message,
        };
        assert_eq!(said.trim_end(), expected.trim_end(), "{command:?}");
    }
}

#[test]
fn a_ref_with_the_digits_of_an_id_is_told_of_and_does_not_hide_it() {
    let (_, commit) = doubtful();
    let (short, nothing) = (&commit[..7], "0".repeat(40));
    let sandbox = || {
        let mut sandbox = doubtful().0;
        for name in [&commit, short, &nothing] {
            sandbox.git(&["update-ref", &format!("refs/heads/{name}"), "HEAD"]);
        }
        sandbox
    };
    for name in [&commit, short, &nothing] {
        for suffix in ["", "~0", "~1", "^{commit}", "@{0}", "@{0}~1", "@{7}"] {
            as_git(&format!("{name}{suffix}"), sandbox);
        }
    }
}

#[test]
fn the_branch_before_can_have_the_name_of_head() {
    let mut sandbox = doubtful().0;
    sandbox.git(&["update-ref", "refs/heads/@", "HEAD~1"]);
    sandbox.calling("git_checkout", json!({"branch": "refs/heads/@"})).approved().unwrap_err();
    sandbox.calling("git_checkout", json!({"create_branch": "@"})).approved().unwrap_err();
    sandbox.git(&["symbolic-ref", "-m", "checkout: moving from main to @", "HEAD", "refs/heads/@"]);
    sandbox.git(&["reset", "--quiet", "--hard"]);
    sandbox.calling("git_checkout", json!({"branch": "side"})).approved().unwrap();
    let done = sandbox.calling("git_checkout", json!({"branch": "-"})).approved().unwrap();
    assert!(done.text.ends_with("Switched to branch '@'\n"), "{}", done.text);
    assert_eq!(sandbox.git(&["symbolic-ref", "HEAD"]), "refs/heads/@\n");
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

#[test]
fn commits_of_one_time_that_are_left_behind_are_listed_as_git_walks_them() {
    let mut sandbox = Sandbox::with_two_commits();
    let tree = sandbox.git(&["rev-parse", "HEAD^{tree}"]).trim_end().to_owned();
    for number in 0..8 {
        let parents = [0, 1, 2].map(|at| {
            let message = format!("parent {at} of {number}");
            sandbox.git(&["commit-tree", "-p", "main", "-m", &message, &tree]).trim_end().to_owned()
        });
        let [one, two, three] = parents.each_ref().map(String::as_str);
        let words = ["commit-tree", "-p", "main", "-p", one, "-p", two, "-p", three, "-m", "left", &tree];
        let left = sandbox.git(&words).trim_end().to_owned();
        let mut said = Vec::new();
        for by_git in [true, false] {
            sandbox.git(&["checkout", "--quiet", &left]);
            said.push(match by_git {
                true => String::from_utf8(sandbox.git_output(&["checkout", "main"]).stderr).unwrap(),
                false => {
                    let done = sandbox.calling("git_checkout", json!({"branch": "main"})).approved().unwrap();
                    done.text.split_once("[stderr]\n").expect("git warns").1.to_owned()
                }
            });
        }
        assert!(said[0].contains("leaving 4 commits behind"), "{}", said[0]);
        assert_eq!(said[1].trim_end(), said[0].trim_end());
    }
}
