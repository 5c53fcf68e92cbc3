use serde_json::{Value, json};

use crate::error::ErrorKind;
use crate::testing::Sandbox;

/// A repository with one commit of `a` and `sub/b`, which origin has too.
fn committed() -> Sandbox {
    let mut sandbox = Sandbox::with_repository();
    sandbox.write("a", "one\n");
    sandbox.write("sub/b", "two\n");
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "--quiet", "-m", "first"]);
    sandbox.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    sandbox
}

fn text(sandbox: &mut Sandbox, arguments: Value) -> String {
    sandbox.ok("git_status", arguments).text
}

#[test]
fn t_git_status_01_porcelain_is_the_default() {
    let mut sandbox = committed();
    sandbox.write("a", "changed\n");
    sandbox.write("new/c", "");
    assert_eq!(text(&mut sandbox, json!({})), "## main\n M a\n?? new/\n");
    assert_eq!(text(&mut sandbox, json!({"branch": false, "untracked": false})), " M a\n");
}

#[test]
fn t_git_status_02_without_porcelain_it_is_written_for_people() {
    let mut sandbox = committed();
    sandbox.write("a", "changed\n");
    let expected = "On branch main\n\
        Changes not staged for commit:\n  \
          (use \"git add <file>...\" to update what will be committed)\n  \
          (use \"git restore <file>...\" to discard changes in working directory)\n\
        \tmodified:   ../a\n\n\
        no changes added to commit (use \"git add\" and/or \"git commit -a\")\n";
    let arguments = json!({"porcelain": false, "working_dir": "sub"});
    assert_eq!(text(&mut sandbox, arguments), expected);
}

#[test]
fn t_git_edge_01_a_repository_without_commits() {
    let mut sandbox = Sandbox::with_repository();
    assert_eq!(text(&mut sandbox, json!({})), "## No commits yet on main\n");
    assert_eq!(
        text(&mut sandbox, json!({"porcelain": false})),
        "On branch main\n\nNo commits yet\n\nnothing to commit (create/copy files and use \"git add\" to track)\n"
    );
}

#[test]
fn t_git_edge_17_a_detached_head() {
    let mut sandbox = committed();
    sandbox.git(&["checkout", "--quiet", "--detach"]);
    let short = sandbox.git(&["rev-parse", "--short", "HEAD"]);
    let short = short.trim_end();
    assert_eq!(text(&mut sandbox, json!({})), "## HEAD (no branch)\n");
    assert_eq!(
        text(&mut sandbox, json!({"porcelain": false})),
        format!("HEAD detached at {short}\nnothing to commit, working tree clean\n")
    );
    let structured = sandbox.ok("git_status", json!({})).structured();
    assert_eq!(structured["branch"], Value::Null);
}

#[test]
fn t_git_err_01_a_working_folder_that_is_none() {
    let mut sandbox = committed();
    let missing = sandbox.fail("git_status", json!({"working_dir": "nowhere"}));
    assert_eq!(missing.kind, ErrorKind::NotFound);
    let file = sandbox.fail("git_status", json!({"working_dir": "a"}));
    assert_eq!(file.kind, ErrorKind::BadArgs);
}

#[test]
fn t_git_err_02_a_folder_without_a_repository() {
    let mut sandbox = Sandbox::with(Default::default(), &[("data", true)]);
    let no_repository = sandbox.fail("git_status", json!({}));
    assert_eq!(no_repository.kind, ErrorKind::NotARepository);
    assert_eq!(no_repository.message, "Not a git repository: /workspace");
    let other_zone = sandbox.fail("git_status", json!({"working_dir": "/data"}));
    assert_eq!(other_zone.message, "Not a git repository: /data");
}

#[test]
fn t_git_sec_03_a_working_folder_outside() {
    let mut sandbox = committed();
    for outside in ["/etc", "../..", "sub/../.."] {
        let refused = sandbox.fail("git_status", json!({"working_dir": outside}));
        assert_eq!(refused.kind, ErrorKind::SandboxViolation, "{outside}");
    }
}

#[test]
fn structured_output_lists_what_is_staged_and_every_changed_file() {
    let mut sandbox = committed();
    sandbox.write("a", "staged\n");
    sandbox.write("sub/c", "x");
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "--quiet", "-m", "Second\n\nBody"]);
    sandbox.write("a", "changed\n");
    sandbox.write("new/deep/d", "12345");
    std::fs::remove_file(sandbox.real("sub/b")).unwrap();
    let structured = sandbox.ok("git_status", json!({})).structured();
    assert_eq!(
        structured["unstaged"],
        json!([
            {"path": "/workspace/a", "status": "modified", "size": 8},
            {"path": "/workspace/new/deep/d", "status": "new", "size": 5},
            {"path": "/workspace/sub/b", "status": "deleted"},
        ])
    );
    let staged = &structured["staged"][0];
    assert_eq!(staged["message"], "Second\n\nBody");
    assert_eq!(staged["fileCount"], 2);
    assert_eq!(
        staged["files"],
        json!([
            {"path": "/workspace/a", "operation": "update", "size": 7, "contentHash": "19d9cc8584ac2c7dcf57d2680375e80f099dc481"},
            {"path": "/workspace/sub/c", "operation": "create", "size": 1, "contentHash": "c1b0730e0133447badcfd47fd144e254807b06e1"},
        ])
    );
    assert_eq!(staged["createdAt"], "2026-01-01T00:00:00+00:00");
    assert_eq!(structured["branch"], "main");
    assert_eq!(structured["untrusted"], true);
}

