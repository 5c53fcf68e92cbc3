//! Compares `git_blame` with `git blame` on random histories with random working trees.

mod history;
mod own;
mod story;
mod tree;
mod work;

use std::path::Path;
use std::time::{Duration, Instant};

use regex::bytes::Regex;
use serde_json::{Value, json};

use self::history::History;
use super::seeds;
use crate::output::truncate;
use crate::testing::{Sandbox, git};

/// The number of calls on each repository.
const CALLS: usize = 65;

/// The result of a call.
struct Asked {
    /// Whether git printed a text and no error.
    is_text: bool,
    /// The durations of both.
    ours: Duration,
    theirs: Duration,
}

/// Calls the tool and git in the workspace of `sandbox`, and asserts that both give the same text or error.
fn compare(sandbox: &mut Sandbox, name: &str, arguments: &Value) -> Asked {
    let start = Instant::now();
    let found = sandbox.call("git_blame", arguments.clone());
    let ours = start.elapsed();
    let found = found.map(|finished| finished.text).map_err(|error| error.message);
    let command = command(arguments, &sandbox.root());
    let command: Vec<&str> = command.iter().map(String::as_str).collect();
    let start = Instant::now();
    let output = git(&sandbox.root(), &command);
    let theirs = start.elapsed();
    let max_bytes = arguments["max_bytes"].as_u64().map_or(200_000, |max| usize::try_from(max).unwrap());
    let expected = match output.status.success() {
        true => {
            let text = now(&output.stdout);
            Ok(truncate(patch::escape::escape(&text).into_owned(), max_bytes).0)
        }
        false => Err(patch::escape::escape(output.stderr.trim_ascii_end()).into_owned()),
    };
    let is_text = expected.is_ok();
    if found != expected {
        panic!(
            "{name}: git_blame {arguments} is not {command:?}\n--- git\n{}\n--- here\n{}",
            expected.unwrap_or_else(|error| error),
            found.unwrap_or_else(|error| error),
        );
    }
    Asked { is_text, ours, theirs }
}

/// The git command equal to `arguments`.
fn command(arguments: &Value, root: &Path) -> Vec<String> {
    let mut command: Vec<String> = vec!["--no-optional-locks".to_owned()];
    if let Some(folder) = arguments["working_dir"].as_str() {
        command.extend(["-C".to_owned(), folder.to_owned()]);
    }
    command.push("blame".to_owned());
    match (arguments["start_line"].as_u64(), arguments["end_line"].as_u64()) {
        (None, None) => {}
        (Some(start), None) => command.push(format!("-L{start},")),
        (start, Some(end)) => command.push(format!("-L{},{end}", start.unwrap_or(1))),
    }
    command.extend(arguments["commit"].as_str().map(str::to_owned));
    command.push("--".to_owned());
    let path = arguments["path"].as_str().expect("there is a path");
    command.push(match path.strip_prefix("/workspace/") {
        Some(below) => format!("{}/{below}", root.display()),
        None => path.to_owned(),
    });
    command
}

/// Replaces the system's time in uncommitted lines by that of the sandbox.
pub fn now(text: &[u8]) -> Vec<u8> {
    let line = Regex::new(r"(?m-u)^(0{8,}.*?) \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0\d00").unwrap();
    line.replace_all(text, &b"$1 2026-11-20 10:00:00 +0100"[..]).into_owned()
}

#[test]
fn git_blame_says_what_git_says() {
    let (mut texts, mut complaints) = (0, 0);
    for seed in seeds(super::SCENES) {
        let mut history = History::new(seed);
        for _ in 0..CALLS {
            let arguments = arguments(&mut history);
            match compare(&mut history.sandbox, &format!("GITGATE_SEED={seed}"), &arguments).is_text {
                true => texts += 1,
                false => complaints += 1,
            }
        }
    }
    println!("{texts} texts, {complaints} complaints");
    assert!(!trial::has_usual_seeds() || (texts > 230 && complaints > 33), "{texts} {complaints}");
}

/// A random call, most often on a file that exists in some commit.
fn arguments(history: &mut History) -> Value {
    let History { random, paths, commits, is_shallow, .. } = history;
    let mut path = match random.usize(..20) {
        0 => (*random.choice(&["nothing", "d", "d/", "d/e", ".", "sub", "*", "f/"]).unwrap()).to_owned(),
        _ => random.choice(paths.iter()).unwrap().clone(),
    };
    let mut arguments = json!({});
    match random.usize(..12) {
        0 => path = format!("/workspace/{path}"),
        1 => path = format!("./{path}"),
        2 | 3 if history.sandbox.root().join("d").is_dir() => {
            arguments["working_dir"] = json!("d");
            if let Some(below) = path.strip_prefix("d/").filter(|below| !below.is_empty()) {
                path = below.to_owned();
            }
        }
        _ => {}
    }
    // After `--`, a name with a leading dash is not an option.
    arguments["path"] = json!(path);
    if random.bool() {
        let number = random.usize(..4);
        let id = random.choice(commits.iter()).unwrap();
        let other = random.choice(commits.iter()).unwrap();
        let revision = match random.usize(..30) {
            0..=5 => "HEAD".to_owned(),
            // In a shallow history, gix still follows a boundary commit's parents if they exist.
            6..=8 if !*is_shallow => format!("HEAD~{number}"),
            9 | 10 => "side".to_owned(),
            11..=15 => id.clone(),
            16..=18 => format!("{id}..{other}"),
            19 if !*is_shallow => format!("HEAD~{number}.."),
            20 => format!("..{id}"),
            21 => format!("{id}...{other}"),
            22 => format!("{id}^!"),
            23 => format!("{id}^@"),
            24 => format!("{id}^-"),
            25 => format!("^{id}"),
            26 => (*random.choice(&["HEAD^{tree}", "HEAD:f", "HEAD:d", "v1:f"]).unwrap()).to_owned(),
            27 => {
                (*random.choice(&["nowhere", "HEAD~99", "", "f", "nowhere..HEAD", "HEAD..nowhere"]).unwrap()).to_owned()
            }
            28 => "v1".to_owned(),
            _ => id[..8].to_owned(),
        };
        arguments["commit"] = json!(revision);
    }
    let line = |random: &mut fastrand::Rng| random.usize(1..=1 + random.clone().usize(1..=14));
    let (start, end) = (line(random), line(random));
    match random.usize(..8) {
        0 => arguments["start_line"] = json!(start),
        1 => arguments["end_line"] = json!(end),
        2 | 3 => (arguments["start_line"], arguments["end_line"]) = (json!(start.min(end)), json!(start.max(end))),
        _ => {}
    }
    if random.usize(..10) == 0 {
        arguments["max_bytes"] = json!(random.usize(1..900));
    }
    arguments
}
