//! A sandbox on disk is no boundary, but nothing in its directory gets executed, and its repository leads nowhere else.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use serde_json::json;
use tests::cli::Cli;
use tests::tree::{self, assert_same};

use crate::on_disk::{opened, workspace};
use crate::pushing::digest;

/// The secret that nobody may read through the sandbox.
pub const SECRET: &str = "top secret";

/// A folder outside the sandbox with files that contain a secret.
pub fn outside(cli: &Cli) -> PathBuf {
    let folder = cli.work().join("outside");
    fs::create_dir(&folder).unwrap();
    for name in ["secret.txt", "b", ".gitignore", ".gitattributes"] {
        fs::write(folder.join(name), format!("{SECRET}\n")).unwrap();
    }
    folder
}

/// Calls every tool that works on the repository, as far as it gets. Returns all its output.
pub fn everything(cli: &Cli) -> String {
    let mut said = String::new();
    for (tool, arguments) in [
        ("git_status", json!({})),
        ("git_diff", json!({})),
        ("git_diff", json!({ "from_ref": "HEAD" })),
        ("git_diff", json!({ "from_ref": "HEAD~1", "stat": true })),
        ("git_stage", json!({ "files": ["."], "message": "Everything" })),
        ("git_diff", json!({ "from_ref": "HEAD" })),
        ("git_discard", json!({ "commitId": "HEAD" })),
        ("git_branches", json!({})),
        ("search_files", json!({ "pattern": "secret" })),
        ("list_files", json!({ "recursive": true })),
    ] {
        let out = cli.run(&["call", tool, &arguments.to_string(), "--as", "user", "--yes", "--json"]);
        assert!(out.code == 0 || out.code == 1, "{out:#?}");
        said.push_str(&out.stdout);
        said.push_str(&out.stderr);
    }
    said
}

#[test]
fn no_program_that_a_configuration_names_is_run_and_no_file_is_read() {
    let (cli, repo) = opened();
    let outside = outside(&cli);
    let canary = cli.work().join("canary");
    let run = cli.work().join("run.sh");
    fs::write(&run, format!("#!/bin/sh\ntouch '{}'\ncat\n", canary.display())).unwrap();
    fs::set_permissions(&run, fs::Permissions::from_mode(0o755)).unwrap();
    let run = run.to_str().unwrap();
    // A file from which git could read excludes, so that its content leaks.
    let (excludes, config) = (outside.join("excludes"), outside.join("config"));
    fs::write(&excludes, "*\n").unwrap();
    fs::write(&config, "[core]\n\tautocrlf = true\n\tfileMode = false\n").unwrap();
    let git = workspace(&cli);
    for key in [
        "core.fsmonitor",
        "filter.x.clean",
        "filter.x.smudge",
        "filter.x.process",
        "diff.external",
        "diff.x.command",
        "diff.x.textconv",
        "merge.x.driver",
        "core.sshCommand",
        "core.editor",
        "core.pager",
        "gpg.program",
        "credential.helper",
        "core.alternateRefsCommand",
        "uploadpack.packObjectsHook",
    ] {
        git.git(&["config", key, run]);
    }
    git.git(&["config", "filter.x.required", "true"]);
    git.git(&["config", "merge.default", "x"]);
    git.git(&["config", "core.hooksPath", outside.to_str().unwrap()]);
    for hook in ["pre-commit", "post-commit", "reference-transaction", "post-checkout", "pre-push"] {
        let hook = outside.join(hook);
        fs::copy(run, &hook).unwrap();
    }
    git.git(&["config", "core.attributesFile", excludes.to_str().unwrap()]);
    git.git(&["config", "core.excludesFile", excludes.to_str().unwrap()]);
    git.git(&["config", "include.path", config.to_str().unwrap()]);
    git.git(&["config", "includeIf.onbranch:main.path", config.to_str().unwrap()]);
    git.git(&["config", "extensions.worktreeConfig", "true"]);
    git.git(&["config", "gitoxide.core.indexFile", outside.join("b").to_str().unwrap()]);
    git.git(&["config", "core.worktree", outside.to_str().unwrap()]);
    fs::write(git.root().join(".git/config.worktree"), fs::read(git.root().join(".git/config")).unwrap()).unwrap();
    fs::remove_file(&canary).ok();

    git.write(".gitattributes", "* filter=x diff=x merge=x\n");
    git.write("dos.txt", "one\r\nthree\r\n");
    let before = tree::read(&outside);
    let said = everything(&cli);
    assert!(said.contains("three\\\\r\\n") || said.contains("three\\r\\n"), "line endings stay as they are: {said}");
    let staged = |files: &[&str]| {
        let arguments = json!({ "files": files, "message": "Work" });
        cli.structured("git_stage", &arguments)["commitSha"].as_str().unwrap().to_owned()
    };
    staged(&["dos.txt"]);
    git.write("new.txt", "not excluded\n");
    let sha = staged(&["new.txt"]);
    let shown = cli.run(&["push", "--to", "local:project"]).fails(3);
    cli.run(&["push", "--to", "local:project", "--approve", &digest(&shown)]).ok();
    assert_eq!(repo.id("main"), sha);
    assert!(!canary.exists(), "a program was run");
    assert_same(&before, &tree::read(&outside), "the folder outside");
    assert!(!said.contains(SECRET) && !shown.stdout.contains(SECRET));
}

