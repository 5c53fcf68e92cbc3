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
fn what_is_not_there_is_said_in_git_s_words() {
    let mut sandbox = Sandbox::with_two_commits();
    for named in ["nowhere", "HEAD:nothing", "nowhere:a", "HEAD~9", ":b", ":2:a", "sub/b"] {
        let error = sandbox.fail("git_show", json!({"commit": named}));
        assert_eq!(error.kind, ErrorKind::NotFound);
        // A file in the place of a revision: git is told that it is none.
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
