//! Commands that name commits: `rev-parse`, `rev-list`, `symbolic-ref`, `merge-base`, `show-ref`, `for-each-ref` and `describe`.

use std::collections::{BTreeMap, BTreeSet};

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::objs::Kind;
use gix::revision::plumbing::Spec;
use serde_json::json;

use super::options::{Given, flag, maybe, value};
use super::{Command, Ended, Failed, Line, fatal};
use crate::git::history::revisions::Revisions;
use crate::git::history::tracking::{self, Strict};
use crate::git::history::{merge_base, peeling, rev_list};
use crate::git::store::abbrev::Abbrev;
use crate::git::store::refs::{Refs, State};

pub const COMMANDS: &[Command] = &[
    Command {
        name: "rev-parse",
        options: &[
            maybe(&["--abbrev-ref"]),
            maybe(&["--short"]),
            flag(&["--verify"]),
            flag(&["-q", "--quiet"]),
            flag(&["--show-toplevel"]),
            flag(&["--show-prefix"]),
            flag(&["--show-cdup"]),
            flag(&["--git-dir", "--absolute-git-dir", "--git-common-dir"]),
            flag(&["--is-inside-work-tree"]),
            flag(&["--is-inside-git-dir"]),
            flag(&["--is-bare-repository"]),
            flag(&["--is-shallow-repository"]),
            flag(&["--symbolic-full-name"]),
        ],
        run: rev_parse,
    },
    Command {
        name: "rev-list",
        options: &[
            flag(&["--count"]),
            value(&["-n", "--max-count", "-<n>"]),
            flag(&["--all"]),
            flag(&["--reverse"]),
            value(&["--since", "--after"]),
            value(&["--until", "--before"]),
            value(&["--author"]),
        ],
        run: revs,
    },
    Command { name: "symbolic-ref", options: &[flag(&["--short"]), flag(&["-q", "--quiet"])], run: symbolic_ref },
    Command { name: "merge-base", options: &[flag(&["-a", "--all"]), flag(&["--is-ancestor"])], run: base },
    Command {
        name: "show-ref",
        options: &[
            flag(&["--heads", "--branches"]),
            flag(&["--tags"]),
            flag(&["--verify"]),
            flag(&["-q", "--quiet"]),
            flag(&["--head"]),
        ],
        run: show_ref,
    },
    Command {
        name: "for-each-ref",
        options: &[value(&["--format"]), value(&["--sort"]), value(&["--count"])],
        run: for_each_ref,
    },
    Command {
        name: "describe",
        options: &[flag(&["--tags"]), flag(&["--always"]), maybe(&["--abbrev"]), flag(&["--all"]), maybe(&["--dirty"])],
        run: describe,
    },
];

/// The object that a name means.
pub fn object(line: &mut Line<'_, '_>, named: &str) -> Result<ObjectId, Failed> {
    let repo = line.repo()?;
    let folder = line.place()?.relative();
    let owned = [named.to_owned()];
    let revisions = Revisions::new(&repo, folder, false, &owned);
    match revisions.parse(named)? {
        Spec::Include(id) => Ok(id),
        _ => fatal(format!("Needed a single revision: {named}")),
    }
}

/// The commit that a name means.
pub fn commit(line: &mut Line<'_, '_>, named: &str) -> Result<ObjectId, Failed> {
    let id = object(line, named)?;
    let repo = line.repo()?;
    match peeling::end(&repo, id)? {
        Some((id, Kind::Commit)) => Ok(id),
        _ => fatal(format!("Not a valid commit name {named}")),
    }
}

fn rev_parse(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    let place = line.place()?;
    let repo = line.repo()?;
    let facts = [
        ("--show-toplevel", "/workspace".to_owned()),
        ("--show-prefix", if place.is_root() { String::new() } else { format!("{}/", place.relative()) }),
        ("--show-cdup", "../".repeat(place.relative().split('/').filter(|name| !name.is_empty()).count())),
        ("--git-dir", if place.is_root() { ".git".to_owned() } else { "/workspace/.git".to_owned() }),
        ("--is-inside-work-tree", "true".to_owned()),
        ("--is-inside-git-dir", "false".to_owned()),
        ("--is-bare-repository", "false".to_owned()),
        ("--is-shallow-repository", (!repo.shallow()?.is_empty()).to_string()),
    ];
    for (option, text) in facts {
        if given.has(option) {
            line.line(text);
        }
    }
    let words = given.all();
    // These are for one name, of those behind them.
    let single = ["--verify", "--short"].into_iter().filter_map(|option| given.before(option)).min();
    let is_single = single.is_none_or(|from| words.len() == from + 1);
    for (at, word) in words.into_iter().enumerate() {
        if !is_single && single.is_some_and(|from| from <= at) {
            break;
        }
        // An option counts for what stands behind it.
        let counts = |option: &str| given.before(option).is_some_and(|before| before <= at);
        if counts("--abbrev-ref") || counts("--symbolic-full-name") {
            let is_full = counts("--symbolic-full-name");
            let text = name_of(line, &word, is_full)?;
            line.line(text);
            continue;
        }
        let id = match object(line, &word) {
            Ok(id) => id,
            Err(_) if given.has("-q") => return Err(Failed::Status(1)),
            Err(_) if given.has("--verify") => return fatal("Needed a single revision"),
            Err(failed) => {
                // As git does, which takes it for a path then.
                line.line(&word);
                return Err(failed);
            }
        };
        let text = match counts("--short") {
            true => match given.number("--short")? {
                Some(length) => Abbrev::at_least(&repo, length as usize).short(&id)?,
                None => Abbrev::of(&repo)?.short(&id)?,
            },
            false => id.to_string(),
        };
        line.line(text);
    }
    if is_single { Ok(()) } else { fatal("Needed a single revision") }
}

