//! `branch`, `merge`, `cherry-pick`, `revert` and `tag`.

use gix::bstr::ByteSlice;
use serde_json::json;

use super::options::{Given, flag, maybe, value};
use super::switching::told;
use super::{Command, Ended, Failed, Line, fatal};
use crate::git::history::peeling;
use crate::git::store::refs::Refs;
use crate::toolset::git::branch::{asked, create};

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
            maybe(&["-n"]),
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
        return match given.count("-v") > 1 {
            true => with_upstreams(line, arguments),
            false => line.print("git_branch", arguments),
        };
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

/// Lists the branches with what each follows.
fn with_upstreams(line: &mut Line<'_, '_>, arguments: serde_json::Value) -> Ended {
    let output = line.tool("git_branch", arguments)?;
    let listed: serde_json::Value = serde_json::from_str(&output.structured.into_json()).expect("a result is JSON");
    let branches = listed["branches"].as_array().cloned().unwrap_or_default();
    // A line for HEAD, where it is detached, stands before those of the branches.
    let lines: Vec<&[u8]> = output.text.lines().collect();
    let first = lines.len().saturating_sub(branches.len());
    for (at, text) in lines.iter().enumerate() {
        let upstream = at.checked_sub(first).and_then(|at| branches.get(at)).map(|branch| &branch["upstream"]);
        let Some((upstream, name)) = upstream.and_then(|upstream| Some((upstream, upstream["name"].as_str()?))) else {
            line.line(text);
            continue;
        };
        let count = |key: &str| upstream[key].as_u64().unwrap_or(0);
        let track = match (upstream["gone"] == true, count("ahead"), count("behind")) {
            (true, ..) => "gone".to_owned(),
            (_, 0, 0) => String::new(),
            (_, ahead, 0) => format!("ahead {ahead}"),
            (_, 0, behind) => format!("behind {behind}"),
            (_, ahead, behind) => format!("ahead {ahead}, behind {behind}"),
        };
        let commit = branches[at - first]["commitId"].as_str().unwrap_or_default();
        // The text goes on behind the short id.
        let is_id = |word: &[u8]| word.len() >= 4 && commit.as_bytes().starts_with(word);
        let words = text.split_str(" ").scan(0, |end, word| {
            *end += word.len() + 1;
            Some((*end, word))
        });
        let behind = words.skip(2).find(|(_, word)| is_id(word)).map_or(text.len(), |(end, _)| end);
        let (head, rest) = text.split_at(behind.min(text.len()));
        let told = if track.is_empty() { String::new() } else { format!("[{track}] ") };
        let subject = rest.strip_prefix(told.as_bytes()).unwrap_or(rest);
        let track = if track.is_empty() { String::new() } else { format!(": {track}") };
        line.line([head, format!("[{name}{track}] ").as_bytes(), subject].concat());
    }
    Ok(())
}

/// Lists tags with the first line of each message.
fn annotated(line: &mut Line<'_, '_>, pattern: Option<&String>) -> Ended {
    let Ok(glob) = globset::Glob::new(pattern.map_or("*", String::as_str)) else { return fatal("invalid pattern") };
    let matcher = glob.compile_matcher();
    let repo = line.repo()?;
    for (name, id) in super::naming::below(line, "refs/tags/")? {
        let name = &name["refs/tags/".len()..];
        if matcher.is_match(name) {
            let subject = peeling::subject(&repo, id)?;
            line.line([format!("{name:<15} ").as_bytes(), &subject].concat());
        }
    }
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
    line.done.call("git_branch", &arguments, asked::approval(&arguments));
    told(line, given, &tracking);
    Ok(())
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
        patterns if given.has("-n") => match given.value("-n") {
            None | Some("1") => annotated(line, patterns.first()),
            _ => fatal("tag -n shows one line here\nhint: use git show -s TAG"),
        },
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
