//! `diff`, and the lists of changed files that other commands print too.

use gix::bstr::{BString, ByteSlice};
use patch::quote::{quote_path, unquote_path};
use serde_json::{Value, json};

use super::options::{Given, flag, maybe, value};
use super::written::has_patch;
use super::{Command, Ended, Line, fatal, some};

pub const COMMANDS: &[Command] = &[Command {
    name: "diff",
    options: &[
        flag(&["--cached", "--staged"]),
        flag(&["--stat"]),
        flag(&["--name-only"]),
        flag(&["--name-status"]),
        flag(&["--numstat"]),
        flag(&["--shortstat"]),
        flag(&["--summary"]),
        flag(&["--check"]),
        value(&["-U", "--unified"]),
        flag(&["--exit-code"]),
        flag(&["--quiet"]),
        flag(&["-p", "-u", "--patch"]),
        maybe(&["-M", "--find-renames"]),
        flag(&["-w", "--ignore-all-space"]),
        flag(&["-b", "--ignore-space-change"]),
        maybe(&["--word-diff"]),
        flag(&["--no-index"]),
    ],
    run: diff,
}];

/// What a diff does not do, and what there is instead.
const NOT_HERE: &[(&str, &str)] = &[
    ("-w", "use git show REV:PATH | diff -uw - PATH"),
    ("-b", "use git show REV:PATH | diff -ub - PATH"),
    ("--word-diff", "use git diff -U0"),
    ("--no-index", "use diff -u A B"),
];

