//! Generates calls of the changing tools, and the equal git commands.

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

/// A tool, and the equal git command.
pub struct Tool {
    pub name: &'static str,
    /// All arguments of the generated calls. An item is `name value` if that value counts separately.
    pub arguments: &'static [&'static str],
    /// Draws a call for a repository in this state.
    pub draw: fn(&mut Rng, &Known) -> Arguments,
    /// Whether the tool's validation accepts a call.
    pub permits: fn(&Arguments) -> bool,
    /// The git command, except for its folder.
    pub line: fn(&Arguments, &State) -> Line,
}

/// All tools, with their frequencies.
pub const TOOLS: &[(usize, Tool)] =
    &[(6, add::TOOL), (5, restore::TOOL), (4, commit::TOOL), (8, checkout::TOOL), (5, branch::TOOL), (8, stash::TOOL)];

/// Only branches.
pub const BRANCHES: &[(usize, Tool)] = &[(1, branch::TOOL)];

/// A git command.
pub struct Line {
    pub words: Vec<String>,
    /// The folder to run in, relative to the root of the repository.
    pub folder: String,
    pub says: Says,
    /// Whether the command did its work although git reports a failure. The tool then reports the outcome.
    pub is_outcome: fn(&Output) -> bool,
}

/// The output of a tool after git has succeeded.
#[derive(Clone, Copy)]
pub enum Says {
    /// git's output, followed by its error stream.
    Text,
    /// The number of changed paths, with or without those of the working tree.
    Count(&'static str, bool),
}

impl Line {
    /// A command whose output the tool prints.
    pub fn of(words: &[&str]) -> Line {
        Line {
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            folder: String::new(),
            says: Says::Text,
            is_outcome: |_| false,
        }
    }

    /// The same command, for a tool that only prints a count.
    pub fn counts(mut self, verb: &'static str, files: bool) -> Line {
        self.says = Says::Count(verb, files);
        self
    }

    /// Adds words to the command.
    pub fn with<'w>(mut self, words: impl IntoIterator<Item = &'w str>) -> Line {
        self.words.extend(words.into_iter().map(str::to_owned));
        self
    }

    /// Adds the paths of a call.
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

/// The tool with this name.
pub fn find(name: &str) -> &'static Tool {
    TOOLS.iter().map(|(_, tool)| tool).find(|tool| tool.name == name).expect("it is one of the tools")
}

/// The argument, if it is a string.
pub fn text<'a>(arguments: &'a Arguments, name: &str) -> Option<&'a str> {
    arguments.get(name)?.as_str()
}

/// The strings in a list.
pub fn texts<'a>(arguments: &'a Arguments, name: &str) -> Vec<&'a str> {
    arguments.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Whether the argument is true.
pub fn says_yes(arguments: &Arguments, name: &str, default: bool) -> bool {
    arguments.get(name).and_then(Value::as_bool).unwrap_or(default)
}

/// Sometimes draws a working folder, and draws pathspecs relative to it.
fn draw_paths(random: &mut Rng, known: &Known, arguments: &mut Arguments) {
    let folder = known.folder(random);
    let paths: Vec<String> = (0..random.usize(1..4)).map(|_| known.pathspec(random, &folder)).collect();
    arguments.insert("paths".to_owned(), paths.into());
    if !folder.is_empty() {
        arguments.insert("working_dir".to_owned(), folder.into());
    }
}
