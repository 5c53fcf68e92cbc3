//! `log`: which commits, in which order, and what is printed of each.

mod graph;
mod picked;
mod printed;
mod walked;

use gix::ObjectId;
use gix::hashtable::{HashMap, HashSet};
use gix::objs::Kind;
use gix::revision::plumbing::Spec;
use serde_json::{Value, json};

use self::picked::Pick;
use self::printed::Page;
use self::walked::{Step, Steps, Way};
use super::options::{Given, flag, maybe, value};
use super::{Command, Ended, Failed, Line, fatal, naming, some};
use crate::error::ToolError;
use crate::git::history::graph::{self as commits, History, Touched};
use crate::git::history::revisions::Revisions;
use crate::git::history::{merge_base, peeling};
use crate::git::store::pathspec::Pathspec;
use crate::git::store::repo::{Head, Repo};
use crate::git::text::pretty::{Format, Layout, Printer};
use crate::git::words::dates::{Shown, approxidate};
use crate::toolset::git::log::filter::Filter;
use crate::toolset::git::log::unborn;

pub const COMMANDS: &[Command] = &[Command {
    name: "log",
    options: &[
        value(&["-n", "--max-count", "-<n>"]),
        value(&["--skip"]),
        flag(&["--oneline"]),
        value(&["--format", "--pretty"]),
        value(&["--date"]),
        value(&["--author"]),
        value(&["--since", "--after"]),
        value(&["--until", "--before"]),
        value(&["--grep"]),
        flag(&["-i", "--regexp-ignore-case"]),
        flag(&["-E", "--extended-regexp"]),
        flag(&["-F", "--fixed-strings"]),
        value(&["-S"]),
        value(&["-G"]),
        flag(&["--follow"]),
        flag(&["--all"]),
        maybe(&["--branches"]),
        maybe(&["--tags"]),
        maybe(&["--remotes"]),
        flag(&["--first-parent"]),
        flag(&["--graph"]),
        flag(&["--topo-order"]),
        flag(&["--date-order"]),
        maybe(&["--decorate"]),
        flag(&["--no-decorate"]),
        flag(&["-p", "-u", "--patch"]),
        flag(&["--no-patch", "-s"]),
        flag(&["--stat"]),
        flag(&["--name-only"]),
        flag(&["--name-status"]),
        flag(&["--numstat"]),
        flag(&["--shortstat"]),
        value(&["-U", "--unified"]),
        flag(&["-M", "--find-renames"]),
        flag(&["--reverse"]),
        flag(&["--no-merges"]),
        flag(&["--merges"]),
        flag(&["--abbrev-commit"]),
        value(&["-L"]),
    ],
    run: log,
}];

/// Where a log begins and ends.
#[derive(Default)]
struct Ends {
    /// With what each is called.
    starts: Vec<(ObjectId, String)>,
    out: Vec<ObjectId>,
    has_left: bool,
}

