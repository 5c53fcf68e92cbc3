//! Intended differences from git. The generator makes no such calls; each difference has a test here.

use gix::bstr::ByteSlice;
use serde_json::{Value, json};

use super::judge::Said;
use crate::error::ErrorKind;
use crate::testing::Sandbox;

/// Warnings of git that the tools leave out: about ignored rules (a `.gitattributes` that is a link, or an invalid line) each time git
/// reads the file, about irreversible line endings each time git converts a file, about a ref that moved without its log, and about a file
/// in place of a folder.
const UNSAID: &[&[u8]] = &[
    b": Too many levels of symbolic links",
    b" is not a valid attribute name: ",
    b" will be replaced by ",
    b" unexpectedly ended on ",
    b"warning: could not open directory ",
];

/// Whether the tools leave out this line of git's error stream.
pub fn is_unsaid(line: &[u8]) -> bool {
    UNSAID.iter().any(|part| line.contains_str(part))
}

/// Whether both outputs are equal except for similarities of renames. git decides by the attribute `diff` whether carriage returns count
/// there, and the tools decide by the content.
pub fn is_equal_but_for_similarity(git: &Said, ours: &Said) -> bool {
    let without = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.starts_with("similarity index "));
        lines.map(str::to_owned).collect()
    };
    matches!((git, ours), (Ok(git), Ok(ours)) if without(git) == without(ours))
}

/// Drops the line numbers in warnings about white space in a patch. For binary files, git counts the lines of the compressed base 85 data.
pub fn without_line_numbers(said: Said) -> Said {
    let line =
        |line: &str| match line.split_once("<stdin>:").and_then(|(start, rest)| Some((start, rest.split_once(':')?))) {
            Some((start, (_, rest))) => format!("{start}<stdin>:{rest}"),
            None => line.to_owned(),
        };
    let without = |text: String| text.split('\n').map(line).collect::<Vec<_>>().join("\n");
    said.map(without).map_err(without)
}

/// Whether git failed with an internal error: its blame can give up if a range begins after a rename.
pub fn is_a_fault_of_git(words: &str) -> bool {
    words.starts_with("fatal: internal error in blame::")
}

/// A repository with one commit of `a` and `sub/b`.
fn committed() -> Sandbox {
    let mut sandbox = Sandbox::with_repository();
    sandbox.write("a", "one\n");
    sandbox.write("sub/b", "two\n");
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "--quiet", "-m", "first"]);
    sandbox
}

fn refused(sandbox: &mut Sandbox, tool: &str, arguments: Value) -> (ErrorKind, String) {
    let error = sandbox.fail(tool, arguments);
    (error.kind, error.message)
}

#[test]
fn arguments_that_contradict_each_other_are_refused_before_git_would_see_them() {
    let mut sandbox = committed();
    for arguments in [
        json!({"cached": true, "from_ref": "HEAD"}),
        json!({"to_ref": "HEAD"}),
        json!({"output_dir": "x"}),
        json!({"commitId": "HEAD", "cached": true}),
        json!({"max_bytes": 0}),
        json!({"from_ref": "HEAD..HEAD", "to_ref": "HEAD"}),
        json!({"from_ref": "HEAD:a"}),
        json!({"from_ref": "HEAD^!"}),
        json!({"paths": [":(top)a"]}),
        json!({"paths": [""]}),
    ] {
        assert_eq!(refused(&mut sandbox, "git_diff", arguments.clone()).0, ErrorKind::BadArgs, "{arguments}");
    }
}

#[test]
fn paths_with_two_dots_and_folders_outside_are_refused() {
    let mut sandbox = committed();
    for arguments in [
        json!({"paths": ["../a"], "working_dir": "sub"}),
        json!({"paths": ["sub/../a"]}),
        json!({"paths": ["/etc/passwd"]}),
        json!({"cached": true, "working_dir": ".."}),
    ] {
        assert_eq!(refused(&mut sandbox, "git_diff", arguments.clone()).0, ErrorKind::SandboxViolation, "{arguments}");
    }
}

