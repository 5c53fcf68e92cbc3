//! Describes the repository after the push, from its own files and with git if it is installed.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use anyhow::Context as _;
use gix::ObjectId;

/// The head of the branch.
pub(super) fn head(project: &Path) -> anyhow::Result<ObjectId> {
    Ok(open(project)?.head_id().context("the branch has a commit")?.detach())
}

/// Describes the commits since `before`, and what git reports about the repository.
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
            Some(output) => writeln!(
                out,
                "git {}: {}",
                arguments[0],
                if output.trim().is_empty() { "clean" } else { output.trim() }
            )?,
            None => writeln!(out, "git {}: git is not installed", arguments[0])?,
        }
    }
    Ok(out)
}

fn open(project: &Path) -> anyhow::Result<gix::Repository> {
    gix::open_opts(project, gix::open::Options::isolated()).context("cannot open the demo's repository")
}

/// Runs git in the demo's own repository, which has a known configuration and no hooks. Returns its
/// output, or `None` if git is not installed.
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
