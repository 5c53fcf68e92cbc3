//! Compares `git_log` with git, with random formats.

mod formats;

use fastrand::Rng;
use serde_json::{Value, json};

pub use self::formats::format;
use super::commits::{Commits, pick};
use crate::testing::{NOW, git_command};

/// The arguments of a call, and the equal options of git.
fn call(random: &mut Rng) -> (Value, Vec<String>) {
    let mut arguments = json!({});
    let mut git = vec!["log".to_owned()];
    let mut say = |name: &str, value: Value, option: String| {
        arguments[name] = value;
        git.push(option);
    };
    match random.usize(..6) {
        0 => say("oneline", json!(true), "--oneline".into()),
        1 => {}
        _ => {
            let format = format(random);
            say("format", json!(format), format!("--format={format}"));
        }
    }
    if random.usize(..4) == 0 {
        let count = random.u32(1..6);
        say("max_count", json!(count), format!("--max-count={count}"));
    }
    if random.usize(..5) == 0 {
        let pattern =
            pick(random, &["A U", "José", "example", "^Proper", "@y>$", "a\nx", "x*", "\\(a\\|b\\)@", "[", "José\\+"]);
        say("author", json!(pattern), format!("--author={pattern}"));
    }
    if random.usize(..5) == 0 {
        let pattern = pick(random, &["line", "^Key: ", "Fix\nfeat", "[0-9]$", "note", "^$", "\\.$", "Signed-off-by"]);
        say("grep", json!(pattern), format!("--grep={pattern}"));
    }
    if random.usize(..6) == 0 {
        let date =
            pick(random, &["1 year ago", "2 weeks ago", "2020-01-01", "yesterday", "never", "@1000000000 +0000"]);
        say("since", json!(date), format!("--since={date}"));
    }
    if random.usize(..6) == 0 {
        let date = pick(random, &["now", "1 hour ago", "3 days ago", "2025-06-01 12:00 +0200", "last friday"]);
        say("until", json!(date), format!("--until={date}"));
    }
    if random.usize(..4) == 0 {
        let path = pick(random, &["a", "sub", "sub/", "*", "s*/c", "é", "[x]", "gone", "."]);
        arguments["path"] = json!(path);
        git.extend(["--".to_owned(), path.to_owned()]);
    }
    (arguments, git)
}

#[test]
fn git_log_says_what_git_says() {
    let mut calls = 0;
    for seed in super::seeds(super::SCENES) {
        let mut commits = Commits::new(seed);
        for _ in 0..40 {
            let (arguments, git) = call(&mut commits.random);
            let git: Vec<&str> = git.iter().map(String::as_str).collect();
            judge(&mut commits, seed, "git_log", &arguments, &git);
            calls += 1;
        }
    }
    println!("{calls} calls");
}

/// Asserts that the tool and git print the same at the same time and in the same zone.
pub fn judge(commits: &mut Commits, seed: u64, tool: &str, arguments: &Value, git: &[&str]) {
    let theirs = git_command(&commits.sandbox.root(), git)
        .env("TZ", "UTC-1")
        .env("GIT_TEST_DATE_NOW", (NOW.nanos / 1_000_000_000).to_string())
        .output()
        .expect("git is installed");
    let shown = |bytes: &[u8]| patch::escape::escape(bytes).into_owned();
    let mut expected = match theirs.status.success() {
        true => Ok(shown(&theirs.stdout)),
        false => Err(shown(theirs.stderr.trim_ascii_end())),
    };
    if let Ok(text) = &mut expected
        && !theirs.stderr.is_empty()
    {
        text.push_str("\n\n[stderr]\n");
        text.push_str(&shown(&theirs.stderr));
    }
    let found = commits.sandbox.call(tool, arguments.clone()).map(|done| done.text).map_err(|error| error.message);
    if found != expected {
        panic!(
            "GITGATE_SEED={seed}: {tool} {arguments} is not {git:?} in {}\n--- git\n{}\n--- here\n{}",
            commits.sandbox.root().display(),
            expected.unwrap_or_else(|error| format!("error: {error}")),
            found.unwrap_or_else(|error| format!("error: {error}")),
        );
    }
}
