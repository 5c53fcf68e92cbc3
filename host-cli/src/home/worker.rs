//! A worker file: what a sandbox for one sort of work is like. Its front matter says so; the rest is for the worker to read.
//!
//! ```yaml
//! name: report-writer
//! description: Writes analysis reports
//! toolsets:
//!   filesystem: {}
//!   git:
//!     mode: assisted
//!     default_target:
//!       type: local
//!       path: .
//!       branch: worker-{timestamp}
//!     auto_pull:
//!       - path: templates/
//!         source:
//!           type: local
//!           path: .
//! ```

use std::path::Path;

use gate::policy::PushMode;
use gate::refname::BranchRef;

use super::front_matter::{self, Entry, Node, Value, Wrong};
use super::place::{AutoPull, Place};
use crate::error::{ErrorKind, HostError, Result};
use crate::limits;
use crate::moment::Moment;

/// What a worker file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Worker {
    /// Its name.
    pub name: Option<String>,
    /// Where a push goes that names no target.
    pub default_target: Option<Place>,
    /// Who may begin a push.
    pub push: Option<PushMode>,
    /// What is to be in a new sandbox.
    pub auto_pull: Vec<AutoPull>,
}

impl Worker {
    /// Reads the file at `path`. What a name leaves open is filled in as it is at `now`.
    pub fn read(path: &Path, now: Moment) -> Result<Worker> {
        let read = || -> std::io::Result<Vec<u8>> {
            let mut bytes = Vec::new();
            let file = std::fs::File::open(path)?;
            std::io::Read::read_to_end(&mut std::io::Read::take(file, limits::WORKER_FILE_BYTES + 1), &mut bytes)?;
            Ok(bytes)
        };
        let unreadable =
            |error| HostError::io("read", path, &error).hint("name a worker file that you can read; nothing was made");
        let bytes = read().map_err(unreadable)?;
        let wrong = |wrong: Wrong| {
            HostError::new(ErrorKind::Usage, format!("{}:{}: {}", path.display(), wrong.line, wrong.what))
                .hint("correct that line of the worker file; nothing was made")
        };
        if bytes.len() as u64 > limits::WORKER_FILE_BYTES {
            let most = format!("{}: a worker file has at most {} MiB", path.display(), limits::WORKER_FILE_BYTES >> 20);
            return Err(HostError::new(ErrorKind::Usage, most).hint("make it shorter; nothing was made"));
        }
        let text = str::from_utf8(&bytes).map_err(|error| {
            let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
            wrong(Wrong::at(line, "it is not UTF-8"))
        })?;
        front_matter::parse(text).and_then(|root| worker(root, now)).map_err(wrong)
    }
}

type Read<T> = std::result::Result<T, Wrong>;

fn worker(root: Node, now: Moment) -> Read<Worker> {
    let mut worker = Worker::default();
    each(root, &["name", "description", "toolsets"], |key, node| {
        match key {
            "name" => worker.name = Some(text(key, node)?),
            "description" => drop(text(key, node)?),
            _ => each(node, &["filesystem", "git"], |toolset, node| match toolset {
                // Its tools are on in any case, and have nothing to be set.
                "filesystem" => each(node, &[], |_, _| Ok(())),
                _ => git(node, &mut worker, now),
            })?,
        }
        Ok(())
    })?;
    Ok(worker)
}

fn git(node: Node, worker: &mut Worker, now: Moment) -> Read<()> {
    each(node, &["default_target", "auto_pull", "mode"], |key, node| {
        match key {
            "default_target" => worker.default_target = Some(place(node, now)?),
            "auto_pull" => {
                let Value::List(nodes) = node.value else {
                    return Err(Wrong::at(node.line, "`auto_pull` is a list"));
                };
                worker.auto_pull = nodes.into_iter().map(|node| auto_pull(node, now)).collect::<Read<_>>()?;
            }
            _ => {
                let line = node.line;
                worker.push = Some(match text(key, node)?.as_str() {
                    "manual" => PushMode::Manual,
                    "assisted" => PushMode::Assisted,
                    other => return Err(Wrong::at(line, format!("`mode` is manual or assisted, not `{other}`"))),
                });
            }
        }
        Ok(())
    })
}

