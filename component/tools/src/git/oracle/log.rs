//! What `git_log` prints, with random formats.

use fastrand::Rng;
use serde_json::{Value, json};

use super::commits::{Commits, pick};
use crate::testing::{NOW, git_command};

const PLACEHOLDERS: &[&str] = &[
    "%H",
    "%h",
    "%T",
    "%t",
    "%P",
    "%p",
    "%an",
    "%aN",
    "%ae",
    "%aE",
    "%al",
    "%aL",
    "%ad",
    "%aD",
    "%ar",
    "%at",
    "%ai",
    "%aI",
    "%as",
    "%ah",
    "%cn",
    "%cN",
    "%ce",
    "%cE",
    "%cl",
    "%cL",
    "%cd",
    "%cD",
    "%cr",
    "%ct",
    "%ci",
    "%cI",
    "%cs",
    "%ch",
    "%d",
    "%D",
    "%(decorate)",
    "%(decorate:prefix=<,suffix=>,separator=%x2C,tag=,pointer=@)",
    "%(describe)",
    "%(describe:tags)",
    "%(describe:tags=true,abbrev=4)",
    "%(describe:match=v*,tags)",
    "%(describe:exclude=v*,tags,abbrev=0)",
    "%S",
    "%e",
    "%s",
    "%f",
    "%b",
    "%B",
    "%N",
    "%GS",
    "%G?",
    "%gD",
    "%gs",
    "%gn",
    "%n",
    "%%",
    "%x41",
    "%x00",
    "%m",
    "%w(30)",
    "%w(20,2,4)",
    "%w(0,3,5)",
    "%w()",
    "%w(40,1)",
    "%<(10)",
    "%<(12,trunc)",
    "%<(12,ltrunc)",
    "%<(12,mtrunc)",
    "%>(15)",
    "%>>(20)",
    "%><(21)",
    "%<|(30)",
    "%>|(40)",
    "%>>|(50)",
    "%<|(-10)",
    "%(trailers)",
    "%(trailers:only)",
    "%(trailers:unfold)",
    "%(trailers:key=signed-off-by)",
    "%(trailers:key=Key,valueonly,separator=%x2C )",
    "%(trailers:keyonly,separator=;)",
    "%(trailers:key_value_separator==,only=yes)",
    "%(trailers:only=no,unfold=true)",
    "%Cred",
    "%Cgreen",
    "%C(auto)",
    "%C(blue)",
    "%C(always,red bold)",
    "%Creset",
    "%C(auto,yellow)",
    "%+s",
    "%-b",
    "% d",
    "%+d",
    "%-N",
    "%+b",
    "%+(trailers)",
    "% f",
    "%Q",
    "%a",
    "%aq",
    "%(nothing)",
    "%",
    "%(trailers:bad)",
    "%w(99999)",
    "%<(0)",
    "%xzz",
    "%+",
    "%-w(10)",
];
const BETWEEN: &[&str] = &["", "", " ", " | ", "\n", "text", "%n", "   "];
const NAMED: &[&str] = &[
    "oneline",
    "short",
    "medium",
    "full",
    "fuller",
    "raw",
    "email",
    "mboxrd",
    "reference",
    "m",
    "o",
    "FULL",
    "",
    "bad",
    "format:",
];

/// A format.
pub fn format(random: &mut Rng) -> String {
    if random.usize(..5) == 0 {
        return pick(random, NAMED).to_owned();
    }
    let mut format = pick(random, &["", "", "format:", "tformat:"]).to_owned();
    for _ in 0..random.usize(1..6) {
        format.push_str(pick(random, PLACEHOLDERS));
        format.push_str(pick(random, BETWEEN));
    }
    format
}

/// The arguments of a call, and the same as git's options.
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

/// Asserts that the tool says what git says at the same time and in the same zone.
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
