//! Tests blame against its specification.

use serde_json::{Value, json};

use crate::calling::target::{Target, with_identity};
use crate::dispatch::Finished;
use crate::error::ErrorKind;
use crate::output::TRUNCATION_MARKER;
use crate::testing::Sandbox;

/// A repository where `a` has lines of two commits and an uncommitted one.
fn edited() -> Sandbox {
    let mut sandbox = Sandbox::with_repository();
    sandbox.write("a", "one\ntwo\nthree\n");
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "--quiet", "-m", "first"]);
    sandbox.write("a", "one\n2\nthree\n");
    sandbox.git(&["commit", "--quiet", "-a", "-m", "second", "--author", "Zoë <zoe@x>"]);
    sandbox.write("a", "one\n2\nthree\nfour\n");
    sandbox
}

fn blame(sandbox: &mut Sandbox, arguments: Value) -> Finished {
    sandbox.ok("git_blame", arguments)
}

/// git's output, with the sandbox's time for uncommitted lines.
fn git(sandbox: &mut Sandbox, arguments: &[&str]) -> String {
    let text = sandbox.git(&[&["blame"], arguments].concat());
    let line = regex::Regex::new(r"(?m)^(0{8,}.*?) \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0000").unwrap();
    line.replace_all(&text, "$1 2026-11-20 10:00:00 +0100").into_owned()
}

#[test]
fn t_git_blame_01_each_line_says_who_wrote_it() {
    let mut sandbox = edited();
    let [first, second] = ["HEAD~1", "HEAD"].map(|name| sandbox.git(&["rev-parse", name]).trim().to_owned());
    let found = blame(&mut sandbox, json!({"path": "a"}));
    let (old, new) = (&first[..7], &second[..8]);
    assert_eq!(
        found.text,
        format!(
            "^{old} (A U Thor          2026-01-01 00:00:00 +0000 1) one\n\
             {new} (Zoë               2026-01-01 00:00:00 +0000 2) 2\n\
             ^{old} (A U Thor          2026-01-01 00:00:00 +0000 3) three\n\
             00000000 (Not Committed Yet 2026-11-20 10:00:00 +0100 4) four\n"
        )
    );
    let commit = |id: &str, author: &str, email: &str, time: &str, summary: &str, boundary: bool, committed: bool| {
        json!({
            "commitId": id, "author": author, "email": email, "authorTime": time, "summary": summary,
            "path": "/workspace/a", "boundary": boundary, "committed": committed,
        })
    };
    let lines = |start: usize, orig: usize, commit: usize, content: &str| json!({"start": start, "count": 1, "origStart": orig, "commit": commit, "content": content});
    let nobody = "0".repeat(40);
    assert_eq!(
        found.structured(),
        json!({
            "path": "/workspace/a",
            "commits": [
                commit(&first, "A U Thor", "author@example.com", "2026-01-01T00:00:00Z", "first", true, true),
                commit(&second, "Zoë", "zoe@x", "2026-01-01T00:00:00Z", "second", false, true),
                commit(&nobody, "Not Committed Yet", "not.committed.yet", "2026-11-20T10:00:00+01:00", "", false, false),
            ],
            "lines": [lines(1, 1, 0, "one\n"), lines(2, 2, 1, "2\n"), lines(3, 3, 0, "three\n"), lines(4, 4, 2, "four\n")],
            "truncated": false,
            "untrusted": true,
        })
    );
}

#[test]
fn t_git_blame_02_a_range_of_lines_is_all_that_is_shown() {
    let mut sandbox = edited();
    for (start, end, range) in [
        (Some(2), None, "2,"),
        (None, Some(3), "1,3"),
        (Some(2), Some(3), "2,3"),
        (Some(4), Some(4), "4,4"),
        (Some(2), Some(u32::MAX), "2,"),
    ] {
        let mut arguments = json!({"path": "a"});
        if let Some(start) = start {
            arguments["start_line"] = json!(start);
        }
        if let Some(end) = end {
            arguments["end_line"] = json!(end);
        }
        let expected = git(&mut sandbox, &["-L", range, "--", "a"]);
        assert_eq!(blame(&mut sandbox, arguments).text, expected, "{range}");
    }
    let error = sandbox.fail("git_blame", json!({"path": "a", "start_line": 5}));
    assert_eq!((error.kind, &*error.message), (ErrorKind::BadArgs, "fatal: file a has only 4 lines"));
}

