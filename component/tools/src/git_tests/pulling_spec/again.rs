//! A pull after another one: with conflicts that are left, and from a branch that is another one by now.

use serde_json::json;

use super::{MARKED, pull, pulled, source, status, text};
use crate::calling::target::{Target, stage};

#[test]
fn a_pull_waits_until_the_conflicts_of_the_one_before_are_resolved() {
    let (mut target, mut sandbox) = pulled(&[("a.md", "a\n"), ("b.md", "b\n")]);
    sandbox.write("a.md", "mine\n");
    target.sandbox.write("a.md", "yours\n");
    target.commit("Upstream");
    pull(&mut target, &mut sandbox, json!({}));
    assert_eq!(text(&sandbox, "a.md"), MARKED);
    // Whether anything comes in or not.
    for content in ["bb\n", "bbb\n"] {
        let refused = target.serve(&mut sandbox, "git_pull", json!({ "source": source() })).unwrap_err();
        assert_eq!(refused.message, "Pulling is not possible because you have unmerged files.");
        assert!(refused.hint.starts_with("Resolve /workspace/a.md: "), "{}", refused.hint);
        assert_eq!(text(&sandbox, "a.md"), MARKED);
        target.sandbox.write("b.md", content);
        target.commit("More");
    }
    // As with git, what is staged counts as resolved, and who stages markers is warned.
    let staged = stage(&mut sandbox, &["a.md"], "Keep both");
    assert_eq!(staged["files"][0]["conflict"], json!(true));
    let warning = "The markers of an unfinished merge are left in /workspace/a.md. ";
    assert!(staged["hint"].as_str().unwrap().starts_with(warning), "{staged}");
    pull(&mut target, &mut sandbox, json!({}));
    assert_eq!(text(&sandbox, "b.md"), "bbb\n");
    // Markers that no pull has written are a text like any other.
    sandbox.write("b.md", MARKED.replace("(sandbox)", ""));
    assert_eq!(pull(&mut target, &mut sandbox, json!({})).structured()["hint"], "Already up to date.");
}

#[test]
fn a_branch_that_was_rewritten_is_said_to_be_and_another_repository_is_refused() {
    let (mut target, mut sandbox) = pulled(&[("a.md", "a\n")]);
    let begin = target.sandbox.read(".git/refs/heads/main");
    target.sandbox.write("a.md", "two\n");
    target.commit("Two");
    assert!(!pull(&mut target, &mut sandbox, json!({})).text.contains("(forced update)"));
    target.sandbox.write(".git/refs/heads/main", begin);
    target.commit("Another two");
    let done = pull(&mut target, &mut sandbox, json!({}));
    let range = done.text.lines().nth(1).unwrap();
    assert!(range.starts_with(" + ") && range.contains("...") && range.ends_with("  (forced update)"), "{range}");
    let tracked = ".git/refs/remotes/origin/main";
    let before = (status(&mut sandbox), sandbox.read(tracked));
    let mut other = Target::new();
    other.sandbox.write("a.md", "a\n");
    other.commit("Another beginning");
    let refused = other.serve(&mut sandbox, "git_pull", json!({ "source": source() })).unwrap_err();
    assert_eq!(refused.message, "refusing to merge unrelated histories");
    assert_eq!((status(&mut sandbox), sandbox.read(tracked)), before);
}
