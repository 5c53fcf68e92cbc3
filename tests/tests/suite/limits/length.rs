//! Names and paths that are too long, from a caller and from a commit.

use serde_json::{Value, json};
use tests::host::wit::ErrorKind;
use tests::host::with_stack;

use super::scene::Scene;

/// The longest path here, in bytes.
const MOST: u32 = 150;

/// A file's path of `length` bytes below `/workspace/`, in folders with short names.
fn path(length: usize) -> String {
    let mut path = "folder/".repeat(length / 7 - 1);
    path.push_str(&"f".repeat(length - path.len()));
    path
}

/// The call is refused with this kind, a message that starts like this, and a hint with the longest permitted path.
#[track_caller]
fn refused(scene: &Scene, tool: &str, arguments: &Value, kind: &ErrorKind) {
    let mut sandbox = scene.limited(|limits| limits.path_bytes = MOST);
    let Err(error) = scene.call(&mut sandbox, tool, arguments) else { panic!("{tool} {arguments} is not refused") };
    assert_eq!(error.kind, *kind, "{tool} {arguments}: {error:?}");
    assert!(error.message.starts_with("File name too long: "), "{tool} {arguments}: {error:?}");
    assert!(
        error.hint.contains("A name can have at most 255 bytes, and a path, including its zone, at most 150"),
        "{tool} {arguments}: {error:?}"
    );
}

#[test]
fn names_and_paths_that_a_caller_makes() {
    with_stack(|| {
        let scene = Scene::pulled();
        let name = "n".repeat(256);
        let fits = path(MOST as usize - "/workspace/".len());
        for (path, is_refused) in [(fits.clone(), false), (format!("{fits}f"), true), (name, true)] {
            for (tool, arguments) in [
                ("write_file", json!({ "path": path, "content": "text" })),
                ("move_file", json!({ "from": "README.md", "to": path })),
                ("git_diff", json!({ "from_ref": "HEAD~1", "to_ref": "HEAD", "output_dir": path })),
            ] {
                match is_refused {
                    true => refused(&scene, tool, &arguments, &ErrorKind::BadArgs),
                    false if tool == "git_diff" => {}
                    false => {
                        let mut sandbox = scene.limited(|limits| limits.path_bytes = MOST);
                        scene.call(&mut sandbox, tool, &arguments).unwrap_or_else(|error| panic!("{tool}: {error:?}"));
                    }
                }
            }
        }
    });
}

#[test]
fn a_folder_is_not_moved_to_where_what_is_in_it_would_have_too_long_a_path() {
    with_stack(|| {
        let scene = Scene::pulled();
        let to = path(MOST as usize - "/workspace/".len() - 5);
        let mut sandbox = scene.limited(|limits| limits.path_bytes = MOST);
        let refused = scene.call(&mut sandbox, "move_file", &json!({ "from": "docs", "to": to })).unwrap_err();
        assert_eq!((refused.kind, refused.message), (ErrorKind::BadArgs, format!("File name too long: {to}")));
        let hint = "Paths below it would become too long. Choose a shorter path.";
        assert_eq!(refused.hint, hint);
    });
}

#[test]
fn paths_that_a_commit_has() {
    with_stack(|| {
        for (mut scene, is_bare) in [(Scene::bare(), true), (Scene::empty(), false), (Scene::pulled(), false)] {
            scene.repo.write(&path(200), "text\n");
            scene.repo.commit("A long path");
            if is_bare {
                let arguments = scene.import();
                refused(&scene, "sandbox_import", &arguments, &ErrorKind::ExecutionFailed);
            } else {
                refused(&scene, "git_pull", &scene.pull(json!({})), &ErrorKind::ExecutionFailed);
                refused(&scene, "git_pull", &scene.pull(json!({ "paths": ["folder"] })), &ErrorKind::ExecutionFailed);
            }
        }
    });
}

#[test]
fn paths_of_files_from_elsewhere() {
    with_stack(|| {
        let scene = Scene::pulled();
        scene.repo.git(&["checkout", "--quiet", "topic"]);
        scene.repo.write(&path(200), "text\n");
        scene.repo.commit("A long path");
        for zone in ["workspace", "notes"] {
            let arguments = scene.pull(json!({ "branch": "topic", "paths": ["folder"], "destZone": zone }));
            refused(&scene, "git_pull", &arguments, &ErrorKind::ExecutionFailed);
        }
    });
}

#[cfg(unix)]
#[test]
fn targets_of_links() {
    with_stack(|| {
        let scene = Scene::pulled();
        std::os::unix::fs::symlink(path(200), scene.repo.root().join("link")).unwrap();
        scene.repo.commit("A link");
        refused(&scene, "git_pull", &scene.pull(json!({})), &ErrorKind::ExecutionFailed);
    });
}