#[test]
fn t_git_blame_03_arguments_that_make_no_sense_are_refused() {
    let mut sandbox = edited();
    for (arguments, message) in [
        (json!({"path": "a", "start_line": 3, "end_line": 2}), "start_line must be <= end_line"),
        (json!({"path": "a", "start_line": 0}), "start_line must be at least 1"),
        (json!({"path": "a", "end_line": 0}), "end_line must be at least 1"),
        (json!({"path": " "}), "path must not be empty"),
        (json!({"path": "a", "max_bytes": 0}), "max_bytes must be at least 1"),
        (json!({"path": "a", "max_bytes": 5_000_001}), "max_bytes cannot exceed 5000000"),
        (json!({"path": "a", "commit": "HEAD^{tree}"}), "fatal: Non commit HEAD^{tree}?"),
        (json!({}), "path is required"),
    ] {
        let error = sandbox.fail("git_blame", arguments.clone());
        assert_eq!((error.kind, &*error.message), (ErrorKind::BadArgs, message), "{arguments}");
    }
}

#[test]
fn t_git_edge_11_windows_line_endings_are_what_git_stores() {
    let mut sandbox = Sandbox::with_repository();
    sandbox.write("a", "one\r\ntwo\r\n");
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "--quiet", "-m", "first"]);
    let expected = git(&mut sandbox, &["a"]);
    assert!(expected.contains("one\r\n"));
    let shown = patch::escape::escape(expected.as_bytes()).into_owned();
    assert_eq!(blame(&mut sandbox, json!({"path": "a"})).text, shown);
    // From now on git stores them without the carriage return, so every line differs.
    sandbox.write(".gitattributes", "* text\n");
    let expected = git(&mut sandbox, &["a"]);
    assert!(expected.starts_with("00000000 (Not Committed Yet") && !expected.contains('\r'));
    assert_eq!(blame(&mut sandbox, json!({"path": "a"})).text, expected);
}

#[test]
fn t_git_edge_12_a_new_file_has_no_history() {
    let mut sandbox = edited();
    sandbox.write("new", "1\n2");
    let error = sandbox.fail("git_blame", json!({"path": "new"}));
    assert_eq!((error.kind, &*error.message), (ErrorKind::NotFound, "fatal: no such path 'new' in HEAD"));
    sandbox.git(&["add", "new"]);
    let expected = git(&mut sandbox, &["new"]);
    let found = blame(&mut sandbox, json!({"path": "new"}));
    assert_eq!(found.text, expected);
    assert_eq!(found.structured()["commits"][0]["committed"], false);
    assert_eq!(found.structured()["lines"][0]["content"], "1\n2");
    let error = sandbox.fail("git_blame", json!({"path": "new", "commit": "HEAD"}));
    assert_eq!((error.kind, &*error.message), (ErrorKind::NotFound, "fatal: no such path new in HEAD"));
    std::fs::remove_file(sandbox.real("new")).unwrap();
    let error = sandbox.fail("git_blame", json!({"path": "new"}));
    assert_eq!(error.message, "fatal: Cannot lstat 'new': No such file or directory");
}

#[test]
fn t_git_edge_19_of_a_file_in_lfs_the_pointer_is_blamed() {
    let mut sandbox = Sandbox::with_repository();
    sandbox.write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n");
    sandbox.write("a.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n");
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "--quiet", "-m", "first"]);
    let expected = git(&mut sandbox, &["a.bin"]);
    assert_eq!(blame(&mut sandbox, json!({"path": "a.bin"})).text, expected);
}

#[test]
fn t_git_int_07_a_commit_of_the_past_is_blamed_as_it_was() {
    let mut sandbox = edited();
    sandbox.git(&["mv", "a", "b"]);
    sandbox.git(&["commit", "--quiet", "-m", "third"]);
    for (path, commit) in [("a", "HEAD~1"), ("a", "HEAD~2"), ("b", "HEAD"), ("b", "HEAD~1..HEAD")] {
        let expected = git(&mut sandbox, &[commit, "--", path]);
        assert_eq!(blame(&mut sandbox, json!({"path": path, "commit": commit})).text, expected, "{commit}");
    }
    for (commit, kind) in [("HEAD~9", ErrorKind::NotFound), ("--all", ErrorKind::NotFound), ("", ErrorKind::NotFound)] {
        let error = sandbox.fail("git_blame", json!({"path": "a", "commit": commit}));
        assert_eq!((error.kind, error.message), (kind, format!("fatal: bad revision '{commit}'")));
    }
    assert_eq!(
        sandbox.fail("git_blame", json!({"path": "a", "commit": "HEAD"})).message,
        "fatal: no such path a in HEAD"
    );
}

