//! Commands that read: `ls-files`, `check-ignore`, `shortlog`, `config`, `remote` and `version`.

use std::collections::BTreeMap;

use gix::bstr::{BString, ByteSlice};
use serde_json::json;

use super::options::{Given, flag};
use super::written::{from_top, print_path, shown};
use super::{Command, Ended, Failed, Line, fatal};
use crate::git::store::index;
use crate::git::store::pathspec::Pathspec;
use crate::git::store::repo::Repo;
use crate::git::worktree::excludes;
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
pub fn untracked(
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