/// The name of the ref that a word means.
fn name_of(line: &mut Line<'_, '_>, word: &str, is_full: bool) -> Result<String, Failed> {
    let repo = line.repo()?;
    if word == "HEAD" || word == "@" {
        return Ok(match (repo.head()?.branch(), repo.head()?.short_branch()) {
            (Some(full), _) if is_full => full.to_string(),
            (_, Some(short)) => short,
            _ => "HEAD".to_owned(),
        });
    }
    for prefix in ["refs/heads/", "refs/tags/", "refs/remotes/", ""] {
        let full = format!("{prefix}{word}");
        if repo.has_ref(full.as_str().into())? {
            return Ok(if is_full { full } else { word.to_owned() });
        }
    }
    if let Some(branch) = word.strip_suffix("@{u}").or_else(|| word.strip_suffix("@{upstream}")) {
        let full = match branch {
            "" => repo.head()?.branch().cloned(),
            branch => Some(format!("refs/heads/{branch}").into()),
        };
        if let Some(name) = full.and_then(|full| tracking::name(&repo, full.as_bstr())) {
            let name = name.to_string();
            let short = name.strip_prefix("refs/remotes/").or_else(|| name.strip_prefix("refs/heads/"));
            return Ok(if is_full { name.clone() } else { short.unwrap_or(&name).to_owned() });
        }
        return fatal("no upstream configured for that branch");
    }
    object(line, word).map(|_| String::new())
}

fn revs(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    let words = given.all();
    if given.has("--all") {
        return fatal("rev-list --all is not here: name a branch or a range");
    }
    let [named] = words.as_slice() else { return fatal("rev-list needs one revision, or a range such as A..B") };
    let listed = line.tool(
        "git_log",
        json!({
            "ref": named, "format": "%H", "max_count": given.number("-n")?.unwrap_or(u32::MAX),
            "since": given.value("--since"), "until": given.value("--until"), "author": given.value("--author"),
        }),
    )?;
    let text = listed.text.to_str_lossy().into_owned();
    let mut ids: Vec<&str> = text.lines().filter(|id| !id.is_empty()).collect();
    if given.has("--count") {
        line.line(ids.len().to_string());
        return Ok(());
    }
    if given.has("--reverse") {
        ids.reverse();
    }
    ids.into_iter().for_each(|id| line.line(id));
    Ok(())
}

fn symbolic_ref(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    match given.all().as_slice() {
        [head] if head == "HEAD" => {
            let head = line.repo()?.head()?;
            match (head.branch(), head.short_branch()) {
                (_, Some(short)) if given.has("--short") => line.line(short),
                (Some(full), _) => line.line(full),
                _ if given.has("-q") => return Err(Failed::Status(1)),
                _ => return fatal("ref HEAD is not a symbolic ref"),
            }
            Ok(())
        }
        _ => fatal("only HEAD can be read: git switch changes it"),
    }
}

fn base(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    let words = given.all();
    let [one, two] = words.as_slice() else { return fatal("merge-base needs two commits") };
    let (one, two) = (commit(line, one)?, commit(line, two)?);
    let repo = line.repo()?;
    if given.has("--is-ancestor") {
        let beyond = rev_list::between(&repo, [one], &BTreeSet::from([two]), line.context.deadline)?;
        line.status = i32::from(!beyond.is_empty());
        return Ok(());
    }
    let bases = merge_base::of(&repo, one, two, line.context.deadline)?;
    let most = if given.has("-a") { bases.len() } else { 1 };
    for base in bases.iter().take(most) {
        line.line(base.to_string());
    }
    line.status = i32::from(bases.is_empty());
    Ok(())
}

/// All refs below a prefix, with their objects.
pub fn below(line: &mut Line<'_, '_>, prefix: &str) -> Result<Vec<(String, ObjectId)>, Failed> {
    let repo = line.repo()?;
    let refs = Refs::of(&repo, line.context.deadline);
    let mut found = Vec::new();
    refs.each(prefix.into(), &mut |one| {
        if let State::Whole { id, .. } = one.state {
            found.push((one.name.to_string(), id));
        }
        Ok(())
    })?;
    Ok(found)
}

