//! `status`, `show`, `diff` and `blame`.

use gix::bstr::ByteSlice;
use serde_json::{Value, json};

use super::objects::EMPTY_TREE;
use super::options::{Given, flag, maybe, value};
use super::{Command, Ended, Failed, Line, fatal, some};
use crate::paths::SandboxPath;

pub const COMMANDS: &[Command] = &[
    Command {
        name: "status",
        options: &[
            flag(&["-s", "--short"]),
            maybe(&["--porcelain"]),
            flag(&["-b", "--branch"]),
            maybe(&["-u", "--untracked-files"]),
            flag(&["--long"]),
        ],
        run: status,
    },
    Command {
        name: "show",
        options: &[
            flag(&["--stat"]),
            flag(&["--name-only"]),
            flag(&["--name-status"]),
            flag(&["--numstat"]),
            flag(&["--shortstat"]),
            flag(&["-s", "--no-patch"]),
            flag(&["--oneline"]),
            value(&["--format", "--pretty"]),
            flag(&["-p", "--patch"]),
        ],
        run: show,
    },
    Command {
        name: "diff",
        options: &[
            flag(&["--cached", "--staged"]),
            flag(&["--stat"]),
            flag(&["--name-only"]),
            flag(&["--name-status"]),
            flag(&["--numstat"]),
            flag(&["--shortstat"]),
            value(&["-U", "--unified"]),
            flag(&["--exit-code"]),
            flag(&["--quiet"]),
            flag(&["-p", "-u", "--patch"]),
        ],
        run: diff,
    },
    Command { name: "blame", options: &[value(&["-L"])], run: blame },
];

fn status(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    if !given.all().is_empty() {
        return fatal("status of paths is not here: filter `git status -s`");
    }
    let short = given.has("-s") || given.has("--porcelain");
    let untracked = match given.value("-u") {
        Some("all") => return fatal("-uall is not here: untracked folders are not opened; use find"),
        mode => mode != Some("no"),
    };
    let arguments = json!({ "porcelain": short, "branch": given.has("-b"), "untracked": untracked });
    let output = line.tool("git_status", arguments)?;
    if given.has("--porcelain") || line.place()?.is_root() {
        line.printed(&output.text);
        return Ok(());
    }
    let place = line.place()?;
    for text in output.text.lines() {
        let text = from_folder(&place, text, short);
        line.line(text);
    }
    Ok(())
}

/// A line of a status with its paths as they are written in a folder.
fn from_folder(place: &SandboxPath, text: &[u8], short: bool) -> Vec<u8> {
    let head = match (short, text.strip_prefix(b"\t")) {
        (true, _) if text.starts_with(b"##") => return text.to_vec(),
        (true, _) => 3.min(text.len()),
        (false, None) => return text.to_vec(),
        (false, Some(rest)) => {
            1 + rest
                .find(":   ")
                .map_or(0, |at| at + rest[at + 1..].iter().take_while(|byte| **byte == b' ').count() + 1)
        }
    };
    let (head, paths) = text.split_at(head);
    let shown = paths.split_str(" -> ").map(|path| match path.strip_prefix(b"\"") {
        Some(inner) => [b"\"", &super::written::shown(place, inner)[..]].concat(),
        None => super::written::shown(place, path).into(),
    });
    [head, &bstr_join(shown)].concat()
}

fn bstr_join(paths: impl Iterator<Item = Vec<u8>>) -> Vec<u8> {
    paths.collect::<Vec<_>>().join(&b" -> "[..])
}

/// What is shown of each commit beside what a log has.
pub fn has_changes(given: &Given) -> bool {
    ["-p", "--stat", "--name-only", "--name-status", "--numstat", "--shortstat"].iter().any(|name| given.has(name))
}

/// Shows one commit.
fn commit(line: &mut Line<'_, '_>, given: &Given, named: &str) -> Ended {
    let head =
        json!({ "ref": named, "max_count": 1, "oneline": given.has("--oneline"), "format": given.value("--format") });
    let wants = |name: &str| given.has(name);
    if wants("--name-status") || wants("--numstat") || wants("--shortstat") {
        line.print("git_log", head)?;
        if !given.has("--oneline") {
            line.line("");
        }
        let parent = format!("{named}^-");
        let files = line.structured("git_diff", json!({ "from_ref": parent, "cached": false }));
        let files = match files {
            // The first commit has no parent.
            Err(Failed::Stop(_)) => line.structured("git_diff", json!({ "from_ref": EMPTY_TREE, "to_ref": named }))?,
            files => files?,
        };
        changes(line, given, &files);
        return Ok(());
    }
    if !has_changes(given) {
        return line.print("git_log", head);
    }
    let format = if given.has("--oneline") { Some(ONELINE) } else { given.value("--format") };
    let (stat, names) = (wants("--stat"), wants("--name-only"));
    let output =
        line.tool("git_show", json!({ "commit": named, "stat": stat, "name_only": names, "format": format }))?;
    shown(line, given, &output.text);
    Ok(())
}

/// The format of `--oneline`.
const ONELINE: &str = "%h %s";

/// Prints a commit and its changes. In one line, nothing is between them.
fn shown(line: &mut Line<'_, '_>, given: &Given, text: &[u8]) {
    match text.find("\n\n") {
        Some(at) if given.has("--oneline") => line.printed(&[&text[..=at], &text[at + 2..]].concat()),
        _ => line.printed(text),
    }
}

