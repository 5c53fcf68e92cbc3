//! What the repository says after the push: read from its own files, and by git where there is one.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use anyhow::Context as _;
use gix::ObjectId;

/// Where the branch is.
pub(super) fn head(project: &Path) -> anyhow::Result<ObjectId> {
    Ok(open(project)?.head_id().context("the branch has a commit")?.detach())
}

/// What is new since `before`, and what git thinks of the repository.
pub(super) fn of(project: &Path, before: ObjectId) -> anyhow::Result<String> {
    let repo = open(project)?;
    let mut out = String::new();
    for commit in repo.rev_walk([repo.head_id()?]).with_hidden([before]).all()? {
        let commit = commit?.object()?;
        let author = commit.author()?;
        writeln!(out, "{} {} ({})", commit.short_id()?, commit.message()?.summary(), author.name)?;
    }
    for file in ["src/greet.py", "tests/test_greet.py", "notes.txt"] {
        let is = if project.join(file).exists() { "is" } else { "is not" };
        writeln!(out, "{file} {is} in the working folder")?;
    }
    for arguments in [&["fsck", "--strict", "--no-progress"][..], &["status", "--short", "--branch"]] {
        match git(project, arguments) {
            Some(said) => {
                writeln!(out, "git {}: {}", arguments[0], if said.trim().is_empty() { "clean" } else { said.trim() })?
            }
            None => writeln!(out, "git {}: there is no git here to ask", arguments[0])?,
        }
    }
    Ok(out)
}

fn open(project: &Path) -> anyhow::Result<gix::Repository> {
    gix::open_opts(project, gix::open::Options::isolated()).context("the demo's repository cannot be opened")
}

/// What git says, in the repository that the demo made itself: its configuration is known, and it has no hooks.
fn git(project: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(project)
        .args(arguments)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("LC_ALL", "C")
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .output()
        .ok()?;
    Some(format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)))
}
