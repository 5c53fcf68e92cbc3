use serde_json::{Value, json};

use crate::answer::{Answer, Answers};
use crate::dispatch::{Finished, Step};
use crate::error::{ErrorKind, ToolError};
use crate::options::{GitSettings, Options};
use crate::testing::Sandbox;

/// Makes a call, and approves every question. Every operation but a list asks one.
fn call(sandbox: &mut Sandbox, arguments: Value) -> Result<Finished, ToolError> {
    let mut answers = Answers::default();
    loop {
        match sandbox.calling("git_branch", arguments.clone()).answers(answers.clone()).step() {
            Step::Ask(question) => answers.add(question.key(), Answer::Approved),
            Step::Done(done) => return done,
        }
    }
}

fn ok(sandbox: &mut Sandbox, arguments: Value) -> Finished {
    call(sandbox, arguments.clone()).unwrap_or_else(|error| panic!("{arguments}: {error:?}"))
}

fn fail(sandbox: &mut Sandbox, arguments: Value) -> ToolError {
    call(sandbox, arguments.clone()).expect_err(&arguments.to_string())
}

/// git's error stream, without its last line feed.
fn stderr(sandbox: &mut Sandbox, arguments: &[&str]) -> String {
    let said = String::from_utf8(sandbox.git_output(arguments).stderr).unwrap();
    said.trim_end().replace(&sandbox.root().display().to_string(), "/workspace")
}

/// Two commits on `main`, a branch at the first one, a branch with a commit on top of that, and a remote-tracking branch.
fn several() -> Sandbox {
    let mut sandbox = Sandbox::with_two_commits();
    sandbox.git(&["branch", "old", "HEAD~1"]);
    sandbox.git(&["checkout", "--quiet", "-b", "topic/own", "old"]);
    sandbox.git(&["commit", "--quiet", "--allow-empty", "-m", "of its own"]);
    sandbox.git(&["checkout", "--quiet", "main"]);
    sandbox.git(&["update-ref", "refs/remotes/origin/main", "old"]);
    sandbox.git(&["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"]);
    for (key, value) in [
        ("remote.origin.url", "elsewhere"),
        ("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"),
        ("branch.topic/own.remote", "origin"),
        ("branch.topic/own.merge", "refs/heads/main"),
        ("branch.old.remote", "origin"),
        ("branch.old.merge", "refs/heads/gone"),
    ] {
        sandbox.git(&["config", key, value]);
    }
    sandbox
}

#[test]
fn t_git_branch_01_branches_are_listed_with_their_commits() {
    let mut sandbox = several();
    for (arguments, words) in [
        (json!({}), vec!["branch", "-v"]),
        (json!({"list_all": true}), vec!["branch", "-v", "-a"]),
        (json!({"list_remote": true}), vec!["branch", "-v", "-r"]),
        (json!({"list_all": true, "list_remote": true}), vec!["branch", "-v", "-a", "-r"]),
    ] {
        assert_eq!(ok(&mut sandbox, arguments).text, sandbox.git(&words), "{words:?}");
    }
    let found = ok(&mut sandbox, json!({"list_all": true})).structured();
    let id = |sandbox: &mut Sandbox, name: &str| sandbox.git(&["rev-parse", name]).trim_end().to_owned();
    let gone = json!({"name": "origin/gone", "gone": true});
    let ahead = json!({"name": "origin/main", "ahead": 1, "behind": 0, "gone": false});
    assert_eq!(
        found,
        json!({
            "operation": "list",
            "branches": [
                {"name": "main", "current": true, "remote": false, "commitId": id(&mut sandbox, "main"), "subject": "second"},
                {"name": "old", "current": false, "remote": false, "commitId": id(&mut sandbox, "old"), "subject": "first",
                    "upstream": gone},
                {"name": "topic/own", "current": false, "remote": false, "commitId": id(&mut sandbox, "topic/own"),
                    "subject": "of its own", "upstream": ahead},
                {"name": "origin/HEAD", "current": false, "remote": true, "commitId": id(&mut sandbox, "old"), "subject": "first",
                    "symbolic": "refs/remotes/origin/main"},
                {"name": "origin/main", "current": false, "remote": true, "commitId": id(&mut sandbox, "old"), "subject": "first"},
            ],
            "current": "main", "truncated": false, "untrusted": true,
        })
    );
}

