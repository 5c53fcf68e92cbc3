//! Limits that reading tools keep on any repository: no work after the deadline, and none on output that is not shown.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::oracle::import;
use crate::calling::target::{Target, with_identity};
use crate::error::ErrorKind;
use crate::testing::Sandbox;

/// A fast-import stream with a line of commits on `branch`, on top of `from`. `change` gives the changes of each commit by its number.
fn commits(branch: &str, from: &str, count: usize, change: impl Fn(usize) -> String) -> String {
    let mut stream = String::new();
    for number in 0..count {
        let time = 1_700_000_000 + number;
        write!(stream, "commit refs/heads/{branch}\ncommitter C <c@x> {time} +0000\ndata 1\nx\n").unwrap();
        if number == 0 && !from.is_empty() {
            writeln!(stream, "from {from}").unwrap();
        }
        stream.push_str(&change(number));
        stream.push('\n');
    }
    stream
}

fn file(path: &str, content: &str) -> String {
    format!("M 100644 inline {path}\ndata {}\n{content}\n", content.len())
}

/// A sandbox with the repository of this stream, with `main` checked out.
fn imported(stream: &str) -> Sandbox {
    let mut sandbox = Sandbox::with_repository();
    import(&mut sandbox, stream.as_bytes());
    sandbox.git(&["reset", "--quiet", "--hard", "main"]);
    sandbox
}

/// Whether a call ends before its deadline, which passes after `looks` polls of the clock.
fn is_over_within(sandbox: &mut Sandbox, looks: u32, tool: &str, arguments: Value) -> bool {
    match sandbox.calling(tool, arguments).out_of_time_after(looks).done() {
        Ok(_) => true,
        Err(error) => {
            assert!(matches!(error.kind, ErrorKind::Timeout { .. }), "{error:?}");
            false
        }
    }
}

#[test]
fn a_range_of_a_few_commits_does_not_read_the_history_before_it() {
    let mut sandbox = imported(&commits("main", "", 6000, |number| file("a", &number.to_string())));
    for named in ["HEAD~1..HEAD", "HEAD^!", "HEAD~2^-", "HEAD~3...HEAD"] {
        let arguments = json!({"commit": named, "name_only": true});
        assert!(is_over_within(&mut sandbox, 4, "git_show", arguments), "{named}");
    }
    assert!(!is_over_within(&mut sandbox, 4, "git_show", json!({"commit": "HEAD~5000..HEAD"})));
}

#[test]
fn where_two_histories_part_is_not_looked_for_beyond_the_end_of_the_time() {
    let base = commits("main", "", 1, |_| file("a", "a"));
    let [theirs, ours] = [("other", "refs/heads/main"), ("main", "")]
        .map(|(branch, from)| commits(branch, from, 3000, |number| file("a", &format!("{branch} {number}"))));
    let mut sandbox = imported(&(base + &theirs + &ours));
    for (tool, arguments) in
        [("git_diff", json!({"from_ref": "main...other"})), ("git_show", json!({"commit": "main...other"}))]
    {
        assert!(!is_over_within(&mut sandbox, 4, tool, arguments), "{tool}");
    }
}

#[test]
fn large_folders_count_for_what_they_are() {
    let many: String = (0..20_000).map(|number| file(&format!("folder/{number:05}"), "x")).collect();
    let mut sandbox = imported(&commits("main", "", 4, |number| {
        if number == 0 { many.clone() } else { file("folder/x", &number.to_string()) }
    }));
    for (tool, arguments) in [
        ("git_log", json!({"path": "folder/x"})),
        ("git_blame", json!({"path": "folder/x", "commit": "main"})),
        ("git_show", json!({"commit": "main~3..main", "name_only": true})),
    ] {
        assert!(!is_over_within(&mut sandbox, 4, tool, arguments), "{tool}");
    }
}

