//! Verification cases (SRD, section 5) of the reading tools. `git_status` and `git_diff` often stand for all of them.
//!
//! The SRD speaks of processes, which do not exist here. Where it kills a process, these tests let a call time out at its next poll of the
//! clock. There is no process group, no shell and no environment.

use std::fs;

use serde_json::{Value, json};

use crate::error::{ErrorKind, Timeout};
use crate::testing::{Sandbox, git};

fn text(sandbox: &mut Sandbox, tool: &str, arguments: Value) -> String {
    sandbox.ok(tool, arguments).text
}

#[test]
fn t_git_err_03_and_timeout_02_what_was_found_in_time_is_in_the_error() {
    let mut sandbox = Sandbox::with_two_commits();
    for number in 0..60 {
        sandbox.write(&format!("many/{number}"), format!("{number}\n").repeat(50));
    }
    sandbox.git(&["add", "-A"]);
    partial_is_what_was_found(&mut sandbox, "git_diff", json!({"cached": true}));
    sandbox.git(&["commit", "--quiet", "-m", "many"]);
    for (tool, arguments) in [
        ("git_diff", json!({"from_ref": "HEAD~1", "to_ref": "HEAD"})),
        ("git_show", json!({})),
        ("git_show", json!({"commit": "HEAD~1..HEAD"})),
        ("git_show", json!({"commit": "HEAD~2..HEAD"})),
    ] {
        partial_is_what_was_found(&mut sandbox, tool, arguments);
    }
    // A long history, and a file whose every line comes from another one of its last commits.
    let mut stream = String::new();
    for number in 0_usize..1500 {
        let file: String = (0..=number.saturating_sub(1200)).map(|line| format!("{line}\n")).collect();
        stream.push_str(&format!(
            "commit refs/heads/long\ncommitter C <c> {number} +0000\ndata 1\nx\nM 644 inline f\ndata {}\n{file}\n",
            file.len()
        ));
    }
    super::oracle::import(&mut sandbox, stream.as_bytes());
    sandbox.git(&["checkout", "--quiet", "long"]);
    partial_is_what_was_found(&mut sandbox, "git_log", json!({}));
    partial_is_what_was_found(&mut sandbox, "git_blame", json!({"path": "f"}));
}

/// Finds the longest time in which the call still times out, and asserts that the partial text is a prefix of the whole text.
fn partial_is_what_was_found(sandbox: &mut Sandbox, tool: &str, arguments: Value) {
    let whole = text(sandbox, tool, arguments.clone());
    let before = sandbox.tree();
    // More time gives more output.
    let mut outcome = |looks| sandbox.calling(tool, arguments.clone()).out_of_time_after(looks).done();
    let enough = (0..).map(|power| 1 << power).find(|looks| outcome(*looks).is_ok()).expect("it ends some time");
    let (mut fails, mut ends) = (enough / 2, enough);
    while ends - fails > 1 {
        let middle = fails + (ends - fails) / 2;
        if outcome(middle).is_ok() { ends = middle } else { fails = middle }
    }
    assert_eq!(outcome(ends).unwrap().text, whole);
    let error = outcome(fails).unwrap_err();
    let ErrorKind::Timeout(Timeout { partial, .. }) = error.kind else { panic!("{error:?}") };
    assert!(!partial.is_empty() && whole.starts_with(&partial), "{tool} {arguments}: {partial}");
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn t_git_sec_05_a_link_that_leads_outside_is_refused() {
    let mut sandbox = Sandbox::with_two_commits();
    sandbox.symlink("/etc", "out");
    let refused = |sandbox: &mut Sandbox, tool: &str, arguments: Value| {
        let error = sandbox.fail(tool, arguments);
        assert_eq!(error.kind, ErrorKind::SandboxViolation, "{error:?}");
    };
    refused(&mut sandbox, "git_status", json!({"working_dir": "out"}));
    refused(&mut sandbox, "git_diff", json!({"working_dir": "out", "cached": true}));
    let refs = json!({"from_ref": "HEAD~1", "to_ref": "HEAD", "output_dir": "out/patches"});
    refused(&mut sandbox, "git_diff", refs);
}

#[test]
fn t_git_sec_04_no_patch_is_written_outside() {
    let mut sandbox = Sandbox::with_two_commits();
    let before = sandbox.tree();
    for outside in ["../patches", "/etc/patches", "sub/../../patches", "/workspace/../patches"] {
        let refs = json!({"from_ref": "HEAD~1", "to_ref": "HEAD", "output_dir": outside});
        let error = sandbox.fail("git_diff", refs);
        assert_eq!(error.kind, ErrorKind::SandboxViolation, "{outside}: {error:?}");
    }
    let refs = json!({"from_ref": "HEAD~1", "to_ref": "HEAD", "output_dir": ".git/patches"});
    sandbox.fail("git_diff", refs);
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn t_git_sec_07_nothing_here_reads_an_environment() {
    let mut folders = vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let is_test = ["oracle", "oracle.rs", "testing", "tests", "tests.rs", "rules_spec", "scripts_spec.rs"]
                .iter()
                .any(|name| path.ends_with(name));
            match path.is_dir() {
                _ if is_test || path.ends_with("reading_spec.rs") => {}
                true => folders.push(path),
                false => {
                    let source = fs::read_to_string(&path).unwrap();
                    assert!(!source.contains("env::var"), "{}", path.display());
                    files += 1;
                }
            }
        }
    }
    assert!(files > 100, "the sources were found");
}