#[test]
fn t_git_branch_02_a_branch_begins_where_head_is() {
    let mut sandbox = Sandbox::with_two_commits();
    let head = sandbox.git(&["rev-parse", "HEAD"]).trim_end().to_owned();
    let made = ok(&mut sandbox, json!({"create": "new"}));
    assert_eq!(
        (made.text.as_str(), made.structured()),
        ("", json!({"operation": "create", "name": "new", "commitId": head}))
    );
    assert_eq!(sandbox.git(&["reflog", "-1", "--format=%gs", "new"]), "branch: Created from main\n");
    assert_eq!(sandbox.git(&["rev-parse", "new", "HEAD"]), format!("{head}\n{head}\n"));
    let error = fail(&mut sandbox, json!({"create": "new"}));
    assert_eq!(
        (error.kind, error.message.as_str()),
        (ErrorKind::Conflict, "fatal: a branch named 'new' already exists")
    );
}

#[test]
fn t_git_branch_03_a_branch_is_deleted_with_its_log_and_what_is_configured_for_it() {
    let mut sandbox = several();
    let error = fail(&mut sandbox, json!({"delete": "topic/own"}));
    assert_eq!(error.message, stderr(&mut sandbox, &["branch", "-d", "topic/own"]));
    assert!(
        error.message.starts_with("error: the branch 'topic/own' is not fully merged\nhint: ")
            && !error.hint.is_empty()
    );
    let short = sandbox.git(&["rev-parse", "--short", "topic/own"]);
    let deleted = ok(&mut sandbox, json!({"force_delete": "topic/own"}));
    assert_eq!(deleted.text, format!("Deleted branch topic/own (was {}).\n", short.trim_end()));
    assert_eq!(deleted.structured()["operation"], "force_delete");
    assert!(!sandbox.exists(".git/logs/refs/heads/topic") && !sandbox.exists(".git/refs/heads/topic"));
    assert!(!String::from_utf8(sandbox.read(".git/config")).unwrap().contains("topic/own"));
    sandbox.git(&["pack-refs", "--all"]);
    ok(&mut sandbox, json!({"delete": "old"}));
    assert_eq!(sandbox.git(&["for-each-ref", "--format=%(refname)", "refs/heads"]), "refs/heads/main\n");
    sandbox.git(&["fsck", "--strict"]);
}

#[test]
fn t_git_branch_04_rename_requires_a_new_name_and_comes_first() {
    let mut sandbox = several();
    let before = sandbox.tree();
    // Whatever else the call contains, and wherever it works.
    for arguments in [
        json!({"rename": "old"}),
        json!({"rename": "old", "delete": "old", "create": "x"}),
        json!({"rename": "", "working_dir": "nowhere"}),
    ] {
        let error = fail(&mut sandbox, arguments);
        assert_eq!((error.kind, error.message.as_str()), (ErrorKind::BadArgs, "rename requires new_name"));
    }
    assert_eq!(sandbox.tree(), before);
    let all =
        json!({"rename": "old", "new_name": "older", "force_delete": "topic/own", "delete": "main", "create": "x"});
    let renamed = ok(&mut sandbox, all);
    assert_eq!(renamed.text, "");
    assert_eq!((&renamed.structured()["name"], &renamed.structured()["newName"]), (&json!("old"), &json!("older")));
    let names = sandbox.git(&["for-each-ref", "--format=%(refname:short)", "refs/heads"]);
    assert_eq!(names, "main\nolder\ntopic/own\n");
    assert_eq!(sandbox.git(&["config", "branch.older.merge"]), "refs/heads/gone\n");
    ok(&mut sandbox, json!({"force_delete": "older", "delete": "main", "create": "x"}));
    let error = fail(&mut sandbox, json!({"delete": "main", "create": "x"}));
    assert_eq!(error.message, "error: cannot delete branch 'main' used by worktree at '/workspace'");
    assert_eq!(error.kind, ErrorKind::Conflict);
}