/// Prints the short names of refs.
pub fn refs(line: &mut Line<'_, '_>, prefix: &str, pattern: Option<&str>) -> Ended {
    let matcher = match pattern.map(globset::Glob::new).transpose() {
        Ok(glob) => glob.map(|glob| glob.compile_matcher()),
        Err(_) => return fatal("invalid pattern"),
    };
    for (name, _) in below(line, prefix)? {
        let short = &name[prefix.len()..];
        if matcher.as_ref().is_none_or(|matcher| matcher.is_match(short)) {
            line.line(short);
        }
    }
    Ok(())
}

fn show_ref(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    let words = given.all();
    let all = match (given.has("--heads"), given.has("--tags")) {
        (true, false) => below(line, "refs/heads/")?,
        (false, true) => below(line, "refs/tags/")?,
        _ => below(line, "refs/")?,
    };
    let is_wanted = |name: &str| match given.has("--verify") {
        true => words.iter().any(|word| word == name),
        false => words.is_empty() || words.iter().any(|word| name == word || name.ends_with(&format!("/{word}"))),
    };
    let found: Vec<_> = all.into_iter().filter(|(name, _)| is_wanted(name)).collect();
    if !given.has("-q") {
        for (name, id) in &found {
            line.line(format!("{id} {name}"));
        }
    }
    line.status = i32::from(found.is_empty());
    Ok(())
}

fn for_each_ref(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    if given.value("--sort").is_some_and(|key| key != "refname") {
        return fatal("for-each-ref sorts by refname only: use sort");
    }
    let format = given.value("--format").unwrap_or("%(objectname) %(objecttype)\t%(refname)").to_owned();
    let prefixes = given.all();
    let most = given.number("--count")?.unwrap_or(u32::MAX) as usize;
    let is_wanted = |name: &str| {
        let below = |prefix: &String| name == prefix || name.starts_with(&format!("{}/", prefix.trim_end_matches('/')));
        prefixes.is_empty() || prefixes.iter().any(below)
    };
    let found: Vec<_> = below(line, "refs/")?.into_iter().filter(|(name, _)| is_wanted(name)).take(most).collect();
    let repo = line.repo()?;
    for (name, id) in found {
        let kind = match repo.gix.find_header(id) {
            Ok(header) => header.kind().to_string(),
            Err(_) => continue,
        };
        let short = tracking::shorten(&repo, name.as_str().into(), Strict::No)?.to_string();
        let subject = peeling::subject(&repo, id).unwrap_or_default().to_str_lossy().into_owned();
        let text = format
            .replace("%(objectname:short)", &Abbrev::of(&repo)?.short(&id)?)
            .replace("%(objectname)", &id.to_string())
            .replace("%(objecttype)", &kind)
            .replace("%(refname:short)", &short)
            .replace("%(refname)", &name)
            .replace("%(subject)", &subject);
        if let Some(at) = text.find("%(") {
            return fatal(format!(
                "unknown field name: {}",
                &text[at + 2..text[at..].find(')').map_or(text.len(), |end| at + end)]
            ));
        }
        line.line(text);
    }
    Ok(())
}

fn describe(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    let words = given.all();
    let named = words.first().map_or("HEAD", String::as_str);
    let head = commit(line, named)?;
    let repo = line.repo()?;
    let mut tags: BTreeMap<ObjectId, (bool, String)> = BTreeMap::new();
    for (name, id) in below(line, "refs/tags/")? {
        let annotated = repo.gix.find_header(id).is_ok_and(|header| header.kind() == Kind::Tag);
        if (annotated || given.has("--tags"))
            && let Some((commit, Kind::Commit)) = peeling::end(&repo, id)?
        {
            let known = tags.entry(commit).or_default();
            if known.1.is_empty() || (annotated && !known.0) {
                *known = (annotated, name["refs/tags/".len()..].to_owned());
            }
        }
    }
    let listed = line.tool("git_log", json!({ "ref": named, "format": "%H", "max_count": u32::MAX }))?;
    let listed = listed.text.to_str_lossy().into_owned();
    let nearest =
        listed.lines().filter_map(|id| ObjectId::from_hex(id.as_bytes()).ok()).find(|id| tags.contains_key(id));
    let short = Abbrev::of(&repo)?.short(&head)?;
    let text = match nearest {
        Some(id) if id == head => tags[&id].1.clone(),
        Some(id) => {
            let beyond = rev_list::between(&repo, [head], &BTreeSet::from([id]), line.context.deadline)?.len();
            match given.value("--abbrev") {
                Some("0") => tags[&id].1.clone(),
                _ => format!("{}-{beyond}-g{short}", tags[&id].1),
            }
        }
        None if given.has("--always") => short,
        None if tags.is_empty() => return fatal("No names found, cannot describe anything."),
        None => return fatal(format!("No tags can describe '{head}'.")),
    };
    let mut text = text;
    if given.has("--dirty") {
        let changed = line.structured("git_diff", json!({ "from_ref": "HEAD", "name_only": true }))?;
        if changed["files"].as_array().is_some_and(|files| !files.is_empty()) {
            text.push_str(given.value("--dirty").unwrap_or("-dirty"));
        }
    }
    line.line(text);
    Ok(())
}
