//! `checkout` and `switch`: to another branch or commit, and to a new branch.

use serde_json::json;

use super::options::{Given, flag, value};
use super::{Command, Ended, Failed, Line, fatal};
use crate::error::Stop;
use crate::git::store::refs::Refs;
use crate::toolset::git::branch::create;
use crate::toolset::git::checkout::{asked, goal, switch};

pub const COMMANDS: &[Command] = &[
    Command {
        name: "checkout",
        options: &[
            value(&["-b"]),
            value(&["-B"]),
            flag(&["--detach"]),
            flag(&["-q", "--quiet"]),
            flag(&["-f", "--force"]),
            flag(&["-t", "--track"]),
            flag(&["--no-track"]),
            flag(&["--ours"]),
            flag(&["--theirs"]),
            flag(&["--guess"]),
        ],
        run: checkout,
    },
    Command {
        name: "switch",
        options: &[
            value(&["-c", "--create"]),
            value(&["-C", "--force-create"]),
            flag(&["-d", "--detach"]),
            flag(&["-q", "--quiet"]),
            flag(&["-t", "--track"]),
            flag(&["--no-track"]),
            flag(&["--guess"]),
        ],
        run: switch_to,
    },
];

fn checkout(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    if given.has("-B") {
        return fatal(
            "checkout -B is not here\nhint: use git checkout -b for a new branch, or git reset for the current one",
        );
    }
    if let Some(name) = given.value("-b") {
        return create(line, given, name);
    }
    if given.has("-f") {
        return fatal("checkout -f is not here: git restore the files first");
    }
    let side = super::restoring::side(given);
    let (words, paths) = match &given.after {
        Some(paths) => (given.words.clone(), paths.clone()),
        None if side.is_some() => (Vec::new(), given.words.clone()),
        None => match given.words.as_slice() {
            // A branch counts before a path of its name.
            [one] if one == "-" || super::naming::commit(line, one).is_ok() => (vec![one.clone()], Vec::new()),
            [one] if !line.is_path(one) => {
                return match line.tool("git_checkout", json!({ "branch": one })) {
                    Ok(output) => {
                        told(line, given, &output.text);
                        Ok(())
                    }
                    Err(Failed::Stop(Stop::Failed(error))) if error.message.contains("invalid reference") => {
                        let text = format!("error: pathspec '{one}' did not match any file(s) known to git\n");
                        Err(Failed::Said(text, 1))
                    }
                    Err(failed) => Err(failed),
                };
            }
            _ => line.revisions_and_paths(given),
        },
    };
    match (words.as_slice(), paths.as_slice()) {
        ([], []) if given.has("--detach") => here(line, given),
        ([name], []) if given.has("-t") => track(line, given, name),
        ([], []) => fatal("checkout needs a branch, a commit or paths"),
        ([], paths) if side.is_some() => super::restoring::paths(line, paths, None, (false, true), side).map(drop),
        ([], paths) => {
            let restored = line.structured("git_checkout", json!({ "paths": paths }))?;
            let count = restored["count"].as_u64().unwrap_or(0);
            let plural = if count == 1 { "" } else { "s" };
            line.err.extend_from_slice(format!("Updated {count} path{plural} from the index\n").as_bytes());
            Ok(())
        }
        ([source], paths) if !paths.is_empty() => super::restoring::checkout(line, paths, source),
        ([name], []) => go(line, given, name, given.has("--detach")),
        (_, _) => fatal("checkout takes one branch or commit, and paths behind it"),
    }
}

fn switch_to(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    if given.has("-C") {
        return fatal(
            "switch -C is not here\nhint: use git switch -c for a new branch, or git reset for the current one",
        );
    }
    if let Some(name) = given.value("-c") {
        return create(line, given, name);
    }
    match given.all().as_slice() {
        [name] if given.has("-t") => track(line, given, name),
        [name] => {
            if !given.has("-d") {
                expect_branch(line, name)?;
            }
            go(line, given, name, given.has("-d"))
        }
        [] if given.has("-d") => here(line, given),
        _ => fatal("missing branch or commit argument"),
    }
}

/// Refuses what is no branch: who switches to it by mistake would commit to none.
fn expect_branch(line: &mut Line<'_, '_>, name: &str) -> Ended {
    let repo = line.repo()?;
    let has = |prefix: &str| repo.has_ref(format!("{prefix}{name}").as_str().into());
    if name == "-" || has("refs/heads/")? || super::naming::commit(line, name).is_err() {
        return Ok(());
    }
    let kind = match (has("refs/tags/")?, has("refs/remotes/")?) {
        (true, _) => "tag",
        (false, true) => "remote branch",
        (false, false) => "commit",
    };
    fatal(format!(
        "a branch is expected, got {kind} '{name}'\nhint: If you want to detach HEAD at the commit, try again with the \
         --detach option."
    ))
}

/// Makes the branch that tracks one of a remote, and switches to it.
fn track(line: &mut Line<'_, '_>, given: &Given, theirs: &str) -> Ended {
    let short = theirs.trim_start_matches("refs/remotes/").trim_start_matches("remotes/");
    match short.split_once('/') {
        Some((_, name)) => create_at(line, given, name, theirs),
        None => fatal("missing branch name; try -b"),
    }
}

/// Leaves the branch and stays where it is.
fn here(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    let head = super::naming::commit(line, "HEAD")?.to_string();
    go(line, given, &head, true)
}

/// Makes a branch and switches to it.
fn create(line: &mut Line<'_, '_>, given: &Given, name: &str) -> Ended {
    match given.all().as_slice() {
        [] => {
            let output = line.tool("git_checkout", json!({ "create_branch": name }))?;
            told(line, given, &output.text);
            Ok(())
        }
        [start] => create_at(line, given, name, start),
        _ => fatal("too many arguments"),
    }
}

/// Makes a branch at a commit and switches to it.
fn create_at(line: &mut Line<'_, '_>, given: &Given, name: &str, from: &str) -> Ended {
    let Ok(commit) = super::naming::commit(line, from) else {
        return fatal(format!("'{from}' is not a commit and a branch '{name}' cannot be created from it"));
    };
    let (repo, place) = (line.repo()?, line.place()?);
    let tracks = !given.has("--no-track");
    let start = create::start_of(&Refs::of(&repo, line.context.deadline), from, commit, tracks)?;
    let goal = goal::of_branch_at(line.context, &repo, name, from, start)?;
    let output = switch::to(line.context, &repo, goal, &place)?;
    let arguments = json!({ "create_branch": name });
    line.done.call("git_checkout", &arguments, asked::approval(&arguments));
    told(line, given, &output.text);
    Ok(())
}

/// Switches to a branch, or to a commit.
fn go(line: &mut Line<'_, '_>, given: &Given, name: &str, detach: bool) -> Ended {
    let is_branch = name == "-" || {
        let repo = line.repo()?;
        let full = format!("refs/heads/{name}");
        repo.has_ref(full.as_str().into())? || super::naming::commit(line, name).is_err()
    };
    let arguments = match is_branch && !detach {
        true => json!({ "branch": name }),
        false => json!({ "commit": name }),
    };
    let output = line.tool("git_checkout", arguments)?;
    told(line, given, &output.text);
    Ok(())
}

/// Prints what a switch tells.
pub fn told(line: &mut Line<'_, '_>, given: &Given, text: &[u8]) {
    if !given.has("-q") {
        line.printed(text);
    }
}
