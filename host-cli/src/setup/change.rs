//! A change to a configuration file, and how it is taken back.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A file cannot be changed as wanted. It stays as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Unfit {
    /// What is wrong with the file. It goes on after the file's name: "is not JSON: …".
    pub message: String,
    /// What to do about it.
    pub hint: &'static str,
}

impl Unfit {
    /// The text does not have the format.
    pub fn syntax(format: &str, detail: impl std::fmt::Display) -> Self {
        Unfit { message: format!("is not {format}: {detail}"), hint: "correct the file, then try again" }
    }

    /// What stands at `path` has the wrong form.
    pub fn form(path: &[String], what: &str) -> Self {
        Unfit {
            message: format!("has {what} at {}", path.join(".")),
            hint: "write it in the form that the client's documentation shows, then try again",
        }
    }
}

/// One change to a file with named values.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// The value at `path` becomes `value`.
    Set {
        /// The names that lead to it.
        path: Vec<String>,
        /// The value.
        value: Value,
        /// True if no name with a `*` may follow, for a client where the last match wins.
        last: bool,
    },
    /// The list at `path` holds each of `items`.
    Add {
        /// The names that lead to it.
        path: Vec<String>,
        /// What it holds then, besides what it holds already.
        items: Vec<String>,
    },
}

impl Change {
    /// A value.
    pub fn set(path: &[&str], value: impl Into<Value>) -> Self {
        Change::Set { path: owned(path), value: value.into(), last: false }
    }

    /// A value that no pattern overrides.
    pub fn set_last(path: &[&str], value: impl Into<Value>) -> Self {
        Change::Set { path: owned(path), value: value.into(), last: true }
    }

    /// Items of a list.
    pub fn add(path: &[&str], items: &[&str]) -> Self {
        Change::Add { path: owned(path), items: owned(items) }
    }

    /// The names that lead to what changes.
    pub fn path(&self) -> &[String] {
        let (Change::Set { path, .. } | Change::Add { path, .. }) = self;
        path
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// What takes a change back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Taken {
    /// The names that lead to what has changed.
    pub path: Vec<String>,
    /// How many objects and lists on the way to it were made for it. They go if nothing is in them.
    pub made: usize,
    /// What has changed there.
    pub what: What,
}

/// What a change has done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// It has set a value, in place of one with the text `former` or of none.
    Set {
        /// The value. Another one is not ours to take back.
        value: Value,
        /// As it stood in the file.
        former: Option<String>,
    },
    /// It has added these items.
    Added(Vec<String>),
}

/// The order in which the clients' documentation shows the names of a server's entry.
const ORDER: [&str; 4] = ["type", "command", "args", "enabled"];

/// The entries of an object that is written, in a fixed order.
pub fn entries(object: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut entries: Vec<_> = object.iter().collect();
    entries.sort_by_key(|(name, _)| ORDER.iter().position(|at| at == name).unwrap_or(ORDER.len()));
    entries
}
