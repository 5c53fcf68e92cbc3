//! `push`: what the host is to push when the script has ended.
//!
//! A push waits for a person, and a call that waits is taken back and made again. So a script does not push by itself: it ends, what it did
//! stays, and the host makes the call of `git_push` behind it, which is a call like any other.

use gix::bstr::ByteSlice;
use serde_json::{Value, json};

use super::options::{Given, flag};
use super::{Command, Ended, Failed, Line, fatal, naming};
use crate::error::ToolError;
use crate::git::staged::targets::{self, Known};
use crate::git::store::config_file;
use crate::git::store::repo::Repo;

pub const COMMANDS: &[Command] = &[Command {
    name: "push",
    options: &[
        flag(&["-u", "--set-upstream"]),
        flag(&["-q", "--quiet"]),
        flag(&["-v", "--verbose"]),
        flag(&["--progress"]),
        flag(&["--no-progress"]),
        flag(&["-f", "--force", "--force-with-lease", "--force-if-includes"]),
        flag(&["-d", "--delete"]),
        flag(&["--all", "--branches", "--mirror", "--tags", "--follow-tags"]),
        flag(&["-n", "--dry-run"]),
    ],
    run: push,
}];

/// What a push of the gate is not, and what there is instead.
const NOT_HERE: &[(&str, &str)] = &[
    ("-f", "a push never rewrites a branch: push to a new one with `git push origin HEAD:NAME`, or call git_pull"),
    ("-d", "nothing is deleted at a target"),
    ("--all", "one branch is pushed at a time, and no tag"),
    ("-n", "the user sees what would leave before it does: push, and they decide"),
];

fn push(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    if let Some((option, hint)) = NOT_HERE.iter().find(|(option, _)| given.has(option)) {
        return Err(Failed::Said(format!("fatal: git push {option} is not here\nhint: {hint}\n"), 128));
    }
    let words = given.all();
    let (remote, refspec) = match words.as_slice() {
        [] => (None, None),
        [remote] => (Some(remote.as_str()), None),
        [remote, refspec] => (Some(remote.as_str()), Some(refspec.as_str())),
        _ => return fatal("one branch is pushed at a time"),
    };
    let repo = line.repo()?;
    let branch = repo.head()?.branch().map(|name| short(&name.to_str_lossy()).to_owned());
    let Some(Pushed { source, to }) = pushed(refspec, branch.as_deref())? else {
        return fatal(
            "You are not currently on a branch.\nTo push the history leading to the current (detached HEAD)\nstate now, \
             use\n\n    git push origin HEAD:<name-of-remote-branch>\n",
        );
    };
    let commit = match naming::commit(line, &source) {
        Ok(commit) => commit,
        Err(_) => {
            return Err(Failed::Said(format!("error: src refspec {source} does not match any\n"), 1));
        }
    };
    let known = remote.map(|name| find(&repo, name)).transpose()?;
    let target = target(line, &repo, known.as_ref(), &to, refspec.is_some(), branch.as_deref())?;
    let arguments = json!({ "commitId": commit.to_string(), "target": target });
    if given.has("-u")
        && let (Some(known), Some(branch)) = (&known, &branch)
        && (source == "HEAD" || short(&source) == branch)
    {
        follow(&repo, known, branch, &to)?;
    }
    match line.done.push(arguments) {
        true => Ok(()),
        false => fatal("a script pushes once: push the other branch in another script"),
    }
}

/// What a refspec says.
struct Pushed {
    /// A revision.
    source: String,
    /// The branch at the target.
    to: String,
}

/// A branch's name without `refs/heads/`.
fn short(name: &str) -> &str {
    name.strip_prefix("refs/heads/").unwrap_or(name)
}

/// What is pushed where. None on no branch, if none is named.
fn pushed(refspec: Option<&str>, branch: Option<&str>) -> Result<Option<Pushed>, Failed> {
    let Some(refspec) = refspec else {
        return Ok(branch.map(|branch| Pushed { source: "HEAD".to_owned(), to: branch.to_owned() }));
    };
    if refspec.starts_with('+') || refspec.starts_with(':') {
        let (option, hint) = NOT_HERE[usize::from(refspec.starts_with(':'))];
        return Err(Failed::Said(format!("fatal: git push {option} is not here\nhint: {hint}\n"), 128));
    }
    Ok(match refspec.split_once(':') {
        Some((source, to)) => Some(Pushed { source: source.to_owned(), to: short(to).to_owned() }),
        None if refspec == "HEAD" || refspec == "@" => {
            branch.map(|branch| Pushed { source: "HEAD".to_owned(), to: branch.to_owned() })
        }
        None => Some(Pushed { source: refspec.to_owned(), to: short(refspec).to_owned() }),
    })
}

/// The target whose remote has this name.
fn find(repo: &Repo, name: &str) -> Result<Known, Failed> {
    targets::list(repo)?.into_iter().find(|known| known.name == name).ok_or_else(|| {
        let hint = "hint: the sandbox pushes to the remotes that `git remote -v` lists, and where its user says";
        let text = format!("fatal: '{name}' does not appear to be a git repository\n{hint}\n");
        Failed::Said(text, 128)
    })
}

/// The argument of `git_push`. Null for the place that the user has set: an agent that pushes its branch means that one.
fn target(
    line: &Line<'_, '_>,
    repo: &Repo,
    known: Option<&Known>,
    to: &str,
    is_named: bool,
    branch: Option<&str>,
) -> Result<Value, Failed> {
    let options = &line.context.session.options;
    let Some(known) = known else {
        if targets::place(None, options, repo).is_err() {
            let text = "has no upstream branch.\nTo push the current branch and set the remote as upstream, use";
            return fatal(format!("The current branch {to} {text}\n\n    git push --set-upstream origin {to}\n"));
        }
        return Ok(Value::Null);
    };
    let own = known.question(None);
    let default = options.default_target.as_ref();
    let is_default = default.is_some_and(|default| default.kind == own.kind && default.location == own.location);
    if is_default && (!is_named || branch == Some(to)) {
        return Ok(Value::Null);
    }
    let named = targets::named(&known.target, to);
    let unreadable = |_| Failed::from(ToolError::failed(format!("Not a target: {named}")));
    serde_json::from_str(&named).map_err(unreadable)
}

/// Makes the branch at the target the upstream, unless there is one.
fn follow(repo: &Repo, known: &Known, branch: &str, to: &str) -> Result<(), Failed> {
    if targets::upstream(repo, branch.as_bytes().as_bstr())?.is_none() {
        let merge = format!("refs/heads/{to}");
        let section = config_file::tracking_branch(branch.into(), known.name.as_str().into(), merge.as_str().into());
        config_file::add(repo, section.as_ref())?;
    }
    Ok(())
}
