//! `branch`, `checkout`, `switch`, `merge`, `cherry-pick`, `revert` and `tag`.

use serde_json::json;

use super::options::{Given, flag, maybe, value};
use super::{Command, Ended, Failed, Line, fatal};

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
            maybe(&["--format"]),
        ],
        run: branch,
    },
    Command {
        name: "checkout",
        options: &[value(&["-b"]), flag(&["--detach"]), flag(&["-q", "--quiet"]), flag(&["-f", "--force"])],
        run: checkout,
    },
    Command {
        name: "switch",
        options: &[value(&["-c", "--create"]), flag(&["-d", "--detach"]), flag(&["-q", "--quiet"])],
        run: switch,
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
        [name, start] if !given.has("-l") => {
            // The tool makes a branch at HEAD only.
            let [start, head] = [start.as_str(), "HEAD"].map(|named| super::naming::commit(line, named));
            match start? == head? {
                true => line.print("git_branch", json!({ "create": name })),
                false => fatal("a branch begins at HEAD here: check that commit out first"),
            }
        }
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
    if let Some(name) = given.value("-b") {
        return create(line, given, name);
    }
    if given.has("-f") {
        return fatal("checkout -f is not here: git restore the files first");
    }
    let (words, paths) = match &given.after {
        Some(paths) => (given.words.clone(), paths.clone()),
        None => match given.words.as_slice() {
            // A branch counts before a path of its name.
            [one] if one == "-" || super::naming::commit(line, one).is_ok() => (vec![one.clone()], Vec::new()),
            [one] if !line.is_path(one) => {
                let text = format!("error: pathspec '{one}' did not match any file(s) known to git\n");
                return Err(Failed::Said(text, 1));
            }
            _ => line.revisions_and_paths(given),
        },
    };
    match (words.as_slice(), paths.as_slice()) {
        ([], []) if given.has("--detach") => here(line, given),
        ([], []) => fatal("checkout needs a branch, a commit or paths"),
        ([], paths) => {
            let restored = line.structured("git_checkout", json!({ "paths": paths }))?;
            let count = restored["count"].as_u64().unwrap_or(0);
            let plural = if count == 1 { "" } else { "s" };
            line.err.extend_from_slice(format!("Updated {count} path{plural} from the index\n").as_bytes());
            Ok(())
        }
        ([head], paths) if head == "HEAD" && !paths.is_empty() => {
            line.tool("git_restore", json!({ "paths": paths, "staged": true, "worktree": true })).map(drop)
        }
        ([name], []) => go(line, given, name, given.has("--detach")),
        (_, _) => fatal("files of another commit: git show REV:PATH > PATH"),
    }
}

fn switch(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    if let Some(name) = given.value("-c") {
        return create(line, given, name);
    }
    match given.all().as_slice() {
        [name] => go(line, given, name, given.has("-d")),
        [] if given.has("-d") => here(line, given),
        _ => fatal("missing branch or commit argument"),
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
        [] => {}
        [start] => go(line, given, start, true)?,
        _ => return fatal("too many arguments"),
    }
    // Only the last switch is told.
    line.err.clear();
    let output = line.tool("git_checkout", json!({ "create_branch": name }))?;
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