#[test]
fn the_current_branch_is_renamed_with_head_and_a_branch_without_commits_too() {
    let mut sandbox = Sandbox::with_two_commits();
    ok(&mut sandbox, json!({"rename": "main", "new_name": "trunk"}));
    assert_eq!(sandbox.git(&["status", "--porcelain", "-b"]), "## trunk\n");
    assert_eq!(
        sandbox.git(&["reflog", "-2", "--format=%gs", "trunk"]),
        "Branch: renamed refs/heads/main to refs/heads/trunk\ncommit: second\n"
    );
    let mut empty = Sandbox::with_repository();
    assert_eq!(ok(&mut empty, json!({})).text, "");
    let error = fail(&mut empty, json!({"create": "new"}));
    assert_eq!(error.message, "fatal: not a valid object name: 'main'");
    assert!(!error.hint.is_empty());
    ok(&mut empty, json!({"rename": "main", "new_name": "trunk"}));
    assert_eq!(empty.read(".git/HEAD"), b"ref: refs/heads/trunk\n");
}

#[test]
fn t_git_edge_07_names_of_any_script_keep_the_columns() {
    let mut sandbox = Sandbox::with_two_commits();
    for name in ["日本/語", "é", "e\u{301}", "😀", "long-enough-name"] {
        ok(&mut sandbox, json!({"create": name}));
    }
    let listed = ok(&mut sandbox, json!({}));
    assert_eq!(listed.text, sandbox.git(&["branch", "-v"]));
    ok(&mut sandbox, json!({"rename": "日本/語", "new_name": "中文"}));
    ok(&mut sandbox, json!({"delete": "😀"}));
    assert_eq!(ok(&mut sandbox, json!({})).text, sandbox.git(&["branch", "-v"]));
}

#[test]
fn t_git_edge_08_a_name_with_slashes_is_no_folder_of_another_branch() {
    let mut sandbox = Sandbox::with_two_commits();
    ok(&mut sandbox, json!({"create": "feature/foo"}));
    for packed in [false, true] {
        if packed {
            sandbox.git(&["pack-refs", "--all"]);
        }
        for name in ["feature", "feature/foo/bar", "main/x"] {
            let error = fail(&mut sandbox, json!({"create": name}));
            assert_eq!(error.message, stderr(&mut sandbox, &["branch", name]), "{name}");
        }
    }
    ok(&mut sandbox, json!({"rename": "feature/foo", "new_name": "feature/foo/bar"}));
    ok(&mut sandbox, json!({"rename": "feature/foo/bar", "new_name": "feature"}));
    ok(&mut sandbox, json!({"delete": "feature"}));
}