fn diff(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    if let Some((option, hint)) = NOT_HERE.iter().find(|(option, _)| given.has(option)) {
        return fatal(format!("diff {option} is not here\nhint: {hint}"));
    }
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
    if given.has("--check") {
        let patch = line.tool("git_diff", arguments)?.text;
        return check(line, &patch);
    }
    if given.has("--summary") || (given.has("--stat") && has_patch(given)) {
        let patch = line.tool("git_diff", arguments.clone())?.text;
        if given.has("--stat") {
            arguments["stat"] = true.into();
            line.print("git_diff", arguments)?;
        }
        if given.has("--summary") {
            summary(line, &patch);
        }
        if has_patch(given) && !patch.is_empty() {
            line.line("");
            line.printed(&patch);
        }
        return ended(line, given, !patch.is_empty());
    }
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

/// Names what is wrong with the white space of added lines.
fn check(line: &mut Line<'_, '_>, patch: &[u8]) -> Ended {
    let (mut path, mut number, mut in_hunk) = (BString::default(), 0_u64, false);
    // The first of the lines without text that are the last so far, and whether one of them is added.
    let mut blank: Option<(u64, bool)> = None;
    for text in patch.lines() {
        let ends = text.starts_with(b"diff ") || text.starts_with(b"@@ ");
        if let Some(first) = blank.take_if(|_| ends) {
            at_end(line, &path, first, number);
        }
        if text.starts_with(b"diff ") {
            in_hunk = false;
        } else if let Some(new) = text.strip_prefix(b"+++ ").filter(|_| !in_hunk) {
            // A tab ends a name that has a blank.
            let new = unquote_path(new.strip_suffix(b"\t").unwrap_or(new).as_bstr());
            path = new.strip_prefix(b"b/").unwrap_or(&new).into();
        } else if text.starts_with(b"@@ ") {
            let start = text.split_str("+").nth(1).unwrap_or_default();
            let digits: String =
                start.iter().take_while(|byte| byte.is_ascii_digit()).map(|byte| *byte as char).collect();
            (number, in_hunk) = (digits.parse().unwrap_or(0), true);
        } else if let Some(added) = text.strip_prefix(b"+") {
            added_line(line, &path, number, added);
            let first = blank.map_or(number, |(first, _)| first);
            blank = added.trim().is_empty().then_some((first, true));
            number += 1;
        } else if let Some(kept) = text.strip_prefix(b" ") {
            blank = kept.trim().is_empty().then(|| blank.unwrap_or((number, false)));
            number += 1;
        }
    }
    if let Some(first) = blank {
        at_end(line, &path, first, number);
    }
    Ok(())
}

/// Tells of lines without text at the end of a file, up to the one before `next`. A hunk has lines behind what it adds,
/// except there. git does not count a first line.
fn at_end(line: &mut Line<'_, '_>, path: &BString, (first, is_added): (u64, bool), next: u64) {
    let first = first.max(2);
    if is_added && first < next {
        line.line([&path[..], format!(":{first}: new blank line at EOF.").as_bytes()].concat());
        line.status = 2;
    }
}

fn added_line(line: &mut Line<'_, '_>, path: &BString, number: u64, added: &[u8]) {
    let is_marker = [b"<<<<<<<", b"=======", b">>>>>>>", b"|||||||"]
        .iter()
        .any(|marker| added.strip_prefix(*marker).is_some_and(|rest| rest.is_empty() || rest.starts_with(b" ")));
    if is_marker {
        line.line([&path[..], format!(":{number}: leftover conflict marker").as_bytes()].concat());
        line.status = 2;
    }
    let mut wrong = Vec::new();
    if added.last().is_some_and(u8::is_ascii_whitespace) {
        wrong.push("trailing whitespace");
    }
    let indent: Vec<u8> = added.iter().copied().take_while(|byte| matches!(byte, b' ' | b'\t')).collect();
    if indent.contains_str(" \t") {
        wrong.push("space before tab in indent");
    }
    if !wrong.is_empty() {
        line.line([&path[..], format!(":{number}: {}.", wrong.join(", ")).as_bytes()].concat());
        line.line([b"+", added].concat());
        line.status = 2;
    }
}

/// Lists what has come, gone, moved or got another mode, as the headers of a patch say it.
fn summary(line: &mut Line<'_, '_>, patch: &[u8]) {
    let mut lines = patch.lines().peekable();
    while let Some(text) = lines.next() {
        let Some(names) = text.strip_prefix(b"diff --git ") else { continue };
        // The two names are the same but for their first letters, except in a rename, which says both again.
        let name = unquote_path(names[names.len() / 2 + 1..].as_bstr());
        let name = quote_path(name.strip_prefix(b"b/").unwrap_or(&name).as_bstr());
        let name: &[u8] = &name;
        let (mut similarity, mut from, mut old) = (Vec::new(), Vec::new(), Vec::new());
        while let Some(header) = lines.next_if(|header| !header.starts_with(b"diff ") && !header.starts_with(b"@@")) {
            let value = |key: &str| header.strip_prefix(key.as_bytes());
            if let Some(mode) = value("new file mode ") {
                line.line([b" create mode ", mode, b" ", name].concat());
            } else if let Some(mode) = value("deleted file mode ") {
                line.line([b" delete mode ", mode, b" ", name].concat());
            } else if let Some(mode) = value("old mode ") {
                old = mode.to_vec();
            } else if let Some(mode) = value("new mode ") {
                line.line([b" mode change ", &old[..], b" => ", mode, b" ", name].concat());
            } else if let Some(percent) = value("similarity index ") {
                similarity = percent.to_vec();
            } else if let Some(path) = value("rename from ") {
                from = path.to_vec();
            } else if let Some(path) = value("rename to ") {
                line.line([b" rename ", &renamed(&from, path)[..], b" (", &similarity, b")"].concat());
            }
        }
    }
}

/// Two paths with what they have in common written once: `src/{lib.rs => library.rs}`.
pub fn renamed(from: &[u8], to: &[u8]) -> Vec<u8> {
    let same = from.iter().zip(to).take_while(|(one, other)| one == other).count();
    let before = from[..same].rfind_byte(b'/').map_or(0, |slash| slash + 1);
    // A slash at the end of what they begin with can begin what they end with.
    let least = before.saturating_sub(1);
    let most = (from.len() - least).min(to.len() - least);
    let same = from.iter().rev().zip(to.iter().rev()).take(most).take_while(|(one, other)| one == other).count();
    let behind = from[from.len() - same..].find_byte(b'/').map_or(0, |slash| same - slash);
    if before == 0 && behind == 0 {
        return [from, b" => ", to].concat();
    }
    let middle = |path: &[u8]| path[before..(path.len() - behind).max(before)].to_vec();
    [&from[..before], b"{", &middle(from), b" => ", &middle(to), b"}", &from[from.len() - behind..]].concat()
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
            let name = if from.is_empty() {
                name
            } else {
                String::from_utf8_lossy(&renamed(from.as_bytes(), name.as_bytes())).into_owned()
            };
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
