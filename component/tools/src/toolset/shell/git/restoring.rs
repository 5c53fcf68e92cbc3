//! `restore`, and the paths of `checkout`.

use gix::index::entry::Stage;
use serde_json::json;

use super::options::{Given, flag, value};
use super::written::from_root;
use super::{Command, Ended, Failed, Line, fatal, naming};
use crate::git::change::restoring::{self, Scope};
use crate::git::store::abbrev::Abbrev;
use crate::git::store::pathspec::Pathspec;
use crate::git::store::repo::damaged;
use crate::toolset::git::restore::asked;

pub const COMMANDS: &[Command] = &[Command {
    name: "restore",
    options: &[
        flag(&["-S", "--staged"]),
        flag(&["-W", "--worktree"]),
        value(&["-s", "--source"]),
        flag(&["--ours"]),
        flag(&["--theirs"]),
        flag(&["-q", "--quiet"]),
    ],
    run: restore,
}];

fn restore(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    let words = given.all();
    if words.is_empty() {
        return fatal("you must specify path(s) to restore");
    }
    let staged = given.has("-S");
    let worktree = !staged || given.has("-W");
    let source = given.value("-s").map(str::to_owned);
    let side = side(given);
    if side.is_some() && (staged || source.is_some()) {
        return fatal("'--ours' or '--theirs' cannot be used with --source or --staged");
    }
    if source.is_some() || side.is_some() {
        return paths(line, &words, source.as_deref(), (staged, worktree), side).map(drop);
    }
    line.tool("git_restore", json!({ "paths": words, "staged": staged, "worktree": worktree })).map(drop)
}

/// The side of a conflict that was asked for.
pub fn side(given: &Given) -> Option<Stage> {
    match (given.has("--ours"), given.has("--theirs")) {
        (true, _) => Some(Stage::Ours),
        (_, true) => Some(Stage::Theirs),
        _ => None,
    }
}

/// Restores paths in the index and in the working folder, from a tree or from a side of a conflict. Returns how many are other than they
/// were.
pub fn paths(
    line: &mut Line<'_, '_>,
    words: &[String],
    source: Option<&str>,
    (staged, worktree): (bool, bool),
    side: Option<Stage>,
) -> Result<usize, Failed> {
    let source = source.map(|source| tree(line, source)).transpose()?;
    restored(line, words, Scope { staged, worktree, source, overlay: false, side })
}

/// Restores paths that another commit has.
pub fn checkout(line: &mut Line<'_, '_>, words: &[String], source: &str) -> Ended {
    let tree = tree(line, source)?;
    let scope = Scope { staged: true, worktree: true, source: Some(tree), overlay: true, side: None };
    let count = restored(line, words, scope)?;
    let repo = line.repo()?;
    let plural = if count == 1 { "" } else { "s" };
    let short = Abbrev::of(&repo)?.short(&tree)?;
    line.err.extend_from_slice(format!("Updated {count} path{plural} from {short}\n").as_bytes());
    Ok(())
}

fn tree(line: &mut Line<'_, '_>, source: &str) -> Result<gix::ObjectId, Failed> {
    let id = naming::object(line, source).or_else(|_| fatal(format!("could not resolve {source}")))?;
    let object = line.repo()?;
    let object = object.gix.find_object(id).map_err(|error| damaged(&error))?;
    match object.peel_to_tree() {
        Ok(tree) => Ok(tree.id),
        Err(_) => fatal(format!("reference is not a tree: {source}")),
    }
}

fn restored(line: &mut Line<'_, '_>, words: &[String], scope: Scope) -> Result<usize, Failed> {
    let (repo, place) = (line.repo()?, line.place()?);
    let pathspec = Pathspec::parse(words, &place)?;
    let caches = &mut line.context.session.caches;
    let (index, trees) = (&mut caches.index, &mut caches.trees);
    let restored = restoring::restore(&repo, index, trees, &pathspec, &place, scope, line.context.deadline)?;
    line.err.extend_from_slice(restored.warnings.as_bytes());
    let paths = from_root(&place, words);
    let arguments = json!({ "paths": paths, "staged": scope.staged, "worktree": scope.worktree });
    line.done.call("git_restore", &arguments, asked::approval(&arguments));
    Ok(restored.changed.len())
}
