//! The changing tools: what calls of them are made, and the git command that does the same.

mod add;
mod branch;
mod checkout;
mod commit;
mod restore;
mod stash;

use std::process::Output;

use fastrand::Rng;
use serde_json::{Map, Value};

use super::known::Known;
use super::state::State;

/// The arguments of a call.
pub type Arguments = Map<String, Value>;

/// A tool, and what git does in its place.
pub struct Tool {
    pub name: &'static str,
    /// Every argument that calls are made with; `name value` where a value counts by itself.
    pub arguments: &'static [&'static str],
    /// A call, on a repository in this state.
    pub draw: fn(&mut Rng, &Known) -> Arguments,
    /// Whether the tool's validation lets a call through.
    pub permits: fn(&Arguments) -> bool,
    /// git's words for it, but for the folder.
    pub line: fn(&Arguments, &State) -> Line,
}

/// All of them, as often as they are called.
pub const TOOLS: &[(usize, Tool)] =
    &[(6, add::TOOL), (5, restore::TOOL), (4, commit::TOOL), (8, checkout::TOOL), (5, branch::TOOL), (8, stash::TOOL)];

/// Only branches.
pub const BRANCHES: &[(usize, Tool)] = &[(1, branch::TOOL)];

/// A git command.
pub struct Line {
    pub words: Vec<String>,
    /// The folder that it runs in, from the root of the repository.
    pub folder: String,
    pub says: Says,
    /// Whether what git calls a failure has changed what it was to change, and is told as what came of it.
    pub is_outcome: fn(&Output) -> bool,
}

/// What a tool says where git has succeeded.
#[derive(Clone, Copy)]
pub enum Says {
    /// What git says, its error stream behind the rest.
    Text,
    /// How many paths it has changed, those of the working tree counted or not.
    Count(&'static str, bool),
}

impl Line {
    /// A command that says what git says.
    pub fn of(words: &[&str]) -> Line {
        Line {
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            folder: String::new(),
            says: Says::Text,
            is_outcome: |_| false,
        }
    }

    /// The same command, and a tool that only counts.
    pub fn counts(mut self, verb: &'static str, files: bool) -> Line {
        self.says = Says::Count(verb, files);
        self
    }

    /// With these words, too.
    pub fn with<'w>(mut self, words: impl IntoIterator<Item = &'w str>) -> Line {
        self.words.extend(words.into_iter().map(str::to_owned));
        self
    }

    /// With the paths that a call names.
    pub fn paths(self, arguments: &Arguments) -> Line {
        self.with(["--"]).with(texts(arguments, "paths"))
    }
}

/// The command for a call.
pub fn command(tool: &str, arguments: &Value, state: &State) -> Line {
    let arguments = arguments.as_object().expect("arguments are an object");
    let line = (find(tool).line)(arguments, state);
    Line { folder: text(arguments, "working_dir").unwrap_or_default().to_owned(), ..line }
}

/// The tool of this name.
pub fn find(name: &str) -> &'static Tool {
    TOOLS.iter().map(|(_, tool)| tool).find(|tool| tool.name == name).expect("it is one of the tools")
}

/// The argument, if it is a text.
pub fn text<'a>(arguments: &'a Arguments, name: &str) -> Option<&'a str> {
    arguments.get(name)?.as_str()
}

/// The texts of a list.
pub fn texts<'a>(arguments: &'a Arguments, name: &str) -> Vec<&'a str> {
    arguments.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Whether the argument says yes.
pub fn says_yes(arguments: &Arguments, name: &str, default: bool) -> bool {
    arguments.get(name).and_then(Value::as_bool).unwrap_or(default)
}

/// Now and then a working folder, and some pathspecs as seen from there.
fn draw_paths(random: &mut Rng, known: &Known, arguments: &mut Arguments) {
    let folder = known.folder(random);
    let paths: Vec<String> = (0..random.usize(1..4)).map(|_| known.pathspec(random, &folder)).collect();
    arguments.insert("paths".to_owned(), paths.into());
    if !folder.is_empty() {
        arguments.insert("working_dir".to_owned(), folder.into());
    }
}