#[test]
fn a_working_folder_that_is_not_there_is_said_in_our_words() {
    let (kind, message) = refused(&mut committed(), "git_status", json!({"working_dir": "nowhere"}));
    assert_eq!(kind, ErrorKind::NotFound);
    assert!(!message.contains("cannot change to"), "{message}");
}

#[test]
fn a_repository_in_the_repository_is_a_folder_like_any_other() {
    let mut sandbox = committed();
    sandbox.git(&["init", "--quiet", "-b", "inner", "nested"]);
    assert!(sandbox.git(&["-C", "nested", "status", "--porcelain", "-b"]).contains("inner"));
    assert_eq!(sandbox.ok("git_status", json!({"working_dir": "nested"})).text, "## main\n?? nested/\n");
}

#[test]
fn a_diff_without_arguments_shows_staged_commits_too() {
    let mut sandbox = committed();
    sandbox.write("a", "two\n");
    let plain = sandbox.git(&["diff"]);
    let ours = sandbox.ok("git_diff", json!({})).text;
    assert!(ours.starts_with(&plain) && ours[plain.len()..].starts_with("\nStaged commit: "), "{ours}");
}

#[test]
fn names_that_begin_with_a_dash_are_never_options() {
    let mut sandbox = committed();
    let (kind, message) = refused(&mut sandbox, "git_diff", json!({"from_ref": "--stat"}));
    assert!(kind == ErrorKind::NotFound && message.starts_with("fatal: ambiguous argument '--stat'"), "{message}");
}

#[test]
fn a_commit_id_that_is_none_is_said_in_our_words() {
    let (_, message) = refused(&mut committed(), "git_diff", json!({"commitId": "nowhere"}));
    assert_eq!(message, "Staged commit not found: nowhere");
}

#[test]
fn rules_and_logs_that_git_complains_of_are_passed_over_in_silence() {
    let mut sandbox = committed();
    sandbox.symlink("a", "sub/.gitattributes");
    sandbox.write(".gitattributes", "a =crlf\n");
    sandbox.write("sub/b", "three\n");
    let theirs = sandbox.git_output(&["diff", "--stat"]);
    assert!(theirs.stderr.lines().all(is_unsaid) && !theirs.stderr.is_empty());
    let ours = sandbox.ok("git_diff", json!({"stat": true})).text;
    assert_eq!(ours.as_bytes(), theirs.stdout);
}

#[test]
fn line_endings_that_would_be_changed_are_passed_over_in_silence() {
    let mut sandbox = committed();
    sandbox.write(".gitattributes", "* text\n");
    sandbox.write("a", "two\r\n");
    let theirs = sandbox.git_output(&["diff"]);
    let warning = b"warning: in the working copy of 'a', CRLF will be replaced by LF the next time Git touches it\n";
    assert_eq!((theirs.stderr.as_slice(), is_unsaid(warning)), (warning.as_slice(), true));
    assert_eq!(sandbox.ok("git_diff", json!({"cached": false})).text.as_bytes(), theirs.stdout);
}

#[test]
fn what_was_behind_a_link_that_leads_to_itself_is_gone() {
    let mut sandbox = committed();
    std::fs::remove_dir_all(sandbox.real("sub")).unwrap();
    sandbox.symlink("sub", "sub");
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "?? sub\n");
    assert_eq!(sandbox.ok("git_status", json!({"branch": false})).text, " D sub/b\n?? sub\n");
}

#[test]
fn how_alike_files_are_is_estimated_by_their_content_whatever_a_rule_says() {
    let mut sandbox = committed();
    let lines: String = (0..20).map(|number| format!("line {number}\r\n")).collect();
    sandbox.write("old", &lines);
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "--quiet", "-m", "second"]);
    sandbox.git(&["mv", "old", "new"]);
    sandbox.write("new", lines.replacen("\r\n", "\n", 10));
    sandbox.write(".gitattributes", "old -diff\nnew -diff\n");
    sandbox.git(&["add", "-A"]);
    let (theirs, ours) = (sandbox.git(&["diff", "--cached"]), sandbox.ok("git_diff", json!({"cached": true})).text);
    assert_ne!(ours, theirs);
    assert!(is_equal_but_for_similarity(&Ok(theirs), &Ok(ours)));
}
