//! `add`, `commit`, `rm`, `mv` and `stash`.

use gix::bstr::ByteSlice;
use serde_json::{Value, json};

use super::options::{Given, flag, value};
use super::{Command, Ended, Failed, Line, fatal, some};
use crate::error::Stop;
use crate::git::change::operation;
use crate::git::store::pathspec::Pathspec;
use crate::git::store::repo::damaged;
use crate::git::store::{index, index_edit};
use crate::git::worktree::excludes;
use crate::platform;
use crate::tool::Call;
use crate::toolset::git::add::{GitAdd, asked as add};
use crate::toolset::git::commit::{GitCommit, asked as commit};

pub const COMMANDS: &[Command] = &[
    Command {
        name: "add",
        options: &[
            flag(&["-A", "--all", "--no-ignore-removal"]),
            flag(&["-u", "--update"]),
            flag(&["-f", "--force"]),
            flag(&["-v", "--verbose"]),
        ],
        run: add,
    },
    Command {
        name: "commit",
        options: &[
            value(&["-m", "--message"]),
            value(&["-F", "--file"]),
            flag(&["-a", "--all"]),
            flag(&["--amend"]),
            flag(&["--no-edit"]),
            flag(&["--allow-empty"]),
            flag(&["-q", "--quiet"]),
        ],
        run: record,
    },
    Command {
        name: "rm",
        options: &[
            flag(&["-r"]),
            flag(&["-f", "--force"]),
            flag(&["-q", "--quiet"]),
            flag(&["--cached"]),
            flag(&["--ignore-unmatch"]),
        ],
        run: rm,
    },
    Command { name: "mv", options: &[flag(&["-v", "--verbose"])], run: mv },
    Command {
        name: "stash",
        options: &[
            flag(&["-u", "--include-untracked"]),
            value(&["-m", "--message"]),
            flag(&["--index"]),
            flag(&["-p", "--patch"]),
            flag(&["-q", "--quiet"]),
        ],
        run: stash,
    },
];

fn add(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    let paths = given.all();
    if paths.is_empty() && !given.has("-A") && !given.has("-u") {
        line.err.extend_from_slice(b"Nothing specified, nothing added.\nhint: Maybe you wanted to say 'git add .'?\n");
        return Ok(());
    }
    if given.has("-f") && !given.has("-u") {
        // Of nothing else, `-A` takes all of the repository.
        let all = ["/workspace".to_owned()];
        return force(line, if paths.is_empty() { &all } else { &paths });
    }
    let all = given.has("-A") && paths.is_empty();
    line.tool("git_add", json!({ "paths": some(&paths), "all": all, "update": given.has("-u") }))?;
    Ok(())
}

/// Adds files, ignored ones too.
fn force(line: &mut Line<'_, '_>, words: &[String]) -> Ended {
    let (repo, place) = (line.repo()?, line.place()?);
    let state = index::load(&mut line.context.session.caches.index, &repo)?;
    let pathspec = Pathspec::parse(words, &place)?;
    let mut ignored = Vec::new();
    for path in super::reading::untracked(line, &repo, &state, false)? {
        if pathspec.matches(path.as_bstr())
            && excludes::is_ignored(&repo, &state, path.as_bstr(), line.context.deadline)?
        {
            ignored.push(path);
        }
    }
    let paths = super::written::from_root(&place, words);
    let arguments = json!({ "paths": paths });
    GitAdd::forced(paths, ignored).run(line.context)?;
    line.done.call("git_add", &arguments, add::approval(&arguments));
    Ok(())
}

