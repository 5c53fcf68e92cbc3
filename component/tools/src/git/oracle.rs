//! git itself, as the judge of what the reading tools print.
#![cfg(all(test, not(target_os = "wasi")))]

mod blame;
mod commits;
pub use self::commits::import;
mod log;
mod pulling;
mod scene;
mod show;
mod staging;
mod unmerged;

use serde_json::{Value, json};

use self::scene::Scene;

/// How many random repositories are looked at.
const SCENES: u64 = 24;

/// The seeds of the repositories. `GITGATE_SEED` looks at one of them again, `GITGATE_SCENES` at more.
fn seeds() -> std::ops::Range<u64> {
    let number = |name: &str| {
        let value = std::env::var(name).ok()?;
        Some(value.parse::<u64>().expect("it is a number"))
    };
    match number("GITGATE_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("GITGATE_SCENES").unwrap_or(SCENES),
    }
}

/// Asserts that the tool says what git says: the same text, or the same complaint.
fn compare(scene: &mut Scene, seed: u64, tool: &str, arguments: &Value, git: &[&str]) {
    let mut command = vec!["--no-optional-locks"];
    command.extend_from_slice(git);
    let ours = scene.sandbox.call(tool, arguments.clone());
    let theirs = scene.sandbox.git_output(&command);
    let expected = match theirs.status.success() {
        true => Ok(patch::escape::escape(&theirs.stdout).into_owned()),
        false => Err(patch::escape::escape(theirs.stderr.trim_ascii_end()).into_owned()),
    };
    let found = ours.map(|finished| finished.text).map_err(|error| error.message);
    if found != expected {
        panic!(
            "GITGATE_SEED={seed}: {tool} {arguments} is not {git:?}\n--- git\n{}\n--- here\n{}",
            expected.unwrap_or_else(|error| error),
            found.unwrap_or_else(|error| error),
        );
    }
}

#[test]
fn git_status_says_what_git_says() {
    for seed in seeds() {
        let mut scene = Scene::new(seed);
        let folder = ["a", "a/b", "docs/x y"].into_iter().find(|folder| scene.sandbox.real(folder).is_dir());
        for porcelain in [true, false] {
            for untracked in [true, false] {
                for branch in [true, false] {
                    let mut git = vec!["status"];
                    git.extend(porcelain.then_some("--porcelain=1"));
                    git.extend((porcelain && branch).then_some("-b"));
                    git.extend((!untracked).then_some("-uno"));
                    let mut arguments = json!({"porcelain": porcelain, "branch": branch, "untracked": untracked});
                    compare(&mut scene, seed, "git_status", &arguments, &git);
                    if let Some(folder) = folder.filter(|_| branch) {
                        git.splice(0..0, ["-C", folder]);
                        arguments["working_dir"] = json!(folder);
                        compare(&mut scene, seed, "git_status", &arguments, &git);
                    }
                }
            }
        }
    }
}

/// Arguments and the same as options, for every form that a diff is shown in.
fn forms() -> Vec<(Value, Vec<&'static str>)> {
    vec![
        (json!({"stat": false}), vec![]),
        (json!({"unified": 0}), vec!["-U0"]),
        (json!({"unified": 10, "stat": true}), vec!["--stat", "-U10"]),
        (json!({"name_only": true, "stat": true}), vec!["--name-only"]),
        (json!({"stat": true}), vec!["--stat"]),
    ]
}

/// Arguments and the same as revisions, for every pair of sides.
fn sides() -> Vec<(Value, Vec<&'static str>)> {
    vec![
        (json!({}), vec![]),
        (json!({"cached": true}), vec!["--cached"]),
        (json!({"from_ref": "HEAD"}), vec!["HEAD"]),
        (json!({"from_ref": "HEAD~1"}), vec!["HEAD~1"]),
        (json!({"from_ref": "HEAD~1", "to_ref": "HEAD"}), vec!["HEAD~1", "HEAD"]),
        (json!({"from_ref": "HEAD~2", "to_ref": "HEAD^{tree}"}), vec!["HEAD~2", "HEAD^{tree}"]),
        (json!({"from_ref": "HEAD...side"}), vec!["HEAD...side"]),
        (json!({"from_ref": "HEAD..HEAD~1"}), vec!["HEAD..HEAD~1"]),
    ]
}

const PATHSPECS: &[&[&str]] = &[&[], &[], &["a"], &["*.rs", "docs/"], &["a*", "./f"], &["[x]", "*/b"], &["nothing"]];

fn merge(into: &mut Value, from: &Value) {
    let from = from.as_object().expect("arguments are an object").clone();
    into.as_object_mut().expect("arguments are an object").extend(from);
}

#[test]
fn git_diff_says_what_git_says() {
    for seed in seeds() {
        let mut scene = Scene::new(seed);
        for (side, revisions) in sides() {
            for (form, options) in forms() {
                let paths = *scene.random.choice(PATHSPECS).unwrap();
                let folder = Some("a").filter(|_| scene.random.usize(..4) == 0 && scene.sandbox.real("a").is_dir());
                let mut arguments = form;
                merge(&mut arguments, &side);
                let mut git = vec!["-C", folder.unwrap_or("."), "diff"];
                git.extend(&options);
                git.extend(&revisions);
                if !paths.is_empty() {
                    arguments["paths"] = json!(paths);
                    git.push("--");
                    git.extend(paths);
                }
                if let Some(folder) = folder {
                    arguments["working_dir"] = json!(folder);
                }
                compare(&mut scene, seed, "git_diff", &arguments, &git);
            }
        }
    }
}
