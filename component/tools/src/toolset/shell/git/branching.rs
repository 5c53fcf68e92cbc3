//! `branch`, `checkout`, `switch`, `merge`, `cherry-pick`, `revert` and `tag`.

use gix::bstr::ByteSlice;
use serde_json::json;

use super::options::{Given, flag, maybe, value};
use super::{Command, Ended, Failed, Line, fatal};
use crate::error::Stop;
use crate::git::store::refs::Refs;
use crate::toolset::git::branch::{asked as branch_asks, create};
use crate::toolset::git::checkout::{asked as checkout_asks, goal, switch};

pub const COMMANDS: &[Command] = &[
    Command {
        name: "branch",
        options: &[
            flag(&["-a", "--all"]),
            flag(&["-r", "--remotes"]),
            flag(&["-v", "-vv", "--verbose"]),
            flag(&["--show-current"]),
            flag(&["-l", "--list"]),
            value(&["-d", "--delete"]),
            value(&["-D"]),
            flag(&["-m", "--move"]),
            flag(&["-M"]),
            flag(&["-q", "--quiet"]),
            flag(&["-t", "--track"]),
            flag(&["--no-track"]),
            maybe(&["--format"]),
        ],
        run: branch,
    },
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
    Command {
        name: "merge",
        options: &[value(&["-m"]), flag(&["--no-ff"]), flag(&["--ff"]), flag(&["--abort"]), flag(&["-q", "--quiet"])],
        run: merge,
    },
    Command {
        name: "cherry-pick",
        options: &[value(&["-m", "--mainline"]), flag(&["--abort"])],
        run: |line, given| pick(line, given, "git_cherry_pick"),
    },
    Command {
        name: "revert",
        options: &[value(&["-m", "--mainline"]), flag(&["--abort"])],
        run: |line, given| pick(line, given, "git_revert"),
    },
    Command {
        name: "tag",
        options: &[
            flag(&["-l", "--list"]),
            flag(&["-a", "--annotate"]),
            value(&["-m", "--message"]),
            value(&["-d", "--delete"]),
        ],
        run: tag,
    },
];

fn branch(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    if given.has("--show-current") {
        let head = line.repo()?.head()?;
        if let Some(name) = head.short_branch() {
            line.line(name);
        }
        return Ok(());
    }
    for (option, argument) in [("-d", "delete"), ("-D", "force_delete")] {
        if let Some(name) = given.value(option) {
            for name in std::iter::once(name.to_owned()).chain(given.all()) {
                line.print("git_branch", json!({ argument: name }))?;
            }
            return Ok(());
        }
    }
    let words = given.all();
    if given.has("-m") || given.has("-M") {
        let arguments = match words.as_slice() {
            [new] => match line.repo()?.head()?.short_branch() {
                Some(old) => json!({ "rename": old, "new_name": new }),
                None => return fatal("cannot rename the current branch while not on any"),
            },
            [old, new] => json!({ "rename": old, "new_name": new }),
            _ => return fatal("branch name required"),
        };
        return line.print("git_branch", arguments);
    }
    match words.as_slice() {
        [name] if !given.has("-l") => line.print("git_branch", json!({ "create": name })),
        [name, from] if !given.has("-l") => start(line, given, name, from),
        [] | [_] => list(line, given, words.first()),
        _ => fatal("too many arguments"),
    }
}

fn list(line: &mut Line<'_, '_>, given: &Given, pattern: Option<&String>) -> Ended {
    let arguments = json!({ "list_all": given.has("-a"), "list_remote": given.has("-r") });
    if given.has("-v") && pattern.is_none() {
        return line.print("git_branch", arguments);
    }
    let listed = line.structured("git_branch", arguments)?;
    let matcher = match pattern {
        None => None,
        Some(pattern) => match globset::Glob::new(pattern) {
            Ok(glob) => Some(glob.compile_matcher()),
            Err(_) => return fatal(format!("invalid pattern: {pattern}")),
        },
    };
    for branch in listed["branches"].as_array().into_iter().flatten() {
        let name = branch["name"].as_str().unwrap_or_default();
        if matcher.as_ref().is_some_and(|matcher| !matcher.is_match(name)) {
            continue;
        }
        if given.has("--format") {
            let full =
                |name: &str| format!("refs/{}/{name}", if branch["remote"] == true { "remotes" } else { "heads" });
            let format = given.value("--format").unwrap_or("%(refname:short)");
            let hash = branch["commit_id"].as_str().or_else(|| branch["commitId"].as_str()).unwrap_or_default();
            line.line(
                format
                    .replace("%(refname:short)", name)
                    .replace("%(refname)", &full(name))
                    .replace("%(objectname)", hash)
                    .replace("%(subject)", branch["subject"].as_str().unwrap_or_default()),
            );
            continue;
        }
        let mark = if branch["current"] == true { "* " } else { "  " };
        let remote = if branch["remote"] == true && given.has("-a") { "remotes/" } else { "" };
        match branch["symbolic"].as_str() {
            Some(target) => {
                let target = target.trim_start_matches("refs/remotes/").trim_start_matches("refs/heads/");
                line.line(format!("{mark}{remote}{name} -> {target}"));
            }
            None => line.line(format!("{mark}{remote}{name}")),
        }
    }
    Ok(())
}

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
        [name] => go(line, given, name, given.has("-d")),
        [] if given.has("-d") => here(line, given),
        _ => fatal("missing branch or commit argument"),
    }
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
    line.done.call("git_checkout", &arguments, checkout_asks::approval(&arguments));
    told(line, given, &output.text);
    Ok(())
}

