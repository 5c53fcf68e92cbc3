//! Forms of repositories that git takes: worktrees of a bare one, and one that belongs to another user.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;

use tests::cli::{Cli, Out, finish};
use tests::repo::Repo;

use crate::pushing::digest;

fn within(cli: &Cli, folder: &Path, words: &[&str]) -> Out {
    finish(cli.typed(words).current_dir(folder), b"")
}

#[test]
fn a_worktree_of_a_bare_repository_is_a_place_to_work_from() {
    let cli = Cli::default();
    let origin = cli.repository("origin");
    let project = cli.work().join("project");
    fs::create_dir(&project).unwrap();
    origin.git(&["clone", "--quiet", "--bare", origin.path(), project.join(".bare").to_str().unwrap()]);
    let bare = Repo::at(&project.join(".bare"));
    let tree = project.join("topic");
    bare.git(&["worktree", "add", "--quiet", tree.to_str().unwrap(), "topic"]);
    let new = within(&cli, &tree, &["new", "--identity", "Ada <ada@example.org>"]).ok();
    assert!(new.stdout.starts_with("Sandbox topic: "), "{new:#?}");
    // The folder above leads to the repository, and is no worktree.
    fs::write(project.join(".git"), "gitdir: ./.bare\n").unwrap();
    within(&cli, &project, &["-s", "above", "new"]).ok();
    let status = within(&cli, &tree, &["status"]).ok().stdout;
    let place = format!("Sandbox topic, from bare:{}, branch topic\n", project.join(".bare").display());
    assert!(status.starts_with(&place), "{status}");
    within(&cli, &tree, &["call", "write_file", r#"{"path": "a", "content": "1\n"}"#]).ok();
    within(&cli, &tree, &["call", "git_stage", r#"{"files": ["a"], "message": "Add a"}"#]).ok();
    let shown = digest(&within(&cli, &tree, &["push"]).exits(3));
    within(&cli, &tree, &["push", "--approve", &shown]).ok();
    assert_eq!(bare.git(&["show", "agent/topic:a"]), "1");
    within(&cli, &tree, &["call", "write_file", r#"{"path": "b", "content": "2\n"}"#]).ok();
    within(&cli, &tree, &["call", "git_stage", r#"{"files": ["b"], "message": "Add b"}"#]).ok();
    // What the worktree has checked out moves with its branch.
    let shown = digest(&within(&cli, &tree, &["push", "--to", "origin#topic"]).exits(3));
    within(&cli, &tree, &["push", "--to", "origin#topic", "--approve", &shown]).ok();
    assert_eq!(Repo::at(&tree).read("a") + &Repo::at(&tree).read("b"), "1\n2\n");
    assert_eq!(Repo::at(&tree).git(&["status", "--porcelain"]), "");
}

#[test]
fn a_repository_of_another_user_is_taken_if_the_persons_own_git_takes_it() {
    let cli = Cli::default();
    let repo = cli.repository("theirs");
    let config = cli.folder().join(".gitconfig");
    let git = |script: &str| {
        let mut shell = cli.shell("sh", script);
        finish(shell.env_remove("GIT_CONFIG_GLOBAL").current_dir(repo.root()), b"")
    };
    let new = |name: &str| {
        let mut command = cli.typed(&["-s", name, "new", "--identity", "Ada <ada@example.org>"]);
        finish(command.env_remove("GIT_CONFIG_GLOBAL").current_dir(repo.root()), b"")
    };
    // Only the superuser can give a folder away.
    if chown(repo.root().join(".git"), Some(12345), None).is_err() {
        return;
    }
    chown(repo.root(), Some(12345), None).unwrap();
    let above = repo.root().parent().unwrap().display().to_string();
    let place = repo.root().display().to_string();
    for (at, (listed, is_safe)) in [
        (String::new(), false),
        (format!("\tdirectory = {place}\n"), true),
        (format!("\tdirectory = {above}/*\n"), true),
        (format!("\tdirectory = {above}\n"), false),
        ("\tdirectory = *\n".to_owned(), true),
        (format!("\tdirectory = {place}\n\tdirectory =\n"), false),
    ]
    .into_iter()
    .enumerate()
    {
        fs::write(&config, format!("[safe]\n{listed}")).unwrap();
        assert_eq!(git("git status --short").code == 0, is_safe, "git: {listed}");
        let made = new(&format!("s{at}"));
        if is_safe {
            made.ok();
        } else {
            assert!(made.exits(1).stderr.contains("git config --global --add safe.directory "), "{listed}");
        }
    }
}

#[test]
fn what_git_would_run_is_said_and_does_not_happen() {
    let cli = Cli::default();
    let repo = cli.repository("project");
    let hook = |path: &str| {
        repo.write(path, "#!/bin/sh\ntouch \"$(git rev-parse --git-common-dir)/canary\"\nexit 1\n");
        fs::set_permissions(repo.root().join(path), PermissionsExt::from_mode(0o755)).unwrap();
    };
    within(&cli, repo.root(), &["new", "--identity", "Ada <ada@example.org>"]).ok();
    within(&cli, repo.root(), &["call", "write_file", r#"{"path": "a", "content": "1\n"}"#]).ok();
    within(&cli, repo.root(), &["call", "git_stage", r#"{"files": ["a"], "message": "Add a"}"#]).ok();
    let shown = || within(&cli, repo.root(), &["push"]).exits(3).stdout;
    let said = |sentence: &str| shown().contains(sentence);
    let hooks = "Runs none of the target's hooks: ";
    assert!(!said(hooks));
    // git takes one that is not executable for none.
    repo.write(".git/hooks/commit-msg", "#!/bin/sh\n");
    assert!(!said(hooks));
    hook(".git/hooks/pre-push");
    hook(".git/hooks/pre-commit");
    assert!(said("Runs none of the target's hooks: pre-commit, pre-push\n"), "{}", shown());
    hook(".husky/update");
    repo.git(&["config", "core.hooksPath", ".husky"]);
    assert!(said("Runs none of the target's hooks: update\n"));
    let shown = digest(&within(&cli, repo.root(), &["push"]).exits(3));
    within(&cli, repo.root(), &["push", "--approve", &shown]).ok();
    assert!(!repo.root().join(".git/canary").exists());
}

#[test]
fn refs_in_reftables_are_refused_with_a_way_out() {
    let cli = Cli::default();
    let place = cli.work().join("tables");
    let origin = cli.repository("origin");
    // git knows them since 2.45.
    let init = format!("git init --quiet --ref-format=reftable '{}'", place.display());
    if finish(&mut cli.shell("sh", &init), b"").code != 0 {
        return;
    }
    let refused = within(&cli, &place, &["new"]).fails(1);
    assert!(
        refused.stderr.contains("reftables") && refused.stderr.contains("git clone --ref-format=files"),
        "{refused:#?}"
    );
    let clone = cli.work().join("clone");
    origin.git(&["clone", "--quiet", "--ref-format=files", origin.path(), clone.to_str().unwrap()]);
    within(&cli, &clone, &["new"]).ok();
}
