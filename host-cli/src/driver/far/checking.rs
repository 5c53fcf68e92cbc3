//! What a check says of sandboxes that have all of a history, part of it, or none.

use host::fsck::Report;
use serde_json::{Value, json};

use super::scene::{Scene, begun, deep, small, there};
use crate::support::github::Server;

/// The notes of a check that finds nothing wrong.
fn notes(scene: &Scene) -> Vec<String> {
    let Report { findings, notes } = scene.check();
    assert_eq!(findings, []);
    notes
}

#[test]
fn a_history_that_is_here_in_part_is_told_and_one_that_is_whole_is_checked() {
    deep(|| {
        let repo = begun();
        repo.write("b.md", "two\n").commit("Second");
        let partly = "not all objects were checked: the sandbox was opened with part of the history";
        for (depth, expected) in [(Value::Null, &[][..]), (json!(1), &[partly]), (json!(2), &[])] {
            let scene = Scene::new(Server::of(&repo), &["github:octo/hello"]);
            let sandbox = &mut scene.open();
            scene.agent(sandbox, "git_pull", json!({ "source": there(), "depth": depth }));
            assert_eq!(notes(&scene), expected, "{depth}");
            // What is staged on top of it is no other history.
            scene.agent(sandbox, "write_file", json!({ "path": "a.md", "content": "one\n" }));
            scene.agent(sandbox, "git_stage", json!({ "files": ["a.md"], "message": "One" }));
            assert_eq!(notes(&scene), expected, "{depth}");
        }
    });
}

#[test]
fn where_there_is_no_commit_there_is_none_to_check() {
    deep(|| {
        let notes = notes(&Scene::new(small(), &[]));
        assert!(notes.len() == 1 && notes[0].starts_with("there is no commit to check: "), "{notes:?}");
    });
}
