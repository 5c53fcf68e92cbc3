//! A full sandbox: in bytes, in files, or for a single file. Every writing tool is refused at each point where it runs out of space, until
//! there is enough for all of it.

use serde_json::{Value, json};
use tests::host::wit::{ErrorKind, Limits};
use tests::host::with_stack;

use super::scene::{Scene, noise};

/// A limit of what a sandbox holds.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Limit {
    Bytes,
    Files,
    FileBytes,
}

use Limit::{Bytes, FileBytes, Files};

const ALL: &[Limit] = &[Bytes, Files, FileBytes];

impl Limit {
    fn set(self, limits: &mut Limits, to: u64) {
        match self {
            Bytes => limits.bytes = to,
            Files => limits.files = to,
            FileBytes => limits.file_bytes = to,
        }
    }

    /// More than any call here needs.
    fn most(self) -> u64 {
        match self {
            Bytes | FileBytes => 1 << 18,
            Files => 1 << 10,
        }
    }
}

/// The smallest `limit` with which the call succeeds.
#[track_caller]
fn least(scene: &Scene, limit: Limit, tool: &str, arguments: &Value) -> u64 {
    let call = |value| scene.attempt(&mut scene.limited(|limits| limit.set(limits, value)), tool, arguments);
    let (mut refused, mut enough) = (0, limit.most());
    call(enough).unwrap_or_else(|error| panic!("{tool} {arguments}: {error:?}"));
    while enough - refused > 1 {
        let middle = refused + (enough - refused) / 2;
        match call(middle) {
            Ok(_) => enough = middle,
            Err(_) => refused = middle,
        }
    }
    enough
}

/// Makes the call with less and less space than it needs.
#[track_caller]
fn needs(scene: &Scene, limits: &[Limit], tool: &str, arguments: &Value) {
    for &limit in limits {
        let enough = least(scene, limit, tool, arguments);
        let every = [1, 2, 3, 4, 6, 9, 30, 200, 1000, 5000, 20_000];
        let steps = trial::times(&[1, 9, 1000][..], &every);
        for lacking in steps.iter().copied().take_while(|step| *step < enough).chain([enough]) {
            let value = enough - lacking;
            let what = format!("{tool} where {limit:?} is {value}, and {enough} would do");
            let mut sandbox = scene.limited(|limits| limit.set(limits, value));
            let Err(error) = scene.call(&mut sandbox, tool, arguments) else { panic!("{what}: it is not refused") };
            assert_eq!(error.kind, ErrorKind::OutOfSpace, "{what}: {error:?}");
            let words = if limit == FileBytes { "File too large: " } else { "The sandbox is full" };
            assert!(error.message.starts_with(words), "{what}: {error:?}");
            assert!(error.hint.starts_with("Nothing has changed. "), "{what}: {error:?}");
        }
    }
}

#[test]
fn file_tools() {
    with_stack(|| {
        let scene = Scene::pulled();
        needs(&scene, ALL, "write_file", &json!({ "path": "a/new/folder/b.md", "content": noise("b", 4000) }));
        let long = noise("long", 20_000);
        needs(&scene, &[Bytes, FileBytes], "write_file", &json!({ "path": "README.md", "content": long }));
        needs(&scene, &[Bytes, FileBytes], "edit_file", &json!({ "path": "README.md", "old": "Project", "new": long }));
        needs(&scene, &[Files], "move_file", &json!({ "from": "docs", "to": "a/new/folder/docs" }));
    });
}

#[test]
fn staging_and_discarding() {
    with_stack(|| {
        let scene = Scene::pulled();
        needs(&scene, ALL, "git_stage", &json!({ "files": ["deep"], "message": noise("message", 400) }));
        needs(&scene, ALL, "git_discard", &json!({ "commitId": "HEAD~1" }));
    });
}

#[test]
fn patches_that_are_written_to_files() {
    with_stack(|| {
        let scene = Scene::pulled();
        let arguments = json!({ "from_ref": "HEAD~2", "to_ref": "HEAD", "output_dir": "patches" });
        needs(&scene, ALL, "git_diff", &arguments);
    });
}