fn log(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    if given.has("-L") {
        return fatal("log -L is not here\nhint: use git blame -L FIRST,LAST FILE, or git log -p -- FILE");
    }
    for [one, other] in [["--reverse", "--graph"], ["--date-order", "--graph"], ["--follow", "-S"], ["--follow", "-G"]]
    {
        if given.has(one) && given.has(other) {
            return fatal(format!("options '{one}' and '{other}' cannot be used together"));
        }
    }
    if given.has("-S") && given.has("-G") {
        return fatal("options '-G', '-S', and '--find-object' cannot be used together");
    }
    if given.has("--abbrev-commit") && !given.has("--oneline") && given.value("--format").is_none_or(is_named) {
        return fatal("log --abbrev-commit is not here\nhint: use --oneline, or --format with %h");
    }
    let (revisions, paths) = line.revisions_and_paths(given);
    if given.has("--follow") && paths.len() != 1 {
        return fatal("--follow requires exactly one pathspec");
    }
    let deadline = line.context.deadline;
    let place = line.place()?;
    let repo = line.repo()?;
    let ends = ends(line, &repo, given, &revisions, !paths.is_empty())?;
    let pathspec = Pathspec::parse(&paths, &place)?;
    let cache = line.context.session.caches.history.clone();
    let history = History::of(&repo, &cache)?;
    let format = match given.value("--format") {
        Some(format) => Format::parse(format, deadline)?,
        None if given.has("--oneline") => Format::Short,
        None => Format::Named(Layout::Medium),
    };
    let date = match given.value("--date").map(|text| (text, Shown::parse(text))) {
        Some((text, None)) => return fatal(format!("unknown date format {text}")),
        date => date.and_then(|(_, date)| date),
    };
    let decorates = match given.value("--decorate") {
        Some("full") => return fatal("log --decorate=full is not here\nhint: use --format with %d, or --decorate"),
        Some("no" | "auto" | "false") => false,
        _ => given.has("--decorate") && !given.has("--no-decorate"),
    };
    let now = line.context.now();
    let printer = Printer::new(&repo, &history, &format, now, deadline)?.with(date, decorates);
    let shows_notes = (given.value("--format").is_none() && !given.has("--oneline")) || format.has_notes();
    let filter = filter(given, shows_notes)?;
    let starts: Vec<ObjectId> = ends.starts.iter().map(|(id, _)| *id).collect();
    let hidden = match ends.out.as_slice() {
        [] => HashSet::default(),
        out => commits::hidden(&history, out, &starts, deadline)?,
    };
    let time = |option| given.value(option).map(|text| approxidate(text, now));
    let touched = (!paths.is_empty() && !given.has("--follow")).then(|| Touched::new(&repo, &pathspec));
    let first_parent = given.has("--first-parent");
    let way = Way { history: &history, hidden, touched, since: time("--since"), first_parent, deadline };
    let mut steps: Box<dyn Iterator<Item = Result<Step, ToolError>>> = Box::new(Steps::new(way, &starts));
    let mut parents = HashMap::default();
    if given.has("--graph") || given.has("--topo-order") {
        let ordered = walked::by_topology(steps.collect::<Result<_, _>>()?);
        if given.has("--graph") {
            parents = walked::rewritten(&ordered);
        }
        steps = Box::new(ordered.into_iter().map(Ok));
    }
    let mut pick = Pick::of(given.value("-S"), given.value("-G"), given.has("-i"))?;
    if given.has("--follow") {
        let path = super::written::from_top(&place, &paths[0]);
        pick = Some(Pick::Follow(format!("/workspace/{path}")));
    }
    let until = time("--until");
    // A graph has to know of every commit whether it is shown.
    let most = given.number("-n")?.map_or(usize::MAX, |count| count as usize);
    let skip = given.number("--skip")?.unwrap_or(0) as usize;
    let enough = if given.has("--graph") { usize::MAX } else { most.saturating_add(skip) };
    let mut shown: Vec<(ObjectId, Value)> = Vec::new();
    while shown.len() < enough {
        let Some(step) = steps.next().transpose()? else { break };
        if step.is_same
            || until.is_some_and(|until| step.time > until)
            || (given.has("--no-merges") && step.is_merge)
            || (given.has("--merges") && !step.is_merge)
            || !filter.takes(&history.commit(step.id)?, &printer, deadline)?
        {
            continue;
        }
        let mut files = some(&paths);
        if let Some(pick) = &mut pick {
            // Of a merge a log shows no changes, unless it follows one side alone.
            let picked = match step.parents.len() > 1 {
                true => Vec::new(),
                false => pick.files(line, step.parents.first().copied(), step.id, &files)?,
            };
            if picked.is_empty() {
                continue;
            }
            files = json!(picked);
        }
        shown.push((step.id, files));
    }
    let interesting: HashSet<ObjectId> = shown.iter().map(|(id, _)| *id).collect();
    let mut shown: Vec<_> = shown.into_iter().skip(skip).take(most).collect();
    if given.has("--reverse") {
        shown.reverse();
    }
    let mut page = Page::new(given, &history, &printer, &format, shows_notes);
    for (id, files) in shown {
        deadline.poll()?;
        let parents: Vec<ObjectId> = parents.remove(&id).unwrap_or_default();
        let parents = parents.into_iter().filter(|parent| interesting.contains(parent)).collect();
        let source = ends.starts.iter().find(|(start, _)| *start == id).or(ends.starts.first());
        page.add(line, id, parents, &files, source.map_or("HEAD", |(_, name)| name), ends.has_left)?;
    }
    Ok(())
}

/// Shows a commit with its changes at some paths.
pub fn show(line: &mut Line<'_, '_>, given: &Given, named: &str, paths: &[String]) -> Ended {
    let deadline = line.context.deadline;
    let id = naming::commit(line, named)?;
    let repo = line.repo()?;
    let cache = line.context.session.caches.history.clone();
    let history = History::of(&repo, &cache)?;
    let commit = history.commit(id)?;
    let before = commit.parents.first().map(|parent| history.node(*parent)).transpose()?.map(|node| node.tree);
    let pathspec = Pathspec::parse(paths, &line.place()?)?;
    if !Touched::new(&repo, &pathspec).differs(before, commit.tree, deadline)? {
        return Ok(());
    }
    if commit.parents.len() > 1 {
        return fatal("show of a merge at paths is not here\nhint: use git diff REV^ REV -- PATH");
    }
    let format = match given.value("--format") {
        Some(format) => Format::parse(format, deadline)?,
        None if given.has("--oneline") => Format::Short,
        None => Format::Named(Layout::Medium),
    };
    let printer = Printer::new(&repo, &history, &format, line.context.now(), deadline)?;
    let shows_notes = given.value("--format").is_none() && !given.has("--oneline");
    let mut page = Page::new(given, &history, &printer, &format, shows_notes).always();
    page.add(line, id, Vec::new(), &json!(paths), named, false)
}

fn filter(given: &Given, shows_notes: bool) -> Result<Filter, Failed> {
    let patterns = |option| {
        let written: Vec<String> = given
            .values(option)
            .map(|pattern| match (given.has("-F"), given.has("-E")) {
                (true, _) => literal(pattern),
                (_, true) => basic(pattern),
                _ => pattern.to_owned(),
            })
            .collect();
        (!written.is_empty()).then(|| written.join("\n"))
    };
    let (author, grep) = (patterns("--author"), patterns("--grep"));
    Ok(Filter::of(author.as_deref(), grep.as_deref(), given.has("-i"), shows_notes)?)
}