#[test]
fn a_text_that_is_cut_says_where_to_go_on() {
    let mut sandbox = Sandbox::with_repository();
    let lines: String = (0..400).map(|number| format!("line {number}\u{1}\n")).collect();
    sandbox.write("a", lines);
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "--quiet", "-m", "first"]);
    let whole = blame(&mut sandbox, json!({"path": "a"})).text;
    let (mut pages, mut start) = (String::new(), 1);
    loop {
        let found = blame(&mut sandbox, json!({"path": "a", "start_line": start, "max_bytes": 2000}));
        let Some(next) = found.structured()["nextLine"].as_u64() else {
            assert_eq!((found.truncated, &found.structured()["truncated"]), (false, &json!(false)));
            pages.push_str(&found.text);
            break;
        };
        assert!(found.truncated && found.text.len() <= 2000 && found.text.ends_with(TRUNCATION_MARKER));
        let shown = usize::try_from(next).unwrap() - start;
        pages.extend(found.text.split_inclusive('\n').take(shown));
        let listed = &found.structured()["lines"];
        assert_eq!((&listed[0]["start"], &listed[0]["count"]), (&json!(start), &json!(shown)));
        assert!(found.structured()["hint"].as_str().unwrap().contains(&format!("start_line {next}")));
        start = usize::try_from(next).unwrap();
    }
    let number = regex::Regex::new(r" +(\d+\) line)").unwrap();
    assert_eq!(number.replace_all(&pages, " $1"), number.replace_all(&whole, " $1"));
    let tiny = blame(&mut sandbox, json!({"path": "a", "max_bytes": 30}));
    assert_eq!((&tiny.structured()["nextLine"], &tiny.structured()["lines"]), (&json!(1), &json!([])));
}

#[test]
fn no_list_is_larger_than_max_bytes() {
    let mut sandbox = Sandbox::with_repository();
    let mut lines = String::new();
    for number in 0..40 {
        lines.push_str("x\n");
        sandbox.write("a", &lines);
        sandbox.git(&["add", "-A"]);
        sandbox.git(&["commit", "--quiet", "-m", &format!("{number} {}", "m".repeat(1000))]);
    }
    let found = blame(&mut sandbox, json!({"path": "a", "max_bytes": 4000})).structured();
    let (commits, lines) = (found["commits"].as_array().unwrap(), found["lines"].as_array().unwrap());
    assert!(found["commits"].to_string().len() + found["lines"].to_string().len() <= 4000 + 4);
    assert!(!lines.is_empty() && lines.len() <= commits.len());
    let omitted = usize::try_from(found["linesOmitted"].as_u64().unwrap()).unwrap();
    assert_eq!((lines.len() + omitted, &found["truncated"]), (40, &json!(true)));
}

#[test]
fn paths_are_what_they_say_and_stay_inside() {
    let mut sandbox = edited();
    sandbox.write("sub/[a]*", "x\n");
    sandbox.write("sub/aa", "y\n");
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "--quiet", "-m", "third"]);
    let expected = git(&mut sandbox, &["--", "sub/[a]*"]);
    for arguments in [
        json!({"path": "sub/[a]*"}),
        json!({"path": "/workspace/sub/[a]*"}),
        json!({"path": "./[a]*", "working_dir": "sub"}),
    ] {
        assert_eq!(blame(&mut sandbox, arguments).text, expected);
    }
    for (path, kind) in [
        ("../a", ErrorKind::SandboxViolation),
        ("/etc/passwd", ErrorKind::SandboxViolation),
        (".git/config", ErrorKind::SandboxViolation),
        ("sub", ErrorKind::NotFound),
        (".", ErrorKind::NotFound),
    ] {
        assert_eq!(sandbox.fail("git_blame", json!({"path": path})).kind, kind, "{path}");
    }
    std::fs::remove_dir_all(sandbox.real("sub")).unwrap();
    sandbox.symlink("/etc", "sub");
    assert_eq!(sandbox.fail("git_blame", json!({"path": "sub/aa"})).kind, ErrorKind::SandboxViolation);
}

#[test]
fn without_a_commit_there_is_nothing_to_blame() {
    let mut sandbox = Sandbox::with_repository();
    sandbox.write("a", "one\n");
    sandbox.git(&["add", "-A"]);
    let error = sandbox.fail("git_blame", json!({"path": "a"}));
    let theirs = sandbox.git_output(&["blame", "--", "a"]).stderr;
    assert_eq!(error.message, String::from_utf8(theirs).unwrap().trim_end());
}

#[test]
fn a_call_that_has_no_time_left_ends() {
    let mut sandbox = edited();
    let error = sandbox.calling("git_blame", json!({"path": "a"})).out_of_time().done().unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Timeout { .. }), "{error:?}");
    assert!(error.message.starts_with("git command timed out after "));
}

