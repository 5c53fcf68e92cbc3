use serde_json::json;

use crate::testing::Sandbox;

/// A branch and a tag, each with a dangling remote HEAD of the same name. HEAD was detached before, and then on the branch.
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
    let with_suffixes = [
        "v1~1",
        "v1^2",
        "v1~9",
        "v1^{commit}",
        "v1^{tree}",
        "v1^{}",
        "v1^{object}~1",
        "v1^{tag}",
        "v1^{blob}",
        "v1^{tree}~1",
        "v1^{foo}",
        "v1^{é}",
        "v1^{/e: x}",
        "v1^{commit}~9^{commit}",
        "v1~99999999999",
        "v1~2147483648",
        "v1~99999999999^{commit}",
        "both~0",
        "both~9",
        "side~1",
        "v1~x",
        "v1:a",
        "v1:a~1",
        "v1^{tag}:a",
        "v1@{1}",
        "@{-1}~0",
        "@{-1}^{commit}",
        "@{-2}~1",
        "@{-1}x",
        "@{-1}@{0}",
        "@@{0}",
        "@~0",
    ];
    let meetings = [
        "v1...main",
        "main...both",
        "both...v1",
        "v1...side",
        "nowhere...v1",
        "v1..main",
        "...v1",
        "v1...",
        "...",
        "v1...v1...v1",
        "v1^{tree}...main",
        "main...v1^{tree}",
        "v1~1...both~0",
    ];
    as_git(whole.into_iter().chain(with_suffixes).chain(meetings), || doubtful().0);
}

/// Checks that the messages for each of `names`, as a branch and as a commit, are git's.
fn as_git<'n>(names: impl IntoIterator<Item = &'n str>, sandbox: impl Fn() -> Sandbox) {
    let differ: String = names.into_iter().map(|name| difference(name, &sandbox)).collect();
    assert!(differ.is_empty(), "{differ}");
}

/// Our messages and git's for `name` where they differ.
fn difference(name: &str, sandbox: impl Fn() -> Sandbox) -> String {
    let mut differ = String::new();
    for (argument, command) in [("branch", vec!["switch", name]), ("commit", vec!["checkout", name, "--"])] {
        let expected = String::from_utf8(sandbox().git_output(&command).stderr).unwrap();
        let said = match sandbox().calling("git_checkout", json!({ argument: name })).approved() {
            Ok(done) => done.text.split_once("[stderr]\n").map(|(_, stderr)| stderr.to_owned()).unwrap_or_default(),
            Err(error) => error.message,
        };
        if said.trim_end() != expected.trim_end() {
            differ.push_str(&format!("{command:?}, ours:\n{said}\ngit's:\n{expected}\n"));
        }
    }
    differ
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
    let suffixes = ["", "~0", "~1", "^{commit}", "@{0}", "@{0}~1", "@{7}", "...main", "..main"];
    let names = [&commit, short, &nothing].map(|name| suffixes.map(|suffix| format!("{name}{suffix}")));
    as_git(names.as_flattened().iter().map(String::as_str), sandbox);
}

#[test]
fn nothing_is_said_of_ambiguity_where_the_configuration_wants_none() {
    let (_, commit) = doubtful();
    let sandbox = || {
        let mut sandbox = doubtful().0;
        sandbox.git(&["config", "core.warnAmbiguousRefs", "false"]);
        sandbox.git(&["update-ref", &format!("refs/heads/{commit}"), "HEAD"]);
        sandbox.git(&["branch", &commit[..7]]);
        sandbox
    };
    as_git(["v1", "both", "both~0", "side", &commit, &commit[..7], "both...v1"], sandbox);
    let mut sandbox = sandbox();
    for revision in ["both", &commit] {
        assert!(sandbox.git_output(&["show", revision, "--"]).stderr.is_empty(), "{revision}");
        let shown = sandbox.ok("git_show", json!({ "commit": revision })).text;
        assert!(!shown.contains("[stderr]"), "{shown}");
    }
}

#[test]
fn what_has_the_name_of_a_new_branch_is_said() {
    for name in ["v1", "both", "new"] {
        let expected = String::from_utf8(doubtful().0.git_output(&["switch", "-c", name]).stderr).unwrap();
        let done = doubtful().0.calling("git_checkout", json!({"create_branch": name})).approved().unwrap();
        assert_eq!(done.text.trim_start().strip_prefix("[stderr]\n").unwrap().trim_end(), expected.trim_end());
    }
}

