//! What a pull does in a sandbox that has a part of the repository.

use super::*;

#[test]
fn blobs_of_the_first_commit_that_is_here_are_found_although_its_parents_are_not() {
    let mut target = Target::new();
    for content in ["zero\n", "one\n"] {
        target.sandbox.write("docs/p.md", "p\n");
        target.sandbox.write("src/e.rs", content);
        target.commit(content);
    }
    let mut sandbox = with_identity();
    pull(&mut target, &mut sandbox, json!({ "paths": ["docs"] }));
    target.sandbox.write("src/e.rs", "two\n");
    target.commit("Two");
    pull(&mut target, &mut sandbox, json!({}));
    let diff = json!({ "from_ref": "HEAD~1", "to_ref": "HEAD" });
    let diff = target.serve(&mut sandbox, "git_diff", diff).unwrap();
    assert!(diff.text.contains("-one\n+two\n"), "{}", diff.text);
}

#[test]
fn a_file_outside_the_paths_is_merged_with_what_came_since() {
    let lines = |first: &str, last: &str| format!("{first}\n2\n3\n4\n{last}\n");
    let mut target = Target::new();
    for first in ["0", "1"] {
        target.sandbox.write("docs/p.md", "p\n");
        target.sandbox.write("src/e.rs", lines(first, "5"));
        target.commit(first);
    }
    let mut sandbox = with_identity();
    pull(&mut target, &mut sandbox, json!({ "paths": ["docs"] }));
    sandbox.write("src/e.rs", lines("one", "5"));
    target.sandbox.write("src/e.rs", lines("1", "five"));
    target.commit("Upstream");
    let done = pull(&mut target, &mut sandbox, json!({}));
    assert_eq!((&done.structured["conflicts"], text(&sandbox, "src/e.rs")), (&json!([]), lines("one", "five")));
}