#[test]
fn a_status_changes_nothing_and_finds_a_file_that_was_only_touched_clean() {
    let mut sandbox = committed();
    sandbox.write("a", "one\n");
    let before = sandbox.tree();
    assert_eq!(text(&mut sandbox, json!({})), "## main\n");
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn a_warm_session_sees_what_a_fresh_one_sees() {
    let mut sandbox = committed();
    for content in ["x\n", "y\n", "one\n", "longer\n"] {
        sandbox.write("a", content);
        let warm = text(&mut sandbox, json!({}));
        sandbox.session.forget();
        assert_eq!(text(&mut sandbox, json!({})), warm);
    }
}

#[test]
fn t_git_timeout_01_a_status_out_of_time_ends() {
    let mut sandbox = committed();
    for number in 0..1100 {
        sandbox.write(&format!("many/{number}"), "");
    }
    let outcome = sandbox.calling("git_status", json!({})).out_of_time().done();
    let error = outcome.expect_err("more files than are looked at without a look at the clock");
    assert!(matches!(error.kind, ErrorKind::Timeout { .. }), "{error:?}");
}

/// A repository without commits, with this size limit of results.
fn with_max_bytes(max_bytes: usize) -> Sandbox {
    let mut sandbox = Sandbox::with_repository();
    sandbox.session.options.git.max_bytes = max_bytes;
    sandbox
}

#[test]
fn neither_the_text_nor_a_list_of_files_is_larger_than_max_bytes() {
    let mut sandbox = with_max_bytes(2000);
    for number in 0..300 {
        sandbox.write(&format!("file-{number}"), "");
    }
    for porcelain in [true, false] {
        let status = sandbox.ok("git_status", json!({"porcelain": porcelain}));
        assert!(status.truncated && status.text.len() <= 2000);
        let listed = status.structured()["unstaged"].as_array().unwrap().len();
        assert_eq!(status.structured()["unstagedOmitted"], 300 - listed);
        assert!(listed > 10 && status.structured()["unstaged"].to_string().len() <= 2000 + 2);
        assert!(status.structured()["hint"].as_str().unwrap().contains("There is more than is listed"));
    }
}

#[test]
fn the_pages_of_both_lists_come_to_the_whole_in_any_budget() {
    for max_bytes in [1000, 3000, 200_000] {
        let mut sandbox = with_max_bytes(max_bytes);
        for number in 0..30 {
            sandbox.git(&["commit", "--quiet", "--allow-empty", "-m", &format!("commit {number}")]);
            sandbox.write(&format!("file-{number:02}"), "");
        }
        let (mut staged, mut unstaged) = (Vec::new(), Vec::new());
        loop {
            let page = json!({"skip_staged": staged.len(), "skip_unstaged": unstaged.len()});
            let status = sandbox.ok("git_status", page).structured();
            let named = |list: &str, by: &str| -> Vec<String> {
                status[list].as_array().unwrap().iter().map(|one| one[by].as_str().unwrap().to_owned()).collect()
            };
            staged.splice(..0, named("staged", "message"));
            unstaged.extend(named("unstaged", "path"));
            assert_eq!(status["stagedOmitted"].as_u64().unwrap_or(0), 30 - staged.len() as u64);
            assert_eq!(status["unstagedOmitted"].as_u64().unwrap_or(0), 30 - unstaged.len() as u64);
            if staged.len() + unstaged.len() == 60 {
                break;
            }
        }
        assert_eq!(staged, (0..30).map(|number| format!("commit {number}")).collect::<Vec<_>>());
        assert_eq!(unstaged, (0..30).map(|number| format!("/workspace/file-{number:02}")).collect::<Vec<_>>());
    }
}

#[test]
fn of_many_staged_commits_the_latest_are_listed_and_of_their_files_as_many_as_fit() {
    let mut sandbox = with_max_bytes(4000);
    for number in 0..40 {
        for file in 0..40 {
            sandbox.write(&format!("{number}/{file}"), "");
        }
        sandbox.git(&["add", "-A"]);
        sandbox.git(&["commit", "--quiet", "-m", &format!("commit {number}")]);
    }
    sandbox.git(&["commit", "--quiet", "--allow-empty", "-m", &"x".repeat(100_000)]);
    let status = sandbox.ok("git_status", json!({})).structured();
    let staged = status["staged"].as_array().unwrap();
    assert!(status["staged"].to_string().len() <= 4000 + 2);
    assert_eq!(status["stagedOmitted"], 41 - staged.len());
    assert!(staged[staged.len() - 1]["message"].as_str().unwrap().starts_with("xxx"));
    assert_eq!(staged[staged.len() - 2]["message"], "commit 39");
    for commit in &staged[..staged.len() - 1] {
        assert_eq!(commit["fileCount"], 40);
        let omitted = commit["filesOmitted"].as_u64().unwrap_or(0);
        assert_eq!(omitted, 40 - commit["files"].as_array().unwrap().len() as u64);
    }
}