#[test]
fn a_merge_of_more_parents_than_a_combined_diff_can_have_is_refused_before_a_file_is_read() {
    let mut target = Target::new();
    target.sandbox.write("docs/p.md", "p\n");
    target.commit_file("src/e.rs", "0\n");
    let mut parents = vec!["-p".to_owned(), "HEAD".to_owned()];
    for number in 1..63 {
        target.sandbox.write("src/e.rs", format!("{number}\n"));
        target.sandbox.git(&["add", "-A"]);
        let tree = target.sandbox.git(&["write-tree"]);
        let id = target.sandbox.git(&["commit-tree", "-p", "HEAD", "-m", "side", tree.trim_end()]);
        parents.extend(["-p".to_owned(), id.trim_end().to_owned()]);
    }
    target.sandbox.write("src/e.rs", "all\n");
    target.sandbox.git(&["add", "-A"]);
    let tree = target.sandbox.git(&["write-tree"]);
    let mut command = vec!["commit-tree", tree.trim_end(), "-m", "merge"];
    command.extend(parents.iter().map(String::as_str));
    let merge = target.sandbox.git(&command);
    target.sandbox.git(&["update-ref", "HEAD", merge.trim_end()]);
    for (arguments, options) in [(json!({"stat": true}), "--stat"), (json!({"name_only": true}), "--name-only")] {
        let theirs = target.sandbox.git(&["show", options]);
        assert_eq!(target.sandbox.ok("git_show", arguments).text, theirs, "{options}");
    }
    let refused = "a combined diff has 2 to 62 parents, not 63";
    assert_eq!(target.sandbox.fail("git_show", json!({})).message, refused);
    let mut sandbox = with_identity();
    let source = json!({"type": "local", "path": "/project"});
    target.serve(&mut sandbox, "git_pull", json!({"source": source, "paths": ["docs"], "depth": 9})).unwrap();
    let fetches = target.fetches;
    let error = target.serve(&mut sandbox, "git_show", json!({})).unwrap_err();
    assert_eq!((error.message.as_str(), target.fetches - fetches), (refused, 0));
}

#[test]
fn a_file_of_very_many_parents_is_blamed_as_git_blames_it() {
    let lines = |own: Option<usize>| -> String {
        (0..60).map(|line| if own == Some(line) { format!("side {line}\n") } else { format!("{line}\n") }).collect()
    };
    let mut stream = commits("main", "", 1, |_| file("a", &lines(None)));
    for number in 0..50 {
        stream.push_str(&commits(&format!("side{number}"), "refs/heads/main", 1, |_| file("a", &lines(Some(number)))));
    }
    let all: String =
        (0..60).map(|line| if line < 50 { format!("side {line}\n") } else { format!("{line}\n") }).collect();
    stream.push_str("commit refs/heads/main\ncommitter C <c@x> 1800000000 +0000\ndata 1\nx\n");
    (0..50).for_each(|number| writeln!(stream, "merge refs/heads/side{number}").unwrap());
    stream.push_str(&file("a", &all));
    let mut sandbox = imported(&stream);
    let theirs = sandbox.git(&["blame", "a"]);
    assert_eq!(sandbox.ok("git_blame", json!({"path": "a"})).text, theirs);
}

#[test]
fn long_names_are_shown_as_far_as_there_is_room() {
    let author = |number: usize| "N".repeat(if number == 7 { 100_000 } else { 9 });
    let mut stream = String::new();
    let mut content = String::new();
    for number in 0..40 {
        writeln!(content, "{number}").unwrap();
        let name = author(number);
        let time = 1_700_000_000 + number;
        write!(
            stream,
            "commit refs/heads/main\nauthor {name} <{name}@x> {time} +0000\ncommitter C <c@x> {time} +0000\n"
        )
        .unwrap();
        write!(stream, "data {}\n{name}\n{}\n", name.len(), file("a", &content)).unwrap();
    }
    let mut sandbox = imported(&stream);
    let theirs = sandbox.git(&["blame", "a"]);
    for max_bytes in [1000, 250_000, 5_000_000] {
        let found = sandbox.ok("git_blame", json!({"path": "a", "max_bytes": max_bytes}));
        assert_eq!(found.text, crate::output::truncate(theirs.clone(), max_bytes).0);
        let report = found.structured();
        let listed = report["commits"].to_string().len() + report["lines"].to_string().len();
        assert!(listed <= max_bytes + 4, "{listed}");
        assert_eq!(report["truncated"], max_bytes < 5_000_000);
    }
}

#[test]
fn a_parent_of_nothing_but_zeros_is_an_error_and_not_the_working_tree() {
    let mut sandbox = Sandbox::with_two_commits();
    let tree = sandbox.git(&["rev-parse", "HEAD^{tree}"]);
    let zeros = "0".repeat(40);
    let header =
        format!("tree {}\nparent {zeros}\nauthor A <a@x> 1 +0000\ncommitter A <a@x> 1 +0000\n\nx\n", tree.trim_end());
    sandbox.write("commit", header);
    let id = sandbox.git(&["hash-object", "-t", "commit", "--literally", "-w", "commit"]);
    sandbox.write(".git/refs/heads/main", id);
    sandbox.write("a", "two\nand more\n");
    for arguments in [json!({"path": "a"}), json!({"path": "a", "commit": "main"})] {
        let error = sandbox.fail("git_blame", arguments);
        assert!(error.message.contains(&zeros), "{}", error.message);
    }
}
