//! How files are merged that come from where the sandbox's commits do not go, and with a first pull.

use super::*;

const RULES: &str = "*.lock -merge\n*.log merge=union\n*.wide conflict-marker-size=9\n";

/// What becomes of four files that both sides have, where `RULES` hold.
fn merged_by_the_rules(sandbox: &Sandbox, done: &Finished) {
    let content = ["a.lock", "a.log", "a.md", "a.wide"].map(|path| text(sandbox, path));
    let wide = "<<<<<<<<< ours (sandbox)\nmine\n=========\nyours\n>>>>>>>>> theirs (incoming)\n";
    assert_eq!(content, ["mine\n", "mine\nyours\n", MARKED, wide]);
    assert_eq!(done.structured["conflicts"], json!(["/workspace/a.lock", "/workspace/a.md", "/workspace/a.wide"]));
}

#[test]
fn files_from_elsewhere_are_merged_as_attributes_say() {
    let (_, mut sandbox) = pulled(&[(".gitattributes", RULES), ("b.md", "b\n")]);
    let mut other = Target::named("local:/other");
    for path in ["a.lock", "a.log", "a.md", "a.wide"] {
        sandbox.write(path, "mine\n");
        other.sandbox.write(path, "yours\n");
    }
    other.commit("Other");
    let done =
        other.serve(&mut sandbox, "git_pull", json!({ "source": { "type": "local", "path": "/other" } })).unwrap();
    merged_by_the_rules(&sandbox, &done);
}

#[test]
fn a_first_pull_merges_as_the_attributes_say_that_come_with_it() {
    let mut target = Target::new();
    target.sandbox.write(".gitattributes", RULES);
    let mut sandbox = with_identity();
    for path in ["a.lock", "a.log", "a.md", "a.wide"] {
        sandbox.write(path, "mine\n");
        target.sandbox.write(path, "yours\n");
    }
    target.commit("Begin");
    let done = pull(&mut target, &mut sandbox, json!({}));
    merged_by_the_rules(&sandbox, &done);
}
