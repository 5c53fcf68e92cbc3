use serde_json::{Value, json};

use crate::error::ErrorKind;
use crate::testing::Sandbox;

fn text(sandbox: &mut Sandbox, arguments: Value) -> String {
    sandbox.ok("git_show", arguments).text
}

#[test]
fn t_git_show_01_a_commit_and_what_it_changes() {
    let mut sandbox = Sandbox::with_two_commits();
    let shown = text(&mut sandbox, json!({}));
    assert_eq!(shown, sandbox.git(&["show"]));
    assert!(shown.contains("    second\n\ndiff --git a/a b/a\n"));
    let structured = sandbox.ok("git_show", json!({})).structured();
    let files: Vec<&str> = structured["commits"][0]["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["path"].as_str().unwrap())
        .collect();
    assert_eq!(files, ["/workspace/a", "/workspace/sub/b"]);
    assert_eq!(structured["commits"][0]["files"][1]["added"], 1);
    assert_eq!(structured["untrusted"], true);
}

#[test]
fn t_git_show_02_name_only_goes_before_stat() {
    let mut sandbox = Sandbox::with_two_commits();
    let names = text(&mut sandbox, json!({"name_only": true, "stat": true, "format": ""}));
    assert_eq!(names, "a\nsub/b\n");
    let stat = text(&mut sandbox, json!({"stat": true, "format": "%s"}));
    assert!(stat.starts_with("second\n\n a     | 2 +-\n sub/b | 1 +\n"));
}

#[test]
fn t_git_int_08_a_commit_in_a_format_of_one_s_own() {
    let mut sandbox = Sandbox::with_two_commits();
    assert_eq!(
        text(&mut sandbox, json!({"commit": "HEAD~1", "name_only": true, "format": "%an: %s"})),
        "A U Thor: first\n\na\n"
    );
}

/// `git reflog delete` leaves a gap: the next line names another commit as its previous one.
#[test]
fn an_entry_of_a_log_is_what_git_takes_for_it_also_beside_a_gap() {
    for gone in 0..4 {
        let mut sandbox = Sandbox::with_two_commits();
        for number in 0..3 {
            sandbox.git(&["commit", "--quiet", "--allow-empty", "-m", &number.to_string()]);
        }
        sandbox.git(&["reflog", "delete", &format!("HEAD@{{{gone}}}")]);
        for at in 0..5 {
            let named = format!("HEAD@{{{at}}}");
            let git = sandbox.git_output(&["show", "--quiet", "--format=%s", &named]);
            let ours =
                sandbox.calling("git_show", json!({"commit": named, "name_only": true, "format": "%s"})).approved();
            let ours = ours.map(|done| done.text.lines().next().unwrap_or_default().to_owned()).unwrap_or_default();
            assert_eq!(ours, String::from_utf8_lossy(&git.stdout).trim_end(), "{named} without {gone}");
        }
    }
}

#[test]
fn t_git_edge_16_a_merge_shows_what_it_has_made_of_all_parents() {
    let mut sandbox = Sandbox::with_two_commits();
    sandbox.git(&["checkout", "--quiet", "-b", "side", "HEAD~1"]);
    sandbox.write("a", "side\n");
    sandbox.git(&["commit", "--quiet", "-am", "other"]);
    sandbox.git(&["checkout", "--quiet", "main"]);
    sandbox.git_output(&["merge", "--quiet", "side"]);
    sandbox.write("a", "both\n");
    sandbox.git(&["commit", "--quiet", "-am", "merged"]);
    let shown = text(&mut sandbox, json!({}));
    assert_eq!(shown, sandbox.git(&["show"]));
    assert!(shown.contains("\nMerge: ") && shown.contains("diff --cc a\n") && shown.contains("++both\n"));
    let structured = sandbox.ok("git_show", json!({})).structured();
    assert_eq!(structured["commits"][0]["parents"].as_array().unwrap().len(), 2);
    assert_eq!(structured["commits"][0]["files"], json!([{"path": "/workspace/a", "status": "modified"}]));
}

#[test]
fn tags_trees_and_files_are_shown_as_what_they_are() {
    let mut sandbox = Sandbox::with_two_commits();
    sandbox.git(&["tag", "-a", "v1", "-m", "The first"]);
    let tag = text(&mut sandbox, json!({"commit": "v1", "name_only": true}));
    assert!(tag.starts_with("tag v1\nTagger: C O Mitter <committer@example.com>\n"));
    assert!(tag.contains("\nThe first\n\ncommit ") && tag.ends_with("\na\nsub/b\n"));
    assert_eq!(text(&mut sandbox, json!({"commit": "HEAD:"})), "tree HEAD:\n\na\nsub/\n");
    assert_eq!(text(&mut sandbox, json!({"commit": "HEAD~1:a"})), "one\n");
    let structured = sandbox.ok("git_show", json!({"commit": "HEAD~1:a"})).structured();
    assert_eq!(structured["blob"]["size"], 4);
    let structured = sandbox.ok("git_show", json!({"commit": "HEAD^{tree}"})).structured();
    assert_eq!(structured["names"], json!(["a", "sub/"]));
}

#[test]
fn a_file_at_a_revision_comes_in_base64_or_is_said_to_be_cut() {
    let mut sandbox = Sandbox::with_two_commits();
    let id = sandbox.git(&["rev-parse", "HEAD~1:a"]);
    for name in ["HEAD~1:a", id.trim()] {
        let shown = sandbox.ok("git_show", json!({"commit": name, "base64": true}));
        assert_eq!((shown.text.as_str(), &shown.structured()["blob"]["content"]), ("", &json!("b25lCg==")));
        assert!(!shown.truncated && shown.structured()["truncated"] == false);
    }
    let cut = sandbox.ok("git_show", json!({"commit": "HEAD~1:a", "base64": true, "max_bytes": 7})).structured();
    assert_eq!((&cut["truncated"], cut["blob"].get("content")), (&json!(true), None));
    assert!(sandbox.ok("git_show", json!({"commit": "HEAD~1:a"})).structured()["blob"].get("content").is_none());
}

#[test]
fn what_is_not_there_is_said_in_git_s_words() {
    let mut sandbox = Sandbox::with_two_commits();
    for named in ["nowhere", "HEAD:nothing", "nowhere:a", "HEAD~9", ":b", ":2:a", "sub/b"] {
        let error = sandbox.fail("git_show", json!({"commit": named}));
        assert_eq!(error.kind, ErrorKind::NotFound);
        // git needs `--` to know that a file's name is meant as a revision.
        let arguments: &[&str] = if named == "sub/b" { &["show", named, "--"] } else { &["show", named] };
        let theirs = sandbox.git_output(arguments).stderr;
        assert_eq!(error.message, String::from_utf8(theirs).unwrap().trim_end(), "{named}");
    }
    let error = sandbox.fail("git_show", json!({"format": "nonsense"}));
    assert_eq!(error.message, "fatal: invalid --pretty format: nonsense");
}

#[test]
fn t_git_common_03_a_show_that_is_cut_names_the_paths_that_are_missing() {
    let mut sandbox = Sandbox::with_repository();
    for number in 0..20 {
        sandbox.write(&format!("file-{number:02}"), "line\n".repeat(20));
    }
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "--quiet", "-m", "many"]);
    let shown = sandbox.ok("git_show", json!({"max_bytes": 1000}));
    assert!(shown.truncated && shown.text.len() <= 1000 && shown.text.ends_with("... [output truncated]"));
    let omitted = shown.structured()["omitted"].as_array().unwrap().clone();
    let whole = shown.text.matches("\ndiff --git").count() - 1;
    assert_eq!(omitted.len(), 20 - whole);
    assert_eq!(omitted[0], format!("/workspace/file-{whole:02}"));
}