#[test]
fn t_git_common_01_what_git_says_on_its_error_stream_follows_the_text() {
    let mut sandbox = Sandbox::with_two_commits();
    sandbox.git(&["branch", "both", "HEAD~1"]);
    sandbox.git(&["tag", "both", "HEAD~1"]);
    let names = text(&mut sandbox, "git_diff", json!({"from_ref": "both", "to_ref": "HEAD", "name_only": true}));
    assert_eq!(names, "a\nsub/b\n\n\n[stderr]\nwarning: refname 'both' is ambiguous.\n");
}

#[test]
fn t_git_common_04_a_list_of_patches_is_json() {
    let mut sandbox = Sandbox::with_two_commits();
    let arguments = json!({"from_ref": "HEAD~1", "to_ref": "HEAD", "output_dir": "out", "stat": true});
    let finished = sandbox.ok("git_diff", arguments);
    let parsed: Value = serde_json::from_str(&finished.text).unwrap();
    assert_eq!(parsed, json!({"patches": ["a.patch", "sub__b.patch"]}));
    let expected = sandbox.git(&["diff", "HEAD~1", "HEAD", "--", "a"]);
    assert_eq!(sandbox.read("out/a.patch"), expected.as_bytes(), "patches are patches, whatever form was asked for");
}

#[test]
fn t_git_edge_18_a_shallow_clone() {
    let mut origin = Sandbox::with_two_commits();
    origin.write("a", "three\n");
    origin.git(&["commit", "--quiet", "-a", "-m", "third"]);
    let mut sandbox = Sandbox::new();
    let url = format!("file://{}", origin.root().display());
    let cloned = git(&sandbox.root(), &["clone", "--quiet", "--depth", "2", &url, "."]);
    assert!(cloned.status.success());
    sandbox.write("a", "four\n");
    let status = sandbox.git(&["status", "--porcelain", "-b"]);
    assert_eq!(text(&mut sandbox, "git_status", json!({})), status);
    for from in ["HEAD", "HEAD~1"] {
        let expected = sandbox.git(&["diff", from]);
        assert_eq!(text(&mut sandbox, "git_diff", json!({"from_ref": from})), expected);
    }
    let expected = sandbox.git(&["diff", "HEAD~1...HEAD"]);
    assert_eq!(text(&mut sandbox, "git_diff", json!({"from_ref": "HEAD~1...HEAD"})), expected);
    let beyond = sandbox.git_output(&["diff", "HEAD~2"]).stderr;
    let error = sandbox.fail("git_diff", json!({"from_ref": "HEAD~2"}));
    assert_eq!(error.message, String::from_utf8(beyond).unwrap().trim_end());
}

