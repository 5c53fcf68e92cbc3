use std::cell::Cell;

use serde_json::json;

use super::*;
use crate::testing::Sandbox;

thread_local! {
    static LOOKS: Cell<u32> = const { Cell::new(0) };
}

/// A clock that stands still and counts its reads.
fn counting_clock() -> u64 {
    LOOKS.set(LOOKS.get() + 1);
    0
}

/// Creates a tree from lines in the format of `git ls-tree`.
fn tree(sandbox: &mut Sandbox, lines: &[String]) -> String {
    sandbox.write("tree", lines.concat());
    let command = "git mktree --missing < tree";
    let output = std::process::Command::new("sh").args(["-c", command]).current_dir(sandbox.root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

fn blob(sandbox: &mut Sandbox, content: &str) -> String {
    sandbox.write("blob", content);
    sandbox.git(&["hash-object", "-w", "blob"]).trim_end().to_owned()
}

fn set_notes(sandbox: &mut Sandbox, tree: &str) {
    let commit = sandbox.git(&["commit-tree", tree, "-m", "notes"]);
    sandbox.git(&["update-ref", REF, commit.trim_end()]);
}

#[test]
fn a_note_is_a_regular_file_whose_path_is_the_id_in_any_case() {
    let mut sandbox = Sandbox::with_two_commits();
    let head = sandbox.git(&["rev-parse", "HEAD"]).trim_end().to_owned();
    let upper = head.to_ascii_uppercase();
    let (one, two) = (blob(&mut sandbox, "one\n"), blob(&mut sandbox, "two\nlines"));
    let empty = blob(&mut sandbox, "");
    let no_notes = tree(&mut sandbox, &[]);
    let (first, second) = (&head[..2], &head[2..4]);
    let deep = tree(&mut sandbox, &[format!("100644 blob {two}\t{}\n", &head[4..])]);
    let fan = tree(
        &mut sandbox,
        &[format!("040000 tree {deep}\t{second}\n"), format!("100644 blob {one}\t{}\n", &head[2..])],
    );
    let whole = [
        vec![format!("100644 blob {one}\t{head}\n")],
        vec![format!("100755 blob {one}\t{head}\n")],
        vec![format!("120000 blob {one}\t{head}\n")],
        vec![format!("160000 commit {head}\t{head}\n")],
        vec![format!("040000 tree {no_notes}\t{head}\n")],
        vec![format!("100644 blob {one}\t{upper}\n")],
        vec![format!("100644 blob {one}\t{upper}\n"), format!("100644 blob {two}\t{head}\n")],
        vec![format!("100644 blob {one}\t{upper}\n"), format!("100644 blob {one}\t{head}\n")],
        vec![format!("100644 blob {empty}\t{upper}\n"), format!("100644 blob {one}\t{head}\n")],
        vec![format!("040000 tree {fan}\t{first}\n")],
        vec![format!("040000 tree {fan}\t{first}\n"), format!("100644 blob {two}\t{head}\n")],
        vec![format!("040000 tree {no_notes}\t{first}\n"), format!("100644 blob {two}\t{head}\n")],
        vec![format!("100644 blob {one}\t{first}\n"), format!("100644 blob {one}\tzz\n")],
    ];
    for lines in whole {
        let root = tree(&mut sandbox, &lines);
        set_notes(&mut sandbox, &root);
        let expected = sandbox.git(&["log", "--format=%s%n%N"]);
        assert_eq!(sandbox.ok("git_log", json!({"format": "%s%n%N"})).text, expected, "{lines:?}");
    }
}

#[test]
fn a_tree_of_notes_is_read_once_and_no_longer_than_there_is_time() {
    let mut sandbox = Sandbox::with_two_commits();
    let one = blob(&mut sandbox, "one\n");
    let lines: Vec<String> = (0..20_000).map(|at| format!("100644 blob {one}\t{at:040x}\n")).collect();
    let root = tree(&mut sandbox, &lines);
    set_notes(&mut sandbox, &root);
    let repo = sandbox.session.repo().unwrap();
    let deadline = Deadline::after(counting_clock, u64::MAX / 2);
    let notes = Notes::of(&repo, &deadline).unwrap();
    let note = |at: u32| notes.on(&ObjectId::from_hex(format!("{at:040x}").as_bytes()).unwrap()).unwrap();
    let before = LOOKS.get();
    assert_eq!(note(7).unwrap(), b"one\n");
    let after = LOOKS.get();
    assert!(after - before >= 19, "{before} {after}");
    for at in 0..100 {
        assert_eq!(note(at * 1000).is_some(), at < 20);
    }
    assert!(LOOKS.get() - after <= 1);
}