fn record(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    if !given.all().is_empty() {
        return fatal("commit of paths is not here: add them, then commit");
    }
    let mut message = given.values("-m").collect::<Vec<_>>().join("\n\n");
    if let Some(file) = given.value("-F") {
        message = match file {
            "-" => line.stdin.to_str_lossy().into_owned(),
            file => {
                let place = line.place()?;
                let found = line.context.session.zones.resolve(file, &place, crate::paths::Access::Read)?;
                match platform::read(&found.real()) {
                    Ok(content) => content.to_str_lossy().into_owned(),
                    Err(_) => return fatal(format!("could not read log file '{file}': No such file or directory")),
                }
            }
        };
    }
    let amend = given.has("--amend");
    if amend && message.is_empty() {
        message = message_of_head(line)?;
    }
    if message.is_empty() && given.has("--no-edit") {
        // What a merge or a pick has left for the commit that ends it.
        let left = operation::read(&line.repo()?, "MERGE_MSG")?;
        message = left.unwrap_or_default().to_str_lossy().into_owned();
    }
    let ends_merge = operation::read(&line.repo()?, "MERGE_HEAD")?.is_some();
    if message.trim().is_empty() && !ends_merge && !given.has("-a") {
        let staged = line.structured("git_diff", json!({ "cached": true, "name_only": true }))?;
        if staged["files"].as_array().is_none_or(Vec::is_empty) {
            line.status = 1;
            return line.print("git_status", json!({ "porcelain": false }));
        }
    }
    if message.trim().is_empty() {
        line.err
            .extend_from_slice(b"Aborting commit due to empty commit message. (There is no editor here: use -m.)\n");
        line.status = 1;
        return Ok(());
    }
    if given.has("-a") {
        line.tool("git_add", json!({ "update": true }))?;
    }
    if given.has("--allow-empty") && !amend {
        let arguments = json!({ "message": message });
        let output = GitCommit::even_empty(message).run(line.context)?;
        line.done.call("git_commit", &arguments, commit::approval(&arguments));
        line.done.keeps(output.effect);
        if !given.has("-q") {
            line.printed(&output.text);
        }
        return Ok(());
    }
    let output = match line.tool("git_commit", json!({ "message": message, "amend": amend.then_some(true) })) {
        Err(Failed::Stop(Stop::Failed(error))) if error.message == "nothing to commit" => {
            line.status = 1;
            return line.print("git_status", json!({ "porcelain": false }));
        }
        output => output?,
    };
    if !given.has("-q") {
        // Of a merge git tells no changes.
        let is_number =
            |text: &[u8]| text.strip_prefix(b" ").is_some_and(|text| text.first().is_some_and(u8::is_ascii_digit));
        let end = output.text.lines_with_terminator().take_while(|text| !is_number(text)).map(<[u8]>::len).sum();
        line.printed(if ends_merge { &output.text[..end] } else { &output.text });
    }
    Ok(())
}

/// The message of HEAD's commit.
fn message_of_head(line: &mut Line<'_, '_>) -> Result<String, Failed> {
    let repo = line.repo()?;
    let Some(head) = repo.head()?.id() else { return fatal("You have nothing to amend.") };
    let commit = repo.gix.find_commit(head).map_err(|error| damaged(&error))?;
    Ok(commit.message_raw_sloppy().to_str_lossy().into_owned())
}

/// The tracked files that words name, with their paths from the top. Fails if one names none.
fn tracked(line: &mut Line<'_, '_>, given: &Given) -> Result<Vec<String>, Failed> {
    let place = line.place()?;
    let repo = line.repo()?;
    let state = index::load(&mut line.context.session.caches.index, &repo)?;
    let mut files = Vec::new();
    for word in given.all() {
        let pathspec = Pathspec::parse(std::slice::from_ref(&word), &place)?;
        let before = files.len();
        for entry in state.entries() {
            let path = entry.path(&state);
            if pathspec.matches(path) {
                if path.to_str_lossy() != super::written::from_top(&place, &word) && !given.has("-r") && !is_glob(&word)
                {
                    return fatal(format!("not removing '{word}' recursively without -r"));
                }
                files.push(path.to_str_lossy().into_owned());
            }
        }
        if files.len() == before && !given.has("--ignore-unmatch") {
            return fatal(format!("pathspec '{word}' did not match any files"));
        }
    }
    files.sort();
    files.dedup();
    Ok(files)
}

fn is_glob(word: &str) -> bool {
    word.contains(['*', '?', '['])
}