#[test]
fn of_a_file_that_is_not_here_all_versions_are_fetched_at_once() {
    let mut target = Target::new();
    for lines in ["1\n2\n3\n", "1\n2\n3\n4\n", "0\n2\n3\n4\n"] {
        target.sandbox.write("docs/p.md", "p\n");
        target.sandbox.write("src/e.rs", lines);
        target.commit(lines);
    }
    let mut sandbox = with_identity();
    let source = json!({"type": "local", "path": "/project"});
    let pull = json!({"source": source, "paths": ["docs"], "depth": 9});
    target.serve(&mut sandbox, "git_pull", pull).unwrap();
    let fetches = target.fetches;
    let found = target.serve(&mut sandbox, "git_blame", json!({"path": "src/e.rs", "commit": "HEAD"})).unwrap();
    assert_eq!(target.fetches - fetches, 1);
    assert_eq!(found.text, git(&mut sandbox, &["HEAD", "--", "src/e.rs"]));
    assert_eq!(found.structured()["commits"].as_array().unwrap().len(), 3);
}

#[test]
fn where_only_a_warning_is_cut_no_line_is_missing() {
    let mut sandbox = edited();
    sandbox.git(&["branch", "both"]);
    sandbox.git(&["tag", "both"]);
    let whole = blame(&mut sandbox, json!({"path": "a", "commit": "both"})).text;
    let (lines, warning) = whole.split_once("\n\n[stderr]\n").unwrap();
    assert_eq!(warning, "warning: refname 'both' is ambiguous.\n");
    let ends: Vec<usize> = lines.match_indices('\n').map(|(at, _)| at + 1).collect();
    for max_bytes in lines.len() - 60..whole.len() + 2 {
        let found = blame(&mut sandbox, json!({"path": "a", "commit": "both", "max_bytes": max_bytes}));
        let report = found.structured();
        let is_cut = max_bytes < whole.len();
        assert_eq!(found.truncated, is_cut, "{max_bytes}");
        assert!(!is_cut || report["truncated"] == true, "{max_bytes}");
        let room = if is_cut { max_bytes - TRUNCATION_MARKER.len() } else { max_bytes };
        let shown = ends.iter().filter(|end| **end <= room).count();
        let next = if shown < ends.len() { json!(shown + 1) } else { Value::Null };
        assert_eq!(report["nextLine"], next, "{max_bytes}");
    }
}

#[test]
fn what_cannot_be_read_is_neither_no_merge_nor_no_commit() {
    let mut sandbox = edited();
    sandbox.symlink("MERGE_HEAD", ".git/MERGE_HEAD");
    let theirs = sandbox.git_output(&["blame", "a"]);
    assert!(!theirs.status.success());
    assert!(sandbox.fail("git_blame", json!({"path": "a"})).message.contains("MERGE_HEAD"));
    let id = sandbox.git(&["rev-parse", "HEAD"]).trim_end().to_owned();
    let real = sandbox.real(&format!(".git/objects/{}/{}", &id[..2], &id[2..]));
    std::fs::remove_file(&real).unwrap();
    std::fs::write(&real, "nothing that can be inflated").unwrap();
    let error = sandbox.fail("git_blame", json!({"path": "a", "commit": id}));
    assert!(!error.message.contains("Non commit") && error.kind != ErrorKind::NotFound, "{error:?}");
}

#[test]
fn a_list_that_is_shorter_than_the_text_says_where_it_goes_on() {
    let mut sandbox = Sandbox::with_repository();
    let line = |line: usize, every: usize| format!("{}\n", if line.is_multiple_of(every) { line } else { 0 });
    for every in [20, 2] {
        sandbox.write("f", (0..20).map(|number| line(number, every)).collect::<String>());
        sandbox.git(&["add", "-A"]);
        sandbox.git(&["commit", "--quiet", "-m", "x"]);
    }
    let found = blame(&mut sandbox, json!({"path": "f", "max_bytes": 1500}));
    let report = found.structured();
    assert_eq!((found.truncated, found.text.lines().count(), report.get("nextLine")), (false, 20, None));
    let listed: u64 = report["lines"].as_array().unwrap().iter().map(|run| run["count"].as_u64().unwrap()).sum();
    assert_eq!(report["linesOmitted"], 20 - listed);
    let hint = report["hint"].as_str().unwrap();
    assert!(hint.contains(&format!("Continue with start_line {},", listed + 1)), "{hint}");
}

#[test]
fn a_line_of_any_length_is_blamed_whole() {
    let mut sandbox = edited();
    sandbox.write("long", format!("{}\nshort\n", "x".repeat(300_000)));
    sandbox.git(&["add", "long"]);
    sandbox.git(&["commit", "--quiet", "-m", "long"]);
    let expected = git(&mut sandbox, &["long"]);
    assert_eq!(blame(&mut sandbox, json!({"path": "long", "max_bytes": 5_000_000})).text, expected);
}
