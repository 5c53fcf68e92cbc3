//! What an agent does leaves to a branch of its own, unless the person or the worker file says otherwise.

use std::path::Path;

use serde_json::json;
use tests::cli::{Cli, Out, finish};
use tests::repo::Repo;

/// Runs a command in `folder`, as a person does who names no sandbox.
fn within(cli: &Cli, folder: &Path, words: &[&str]) -> Out {
    finish(cli.typed(words).current_dir(folder), b"")
}

/// A repository with a sandbox that was made with these options.
fn made(options: &[&str]) -> (Cli, Repo) {
    let cli = Cli::default();
    cli.unattended();
    let repo = cli.repository("project");
    within(&cli, repo.root(), &[&["new", "--identity", "Agent <agent@example.org>"], options].concat()).ok();
    (cli, repo)
}

/// Stages a file that nobody has, as an agent.
fn stage(cli: &Cli, repo: &Repo, name: &str) {
    let call = |tool: &str, arguments: serde_json::Value| {
        within(cli, repo.root(), &["call", tool, &arguments.to_string(), "--yes"]).ok();
    };
    call("write_file", json!({ "path": name, "content": "new\n" }));
    call("git_stage", json!({ "files": [name], "message": format!("Add {name}") }));
}

fn push(cli: &Cli, repo: &Repo, options: &[&str]) -> Out {
    within(cli, repo.root(), &[&["push", "--yes"], options].concat())
}

#[test]
fn a_push_goes_to_a_branch_of_the_sandboxs_own_and_says_how_to_merge_it() {
    let (cli, repo) = made(&[]);
    let main = repo.id("main");
    stage(&cli, &repo, "one.md");
    let out = push(&cli, &repo, &[]).ok();
    assert!(out.stdout.contains(" * [new branch]      agent/project -> agent/project\n"), "{out:#?}");
    assert!(out.stdout.ends_with("To merge it: git merge agent/project\n"), "{out:#?}");
    assert_eq!(repo.id("main"), main);
    // The next one goes on there, also once it is merged.
    stage(&cli, &repo, "two.md");
    push(&cli, &repo, &[]).ok();
    repo.git(&["merge", "--quiet", "agent/project"]);
    assert_eq!(repo.id("main"), repo.id("agent/project"));
    within(&cli, repo.root(), &["pull"]).ok();
    stage(&cli, &repo, "three.md");
    push(&cli, &repo, &[]).ok();
    assert_eq!(repo.id("agent/project~1"), repo.id("main"));
    let elsewhere = within(&cli, cli.folder(), &["-s", "project", "push", "--yes", "HEAD"]).ok();
    assert!(elsewhere.stdout.contains("Everything up-to-date"), "{elsewhere:#?}");
}

#[test]
fn a_review_of_such_a_push_has_no_warning_that_people_learn_to_ignore() {
    let (cli, repo) = made(&[]);
    cli.configure("");
    stage(&cli, &repo, "one.md");
    let out = within(&cli, repo.root(), &["push"]).exits(3);
    assert!(!out.stdout.contains("!!"), "{out:#?}");
    assert!(out.stdout.contains("agent/project"), "{out:#?}");
}

#[test]
fn a_person_or_a_worker_file_says_where_pushes_go() {
    let (cli, repo) = made(&["--push-to", "origin"]);
    stage(&cli, &repo, "one.md");
    let out = push(&cli, &repo, &[]).ok();
    assert!(out.stdout.contains("  main -> main\n") && !out.stdout.contains("To merge it"), "{out:#?}");

    let (cli, repo) = made(&["--push-to", "origin#topic"]);
    stage(&cli, &repo, "one.md");
    assert!(push(&cli, &repo, &[]).ok().stdout.contains("  topic -> topic\n"));

    let (cli, repo) = made(&[]);
    stage(&cli, &repo, "one.md");
    let out = push(&cli, &repo, &["--to", "origin"]).ok();
    assert!(out.stdout.contains("  main -> main\n"), "{out:#?}");
    stage(&cli, &repo, "two.md");
    let out = push(&cli, &repo, &["--to", "origin#other"]).ok();
    assert!(out.stdout.contains("  other -> other\n"), "{out:#?}");

    let cli = Cli::default();
    cli.unattended();
    let repo = cli.repository("project");
    let worker =
        "---\ntoolsets:\n  git:\n    default_target:\n      type: local\n      path: .\n      branch: reports\n---\n";
    std::fs::write(cli.work().join("worker.md"), worker).unwrap();
    within(&cli, repo.root(), &["new", "--worker", "../worker.md", "--identity", "Agent <agent@example.org>"]).ok();
    stage(&cli, &repo, "one.md");
    assert!(push(&cli, &repo, &[]).ok().stdout.contains("  reports -> reports\n"));
}

#[test]
fn a_branch_that_an_earlier_sandbox_left_is_not_in_the_way() {
    let (cli, repo) = made(&[]);
    stage(&cli, &repo, "one.md");
    push(&cli, &repo, &[]).ok();
    within(&cli, repo.root(), &["rm", "project", "--force"]).ok();
    let out = within(&cli, repo.root(), &["new", "--identity", "Agent <agent@example.org>"]).ok();
    assert!(out.stdout.contains("Pushes go to the branch agent/project-2 of local:"), "{out:#?}");
    stage(&cli, &repo, "two.md");
    assert!(push(&cli, &repo, &[]).ok().stdout.contains("agent/project-2 -> agent/project-2"));
}

#[test]
fn a_bare_repository_has_no_branch_checked_out_so_it_is_merged_in_a_clone() {
    let cli = Cli::default();
    cli.unattended();
    let repo = cli.repository("project");
    repo.git(&["clone", "--quiet", "--bare", ".", "../bare.git"]);
    within(
        &cli,
        &cli.work(),
        &["-s", "bare", "new", "--from", "bare:bare.git", "--identity", "Agent <agent@example.org>"],
    )
    .ok();
    let file = json!({ "path": "a.md", "content": "new\n" }).to_string();
    within(&cli, &cli.work(), &["-s", "bare", "call", "write_file", &file]).ok();
    let stage = json!({ "files": ["a.md"], "message": "Add a" }).to_string();
    within(&cli, &cli.work(), &["-s", "bare", "call", "git_stage", &stage]).ok();
    let out = within(&cli, &cli.work(), &["-s", "bare", "push", "--yes"]).ok();
    assert!(
        out.stdout.ends_with("To merge it: git fetch && git merge origin/agent/bare, in a clone of it\n"),
        "{out:#?}"
    );
}