#[test]
fn the_programs_of_the_last_test_would_have_been_run_by_git() {
    let (cli, _) = opened();
    let canary = cli.work().join("canary");
    let git = workspace(&cli);
    git.git(&["config", "core.fsmonitor", &format!("touch '{}'; false", canary.display())]);
    git.try_git(&["status"], b"");
    assert!(canary.exists());
}

#[test]
fn a_repository_that_has_a_part_of_itself_elsewhere_is_refused() {
    let (cli, repo) = opened();
    let outside = outside(&cli);
    let git = workspace(&cli).root().join(".git");
    let refused = |what: &str| {
        for command in [&["status"][..], &["call", "git_status"], &["call", "read_file", "{\"path\": \"README.md\"}"]] {
            let out = cli.run(command).fails(1);
            assert!(out.stderr.contains("leads outside the repository"), "{what}: {out:#?}");
        }
    };
    let objects = repo.root().join(".git/objects");
    for (file, content) in [
        ("commondir", repo.root().join(".git").display().to_string()),
        ("objects/info/alternates", objects.display().to_string()),
    ] {
        fs::write(git.join(file), content).unwrap();
        refused(file);
        fs::remove_file(git.join(file)).unwrap();
    }
    let replaced_by_link = |place: &Path, to: &Path| {
        let aside = git.with_file_name("aside");
        let was_there = fs::rename(place, &aside).is_ok();
        symlink(to, place).unwrap();
        refused(&place.display().to_string());
        fs::remove_file(place).unwrap();
        if was_there {
            fs::rename(&aside, place).unwrap();
        }
    };
    replaced_by_link(&git.join("config"), &outside.join("secret.txt"));
    replaced_by_link(&git.join("index"), &outside.join("secret.txt"));
    replaced_by_link(&git.join("objects"), &objects);
    replaced_by_link(&git.join("objects/00"), &outside);
    replaced_by_link(&git.join("refs/heads/other"), &outside.join("secret.txt"));
    replaced_by_link(&git.join("logs/HEAD"), &outside.join("new"));
    replaced_by_link(&git.join("info"), &outside);
    replaced_by_link(&git, &repo.root().join(".git"));
    let aside = git.with_file_name("aside");
    fs::rename(&git, &aside).unwrap();
    fs::write(&git, format!("gitdir: {}\n", repo.root().join(".git").display())).unwrap();
    refused(".git");
    fs::remove_file(&git).unwrap();
    fs::rename(&aside, &git).unwrap();
    cli.run(&["status"]).ok();
    // Nobody reads the files that git keeps for its own programs.
    fs::create_dir_all(git.join("hooks")).unwrap();
    symlink(&outside, git.join("hooks/link")).unwrap();
    cli.run(&["status"]).ok();
}

#[test]
fn a_pipe_in_the_place_of_a_file_is_never_opened() {
    let (cli, _) = opened();
    let git = workspace(&cli);
    for path in ["README.md", ".gitignore", ".gitattributes", "new"] {
        fs::remove_file(git.root().join(path)).ok();
        let made = std::process::Command::new("mkfifo").arg(git.root().join(path)).status().unwrap();
        assert!(made.success());
        let read = json!({ "path": path }).to_string();
        assert!(cli.run(&["call", "read_file", &read]).exits(1).stderr.contains("Not a regular file"));
    }
    everything(&cli);
    assert!(cli.call("git_status", &json!({})).ok().stdout.contains(" D README.md\n"));
    let made = std::process::Command::new("mkfifo").arg(git.root().join(".git/MERGE_HEAD")).status().unwrap();
    assert!(made.success());
    assert!(cli.run(&["status"]).fails(1).stderr.contains("leads outside the repository"));
}