#[test]
fn a_branch_that_several_remotes_have_is_made_of_the_preferred_ones() {
    let sandbox = |preferred: &str| {
        let mut sandbox = doubtful().0;
        for remote in ["one", "two"] {
            sandbox.git(&["config", &format!("remote.{remote}.url"), "/nowhere"]);
            let kept = format!("+refs/heads/*:refs/remotes/{remote}/*");
            sandbox.git(&["config", &format!("remote.{remote}.fetch"), &kept]);
            sandbox.git(&["update-ref", &format!("refs/remotes/{remote}/topic"), "HEAD"]);
        }
        sandbox.git(&["symbolic-ref", "refs/remotes/topic/HEAD", "refs/heads/nowhere"]);
        sandbox.git(&["config", "checkout.defaultRemote", preferred]);
        sandbox
    };
    for preferred in ["two", "three"] {
        let expected = String::from_utf8(sandbox(preferred).git_output(&["switch", "topic"]).stderr).unwrap();
        let said = match sandbox(preferred).calling("git_checkout", json!({"branch": "topic"})).approved() {
            Ok(done) => done.text,
            Err(error) => error.message,
        };
        assert!(said.trim_end().ends_with(expected.trim_end()), "ours:\n{said}\ngit's:\n{expected}");
    }
}

#[test]
fn where_a_branch_is_in_the_way_of_the_remote_s_nothing_changes() {
    let sandbox = |from: &str| {
        let mut sandbox = doubtful().0;
        sandbox.git(&["config", "remote.one.url", "/nowhere"]);
        sandbox.git(&["config", "remote.one.fetch", "+refs/heads/*:refs/remotes/one/*"]);
        sandbox.git(&["update-ref", "refs/remotes/one/topic", "HEAD~1"]);
        sandbox.git(&["branch", "topic/below"]);
        sandbox.git(&["checkout", "--quiet", from]);
        sandbox
    };
    for from in ["main", "main~0"] {
        let expected = String::from_utf8(sandbox(from).git_output(&["switch", "topic"]).stderr).unwrap();
        let mut sandbox = sandbox(from);
        let before = sandbox.tree();
        let error = sandbox.refused("git_checkout", json!({"branch": "topic"}));
        assert_eq!(error.message.trim_end(), expected.trim_end());
        assert_eq!(sandbox.tree(), before);
    }
}

#[test]
fn the_branch_before_can_have_the_name_of_head() {
    let on_it = || {
        let mut sandbox = doubtful().0;
        sandbox.git(&["update-ref", "refs/heads/@", "HEAD~1"]);
        sandbox.git(&["symbolic-ref", "-m", "checkout: moving from main to @", "HEAD", "refs/heads/@"]);
        sandbox.git(&["reset", "--quiet", "--hard"]);
        sandbox.git(&["checkout", "--quiet", "side"]);
        sandbox
    };
    as_git(["refs/heads/@", "@", "@{-1}", "-", "@{-1}~0", "@{-1}@{0}"], on_it);
    let mut sandbox = on_it();
    let expected = on_it().git_output(&["switch", "-c", "@"]);
    let error = sandbox.calling("git_checkout", json!({"create_branch": "@"})).approved().unwrap_err();
    assert_eq!(error.message, String::from_utf8(expected.stderr).unwrap().trim_end());
    sandbox.calling("git_checkout", json!({"branch": "-"})).approved().unwrap();
    let mut twin = on_it();
    twin.git(&["switch", "-"]);
    for state in [vec!["symbolic-ref", "HEAD"], vec!["ls-files", "--stage"], vec!["status"], vec!["for-each-ref"]] {
        assert_eq!(sandbox.git(&state), twin.git(&state), "{state:?}");
    }
}

/// Checks that the list of branches and the status describe a detached HEAD as git does.
fn head_is_named_as_by_git(sandbox: &mut Sandbox, from: &str) {
    let git = sandbox.git_output(&["branch", "-v"]);
    let listed = sandbox.ok("git_branch", json!({})).text;
    let (list, said) = listed.split_once("[stderr]\n").unwrap_or((&listed, ""));
    let expected = [git.stdout, git.stderr].map(|text| String::from_utf8(text).unwrap());
    assert_eq!([list, said].map(str::trim_end), expected.each_ref().map(|text| text.trim_end()), "{from}");
    let expected = sandbox.git(&["status"]);
    assert_eq!(sandbox.ok("git_status", json!({"porcelain": false})).text, expected, "{from}");
}

#[test]
fn a_log_can_say_that_head_was_switched_to_what_is_half_a_name() {
    for name in ["@", "@@{0}", "@{-1}", "@{-1}x", "x@{-1}", "@{-9}", "@{u}", "side@{u}", "side@{u}x", "HEAD"] {
        let mut sandbox = doubtful().0;
        sandbox.git(&["branch", "--quiet", "--set-upstream-to=main", "side"]);
        sandbox.git(&["branch", "mainx", "HEAD~1"]);
        sandbox.git(&["checkout", "--quiet", "--detach", "HEAD~1"]);
        let message = format!("checkout: moving from main to {name}");
        sandbox.git(&["update-ref", "--no-deref", "-m", &message, "HEAD", "main"]);
        head_is_named_as_by_git(&mut sandbox, name);
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
            head_is_named_as_by_git(&mut sandbox, name);
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