/// Whether a format is one that git has a name for.
fn is_named(format: &str) -> bool {
    !format.contains('%')
}

/// A basic regular expression that finds the text itself.
fn literal(text: &str) -> String {
    let mut pattern = String::new();
    for letter in text.chars() {
        if r"\.*[]^$".contains(letter) {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern
}

/// An extended regular expression as a basic one: what is an operator in one by itself, is one in the other behind a backslash.
fn basic(extended: &str) -> String {
    let mut pattern = String::new();
    let mut letters = extended.chars();
    let mut in_brackets = false;
    while let Some(letter) = letters.next() {
        match letter {
            _ if in_brackets => {
                in_brackets = letter != ']';
                pattern.push(letter);
            }
            '[' => {
                in_brackets = true;
                pattern.push(letter);
            }
            '(' | ')' | '{' | '}' | '|' | '+' | '?' => pattern.extend(['\\', letter]),
            '\\' => match letters.next() {
                Some(letter @ ('(' | ')' | '{' | '}' | '|' | '+' | '?')) => pattern.push(letter),
                Some(letter) => pattern.extend(['\\', letter]),
                None => pattern.push('\\'),
            },
            letter => pattern.push(letter),
        }
    }
    pattern
}

/// Where the words of a command line let a log begin and end.
fn ends(
    line: &mut Line<'_, '_>,
    repo: &Repo,
    given: &Given,
    words: &[String],
    has_paths: bool,
) -> Result<Ends, Failed> {
    let deadline = line.context.deadline;
    let folder = line.place()?.relative();
    let revisions = Revisions::new(repo, folder, has_paths, words);
    let commit = |id: ObjectId, word: &str| match peeling::end(repo, id)? {
        Some((id, Kind::Commit)) => Ok(id),
        _ => fatal(format!("Not a commit: {word}")),
    };
    let mut ends = Ends::default();
    for word in words {
        let (from, to) = word.split_once("...").or_else(|| word.split_once("..")).unwrap_or((word, word));
        let name = |side: &str| if side.is_empty() { "HEAD".to_owned() } else { side.to_owned() };
        let parents = |id| -> Result<Vec<ObjectId>, Failed> {
            let cache = Default::default();
            let history = History::of(repo, &cache)?;
            let node = history.node(commit(id, word)?)?;
            Ok(history.parents(&node).to_vec())
        };
        match revisions.parse(word)? {
            Spec::Include(id) => ends.starts.push((commit(id, word)?, word.clone())),
            Spec::Exclude(id) => ends.out.push(commit(id, word)?),
            Spec::Range { from, to: tip } => {
                ends.starts.push((commit(tip, word)?, name(to)));
                ends.out.push(commit(from, word)?);
            }
            Spec::Merge { theirs, ours } => {
                let (theirs, ours) = (commit(theirs, word)?, commit(ours, word)?);
                ends.out.extend(merge_base::of(repo, theirs, ours, deadline)?);
                ends.has_left = true;
                ends.starts.extend([(theirs, name(from)), (ours, name(to))]);
            }
            Spec::IncludeOnlyParents(id) => {
                ends.starts.extend(parents(id)?.into_iter().map(|id| (id, word.clone())));
            }
            Spec::ExcludeParents(id) => {
                ends.starts.push((commit(id, word)?, word.clone()));
                ends.out.extend(parents(id)?);
            }
        }
    }
    let mut is_named = !ends.starts.is_empty();
    for (option, prefix) in
        [("--all", "refs/"), ("--branches", "refs/heads/"), ("--tags", "refs/tags/"), ("--remotes", "refs/remotes/")]
    {
        if !given.has(option) {
            continue;
        }
        is_named = true;
        // What has no wildcard is a folder of refs.
        let pattern = given.value(option).map(|pattern| match pattern.contains(['*', '?', '[']) {
            true => pattern.to_owned(),
            false => format!("{}/*", pattern.trim_end_matches('/')),
        });
        let matcher = match pattern.as_deref().map(globset::Glob::new).transpose() {
            Ok(glob) => glob.map(|glob| glob.compile_matcher()),
            Err(_) => return fatal("invalid pattern"),
        };
        for (name, id) in naming::below(line, prefix)? {
            if matcher.as_ref().is_some_and(|matcher| !matcher.is_match(&name[prefix.len()..])) {
                continue;
            }
            if let Some((id, Kind::Commit)) = peeling::end(repo, id)? {
                ends.starts.push((id, name));
            }
        }
        if option == "--all"
            && let Some(id) = repo.head()?.id()
        {
            ends.starts.push((id, "HEAD".to_owned()));
        }
    }
    if !is_named {
        match repo.head()? {
            Head::Unborn { name } => return Err(unborn(&name).into()),
            head => ends.starts.extend(head.id().map(|id| (id, "HEAD".to_owned()))),
        }
    }
    Ok(ends)
}
