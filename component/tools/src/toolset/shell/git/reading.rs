//! Commands that read: `ls-files`, `ls-tree`, `cat-file`, `grep`, `check-ignore`, `shortlog`, `config`, `remote` and `version`.

use std::collections::BTreeMap;

use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};
use gix::objs::Kind;
use serde_json::json;
use shell::grep::{self, Around, Matcher, Meaning};

use super::options::{Given, flag, value};
use super::{Command, Ended, Failed, Line, fatal};
use crate::deadline::units;
use crate::git::history::revisions::Revisions;
use crate::git::store::blob;
use crate::git::store::index;
use crate::git::store::pathspec::Pathspec;
use crate::git::store::repo::{Repo, damaged};
use crate::git::store::version::is_file;
use crate::git::worktree::excludes;
use crate::paths::SandboxPath;
use crate::platform;

pub const COMMANDS: &[Command] = &[
    Command {
        name: "ls-files",
        options: &[
            flag(&["-c", "--cached"]),
            flag(&["-m", "--modified"]),
            flag(&["-d", "--deleted"]),
            flag(&["-o", "--others"]),
            flag(&["-s", "--stage"]),
            flag(&["-z"]),
            flag(&["--exclude-standard"]),
            flag(&["--error-unmatch"]),
            flag(&["--full-name"]),
        ],
        run: files,
    },
    Command {
        name: "ls-tree",
        options: &[
            flag(&["-r"]),
            flag(&["-d"]),
            flag(&["-t"]),
            flag(&["--name-only", "--name-status"]),
            flag(&["-l", "--long"]),
            flag(&["-z"]),
            flag(&["--full-tree"]),
        ],
        run: tree,
    },
    Command { name: "cat-file", options: &[flag(&["-p"]), flag(&["-t"]), flag(&["-s"]), flag(&["-e"])], run: cat },
    Command {
        name: "grep",
        options: &[
            flag(&["-n", "--line-number"]),
            flag(&["-l", "--files-with-matches", "--name-only"]),
            flag(&["-L", "--files-without-match"]),
            flag(&["-c", "--count"]),
            flag(&["-i", "--ignore-case"]),
            flag(&["-w", "--word-regexp"]),
            flag(&["-v", "--invert-match"]),
            flag(&["-E", "--extended-regexp"]),
            flag(&["-F", "--fixed-strings"]),
            flag(&["-h"]),
            flag(&["-q", "--quiet"]),
            flag(&["-I"]),
            value(&["-e"]),
        ],
        run: search,
    },
    Command { name: "check-ignore", options: &[flag(&["-q", "--quiet"]), flag(&["--no-index"])], run: ignored },
    Command {
        name: "shortlog",
        options: &[flag(&["-s", "--summary"]), flag(&["-n", "--numbered"]), flag(&["-e", "--email"])],
        run: shortlog,
    },
    Command { name: "config", options: &[flag(&["--get", "get"]), flag(&["-l", "--list"])], run: config },
    Command { name: "remote", options: &[flag(&["-v", "--verbose"])], run: remote },
    Command {
        name: "version",
        options: &[],
        run: |line, _| {
            line.line(concat!("git version 2.47.3 (gitgate ", env!("CARGO_PKG_VERSION"), ")"));
            Ok(())
        },
    },
];

