//! Staged commits that upstream already has as other commits.

use super::*;

const TWELVE: &str = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n";

/// The ids of staged commits that a pull reported as upstream, and of those that remain staged.
fn ids(sandbox: &mut Sandbox, done: &Finished) -> (Vec<String>, Vec<String>) {
    let list = |commits: &Value| -> Vec<String> {
        let commits = commits.as_array().cloned().unwrap_or_default();
        commits.iter().map(|commit| commit["id"].as_str().unwrap().to_owned()).collect()
    };
    (list(&done.structured()["landed"]), list(&sandbox.ok("git_status", json!({})).structured()["staged"]))
}

fn id(staged: &Value) -> String {
    staged["id"].as_str().unwrap().to_owned()
}

#[test]
fn a_commit_that_was_picked_is_not_made_again_whatever_was_done_to_it_since() {
    for later in ["8\n", "nine\n", "9\nand more\n"] {
        let (mut target, mut sandbox) = pulled(&[("a.md", TWELVE), ("b.md", "b\n")]);
        sandbox.write("a.md", TWELVE.replace("9\n", "nine\n"));
        sandbox.write("c.md", "c\n");
        let picked = stage(&mut sandbox, &["a.md", "c.md"], "Picked\n\nWith reasons.");
        sandbox.write("b.md", "bb\n");
        let kept = stage(&mut sandbox, &["b.md"], "Kept");
        // Upstream has the change among other lines, and then changes or reverts it.
        let theirs = TWELVE.replace("1\n2\n", "one\n2\n");
        target.commit_file("a.md", &theirs);
        target.sandbox.write("c.md", "c\n");
        target.commit_file("a.md", &theirs.replace("9\n", "nine\n"));
        let theirs = theirs.replace("9\n", later).replace("12\n", "twelve\n");
        target.commit_file("a.md", &theirs);
        let done = pull(&mut target, &mut sandbox, json!({}));
        assert_eq!((&done.structured()["conflicts"], done.structured().get("unstaged")), (&json!([]), None));
        assert_eq!(ids(&mut sandbox, &done), (vec![id(&picked)], vec![id(&kept)]), "{later}");
        assert_eq!(done.structured()["landed"][0]["message"], "Picked\n\nWith reasons.");
        let told = format!("Staged commit {} \"Picked\" is no longer staged, because upstream already", id(&picked));
        assert!(done.text.contains(&told), "{}", done.text);
        assert_eq!((text(&sandbox, "a.md"), text(&sandbox, "b.md")), (theirs, "bb\n".to_owned()));
        assert_eq!(status(&mut sandbox), "## main...origin/main [ahead 1]\n");
    }
}

#[test]
fn one_that_changes_anything_else_is_made_again() {
    type Change = fn(&Sandbox);
    let others: [Change; 4] = [
        |target| target.write("a.md", TWELVE.replace("9\n", "neun\n")),
        |target| {
            target.write("a.md", TWELVE.replace("9\n", "nine\n"));
            target.write("b.md", "more\n");
        },
        |target| target.write_executable("a.md", TWELVE.replace("9\n", "nine\n")),
        // The surrounding lines differ.
        |target| target.write("a.md", TWELVE.replace("9\n", "nine\n").replace("8\n", "eight\n")),
    ];
    for other in others {
        let (mut target, mut sandbox) = pulled(&[("a.md", TWELVE), ("b.md", "b\n")]);
        sandbox.write("a.md", TWELVE.replace("9\n", "nine\n"));
        stage(&mut sandbox, &["a.md"], "Mine");
        other(&target.sandbox);
        target.commit("Other");
        target.commit_file("a.md", &TWELVE.replace("9\n", "9\nlater\n"));
        let done = pull(&mut target, &mut sandbox, json!({}));
        assert_eq!(done.structured().get("landed"), None);
        assert_eq!(done.structured()["conflicts"], json!(["/workspace/a.md"]));
    }
}

#[test]
fn white_space_does_not_count_as_with_git() {
    let (mut target, mut sandbox) = pulled(&[("a.md", TWELVE)]);
    sandbox.write("a.md", TWELVE.replace("9\n", "if x {\n\ty\n}\n"));
    let mine = stage(&mut sandbox, &["a.md"], "Mine");
    target.commit_file("a.md", &TWELVE.replace("9\n", "if x {\n    y\n}\n"));
    let done = pull(&mut target, &mut sandbox, json!({}));
    assert_eq!(ids(&mut sandbox, &done), (vec![id(&mine)], Vec::new()));
    assert!(text(&sandbox, "a.md").contains("\n    y\n"));
}

#[test]
fn one_that_becomes_empty_is_told_of_as_well() {
    let (mut target, mut sandbox) = pulled(&[("a.md", "a\n"), ("b.md", "b\n")]);
    sandbox.write("a.md", "aa\n");
    let mine = stage(&mut sandbox, &["a.md"], "Mine");
    target.sandbox.write("b.md", "bb\n");
    target.commit_file("a.md", "aa\n");
    let done = pull(&mut target, &mut sandbox, json!({}));
    assert_eq!(ids(&mut sandbox, &done), (vec![id(&mine)], Vec::new()));
}

#[test]
fn a_sparse_sandbox_fetches_nothing_to_compare() {
    let mut target = Target::new();
    target.sandbox.write("docs/a.md", TWELVE);
    target.commit_file("src/b.rs", TWELVE);
    let mut sandbox = with_identity();
    pull(&mut target, &mut sandbox, json!({ "paths": ["docs"] }));
    sandbox.write("docs/a.md", TWELVE.replace("9\n", "nine\n"));
    let same = stage(&mut sandbox, &["docs/a.md"], "Same");
    sandbox.write("src/c.rs", "c\n");
    let other = stage(&mut sandbox, &["src/c.rs"], "Other");
    target.commit_file("docs/a.md", &TWELVE.replace("9\n", "nine\n"));
    target.commit_file("docs/a.md", &TWELVE.replace("9\n", "nine\nmore\n"));
    target.commit_file("src/b.rs", "b\n");
    let fetches = target.fetches;
    let done = pull(&mut target, &mut sandbox, json!({}));
    assert_eq!(ids(&mut sandbox, &done), (vec![id(&same)], vec![id(&other)]));
    // The new commits with their trees, and the file's new content.
    assert_eq!(target.fetches, fetches + 2);
}