fn show(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    if given.after.is_some() {
        return fatal("show of paths is not here: use git diff REV^ REV -- PATH, or git show REV:PATH");
    }
    let words = if given.words.is_empty() { vec!["HEAD".to_owned()] } else { given.words.clone() };
    for named in &words {
        let plain = !has_changes(given) || given.has("-p");
        match plain {
            _ if given.has("-s") => {
                let format = given.value("--format");
                let head = json!({ "ref": named, "max_count": 1, "oneline": given.has("--oneline"), "format": format });
                line.print("git_log", head)?;
            }
            true => {
                let format = if given.has("--oneline") { Some(ONELINE) } else { given.value("--format") };
                let output = line.tool("git_show", json!({ "commit": named, "format": format }))?;
                match given.has("--oneline") {
                    true => shown(line, given, &output.text),
                    // A file's content is printed as it is.
                    false => line.out.extend_from_slice(&output.text),
                }
            }
            false => commit(line, given, named)?,
        }
    }
    Ok(())
}

fn diff(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    let (revisions, paths) = line.revisions_and_paths(given);
    let (from, to, cached) = match (given.has("--cached"), revisions.as_slice()) {
        (cached, []) => (None, None, cached),
        (true, [one]) if one == "HEAD" => (None, None, true),
        (true, _) => return fatal("the index can be compared with HEAD only"),
        (false, [one]) => (Some(one.clone()), None, false),
        (false, [one, two]) => (Some(one.clone()), Some(two.clone()), false),
        (false, _) => return fatal("more than two revisions cannot be compared"),
    };
    let mut arguments = json!({
        // Said, so that staged commits are not shown as well.
        "cached": if from.is_none() { Some(cached) } else { None },
        "from_ref": from,
        "to_ref": to,
        "paths": some(&paths),
        "unified": given.number("-U")?,
    });
    let lists = ["--name-status", "--numstat", "--shortstat"].iter().any(|name| given.has(name));
    if lists || given.has("--quiet") {
        let files = line.structured("git_diff", arguments)?;
        if !given.has("--quiet") {
            changes(line, given, &files);
        }
        return ended(line, given, files["files"].as_array().is_some_and(|files| !files.is_empty()));
    }
    arguments["stat"] = given.has("--stat").into();
    arguments["name_only"] = given.has("--name-only").into();
    let output = line.tool("git_diff", arguments)?;
    line.printed(&output.text);
    ended(line, given, !output.text.is_empty())
}

/// The status that a diff was asked to end with.
fn ended(line: &mut Line<'_, '_>, given: &Given, differs: bool) -> Ended {
    line.status = i32::from(differs && (given.has("--exit-code") || given.has("--quiet")));
    Ok(())
}

/// Prints the files of a diff: their letters, or their numbers of lines.
pub fn changes(line: &mut Line<'_, '_>, given: &Given, diff: &Value) {
    let files = diff["files"].as_array().cloned().unwrap_or_default();
    let path = |file: &Value, key: &str| {
        let path = file[key].as_str().unwrap_or_default();
        path.strip_prefix("/workspace/").unwrap_or(path).to_owned()
    };
    let (mut added, mut deleted) = (0, 0);
    for file in &files {
        let count = |key: &str| file[key].as_u64();
        added += count("added").unwrap_or(0);
        deleted += count("deleted").unwrap_or(0);
        let (name, from) = (path(file, "path"), path(file, "from"));
        if given.has("--name-status") {
            let letter = match file["status"].as_str() {
                Some("added") => "A",
                Some("deleted") => "D",
                Some("renamed") => "R100",
                Some("typechange") => "T",
                Some("unmerged") => "U",
                _ => "M",
            };
            line.line(if from.is_empty() { format!("{letter}\t{name}") } else { format!("{letter}\t{from}\t{name}") });
        } else if given.has("--numstat") {
            let number = |key| count(key).map_or_else(|| "-".to_owned(), |count| count.to_string());
            let name = if from.is_empty() { name } else { format!("{from} => {name}") };
            line.line(format!("{}\t{}\t{name}", number("added"), number("deleted")));
        }
    }
    if given.has("--shortstat") && !files.is_empty() {
        let plural = |count: u64| if count == 1 { "" } else { "s" };
        let number = files.len() as u64;
        let mut text = format!(" {number} file{} changed", plural(number));
        if added > 0 || deleted == 0 {
            text.push_str(&format!(", {added} insertion{}(+)", plural(added)));
        }
        if deleted > 0 || added == 0 {
            text.push_str(&format!(", {deleted} deletion{}(-)", plural(deleted)));
        }
        line.line(text);
    }
}

fn blame(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    let (revisions, paths) = line.revisions_and_paths(given);
    let [path] = paths.as_slice() else { return fatal("blame needs one file") };
    let (start, end) = match given.value("-L").map(|range| range.split_once(',').unwrap_or((range, ""))) {
        None => (None, None),
        Some((start, end)) => {
            let Ok(first) = start.parse::<u32>() else { return fatal("-L needs line numbers, such as -L 10,20") };
            let last = match (end.strip_prefix('+'), end) {
                (_, "") => None,
                (Some(count), _) => count.parse::<u32>().ok().map(|count| first + count.saturating_sub(1)),
                (None, end) => end.parse::<u32>().ok(),
            };
            (Some(first), last)
        }
    };
    let arguments = json!({ "path": path, "commit": revisions.first(), "start_line": start, "end_line": end });
    line.print("git_blame", arguments)
}