fn auto_pull(node: Node, now: Moment) -> Read<AutoPull> {
    let (line, mut path, mut source) = (node.line, None, None);
    each(node, &["path", "source"], |key, node| {
        match key {
            "path" => path = Some(text(key, node)?),
            _ => source = Some(place(node, now)?),
        }
        Ok(())
    })?;
    let missing = |what: &str| Wrong::at(line, format!("an entry of `auto_pull` needs a `{what}`"));
    Ok(AutoPull { path: path.ok_or_else(|| missing("path"))?, source: source.ok_or_else(|| missing("source"))? })
}

fn place(node: Node, now: Moment) -> Read<Place> {
    let line = node.line;
    let (mut kind, mut path, mut repo, mut branch) = (None, None, None, None);
    each(node, &["type", "path", "repo", "branch"], |key, node| {
        match key {
            "type" => kind = Some((node.line, text(key, node)?)),
            "path" => path = Some(text(key, node)?),
            "repo" => repo = Some(text(key, node)?),
            _ => branch = Some(branch_name(node, now)?),
        }
        Ok(())
    })?;
    let (kind_line, kind) =
        kind.ok_or_else(|| Wrong::at(line, "a target needs a `type`: local, local-bare or github"))?;
    let wants =
        |has: &str, not: &str| Wrong::at(line, format!("a target of the type {kind} has a `{has}`, and no `{not}`"));
    match (kind.as_str(), path, repo) {
        ("local", Some(path), None) => Ok(Place::Local { path, branch }),
        ("local-bare", Some(path), None) => Ok(Place::LocalBare { path, branch }),
        ("github", None, Some(repo)) => Ok(Place::Github { repo, branch }),
        ("local" | "local-bare", ..) => Err(wants("path", "repo")),
        ("github", ..) => Err(wants("repo", "path")),
        _ => Err(Wrong::at(kind_line, format!("`{kind}` is no type of target: local, local-bare or github"))),
    }
}

/// A branch. `{timestamp}` stands for when the sandbox is made.
fn branch_name(node: Node, now: Moment) -> Read<String> {
    let line = node.line;
    let template = text("branch", node)?;
    let mut name = String::new();
    let mut rest = template.as_str();
    while let Some((before, behind)) = rest.split_once('{') {
        let (placeholder, after) =
            behind.split_once('}').ok_or_else(|| Wrong::at(line, format!("`{template}` has a `{{` without a `}}`")))?;
        if placeholder != "timestamp" {
            let what = format!("`{{{placeholder}}}` is not known in the name of a branch; {{timestamp}} is");
            return Err(Wrong::at(line, what));
        }
        name.push_str(before);
        name.push_str(&now.compact());
        rest = after;
    }
    name.push_str(rest);
    BranchRef::from_branch(&name).map_err(|fault| Wrong::at(line, fault.message))?;
    Ok(name)
}

/// Calls `entry` for each key of a map with its value. A key that is not among `known` is an error.
fn each(node: Node, known: &[&str], mut entry: impl FnMut(&str, Node) -> Read<()>) -> Read<()> {
    let entries = match node.value {
        Value::Map(entries) => entries,
        Value::Nothing => Vec::new(),
        Value::Text(_) | Value::List(_) => {
            return Err(Wrong::at(node.line, "here is a map of keys and values expected"));
        }
    };
    for Entry { key, line, node } in entries {
        if !known.contains(&key.as_str()) {
            let known = match known {
                [] => "there is nothing to be set here".to_owned(),
                known => format!("known are {}", known.join(", ")),
            };
            return Err(Wrong::at(line, format!("unknown key `{key}`; {known}")));
        }
        entry(&key, node)?;
    }
    Ok(())
}

/// A text that is not empty, in which nothing is hidden.
fn text(key: &str, node: Node) -> Read<String> {
    match node.value {
        Value::Text(text) if key == "description" => Ok(text),
        Value::Text(text) if !text.trim().is_empty() && !text.chars().any(char::is_control) => Ok(text),
        _ => Err(Wrong::at(node.line, format!("`{key}` is a text of one line"))),
    }
}

#[cfg(test)]
mod tests;
