//! `status`, `show` and `blame`.

use gix::bstr::{BString, ByteSlice};
use patch::quote::{quote_path, quote_status_path, unquote_path};
use serde_json::json;

use super::comparing::changes;
use super::objects::EMPTY_TREE;
use super::options::{Given, flag, maybe, value};
use super::written::{from_top, has_changes, shown as shown_path};
use super::{Command, Ended, Failed, Line, fatal};
use crate::git::store::index;
use crate::git::store::pathspec::Pathspec;
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
    Command { name: "blame", options: &[value(&["-L"])], run: blame },
];

fn status(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    let short = given.has("-s") || given.has("--porcelain");
    if let Some(version) = given.value("--porcelain").filter(|version| !matches!(*version, "v1" | "1")) {
        return match version {
            "v2" | "2" => fatal("status --porcelain=v2 is not here\nhint: use git status --porcelain"),
            other => fatal(format!("unsupported porcelain version '{other}'")),
        };
    }
    let words = given.all();
    if !words.is_empty() && !short {
        return fatal("status of paths is not here in full\nhint: use git status -s PATH");
    }
    let opens = given.has("-u") && !matches!(given.value("-u"), Some("no" | "normal"));
    let untracked = given.value("-u") != Some("no");
    let arguments = json!({ "porcelain": short, "branch": given.has("-b"), "untracked": untracked });
    let output = line.tool("git_status", arguments)?;
    let place = line.place()?;
    let pathspec = Pathspec::parse(&words, &place)?;
    let new = match opens || (untracked && !words.is_empty()) {
        true => {
            let repo = line.repo()?;
            let state = index::load(&mut line.context.session.caches.index, &repo)?;
            super::reading::untracked(line, &repo, &state, true)?
        }
        false => Vec::new(),
    };
    // The long form has its paths as they are written in the folder.
    let relative = short && !given.has("--porcelain") && !place.is_root();
    for text in output.text.lines() {
        let head = if short { &b"?? "[..] } else { b"\t" };
        let named = text.strip_prefix(head).map(|path| unquote_path(path.as_bstr()));
        let mut texts = vec![text.to_vec()];
        if let Some(folder) = named.filter(|path| path.ends_with(b"/")) {
            let folder = match short {
                true => folder.to_str_lossy().into_owned(),
                false => format!("{}/", from_top(&place, &folder.to_str_lossy())),
            };
            let folder = folder.trim_start_matches('/').as_bytes();
            let files = new.iter().filter(|path| path.starts_with(folder));
            let written = |path: &[u8]| match short {
                true => quote_status_path(path.as_bstr()).into_owned(),
                false => quote_path(shown_path(&place, path).as_bstr()).into_owned(),
            };
            let entry = |path: &[u8]| [head, &written(path)[..]].concat();
            if opens {
                texts = files.map(|path| entry(path)).collect();
            } else if !words.is_empty() && !is_picked(&pathspec, text) {
                // Each stands for itself, or for the highest folder that was named.
                let above = |path: &BString| named_above(&pathspec, path, folder.len());
                texts = files.filter_map(above).map(|path| entry(&path)).collect();
                texts.dedup();
            }
        }
        for text in texts {
            if !words.is_empty() && !text.starts_with(b"##") && !is_picked(&pathspec, &text) {
                continue;
            }
            line.line(if relative { from_folder(&place, &text) } else { text });
        }
    }
    Ok(())
}

/// Whether a line of a short status is about one of the paths.
fn is_picked(pathspec: &Pathspec, text: &[u8]) -> bool {
    let paths = text.get(3..).unwrap_or_default();
    paths.split_str(" -> ").any(|path| {
        let path = unquote_path(path.as_bstr());
        let inner = path.trim_end_with(|c| c == '/');
        pathspec.matches(path.as_bstr()) || pathspec.matches(inner.as_bstr())
    })
}

/// The highest folder of a file, below the first `from` bytes of its path, that a path names. Or else the file itself, if
/// one names that.
fn named_above(pathspec: &Pathspec, path: &BString, from: usize) -> Option<BString> {
    let ends = path.find_iter("/").filter(|end| *end >= from);
    let folder = ends.map(|end| &path[..end]).find(|folder| pathspec.matches(folder.as_bstr()));
    match folder {
        Some(folder) => Some([folder, b"/"].concat().into()),
        None => pathspec.matches(path.as_bstr()).then(|| path.clone()),
    }
}

/// A line of a short status with its paths as they are written in a folder.
fn from_folder(place: &SandboxPath, text: &[u8]) -> Vec<u8> {
    if text.starts_with(b"##") {
        return text.to_vec();
    }
    let (head, paths) = text.split_at(3.min(text.len()));
    let shown = paths.split_str(" -> ").map(|path| match path.strip_prefix(b"\"") {
        Some(inner) => [b"\"", &shown_path(place, inner)[..]].concat(),
        // The folder itself.
        None if path == format!("{}/", place.relative()).as_bytes() => b"./".to_vec(),
        None => shown_path(place, path).into(),
    });
    [head, &bstr_join(shown)].concat()
}

fn bstr_join(paths: impl Iterator<Item = Vec<u8>>) -> Vec<u8> {
    paths.collect::<Vec<_>>().join(&b" -> "[..])
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
    let (mut words, paths) = line.revisions_and_paths(given);
    if words.is_empty() {
        words.push("HEAD".to_owned());
    }
    if !paths.is_empty() {
        return words.iter().try_for_each(|named| super::logging::show(line, given, named, &paths));
    }
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