#[test]
fn t_git_edge_20_a_folder_of_a_submodule() {
    let mut sandbox = Sandbox::with_two_commits();
    let id = sandbox.git(&["rev-parse", "HEAD"]);
    sandbox.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},module", id.trim_end())]);
    sandbox.mkdir("module");
    for paths in ["module", "module/"] {
        let expected = sandbox.git(&["diff", "--cached", "--", paths]);
        assert!(expected.contains("+Subproject commit "));
        assert_eq!(text(&mut sandbox, "git_diff", json!({"cached": true, "paths": [paths]})), expected);
    }
    let expected = sandbox.git(&["-C", "module", "diff", "--cached", "--stat", "--", "."]);
    let arguments = json!({"cached": true, "stat": true, "paths": ["."], "working_dir": "module"});
    assert_eq!(text(&mut sandbox, "git_diff", arguments), expected);
    let status = sandbox.git(&["-C", "module", "status"]);
    assert_eq!(text(&mut sandbox, "git_status", json!({"porcelain": false, "working_dir": "module"})), status);
}

#[test]
fn t_git_int_05_two_tagged_commits() {
    let mut sandbox = Sandbox::with_two_commits();
    sandbox.git(&["tag", "light", "HEAD~1"]);
    sandbox.git(&["tag", "-a", "-m", "A tag", "annotated", "HEAD"]);
    let expected = sandbox.git(&["diff", "HEAD~1", "HEAD"]);
    for (from, to) in [("light", Some("annotated")), ("light..annotated", None)] {
        let mut arguments = json!({"from_ref": from});
        if let Some(to) = to {
            arguments["to_ref"] = json!(to);
        }
        assert_eq!(text(&mut sandbox, "git_diff", arguments), expected);
    }
}

/// Errors in commits of many old histories, which git accepts.
#[test]
fn an_old_commit_that_is_not_as_git_writes_them_stops_no_tool() {
    let odd = [
        "author A <a@x> 1700000000 +0000\ncommitter C <c@x> 1700000000 +0000 junk\n\nodd\n",
        "author A <a@x> 1700000000 +0000\ncommitter C c@x 1700000000 +0000\n\nodd\n",
        "author A <a@x> abc +0000\ncommitter C <c@x> 1e9 UTC\n\nodd\n",
        "author A <a@x> 1700000000 +0000\nx\n\nodd\n",
        "author A <a@x> 1700000000 +0000\ncommitter C <c@x> 1700000000 +01:00\n\nodd\n",
    ];
    for odd in odd {
        let mut sandbox = Sandbox::with_two_commits();
        let ids = sandbox.git(&["rev-parse", "HEAD^{tree}", "HEAD"]);
        let (tree, parent) = ids.trim_end().split_once('\n').expect("two were asked for");
        let commit = format!("tree {tree}\nparent {parent}\n{odd}");
        let made = sandbox.git_fed(&["hash-object", "-t", "commit", "-w", "--literally", "--stdin"], commit.as_bytes());
        let id = String::from_utf8(made.stdout).unwrap();
        sandbox.git(&["update-ref", "refs/heads/main", id.trim_end()]);
        sandbox.git(&["update-ref", "refs/remotes/origin/main", "HEAD~1"]);
        sandbox.write("new", "new\n");
        sandbox.git(&["add", "new"]);
        sandbox.git(&["commit", "--quiet", "-m", "on top"]);
        sandbox.write("new", "newer\n");
        let status = sandbox.ok("git_status", json!({}));
        assert_eq!(status.structured()["staged"].as_array().map(Vec::len), Some(2), "{odd}");
        for (tool, arguments, git) in [
            ("git_diff", json!({"from_ref": "origin/main...HEAD"}), &["diff", "origin/main...HEAD"][..]),
            ("git_show", json!({"commit": "HEAD~2..HEAD"}), &["show", "HEAD~2..HEAD"]),
            ("git_log", json!({}), &["log"]),
            ("git_status", json!({"porcelain": false}), &["status"]),
        ] {
            assert_eq!(sandbox.ok(tool, arguments).text, sandbox.git(git), "{tool}: {odd}");
        }
        for (tool, arguments) in [("git_diff", json!({})), ("git_blame", json!({"path": "a"}))] {
            sandbox.ok(tool, arguments);
        }
    }
}
