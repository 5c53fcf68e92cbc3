//! `reset`: where the branch points to, and what the index and the files are then.

use gix::bstr::ByteSlice;
use serde_json::json;

use super::options::{Given, flag};
use super::{Command, Ended, Line, fatal, naming};
use crate::git::change::unfinished::{self, Doing};
use crate::git::store::refs::{self, Refs};

pub const COMMANDS: &[Command] = &[Command {
    name: "reset",
    options: &[flag(&["--mixed"]), flag(&["--hard"]), flag(&["--soft"]), flag(&["-q", "--quiet"])],
    run: reset,
}];

fn reset(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    let (revisions, paths) = line.revisions_and_paths(given);
    let named = match revisions.as_slice() {
        [] => "HEAD",
        [named] => named.as_str(),
        [_, second, ..] => {
            return fatal(format!("ambiguous argument '{second}': it names neither a revision nor a path"));
        }
    };
    go(line, named, paths.is_empty())?;
    if given.has("--soft") {
        return Ok(());
    }
    let hard = given.has("--hard");
    if hard && !paths.is_empty() {
        return fatal("Cannot do hard reset with paths.");
    }
    let paths = if paths.is_empty() { vec!["/workspace".to_owned()] } else { paths };
    line.tool("git_restore", json!({ "paths": paths, "staged": true, "worktree": hard }))?;
    if given.has("-q") {
        return Ok(());
    }
    if hard {
        let head = line.tool("git_log", json!({ "max_count": 1, "oneline": true }))?;
        let head = head.text.to_str_lossy().into_owned();
        line.line(format!("HEAD is now at {}", head.trim_end()));
    } else {
        let status = line.structured("git_diff", json!({ "cached": false, "name_only": true }))?;
        let files = status["files"].as_array().cloned().unwrap_or_default();
        if !files.is_empty() {
            line.line("Unstaged changes after reset:");
        }
        for file in files {
            let letter = if file["status"] == "deleted" { 'D' } else { 'M' };
            let path = file["path"].as_str().unwrap_or_default();
            line.line(format!("{letter}\t{}", path.strip_prefix("/workspace/").unwrap_or(path)));
        }
    }
    Ok(())
}

/// Moves HEAD and its branch to the commit of this name.
fn go(line: &mut Line<'_, '_>, named: &str, is_whole: bool) -> Ended {
    let id = naming::commit(line, named)?;
    let repo = line.repo()?;
    let head = repo.head()?;
    if head.id() == Some(id) {
        return Ok(());
    }
    if !is_whole {
        return fatal("reset of paths to another commit is not here: git show REV:PATH > PATH");
    }
    unfinished::ensure_none(&repo, Doing::Discard)?;
    let who = line.context.reflog_signature();
    let log = format!("reset: moving to {named}");
    refs::move_head(&who, &Refs::of(&repo, line.context.deadline), &head, id, &log)?;
    // To a policy it is what takes commits back.
    line.done.call("git_discard", &json!({ "commitId": head.id().map(|id| id.to_string()) }), None);
    Ok(())
}