/// Makes a branch at a commit.
fn start(line: &mut Line<'_, '_>, given: &Given, name: &str, from: &str) -> Ended {
    let Ok(commit) = super::naming::commit(line, from) else {
        return fatal(format!("not a valid object name: '{from}'"));
    };
    let repo = line.repo()?;
    let refs = Refs::of(&repo, line.context.deadline);
    let full = create::free(&refs, name)?;
    let start = create::start_of(&refs, from, commit, !given.has("--no-track"))?;
    let tracking = create::make(line.context, &repo, full.as_bstr(), &start, from.into())?;
    if start.tracked.is_some() {
        // The configuration is another now.
        line.context.session.forget();
    }
    let arguments = json!({ "create": name });
    line.done.call("git_branch", &arguments, branch_asks::approval(&arguments));
    told(line, given, &tracking);
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

fn told(line: &mut Line<'_, '_>, given: &Given, text: &[u8]) {
    if !given.has("-q") {
        line.printed(text);
    }
}

fn merge(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    let words = given.all();
    let branch = match words.as_slice() {
        [] => None,
        [branch] => Some(branch),
        _ => return fatal("merge of several branches at once is not here"),
    };
    if let Some(name) = branch
        && super::naming::commit(line, name).is_err()
    {
        return Err(Failed::Said(format!("merge: {name} - not something we can merge\n"), 1));
    }
    let abort = given.has("--abort").then_some(true);
    let no_ff = given.has("--no-ff").then_some(true);
    let arguments = json!({ "branch": branch, "message": given.value("-m"), "no_ff": no_ff, "abort": abort });
    integrated(line, given, "git_merge_branch", arguments)
}

/// Brings something in, and prints how that went.
fn integrated(line: &mut Line<'_, '_>, given: &Given, tool: &'static str, arguments: serde_json::Value) -> Ended {
    let output = line.tool(tool, arguments)?;
    let result: serde_json::Value = serde_json::from_str(&output.structured.into_json()).expect("a result is JSON");
    line.status = i32::from(result["status"] == "conflict" || result["status"] == "conflicts");
    // A conflict is told, however quiet it is to be.
    if line.status != 0 || !given.has("-q") {
        line.printed(&output.text);
    }
    Ok(())
}

/// Picks commits, one after the other, or takes them back.
fn pick(line: &mut Line<'_, '_>, given: &Given, tool: &'static str) -> Ended {
    if given.has("--abort") {
        return line.print(tool, json!({ "abort": true }));
    }
    let mainline = given.number("-m")?;
    let words = given.all();
    if words.is_empty() {
        return fatal("it needs a commit");
    }
    for commit in words {
        integrated(line, given, tool, json!({ "commit": commit, "mainline": mainline }))?;
        if line.status != 0 {
            break;
        }
    }
    Ok(())
}

fn tag(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    if let Some(name) = given.value("-d") {
        for name in std::iter::once(name.to_owned()).chain(given.all()) {
            line.print("git_tag", json!({ "delete": name }))?;
        }
        return Ok(());
    }
    let words = given.all();
    match words.as_slice() {
        [] => super::naming::refs(line, "refs/tags/", None),
        [pattern] if given.has("-l") => super::naming::refs(line, "refs/tags/", Some(pattern)),
        [name, rest @ ..] if rest.len() < 2 => {
            let message = given.values("-m").collect::<Vec<_>>().join("\n\n");
            if given.has("-a") && message.is_empty() {
                return fatal("no tag message? (There is no editor here: use -m.)");
            }
            let message = (!message.is_empty()).then_some(message);
            line.tool("git_tag", json!({ "create": name, "commit": rest.first(), "message": message })).map(drop)
        }
        _ => fatal("too many arguments"),
    }
}