/// Two histories joined by a merge, with a reflog and a local branch as upstream.
fn merged() -> Sandbox {
    let mut sandbox = Sandbox::with_two_commits();
    sandbox.git(&["checkout", "--quiet", "-b", "feature-main", "HEAD~1"]);
    for content in ["1\n", "2\n"] {
        sandbox.write("c", content);
        sandbox.git(&["add", "-A"]);
        sandbox.git(&["commit", "--quiet", "-m", content]);
    }
    sandbox.git(&["checkout", "--quiet", "main"]);
    sandbox.git(&["merge", "--quiet", "--no-edit", "feature-main"]);
    sandbox.write("a", "three\n");
    sandbox.git(&["commit", "--quiet", "-am", "last"]);
    sandbox.git(&["tag", "-m", "a tag", "v1", "HEAD~1"]);
    sandbox.git(&["branch", "both"]);
    sandbox.git(&["tag", "both", "HEAD~2"]);
    sandbox.git(&["config", "branch.main.remote", "."]);
    sandbox.git(&["config", "branch.main.merge", "refs/heads/feature-main"]);
    sandbox
}

/// Asserts that show, diff and blame treat a revision as git does.
fn assert_as_git(sandbox: &mut Sandbox, named: &str) {
    let blame = json!({"path": "a", "commit": named});
    for (tool, arguments, git) in [
        ("git_show", json!({"commit": named, "format": "%S %m %h"}), vec!["show", "--format=%S %m %h", named]),
        ("git_diff", json!({"from_ref": named}), vec!["diff", named]),
        ("git_blame", blame, vec!["blame", named, "--", "a"]),
    ] {
        // git_diff refuses to guess what a diff of these means.
        if tool == "git_diff" && named.ends_with(['!', '@']) {
            continue;
        }
        let theirs = sandbox.git_output(&git);
        let [text, stderr] = [theirs.stdout, theirs.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        let expected = match (theirs.status.success(), stderr.is_empty()) {
            (true, true) => Ok(text),
            (true, false) => Ok(format!("{text}\n\n[stderr]\n{stderr}")),
            (false, _) => Err(stderr.trim_end().to_owned()),
        };
        let ours = sandbox.call(tool, arguments).map(|done| done.text).map_err(|error| error.message);
        assert_eq!(ours, expected, "{tool} {named}");
    }
}

#[test]
fn a_commit_without_one_of_its_parents_may_be_named_by_steps() {
    let mut sandbox = merged();
    for named in [
        "main^-",
        "HEAD~1^-",
        "HEAD~1^-1",
        "HEAD~1^-2",
        "main^^-",
        "main~2^-",
        "main^^2^-",
        "v1^-",
        "v1^-2",
        "v1~1^-",
        "both^-",
        "both^!",
        "both^@",
        "both~1^-",
        "both^!",
        "both^@",
        "both~1^-",
        "@^-1",
        "main@{0}^-",
        "main@{1}^-",
        "main@{u}^-",
        "main^-2",
        "main^-0",
        "main^--1",
        "main^-x",
        "main~3^-",
        "both~9^-",
        "nowhere^-",
        "HEAD^{tree}^-",
        "HEAD:a^-",
        "main^-^-",
        "HEAD~1^!",
        "main^^@",
        "main^^@",
    ] {
        assert_as_git(&mut sandbox, named);
    }
}

#[test]
fn both_sides_of_a_range_may_name_a_log_or_an_upstream() {
    let mut sandbox = merged();
    for named in [
        "main@{0}..main@{0}",
        "main@{1}..main@{0}",
        "main@{0}...main@{1}",
        "main@{u}",
        "main@{u}~1",
        "@{u}",
        "HEAD@{u}",
        "feature-main@{1}..main@{1}",
        "main@{1}..feature-main@{1}",
        "feature-main@{1}..feature-main@{1}",
        "main@{u}..main",
        "main..main@{u}",
        "main@{u}..main@{u}",
        "main@{upstream}...main@{u}",
        "main@{u}..main@{1}",
        "main@{u}..",
        "..main@{u}",
        "main@{9}..main@{1}",
        "feature-main@{u}..main@{u}",
    ] {
        assert_as_git(&mut sandbox, named);
    }
}

#[test]
fn the_latest_entry_of_an_empty_log_is_where_the_ref_is() {
    let mut sandbox = merged();
    for log in ["HEAD", "refs/heads/main"] {
        sandbox.write(&format!(".git/logs/{log}"), "");
    }
    let names =
        ["main@{0}", "HEAD@{0}", "HEAD@{0}~1", "main@{0}^-", "HEAD@{0}^-5", "main@{1}", "HEAD@{1}..main", "@{0}"];
    for named in names.iter().chain(&["@{1}", "@{0}~1"]) {
        assert_as_git(&mut sandbox, named);
    }
    for named in ["main@{0}..both@{u}", "nowhere..both", "both..nowhere@{u}"] {
        assert_as_git(&mut sandbox, named);
    }
}

/// Also with a detached HEAD.
#[test]
fn without_a_name_the_log_need_not_be_there_and_head_goes_on_with_its_branch_s() {
    let names = ["@{0}", "@{1}", "@{9}", "@{0}~1", "HEAD@{0}", "HEAD@{1}", "HEAD@{9}", "main@{1}", "main@{9}"];
    for logs in [&["HEAD", "refs/heads/main"][..], &["HEAD"], &["refs/heads/main"], &[]] {
        for is_detached in [false, true] {
            let mut sandbox = merged();
            if is_detached {
                sandbox.git(&["checkout", "--quiet", "--detach"]);
            }
            for log in logs {
                std::fs::remove_file(sandbox.real(&format!("/workspace/.git/logs/{log}"))).unwrap();
            }
            for named in names {
                assert_as_git(&mut sandbox, named);
            }
        }
    }
}

#[test]
fn refs_that_lead_to_one_another_have_no_log() {
    let mut sandbox = merged();
    sandbox.git(&["symbolic-ref", "refs/heads/x", "refs/heads/y"]);
    sandbox.git(&["symbolic-ref", "refs/heads/y", "refs/heads/x"]);
    for named in ["x@{0}", "y@{1}", "x@{1}..main"] {
        assert_as_git(&mut sandbox, named);
    }
}

#[test]
fn lines_of_a_log_that_are_none_are_not_counted() {
    let mut sandbox = merged();
    for log in [".git/logs/HEAD", ".git/logs/refs/heads/main"] {
        let lines = sandbox.read(log);
        sandbox.write(log, [&b"what\n"[..], &lines, b"no line\n"].concat());
    }
    for number in 0..9 {
        for name in ["", "HEAD", "main"] {
            assert_as_git(&mut sandbox, &format!("{name}@{{{number}}}"));
        }
    }
}

#[test]
fn a_tag_names_an_object_of_the_type_that_it_says() {
    let mut sandbox = Sandbox::with_two_commits();
    sandbox.git(&["tag", "-m", "a tag", "good"]);
    let id = |sandbox: &mut Sandbox, named: &str| sandbox.git(&["rev-parse", named]).trim_end().to_owned();
    let ids = ["HEAD", "HEAD:", "HEAD:a", "good"].map(|named| id(&mut sandbox, named));
    let mut tags = Vec::new();
    for id in ids.iter().chain([&"12".repeat(20)]) {
        for kind in ["commit", "tree", "blob", "tag", "thing", "a type that is too long"] {
            tags.push(format!("object {id}\ntype {kind}\ntag x\ntagger A <a@x> 1 +0000\n\nmessage\n"));
        }
    }
    let [head, ..] = &ids;
    for header in [
        format!("type commit\nobject {head}\ntag x\n"),
        format!("object {head}\ntag x\n"),
        format!("object {head}\ntype commit\n"),
        format!("object {head}\ntype commit\ntag x\n"),
        format!("\nobject {head}\ntype commit\ntag x\n"),
        "object 12\ntype commit\ntag x\n".to_owned(),
    ] {
        tags.push(format!("{header}\nmessage\n"));
        tags.push(header);
    }
    let mut made = |tag: &str| {
        sandbox.write("tag", tag);
        let id = sandbox.git(&["hash-object", "-t", "tag", "--literally", "-w", "tag"]);
        sandbox.write(".git/refs/tags/made", &id);
        let theirs = sandbox.git_output(&["show", "made"]);
        let [text, stderr] = [theirs.stdout, theirs.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        let expected = if theirs.status.success() { Ok(text) } else { Err(stderr.trim_end().to_owned()) };
        let ours = sandbox.call("git_show", json!({"commit": "made"}));
        assert_eq!(ours.map(|done| done.text).map_err(|error| error.message), expected, "{tag}");
        id.trim_end().to_owned()
    };
    for tag in tags {
        let id = made(&tag);
        // A tag that names the tag, too.
        made(&format!("object {id}\ntype tag\ntag y\n\nmessage\n"));
    }
}