fn rm(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    if given.all().is_empty() {
        return fatal("No pathspec was given. Which files should I remove?");
    }
    let files = tracked(line, given)?;
    if !given.has("--cached") {
        if !given.has("-f") {
            let named: Vec<String> = files.iter().map(|file| format!("/workspace/{file}")).collect();
            let changed =
                line.structured("git_diff", json!({ "from_ref": "HEAD", "name_only": true, "paths": named }))?;
            if let Some(first) = changed["files"][0]["path"].as_str() {
                let name = first.strip_prefix("/workspace/").unwrap_or(first);
                let text = format!(
                    "error: the following file has local modifications:\n    {name}\n(use --cached to keep the file, \
                     or -f to force removal)\n"
                );
                return Err(Failed::Said(text, 1));
            }
        }
        for file in &files {
            let path = format!("/workspace/{file}");
            let found = line.context.session.zones.resolve(
                &path,
                &line.context.session.zones.workspace(),
                crate::paths::Access::Entry,
            )?;
            if platform::stat(&found.real()).is_ok() {
                line.tool("delete_file", json!({ "path": path }))?;
                remove_empty(&found);
            }
        }
        let named: Vec<String> = files.iter().map(|file| format!("/workspace/{file}")).collect();
        if !named.is_empty() {
            line.tool("git_add", json!({ "paths": named }))?;
        }
    } else {
        let repo = line.repo()?;
        let mut state = index::load(&mut line.context.session.caches.index, &repo)?.as_ref().clone();
        let edits = files.iter().map(|file| (file.as_str().into(), None)).collect();
        index_edit::apply(&mut state, &edits);
        index::store(&mut line.context.session.caches.index, &repo, state)?;
        line.done.call("git_add", &json!({ "paths": files }), None);
    }
    if !given.has("-q") {
        for file in files {
            line.line(format!("rm '{file}'"));
        }
    }
    Ok(())
}

/// Removes the folders that a removed file leaves empty, as git does.
fn remove_empty(file: &crate::paths::SandboxPath) {
    let mut folder = file.parent();
    while let Some(path) = folder.filter(|path| !path.is_root()) {
        let is_empty = platform::list(&path.real()).is_ok_and(|entries| entries.is_empty());
        if !is_empty || platform::remove_dir(&path.real()).is_err() {
            break;
        }
        folder = path.parent();
    }
}

fn mv(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    let words = given.all();
    let [sources @ .., to] = words.as_slice() else { return fatal("mv needs a source and a destination") };
    if sources.is_empty() {
        return fatal("mv needs a source and a destination");
    }
    let place = line.place()?;
    let target = line.context.session.zones.resolve(to, &place, crate::paths::Access::Read)?;
    let into = platform::stat(&target.real()).is_ok_and(|stat| stat.kind == platform::Kind::Folder);
    if sources.len() > 1 && !into {
        return fatal(format!("destination '{to}' is not a directory"));
    }
    let mut paths = Vec::new();
    for source in sources {
        let from = line.context.session.zones.resolve(source, &place, crate::paths::Access::Entry)?;
        if platform::stat(&from.real()).is_err() {
            return fatal(format!("bad source, source={source}, destination={to}"));
        }
        let name = from.shown().rsplit('/').next().unwrap_or_default().to_owned();
        let to = if into { target.join(&name) } else { target.clone() };
        line.tool("move_file", json!({ "from": from.shown(), "to": to.shown() }))?;
        paths.extend([from.shown(), to.shown()]);
    }
    line.tool("git_add", json!({ "paths": paths }))?;
    Ok(())
}

fn stash(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    let mut words = given.all().into_iter();
    let action = words.next().unwrap_or_else(|| "push".to_owned());
    let action = if action == "save" { "push".to_owned() } else { action };
    if !["push", "pop", "apply", "list", "drop", "show", "clear"].contains(&action.as_str()) {
        return fatal(format!(
            "subcommand wasn't specified; 'push' can't be assumed due to unexpected token '{action}'"
        ));
    }
    let rest: Vec<String> = words.collect();
    let index = match (action.as_str(), rest.first()) {
        ("push" | "list" | "clear", _) | (_, None) => None,
        (_, Some(name)) => match name.trim_start_matches("stash@{").trim_end_matches('}').parse::<u32>() {
            Ok(index) => Some(index),
            Err(_) => return fatal(format!("{name} is not a valid reference")),
        },
    };
    if action == "push" && !rest.is_empty() {
        return fatal("stash of paths is not here");
    }
    if given.has("-p") && action != "show" {
        return fatal("stash -p is not here: nobody can be asked");
    }
    if given.has("-p") {
        let stash = format!("stash@{{{}}}", index.unwrap_or(0));
        return line.print("git_diff", json!({ "from_ref": format!("{stash}^"), "to_ref": stash }));
    }
    let text = given.value("-m").map(str::to_owned);
    let arguments: Value = json!({
        "action": action,
        "message": text,
        "index": index,
        "include_untracked": if given.has("-u") { Some(true) } else { None },
        "restore_index": if given.has("--index") { Some(true) } else { None },
    });
    let output = line.tool("git_stash", arguments)?;
    if !given.has("-q") {
        line.printed(&output.text);
    }
    Ok(())
}
