//! A worker file. Its front matter configures a sandbox for one kind of work; the rest is for the
//! worker to read.
//!
//! ```yaml
//! name: report-writer
//! description: Writes analysis reports
//! toolsets:
//!   filesystem: {}
//!   tasks:
//!     trailer_prefix: Arborist
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

use gate::policy::PushMode;
use gate::refname::BranchRef;
use gate::target::TargetKind;

use super::front_matter::{self, Entry, Node, Value, Wrong};
use super::{AutoPull, Place, TaskChoice, TaskSettings};
use crate::error::{ErrorKind, HostError, Result};
use crate::limits;
use crate::moment::Moment;
use crate::target::spelling::{of_tool_word, tool_words};

/// The settings in a worker file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Worker {
    /// Its name.
    pub name: Option<String>,
    /// The target of a push that names none.
    pub default_target: Option<Place>,
    /// Who may start a push.
    pub push: Option<PushMode>,
    /// The tools for tasks, if it has them.
    pub tasks: Option<TaskChoice>,
    /// What a new sandbox pulls.
    pub auto_pull: Vec<AutoPull>,
}

impl Worker {
    /// Reads the file with these `bytes`, which stands in `place`. `now` fills the placeholders in branch
    /// names.
    pub fn parse(place: &str, bytes: &[u8], now: Moment) -> Result<Worker> {
        let wrong = |wrong: Wrong| {
            HostError::new(ErrorKind::Usage, format!("{place}:{}: {}", wrong.line, wrong.what))
                .hint("correct that line of the worker file; nothing was created")
        };
        if bytes.len() as u64 > limits::WORKER_FILE_BYTES {
            let most = format!("{place}: a worker file may have at most {} MiB", limits::WORKER_FILE_BYTES >> 20);
            return Err(HostError::new(ErrorKind::Usage, most).hint("shorten the file; nothing was created"));
        }
        let text = str::from_utf8(bytes).map_err(|error| {
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
            _ => each(node, &["filesystem", "git", "tasks"], |toolset, node| match toolset {
                // Its tools are always on and have no settings.
                "filesystem" => each(node, &[], |_, _| Ok(())),
                "tasks" => tasks(node).map(|tasks| worker.tasks = Some(tasks)),
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
                    return Err(Wrong::at(node.line, "`auto_pull` must be a list"));
                };
                worker.auto_pull = nodes.into_iter().map(|node| auto_pull(node, now)).collect::<Read<_>>()?;
            }
            _ => {
                let line = node.line;
                worker.push = Some(match text(key, node)?.as_str() {
                    "manual" => PushMode::Manual,
                    "assisted" => PushMode::Assisted,
                    other => return Err(Wrong::at(line, format!("`mode` must be manual or assisted, not `{other}`"))),
                });
            }
        }
        Ok(())
    })
}

fn tasks(node: Node) -> Read<TaskChoice> {
    let mut tasks = TaskChoice { enabled: true, trailer_prefix: None };
    each(node, &["trailer_prefix"], |key, node| {
        let line = node.line;
        let prefix = text(key, node)?;
        if !TaskSettings::is_prefix(&prefix) {
            return Err(Wrong::at(
                line,
                "`trailer_prefix` must be letters, digits and hyphens, the first one a letter",
            ));
        }
        tasks.trailer_prefix = Some(prefix);
        Ok(())
    })?;
    Ok(tasks)
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
    let (kind_line, kind) = kind.ok_or_else(|| Wrong::at(line, format!("a target needs a `type`: {}", types())))?;
    let wants =
        |has: &str, not: &str| Wrong::at(line, format!("a target of type {kind} needs a `{has}` and takes no `{not}`"));
    match (of_tool_word(&kind), path, repo) {
        (Some(TargetKind::Local), Some(path), None) => Ok(Place::Local { path, branch }),
        (Some(TargetKind::Bare), Some(path), None) => Ok(Place::LocalBare { path, branch }),
        (Some(TargetKind::Server(forge)), None, Some(repo)) => Ok(Place::Server { forge, repo, branch }),
        (Some(TargetKind::Local | TargetKind::Bare), ..) => Err(wants("path", "repo")),
        (Some(TargetKind::Server(_)), ..) => Err(wants("repo", "path")),
        (None, ..) => Err(Wrong::at(kind_line, format!("`{kind}` is not a target type: use {}", types()))),
    }
}

/// The types of target that a tool can use, as a sentence lists them.
fn types() -> String {
    let words: Vec<&str> = tool_words().collect();
    match words.split_last() {
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Reads a branch name. `{timestamp}` stands for the time when the sandbox is created.
fn branch_name(node: Node, now: Moment) -> Read<String> {
    let line = node.line;
    let template = text("branch", node)?;
    let mut name = String::new();
    let mut rest = template.as_str();
    while let Some((before, behind)) = rest.split_once('{') {
        let (placeholder, after) =
            behind.split_once('}').ok_or_else(|| Wrong::at(line, format!("`{template}` has a `{{` without a `}}`")))?;
        if placeholder != "timestamp" {
            let what = format!("unknown placeholder `{{{placeholder}}}` in a branch name: use {{timestamp}}");
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
            return Err(Wrong::at(node.line, "expected a map of keys and values"));
        }
    };
    for Entry { key, line, node } in entries {
        if !known.contains(&key.as_str()) {
            let known = match known {
                [] => "this map takes no keys".to_owned(),
                known => format!("known keys are {}", known.join(", ")),
            };
            return Err(Wrong::at(line, format!("unknown key `{key}`; {known}")));
        }
        entry(&key, node)?;
    }
    Ok(())
}

/// Reads a text that is not empty and has no control characters.
fn text(key: &str, node: Node) -> Read<String> {
    match node.value {
        Value::Text(text) if key == "description" => Ok(text),
        Value::Text(text) if !text.trim().is_empty() && !text.chars().any(char::is_control) => Ok(text),
        _ => Err(Wrong::at(node.line, format!("`{key}` must be one line of text"))),
    }
}

#[cfg(test)]
mod tests;
