//! `grep`, which searches the tracked files.

use gix::bstr::ByteSlice;
use shell::grep::{self, Around, Matcher, Meaning};

use super::options::{Given, flag, value};
use super::written::{quoted, shown};
use super::{Command, Ended, Line, fatal};
use crate::deadline::units;
use crate::git::store::index;
use crate::git::store::pathspec::Pathspec;
use crate::git::store::version::is_file;
use crate::platform;

pub const COMMANDS: &[Command] = &[Command {
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
}];

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
