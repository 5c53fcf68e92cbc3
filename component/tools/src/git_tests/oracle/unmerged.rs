//! Merges that stop with conflicts, and later edits of the working tree.

use std::fs;

use fastrand::Rng;
use serde_json::{Value, json};

use super::{SCENES, seeds};
use crate::platform;
use crate::testing::Sandbox;

const PATHS: &[&str] = &["a", "b.rs", "c.txt", "d.bin", "sub/e", "sub/with space", "é", "x.link"];

/// A text of which each side changes some lines.
fn text(random: &mut Rng, name: &str) -> Vec<u8> {
    let mut text = String::new();
    for number in 0..30 {
        let line = match random.usize(..9) {
            0 => format!("{name} {number}"),
            1 => continue,
            _ if number % 10 == 0 => format!("fn number_{number}() {{"),
            _ => format!("    line {}", number % 7),
        };
        text.push_str(&format!("{line}\n"));
    }
    if random.usize(..5) == 0 {
        text.push_str("no newline");
    }
    if random.usize(..12) == 0 {
        text.push('\0');
    }
    text.into_bytes()
}

fn change(sandbox: &mut Sandbox, random: &mut Rng, name: &str) {
    for path in PATHS {
        let real = sandbox.real(path);
        fs::create_dir_all(real.parent().expect("it is in the workspace")).expect("folders can be made");
        match random.usize(..12) {
            0 => drop(fs::remove_file(&real)),
            1 if real.is_file() => platform::set_executable(&real, random.usize(..2) == 0).expect("it is a file"),
            2 => {
                drop(fs::remove_file(&real));
                if !real.is_dir() {
                    platform::symlink(name.as_ref(), &real).expect("nothing is there");
                }
            }
            3 if name == "people" => {
                drop(fs::remove_file(&real));
                fs::create_dir_all(real.join("in/a/folder")).expect("folders can be made");
            }
            4 => {}
            _ => {
                let text = text(random, name);
                drop(fs::remove_file(&real));
                if !real.is_dir() {
                    fs::write(&real, text).expect("nothing is there");
                }
            }
        }
    }
}

/// A repository with a stopped `git merge`, unless the sides happen to agree.
fn stopped(seed: u64) -> Sandbox {
    let mut random = Rng::with_seed(seed);
    let mut sandbox = Sandbox::with_repository();
    fs::write(sandbox.real(".gitattributes"), "*.rs diff=rust\n*.txt diff\n*.bin -diff\nsub/e text eol=lf\n")
        .expect("the workspace is ours");
    for (name, branch) in [("base", "main"), ("theirs", "side"), ("ours", "main")] {
        if branch == "side" {
            sandbox.git(&["branch", "side"]);
        }
        if name != "base" {
            sandbox.git(&["checkout", "--quiet", branch]);
        }
        change(&mut sandbox, &mut random, name);
        sandbox.git(&["add", "-A"]);
        sandbox.git(&["commit", "--quiet", "--allow-empty", "-m", name]);
    }
    sandbox.git_output(&["merge", "side"]);
    if random.usize(..3) > 0 {
        change(&mut sandbox, &mut random, "people");
    }
    sandbox
}

/// The arguments and equal options for every form of a diff.
fn forms() -> Vec<(Value, Vec<&'static str>)> {
    vec![
        (json!({"stat": false}), vec![]),
        (json!({"unified": 0}), vec!["-U0"]),
        (json!({"unified": 10, "stat": true}), vec!["--stat", "-U10"]),
        (json!({"name_only": true, "stat": true}), vec!["--name-only"]),
        (json!({"stat": true}), vec!["--stat"]),
    ]
}

#[test]
fn git_diff_of_a_stopped_merge_says_what_git_says() {
    let mut combined = 0;
    for seed in seeds(SCENES) {
        let mut sandbox = stopped(seed);
        combined += sandbox.git(&["diff"]).matches("diff --cc ").count();
        for (name, side, revisions) in [
            ("stat", json!(null), &[][..]),
            ("from_ref", json!("HEAD"), &["HEAD"]),
            ("cached", json!(true), &["--cached"]),
        ] {
            for (mut arguments, options) in forms() {
                if !side.is_null() {
                    arguments[name] = side.clone();
                }
                let mut git = vec!["--no-optional-locks", "diff"];
                git.extend(options.iter().chain(revisions));
                let expected = patch::escape::escape(&sandbox.git_output(&git).stdout).into_owned();
                let found = sandbox.ok("git_diff", arguments.clone()).text;
                assert_eq!(found, expected, "GITGATE_SEED={seed}: {arguments}");
            }
        }
    }
    assert!(combined > 0 || !trial::has_usual_seeds());
}
