//! Compares `git_show` with git, for all kinds of objects.

use serde_json::json;

use super::commits::{Commits, pick};
use super::log::{format, judge};

const REVISIONS: &[&str] = &[
    "HEAD",
    "HEAD~1",
    "HEAD~2",
    "HEAD^2",
    "main",
    "main~3",
    "other",
    "feature/x",
    "v1",
    "v2.0",
    "annotated",
    "a/nested",
    "rel-1",
    "annotated^{}",
    "HEAD:",
    "HEAD:sub",
    "HEAD:sub/",
    "HEAD:a",
    "HEAD:sub/c",
    "HEAD~1:b",
    "HEAD^{tree}",
    "HEAD:nothing",
    "HEAD~2..HEAD",
    "HEAD..other",
    "other...HEAD",
    "HEAD^!",
    "HEAD^@",
    "HEAD^1",
    "nowhere",
    "refs/notes/commits",
    "stash",
    "@",
    "HEAD~99",
    "origin/main",
];

#[test]
fn git_show_says_what_git_says() {
    for seed in super::seeds(super::SCENES) {
        let mut commits = Commits::new(seed);
        for _ in 0..40 {
            let mut arguments = json!({});
            let mut git = vec!["show".to_owned()];
            let (stat, name_only) = (commits.random.usize(..4) == 0, commits.random.usize(..4) == 0);
            if stat {
                arguments["stat"] = json!(true);
            }
            if name_only {
                arguments["name_only"] = json!(true);
            }
            match (name_only, stat) {
                (true, _) => git.push("--name-only".into()),
                (false, true) => git.push("--stat".into()),
                (false, false) => {}
            }
            if commits.random.usize(..3) == 0 {
                let format = format(&mut commits.random);
                git.push(format!("--format={format}"));
                arguments["format"] = json!(format);
            }
            if commits.random.usize(..8) > 0 {
                let revision = pick(&mut commits.random, REVISIONS);
                arguments["commit"] = json!(revision);
                git.push(revision.to_owned());
                if commits.sandbox.exists(revision) {
                    git.push("--".into());
                }
            }
            let git: Vec<&str> = git.iter().map(String::as_str).collect();
            judge(&mut commits, seed, "git_show", &arguments, &git);
        }
    }
}
