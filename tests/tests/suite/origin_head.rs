//! A new sandbox's `origin/HEAD` is the same as after `git clone`: the branch of the source's HEAD, whichever branch is opened.

use serde_json::json;
use tests::cli::{Cli, finish};
use tests::repo::Repo;

/// The source's HEAD, and the git commands that create it.
const HEADS: [(&str, &[&[&str]]); 7] = [
    ("a branch", &[]),
    (
        "a branch that stands for another",
        &[&["symbolic-ref", "refs/heads/alias", "refs/heads/lead"], &["symbolic-ref", "HEAD", "refs/heads/alias"]],
    ),
    ("a branch without a commit", &[&["symbolic-ref", "HEAD", "refs/heads/unborn"]]),
    ("detached where master is", &[&["checkout", "--quiet", "--detach", "main~1"]]),
    (
        "detached where other branches are",
        &[&["branch", "--quiet", "-D", "master"], &["checkout", "--quiet", "--detach", "main~1"]],
    ),
    ("detached where one branch is", &[&["checkout", "--quiet", "--detach", "main"]]),
    (
        "detached where no branch is",
        &[&["checkout", "--quiet", "--detach", "main"], &["commit", "--quiet", "--allow-empty", "-m", "Nobody's"]],
    ),
];

#[test]
fn origin_head_is_the_branch_that_git_clone_takes_for_the_sources_head() {
    for (what, commands) in HEADS {
        let cli = Cli::default();
        let repo = source(&cli);
        for command in commands {
            repo.git(command);
        }
        for branch in [None, Some("topic")] {
            compare(&cli, &repo, branch, None, what);
        }
    }
}

#[test]
fn the_default_branch_of_the_persons_configuration_goes_before_others() {
    let cli = Cli::default();
    let repo = source(&cli);
    repo.git(&["checkout", "--quiet", "--detach", "main~1"]);
    for default in ["lead", "master", "main"] {
        compare(&cli, &repo, Some("topic"), Some(default), default);
    }
}

/// A repository whose branches abc, lead and master share one commit, while main and topic are each one commit ahead.
fn source(cli: &Cli) -> Repo {
    let repo = Repo::init(&cli.work().join("project"));
    repo.write("a", "1\n");
    repo.commit("First");
    for name in ["abc", "lead", "master", "topic"] {
        repo.git(&["branch", name]);
    }
    repo.write("a", "2\n");
    repo.commit("Second");
    repo.git(&["checkout", "--quiet", "topic"]);
    repo.write("b", "3\n");
    repo.commit("Topic");
    repo.git(&["checkout", "--quiet", "main"]);
    repo
}

/// Compares a new sandbox with a clone, both opened on `branch` by a person whose `init.defaultBranch` is `default`.
#[track_caller]
fn compare(cli: &Cli, repo: &Repo, branch: Option<&str>, default: Option<&str>, what: &str) {
    let what = format!("{what}, opened on {branch:?}");
    let folder = cli.work().join("clone");
    let config = default.map(|name| format!("init.defaultBranch={name}"));
    let mut clone: Vec<&str> = config.iter().flat_map(|config| ["-c", config.as_str()]).collect();
    clone.extend(["clone", "--quiet"]);
    clone.extend(branch.iter().flat_map(|branch| ["--branch", *branch]));
    clone.extend([".", folder.to_str().unwrap()]);
    repo.git(&clone);
    let clone = Repo::at(&folder);

    let from = format!("local:project{}", branch.map(|branch| format!("#{branch}")).unwrap_or_default());
    let mut new = cli.command(&["new", "--from", &from, "--identity", "Ada <ada@example.org>"]);
    if let Some(default) = default {
        new.env("GIT_CONFIG_COUNT", "1");
        new.env("GIT_CONFIG_KEY_0", "init.defaultBranch").env("GIT_CONFIG_VALUE_0", default);
    }
    finish(&mut new, b"").ok();
    let listed = cli.call("git_branch", &json!({ "list_remote": true })).ok().stdout;
    assert_eq!(listed.trim_end(), clone.git(&["branch", "-v", "--remotes"]), "{what}");
    // If the source has a detached HEAD, git without a branch uses one; a sandbox stays detached.
    if branch.is_some() {
        let log = cli.call("git_log", &json!({ "format": "%h %D" })).ok().stdout;
        assert_eq!(log.trim_end(), clone.git(&["log", "--format=%h %D"]), "{what}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
    cli.run(&["rm", "default", "--force"]).ok();
}
