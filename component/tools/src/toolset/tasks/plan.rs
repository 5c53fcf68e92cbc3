//! Task files list the tasks in order, with the dependencies of each. They say nothing about progress, even in ticked boxes: the records
//! do.

mod checklist;
mod order;
mod yaml;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::error::{ErrorKind, ToolError};
use crate::git::staged::records::id::is_id;
use crate::paths::Access;
use crate::platform;
use crate::session::Context;

/// The names of task files, in the order in which the tools look for them in /workspace.
const NAMES: [&str; 3] = ["tasks.md", "tasks.yaml", "tasks.yml"];
/// Size limit of a task file.
const MOST_BYTES: usize = 1 << 20;

/// The tasks of a file.
#[derive(Debug, Default)]
pub struct Plan {
    /// The file's path.
    pub file: String,
    /// In the order of the file, each id once.
    pub tasks: Vec<Planned>,
    /// The problems of the file.
    pub problems: Vec<Problem>,
    /// The line of each id.
    lines: BTreeMap<String, usize>,
}

/// A task in its file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Planned {
    /// The id.
    pub id: String,
    /// The title; empty if the file has none.
    pub title: String,
    /// The ids of the tasks that must be complete first.
    pub depends_on: Vec<String>,
    /// The line number, counted from 1.
    pub line: usize,
}

/// Something in a task file that cannot be meant.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Problem {
    /// Its line in the file, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl Plan {
    /// Reads the file named `file`, or else the first existing one with a usual name.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is YAML without a list of tasks.
    pub fn read(context: &Context<'_>, file: Option<&str>) -> Result<Plan, ToolError> {
        let zones = &context.session.zones;
        let place = |named: &str| zones.resolve(named, &zones.workspace(), Access::Read);
        let is_there = |named: &&str| place(named).is_ok_and(|path| platform::stat(&path.real()).is_ok());
        let named = match file {
            Some(file) => file,
            None => NAMES.into_iter().find(is_there).ok_or_else(no_file)?,
        };
        let path = place(named)?;
        let content = platform::read(&path.real()).map_err(|error| ToolError::io(named, &error))?;
        if content.len() > MOST_BYTES {
            return Err(ToolError::failed(format!("{named} is larger than {} MiB", MOST_BYTES >> 20))
                .hint("A task file has a line for each task, and not what belongs to it."));
        }
        let text = std::str::from_utf8(&content).map_err(|_| ToolError::failed(format!("{named} is not UTF-8")))?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let is_yaml = [".yaml", ".yml", ".json"].iter().any(|ending| named.ends_with(ending));
        let mut plan = match is_yaml {
            true => yaml::parse(text).map_err(|wrong| {
                ToolError::new(ErrorKind::ExecutionFailed, format!("{named}:{}: {}", wrong.line, wrong.what))
                    .hint("Write a list of tasks, each with id, title and depends_on, such as - {id: T2, title: Test, depends_on: [T1]}.")
            })?,
            false => checklist::parse(text),
        };
        plan.file = path.shown();
        Ok(plan)
    }

    /// Adds a task, or notes that its id is invalid or a duplicate.
    fn add(&mut self, task: Planned) {
        let Planned { id, line, .. } = &task;
        let message = if !is_id(id) {
            format!("{id:?} is not the id of a task")
        } else if let Some(first) = self.lines.get(id) {
            format!("{id} stands in line {first} already")
        } else {
            self.lines.insert(id.clone(), *line);
            self.tasks.push(task);
            return;
        };
        self.problems.push(Problem { line: *line, message });
    }

    /// Notes dependencies on tasks that are neither in the file nor `recorded`, and cycles of dependencies.
    pub fn check(&mut self, recorded: impl Fn(&str) -> bool) {
        let problems = order::problems(&self.tasks, recorded);
        self.problems.extend(problems);
        patch::sort::sort_by_key(&mut self.problems, |problem| problem.line);
    }
}

/// The ids in a text such as `T001, T002 and T003`.
fn ids(text: &str) -> Vec<String> {
    let words = text.split(|character: char| character.is_whitespace() || matches!(character, ',' | ';' | '&'));
    let words =
        words.map(|word| word.trim_matches(|c: char| matches!(c, '`' | '*' | '"' | '\'' | '[' | ']' | ':' | '.')));
    words.filter(|word| !word.is_empty() && *word != "and").map(str::to_owned).collect()
}

fn no_file() -> ToolError {
    ToolError::not_found(format!("There is no task file: no {} in /workspace", NAMES.join(", "))).hint(
        "Name one in file. A task file is a Markdown checklist, such as - [ ] T002 Title (depends on T001), or YAML.",
    )
}