#[test]
fn an_import() {
    with_stack(|| {
        let mut scene = Scene::bare();
        needs(&scene, ALL, "sandbox_import", &json!({}));
        let arguments = scene.import();
        needs(&scene, ALL, "sandbox_import", &arguments);
    });
}

#[test]
fn a_first_pull() {
    with_stack(|| {
        let scene = Scene::empty();
        needs(&scene, ALL, "git_pull", &scene.pull(json!({})));
        needs(&scene, ALL, "git_pull", &scene.pull(json!({ "paths": ["docs"] })));
    });
}

#[test]
fn a_pull_from_upstream_on_which_staged_commits_are_made_again() {
    with_stack(|| {
        let scene = Scene::pulled();
        needs(&scene, ALL, "git_pull", &scene.pull(json!({})));
    });
}

#[test]
fn a_pull_of_files_from_elsewhere() {
    with_stack(|| {
        let scene = Scene::pulled();
        scene.repo.git(&["checkout", "--quiet", "topic"]);
        scene.repo.write("more/of/it.md", &noise("topic", 6000));
        scene.repo.commit("More of a topic");
        for more in [json!({}), json!({ "destZone": "notes" })] {
            let mut arguments = scene.pull(json!({ "branch": "topic", "paths": ["more"] }));
            arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            needs(&scene, ALL, "git_pull", &arguments);
        }
    });
}

#[test]
fn what_a_sparse_sandbox_lacks() {
    with_stack(|| {
        let scene = Scene::sparse();
        needs(&scene, &[Bytes, Files], "git_diff", &json!({}));
        needs(&scene, ALL, "git_pull", &scene.pull(json!({ "paths": ["dos.txt"] })));
    });
}

#[test]
fn what_makes_room_or_takes_none_works_in_a_sandbox_that_is_full() {
    with_stack(|| {
        let scene = Scene::pulled();
        let new = json!({ "path": "new.md", "content": "" });
        // An empty file counts as one file and no bytes.
        let full =
            [(Bytes, least(&scene, Bytes, "write_file", &new)), (Files, least(&scene, Files, "write_file", &new) - 1)];
        let target = json!({ "type": "local", "path": "/elsewhere", "branch": "new" });
        for (tool, arguments) in [
            ("delete_file", json!({ "path": "docs", "recursive": true })),
            ("write_file", json!({ "path": "one.md", "content": "shorter\n" })),
            ("edit_file", json!({ "path": "README.md", "old": "# Project", "new": "#" })),
            ("move_file", json!({ "from": "one.md", "to": "1.md" })),
            ("git_merge", json!({ "base": "a\n", "ours": "b\n", "theirs": "c\n" })),
            ("sandbox_undo", json!({})),
            ("git_push", json!({ "commitId": "HEAD~1", "target": target })),
            ("git_push", json!({ "commitId": "HEAD", "only": true, "target": target })),
            ("git_diff", json!({})),
            ("search_files", json!({ "pattern": "Project" })),
        ] {
            for (limit, used) in full {
                let mut sandbox = scene.limited(|limits| limit.set(limits, used));
                let outcome = scene.call(&mut sandbox, tool, &arguments);
                outcome.unwrap_or_else(|error| panic!("{tool} {arguments}, full of {limit:?}: {error:?}"));
            }
        }
    });
}

#[test]
fn no_tool_has_many_files_open_at_a_time() {
    with_stack(|| {
        for (scene, tool, arguments) in [
            (Scene::pulled(), "git_stage", json!({ "files": ["deep"], "message": "Three" })),
            (Scene::pulled(), "git_discard", json!({ "commitId": "HEAD~1" })),
            (Scene::pulled(), "git_pull", json!({})),
            (Scene::empty(), "git_pull", json!({})),
        ] {
            let arguments = if tool == "git_pull" { scene.pull(arguments) } else { arguments };
            let mut sandbox = scene.limited(|limits| limits.open_files = 8);
            scene.call(&mut sandbox, tool, &arguments).unwrap_or_else(|error| panic!("{tool}: {error:?}"));
        }
    });
}