#[test]
fn t_git_sec_01_a_name_that_begins_with_a_dash_is_a_name() {
    let mut sandbox = Sandbox::with_two_commits();
    let before = sandbox.tree();
    for name in ["-x", "--", "-d", "--help", "--output=x", "-D main"] {
        for (arguments, words) in [
            (json!({"create": name}), vec!["branch", "--", name]),
            (json!({"delete": name}), vec!["branch", "-d", "--", name]),
            (json!({"force_delete": name}), vec!["branch", "-D", "--", name]),
            (json!({"rename": name, "new_name": "y"}), vec!["branch", "-m", "--", name, "y"]),
            (json!({"rename": "main", "new_name": name}), vec!["branch", "-m", "--", "main", name]),
        ] {
            assert_eq!(fail(&mut sandbox, arguments).message, stderr(&mut sandbox, &words), "{words:?}");
        }
    }
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn attack_01_nothing_in_the_place_of_a_name_is_an_option_or_runs_anything() {
    let mut sandbox = Sandbox::with_two_commits();
    let before = sandbox.tree();
    for name in [
        "--output=/workspace/x",
        "--exec=touch x",
        "--upload-pack=x",
        "-fx",
        "--set-upstream-to=main",
        "-u",
        "x -D main",
    ] {
        for field in ["create", "delete", "force_delete", "rename"] {
            let error = fail(&mut sandbox, json!({field: name, "new_name": name}));
            assert!(matches!(error.kind, ErrorKind::BadArgs | ErrorKind::NotFound), "{field} {name}: {error:?}");
        }
    }
    assert_eq!(sandbox.tree(), before);
    // Names with shell syntax are names like any other.
    ok(&mut sandbox, json!({"create": "$(touch${IFS}x);`id`|'q'&&y"}));
    assert!(!sandbox.exists("x"));
}

#[test]
fn attack_06_nothing_is_written_or_removed_outside_of_the_branches() {
    let mut sandbox = several();
    sandbox.git(&["tag", "v1"]);
    let all = |sandbox: &Sandbox| {
        let mut tree = sandbox.tree();
        tree.retain(|path, _| {
            !path.starts_with("/workspace/.git/refs/heads") && !path.starts_with("/workspace/.git/logs/")
        });
        tree
    };
    let before = all(&sandbox);
    let names = [
        "../../config",
        "x/../../../config",
        "../tags/v1",
        "../../../a",
        "/etc/passwd",
        "refs/heads/../../config",
        "..",
        ".",
        "x/..",
        "./x",
        "a\0b",
        "a\\..\\..\\config",
        "C:/x",
        "../remotes/origin/main",
        "../../HEAD",
        "HEAD",
        "@",
        "",
        "/",
        "x/",
        "x//y",
        "x.lock",
    ];
    for name in names {
        for (field, new_name) in
            [("create", ""), ("delete", ""), ("force_delete", ""), ("rename", "y"), ("rename", name)]
        {
            let old = if new_name == name { "old" } else { name };
            let field_value = if field == "rename" { old } else { name };
            let called = call(&mut sandbox, json!({field: field_value, "new_name": new_name}));
            let is_plain = name == "@";
            assert!(called.is_err() || is_plain, "{field} {name:?}");
            assert_eq!(all(&sandbox).keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>(), "{field} {name:?}");
        }
    }
    // Device names of other systems are ordinary files here.
    for name in ["con", "NUL", "aux/COM1", "lpt1.txt"] {
        ok(&mut sandbox, json!({"create": name}));
        assert!(sandbox.exists(&format!(".git/refs/heads/{name}")));
        ok(&mut sandbox, json!({"delete": name}));
    }
    sandbox.git(&["fsck", "--strict"]);
}

#[test]
fn a_symbolic_branch_that_leads_out_of_the_refs_is_not_followed() {
    let mut sandbox = Sandbox::with_two_commits();
    let config = sandbox.read(".git/config");
    for target in ["../../config", "refs/heads/../../config", "refs/../config", "/etc/passwd", "config"] {
        sandbox.write(".git/refs/heads/sym", format!("ref: {target}\n"));
        assert!(call(&mut sandbox, json!({"create": "sym"})).is_err(), "{target}");
        assert_eq!(ok(&mut sandbox, json!({})).text, sandbox.git(&["branch", "-v"]), "{target}");
        ok(&mut sandbox, json!({"force_delete": "sym"}));
        assert_eq!(sandbox.read(".git/config"), config, "{target}");
    }
}

#[test]
fn a_commit_that_only_git_reads_does_not_stop_a_list() {
    let mut sandbox = Sandbox::with_two_commits();
    let tree = sandbox.git(&["write-tree"]).trim_end().to_owned();
    for (at, rest) in
        ["author\ncommitter\n\nodd one\n", "\n\n\nno people\n", "", "author x <y> 99999999999999999999 +0\n\nx\n"]
            .iter()
            .enumerate()
    {
        sandbox.write("commit", format!("tree {tree}\n{rest}"));
        let id = sandbox.git(&["hash-object", "-t", "commit", "-w", "--literally", "commit"]);
        sandbox.write(&format!(".git/refs/heads/odd{at}"), id);
    }
    let theirs = sandbox.git_output(&["branch", "-v"]);
    let text = String::from_utf8(theirs.stdout).unwrap();
    let said = String::from_utf8(theirs.stderr).unwrap();
    let expected = if said.is_empty() { text } else { format!("{text}\n\n[stderr]\n{said}") };
    assert_eq!(ok(&mut sandbox, json!({})).text, expected);
}

/// `count` packed branches at one commit, and a list that may take `max_bytes`.
fn many(count: usize, max_bytes: usize) -> Sandbox {
    let git = GitSettings { max_bytes, ..GitSettings::default() };
    let mut sandbox = Sandbox::with(Options { git, ..Options::default() }, &[]);
    sandbox.git(&["init", "--quiet", "-b", "main"]);
    sandbox.git(&["commit", "--quiet", "--allow-empty", "-m", "only"]);
    let id = sandbox.git(&["rev-parse", "HEAD"]).trim_end().to_owned();
    let lines: String = (0..count).map(|number| format!("{id} refs/heads/b{number:06}\n")).collect();
    sandbox.write(".git/packed-refs", format!("# pack-refs with: peeled fully-peeled sorted \n{lines}"));
    sandbox
}

#[test]
fn t_git_common_03_a_long_list_is_cut_and_says_how_much_is_missing() {
    let mut sandbox = many(5000, 2000);
    sandbox.git(&["branch", "z-a-name-that-is-longer-than-the-others"]);
    let listed = ok(&mut sandbox, json!({}));
    assert!(listed.truncated && listed.text.len() <= 2000);
    let whole = listed.text.strip_suffix("\n\n... [output truncated]").unwrap();
    assert!(sandbox.git(&["branch", "-v"]).starts_with(whole));
    let structured = listed.structured();
    let branches = structured["branches"].as_array().unwrap().len();
    assert!(branches > 3 && serde_json::to_string(&structured["branches"]).unwrap().len() <= 2000);
    assert_eq!(structured["branchesOmitted"], 5002 - branches);
    assert!(structured["hint"].is_string());
}

#[test]
fn attack_21_a_list_of_many_refs_ends_when_its_time_is_over() {
    let mut sandbox = many(20_000, 200_000);
    for arguments in [json!({}), json!({"list_all": true}), json!({"create": "x/y"}), json!({"delete": "b000001"})] {
        let mut answers = Answers::default();
        let asked = sandbox.calling("git_branch", arguments.clone()).step();
        if let Step::Ask(question) = asked {
            answers.add(question.key(), Answer::Approved);
        }
        let done = sandbox.calling("git_branch", arguments.clone()).answers(answers).out_of_time().done();
        assert!(matches!(done.unwrap_err().kind, ErrorKind::Timeout { .. }), "{arguments}");
    }
    assert!(!sandbox.exists(".git/refs/heads/x"));
}

#[test]
fn t_git_common_02_a_list_asks_nobody_and_a_change_asks() {
    let mut sandbox = Sandbox::with_two_commits();
    assert!(matches!(sandbox.calling("git_branch", json!({})).step(), Step::Done(Ok(_))));
    let before = sandbox.tree();
    for arguments in [json!({"create": "x"}), json!({"delete": "main"}), json!({"rename": "main", "new_name": "x"})] {
        assert!(matches!(sandbox.calling("git_branch", arguments).step(), Step::Ask(_)));
    }
    assert_eq!(sandbox.tree(), before);
}