/// A path that was written in a folder, from the top of the repository.
pub fn from_top(place: &SandboxPath, word: &str) -> String {
    let whole = match word.strip_prefix("/workspace") {
        Some(below) => below.to_owned(),
        None => format!("{}/{word}", place.relative()),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// A path from the top, as it is written in a folder.
pub fn shown(place: &SandboxPath, path: &[u8]) -> BString {
    let folder = place.relative();
    if folder.is_empty() {
        return path.into();
    }
    let mut ups = 0;
    let mut base = folder.as_str();
    loop {
        let prefix = if base.is_empty() { String::new() } else { format!("{base}/") };
        if let Some(rest) = path.strip_prefix(prefix.as_bytes()) {
            return [b"../".repeat(ups).as_slice(), rest].concat().into();
        }
        ups += 1;
        base = base.rsplit_once('/').map_or("", |(above, _)| above);
    }
}

/// A name in quotes as in C, if it has what `core.quotePath` hides.
fn quoted(path: &[u8]) -> Vec<u8> {
    if path.iter().all(|byte| (0x20..0x7f).contains(byte) && !b"\"\\".contains(byte)) {
        return path.to_vec();
    }
    let mut out = vec![b'"'];
    for byte in path {
        match byte {
            7..=13 => out.extend_from_slice(&[b'\\', b"abtnvfr"[usize::from(byte - 7)]]),
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', *byte]),
            0x20..0x7f => out.push(*byte),
            byte => out.extend_from_slice(format!("\\{byte:03o}").as_bytes()),
        }
    }
    out.push(b'"');
    out
}

fn print_path(line: &mut Line<'_, '_>, given: &Given, path: &[u8]) {
    if given.has("-z") {
        line.out.extend_from_slice(path);
        line.out.push(0);
    } else {
        line.line(quoted(path));
    }
}

fn files(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    let place = line.place()?;
    let repo = line.repo()?;
    let state = index::load(&mut line.context.session.caches.index, &repo)?;
    let words = given.all();
    // Without a path, only what is in the folder.
    let named = if words.is_empty() { vec![".".to_owned()] } else { words.clone() };
    let pathspec = Pathspec::parse(&named, &place)?;
    let others = given.has("-o");
    let picks = given.has("-m") || given.has("-d");
    let mut paths: Vec<(BString, String)> = Vec::new();
    if !others || given.has("-c") || picks {
        for entry in state.entries() {
            line.context.deadline.poll()?;
            let path = entry.path(&state);
            if !pathspec.matches(path) {
                continue;
            }
            let stage = format!("{:06o} {} {}\t", entry.mode.bits(), entry.id, entry.stage_raw());
            paths.push((path.to_owned(), stage));
        }
    }
    if picks {
        let changed = line.structured("git_diff", json!({ "cached": false, "name_only": true }))?;
        let is_gone = |file: &serde_json::Value| file["status"] == "deleted";
        let wanted: Vec<String> = changed["files"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|file| given.has("-m") || is_gone(file))
            .filter_map(|file| file["path"].as_str()?.strip_prefix("/workspace/").map(str::to_owned))
            .collect();
        paths.retain(|(path, _)| wanted.iter().any(|wanted| path == wanted));
    }
    if others {
        for path in untracked(line, &repo, &state, given.has("--exclude-standard"))? {
            if pathspec.matches(path.as_bstr()) {
                paths.push((path, String::new()));
            }
        }
        paths.sort();
    }
    if given.has("--error-unmatch") {
        for word in &words {
            let one = Pathspec::parse(std::slice::from_ref(word), &place)?;
            if !paths.iter().any(|(path, _)| one.matches(path.as_bstr())) {
                let text = format!(
                    "error: pathspec '{word}' did not match any file(s) known to git\nDid you forget to 'git add'?\n"
                );
                return Err(Failed::Said(text, 1));
            }
        }
    }
    for (path, stage) in paths {
        if given.has("-s") {
            line.out.extend_from_slice(stage.as_bytes());
        }
        let path = if given.has("--full-name") { path } else { shown(&place, &path) };
        print_path(line, given, &path);
    }
    Ok(())
}

/// The files that the index does not have.
fn untracked(
    line: &Line<'_, '_>,
    repo: &Repo,
    state: &gix::index::State,
    excludes: bool,
) -> Result<Vec<BString>, Failed> {
    let root = line.context.session.zones.workspace();
    let mut found = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in platform::list(&folder.real()).unwrap_or_default() {
            line.context.deadline.poll()?;
            let Ok(name) = std::str::from_utf8(&entry.name) else { continue };
            if crate::paths::is_git_folder_name(name.as_bytes()) {
                continue;
            }
            let inner = folder.join(name);
            let path: BString = inner.relative().into();
            if excludes && excludes::is_ignored(repo, state, path.as_bstr(), line.context.deadline)? {
                continue;
            }
            match entry.stat.kind {
                platform::Kind::Folder => folders.push(inner),
                _ if state.entry_by_path(path.as_bstr()).is_none() => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The object that a name means.
fn named(line: &mut Line<'_, '_>, repo: &Repo, name: &str) -> Result<ObjectId, Failed> {
    let folder = line.place()?.relative();
    let owned = [name.to_owned()];
    match Revisions::new(repo, folder, false, &owned).parse(name) {
        Ok(gix::revision::plumbing::Spec::Include(id)) => Ok(id),
        _ => fatal(format!("Not a valid object name {name}")),
    }
}

fn tree(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    let words = given.all();
    let Some((name, paths)) = words.split_first() else { return fatal("ls-tree needs a tree") };
    let place = line.place()?;
    let repo = line.repo()?;
    let id = named(line, &repo, name)?;
    let object = repo.gix.find_object(id).map_err(|error| damaged(&error))?;
    let Ok(root) = object.peel_to_tree() else { return fatal("not a tree object") };
    let base = if given.has("--full-tree") { String::new() } else { place.relative() };
    let wanted: Vec<String> = match paths {
        [] if base.is_empty() => Vec::new(),
        [] => vec![format!("{base}/")],
        paths => paths
            .iter()
            .map(|path| format!("{}{}", from_top(&place, path), if path.ends_with('/') { "/" } else { "" }))
            .collect(),
    };
    let mut entries = Vec::new();
    below(line, &repo, given, root.id, b"", &wanted, &mut entries)?;
    for (mode, kind, id, path) in entries {
        if !given.has("--name-only") {
            let size = match given.has("-l") {
                true if kind == "blob" => {
                    let header = repo.gix.find_header(id);
                    format!(" {:>7}", header.map_or_else(|_| "-".to_owned(), |header| header.size().to_string()))
                }
                true => format!(" {:>7}", "-"),
                false => String::new(),
            };
            line.out.extend_from_slice(format!("{mode:06o} {kind} {id}{size}\t").as_bytes());
        }
        let path = if given.has("--full-tree") { path } else { shown(&place, &path) };
        print_path(line, given, &path);
    }
    Ok(())
}

/// An entry of a tree: its mode, kind, object and path from the top.
type Entry = (u32, &'static str, ObjectId, BString);

/// Lists a tree, and what is below it if that is wanted.
fn below(
    line: &Line<'_, '_>,
    repo: &Repo,
    given: &Given,
    tree: ObjectId,
    prefix: &[u8],
    wanted: &[String],
    entries: &mut Vec<Entry>,
) -> Ended {
    let object = repo.gix.find_object(tree).map_err(|error| damaged(&error))?;
    let tree = object.try_into_tree().map_err(|error| damaged(&error))?;
    let decoded = tree.decode().map_err(|error| damaged(&error))?;
    for entry in &decoded.entries {
        line.context.deadline.poll()?;
        let path: BString = [prefix, entry.filename.as_bytes()].concat().into();
        let kind = match entry.mode.kind() {
            gix::objs::tree::EntryKind::Tree => "tree",
            gix::objs::tree::EntryKind::Commit => "commit",
            _ => "blob",
        };
        let is_tree = kind == "tree";
        let text = path.to_str_lossy();
        // Whether it is named, whether it is below something named, and whether something named is below it.
        let is = wanted.is_empty()
            || wanted.iter().any(|wanted| {
                let folder = format!("{}/", wanted.trim_end_matches('/'));
                *text == **wanted || text.starts_with(&folder)
            });
        let leads = wanted.iter().any(|wanted| wanted.starts_with(&format!("{text}/")));
        if is_tree && (leads || is && given.has("-r")) {
            if is && !leads && given.has("-t") {
                entries.push((entry.mode.value().into(), kind, entry.oid.into(), path.clone()));
            }
            let inner = [path.as_bytes(), b"/"].concat();
            below(line, repo, given, entry.oid.into(), &inner, wanted, entries)?;
        } else if is && (is_tree || !given.has("-d")) {
            entries.push((entry.mode.value().into(), kind, entry.oid.into(), path));
        }
    }
    Ok(())
}

fn cat(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    let words = given.all();
    let (kind, name) = match words.as_slice() {
        [name] => (None, name),
        [kind, name] => (Some(kind), name),
        _ => return fatal("cat-file needs an object"),
    };
    let repo = line.repo()?;
    let id = match named(line, &repo, name) {
        Err(_) if given.has("-e") => return Err(Failed::Status(1)),
        id => id?,
    };
    let header = repo.gix.find_header(id).map_err(|error| damaged(&error))?;
    if given.has("-e") {
        return Ok(());
    }
    if given.has("-t") {
        line.line(header.kind().to_string());
        return Ok(());
    }
    if given.has("-s") {
        line.line(header.size().to_string());
        return Ok(());
    }
    if let Some(kind) = kind
        && *kind != header.kind().to_string()
    {
        return fatal(format!("git cat-file {name}: bad file"));
    }
    match header.kind() {
        Kind::Tree => {
            let listed = Given::default();
            let mut entries = Vec::new();
            below(line, &repo, &listed, id, b"", &[], &mut entries)?;
            for (mode, kind, id, path) in entries {
                line.out.extend_from_slice(format!("{mode:06o} {kind} {id}\t").as_bytes());
                line.line(quoted(&path));
            }
        }
        Kind::Blob => match blob::read(&repo, id)? {
            Some(content) => line.out.extend_from_slice(&content),
            None => return Err(crate::git::store::missing::blobs(&repo, [id].into()).into()),
        },
        _ => {
            let object = repo.gix.find_object(id).map_err(|error| damaged(&error))?;
            line.out.extend_from_slice(&object.data);
        }
    }
    Ok(())
}

fn search(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    let mut words = given.words.clone();
    let patterns: Vec<String> = match given.values("-e").map(str::to_owned).collect::<Vec<_>>() {
        list if !list.is_empty() => list,
        _ if words.is_empty() => return fatal("no pattern given"),
        _ => vec![words.remove(0)],
    };
    words.extend(given.after.clone().unwrap_or_default());
    let place = line.place()?;
    let named = if words.is_empty() { vec![".".to_owned()] } else { words };
    if let Some(word) =
        named.iter().find(|word| given.after.is_none() && !line.is_path(word) && !word.contains(['*', '?']))
    {
        return fatal(format!("grep of revisions is not here, and there is no path {word}: git show REV:PATH | grep"));
    }
    let pathspec = Pathspec::parse(&named, &place)?;
    let kind = match (given.has("-F"), given.has("-E")) {
        (true, _) => grep::Kind::Fixed,
        (_, true) => grep::Kind::Extended,
        _ => grep::Kind::Basic,
    };
    let around = Around { words: given.has("-w"), ..Around::default() };
    let meaning = Meaning { kind, ignores_case: given.has("-i"), around };
    let written: Vec<_> = patterns.iter().map(|pattern| pattern.as_str().into()).collect();
    let matcher = match Matcher::new(&written, meaning) {
        Ok(matcher) => matcher,
        Err(error) => return fatal(format!("command line, '{}': {error}", patterns.join("\n"))),
    };
    let repo = line.repo()?;
    let state = index::load(&mut line.context.session.caches.index, &repo)?;
    let mut found_any = false;
    for entry in state.entries() {
        let path = entry.path(&state);
        if !is_file(entry.mode.bits()) || !pathspec.matches(path) {
            continue;
        }
        let Ok(content) = repo.real(path).and_then(|real| platform::read(&real)) else { continue };
        line.context.deadline.poll_units(1 + units(content.len()))?;
        let name = shown(&place, path);
        let is_binary = content[..content.len().min(8000)].contains(&0);
        let mut count = 0;
        for (at, text) in content.lines().enumerate() {
            if matcher.is_match(text) == given.has("-v") {
                continue;
            }
            count += 1;
            if is_binary || given.has("-l") || given.has("-L") || given.has("-q") {
                break;
            }
            if given.has("-c") {
                continue;
            }
            let mut head = if given.has("-h") { Vec::new() } else { [&quoted(&name)[..], b":"].concat() };
            if given.has("-n") {
                head.extend_from_slice(format!("{}:", at + 1).as_bytes());
            }
            line.out.extend_from_slice(&head);
            line.line(text);
        }
        found_any |= (count > 0) != given.has("-L");
        if given.has("-q") && found_any {
            break;
        }
        match count > 0 {
            true if given.has("-l") => line.line(quoted(&name)),
            false if given.has("-L") => line.line(quoted(&name)),
            true if given.has("-c") => {
                line.out.extend_from_slice(&quoted(&name));
                line.line(format!(":{count}"));
            }
            true if is_binary && !given.has("-I") && !given.has("-L") => {
                line.line(format!("Binary file {name} matches"));
            }
            _ => {}
        }
    }
    if given.has("-q") {
        line.out.clear();
    }
    line.status = i32::from(!found_any);
    Ok(())
}

fn ignored(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    let place = line.place()?;
    let repo = line.repo()?;
    let state = index::load(&mut line.context.session.caches.index, &repo)?;
    let mut any = false;
    for word in given.all() {
        let path = from_top(&place, &word);
        if excludes::is_ignored(&repo, &state, path.as_str().into(), line.context.deadline)? {
            any = true;
            if !given.has("-q") {
                line.line(&word);
            }
        }
    }
    line.status = i32::from(!any);
    Ok(())
}

fn shortlog(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    let words = given.all();
    let format = if given.has("-e") { "%aN <%aE>%x00%s" } else { "%aN%x00%s" };
    let listed = line.tool("git_log", json!({ "ref": words.first(), "format": format, "max_count": u32::MAX }))?;
    let mut by: BTreeMap<BString, Vec<BString>> = BTreeMap::new();
    for entry in listed.text.lines() {
        if let Some((name, subject)) = entry.split_once_str("\0") {
            by.entry(name.into()).or_default().push(subject.into());
        }
    }
    let mut authors: Vec<_> = by.into_iter().collect();
    if given.has("-n") {
        authors.sort_by_key(|(_, subjects)| std::cmp::Reverse(subjects.len()));
    }
    for (name, subjects) in authors {
        if given.has("-s") {
            line.line(format!("{:>6}\t{name}", subjects.len()));
            continue;
        }
        line.line(format!("{name} ({}):", subjects.len()));
        for subject in subjects.iter().rev() {
            line.line(format!("      {subject}"));
        }
        line.line("");
    }
    Ok(())
}

fn config(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    let identity = line.context.session.options.identity.clone();
    let own = |key: &str| match (key, &identity) {
        ("user.name", Some(identity)) => Some(identity.name.clone()),
        ("user.email", Some(identity)) => Some(identity.email.clone()),
        _ => None,
    };
    let words: Vec<String> = given.all().into_iter().filter(|word| word != "get").collect();
    if given.has("-l") {
        for key in ["user.name", "user.email"] {
            if let Some(text) = own(key) {
                line.line(format!("{key}={text}"));
            }
        }
        return Ok(());
    }
    match words.as_slice() {
        [key] => {
            let repo = line.repo()?;
            let found = own(key).or_else(|| Some(repo.gix.config_snapshot().string(key.as_str())?.to_string()));
            match found {
                Some(text) => line.line(text),
                None => line.status = 1,
            }
            Ok(())
        }
        _ => fatal("the configuration is the user's: it can only be read here"),
    }
}

fn remote(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    let words = given.all();
    let repo = line.repo()?;
    let names = crate::git::store::refspec::remotes(&repo);
    let url = |name: &BString| {
        let key = format!("remote.{name}.url");
        repo.gix.config_snapshot().string(key.as_str()).map(|url| url.to_string()).unwrap_or_default()
    };
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] | ["show"] => {
            for name in &names {
                match given.has("-v") {
                    true => {
                        line.line(format!("{name}\t{} (fetch)", url(name)));
                        line.line(format!("{name}\t{} (push)", url(name)));
                    }
                    false => line.line(name),
                }
            }
            Ok(())
        }
        ["get-url", name] => match names.iter().find(|known| known == name) {
            Some(name) => {
                let url = url(name);
                line.line(url);
                Ok(())
            }
            None => Err(Failed::Said(format!("error: No such remote '{name}'\n"), 2)),
        },
        _ => fatal("the remotes are the user's: they can only be read here"),
    }
}
