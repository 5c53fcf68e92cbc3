//! Generates calls of a tool from a description of its arguments.

use fastrand::Rng;
use serde_json::{Map, Value};

use super::facts::Facts;
use super::scene::pick;

/// The arguments of a call.
pub type Arguments = Map<String, Value>;

/// Whether the argument with this name is given.
pub type Given<'g> = &'g dyn Fn(&str) -> bool;

/// A tool, and the equal git command.
pub struct Tool {
    pub name: &'static str,
    pub command: &'static str,
    pub arguments: Vec<Argument>,
    /// Adds options that depend on several arguments, or on their absence.
    pub options: fn(&Arguments, &mut Line),
    /// Whether these arguments may be given together. The tests never make calls that the tool's validation refuses.
    pub permits: fn(Given<'_>) -> bool,
    /// Whether to skip a call because the tool differs from git, on purpose or for now.
    pub leaves_out: fn(&Facts, &Arguments) -> bool,
}

/// An argument, and its form on git's command line.
pub struct Argument {
    /// Its name. A suffix after a space separates values that exclude different arguments.
    pub name: &'static str,
    /// The kinds of values. Every two kinds of two arguments meet in some call.
    pub kinds: Vec<Draw>,
    pub line: fn(&Value, &Facts, &mut Line),
}

/// Draws a value of one kind, if the scene has any.
pub type Draw = fn(&mut Drawing<'_>) -> Option<Value>;

/// The source of values.
pub struct Drawing<'a> {
    pub facts: &'a Facts,
    pub random: &'a mut Rng,
    /// The working folder of the call, with a slash at its end; empty for the root.
    pub folder: String,
}

impl Drawing<'_> {
    /// An item of `list`.
    pub fn one(&mut self, list: &[String]) -> Option<String> {
        (!list.is_empty()).then(|| list[self.random.usize(..list.len())].clone())
    }

    /// A path of `list` in the working folder, relative to it.
    pub fn inside(&mut self, list: &[String]) -> Option<String> {
        let below: Vec<String> =
            list.iter().filter_map(|path| path.strip_prefix(&self.folder)).map(str::to_owned).collect();
        // A leading colon has different meanings for git and for the tools.
        self.one(&below).filter(|path| !path.starts_with(':'))
    }

    pub fn choose<T: Copy>(&mut self, list: &[T]) -> T {
        pick(self.random, list)
    }
}

/// The parts of git's command line.
#[derive(Debug, Default)]
pub struct Line {
    pub folder: String,
    pub options: Vec<String>,
    pub revisions: Vec<String>,
    pub paths: Vec<String>,
    /// The limit of the text in bytes, which git does not have.
    pub max_bytes: Option<usize>,
    /// The folder whose concatenated files are the text.
    pub output_dir: Option<String>,
}

/// A call of a tool.
#[derive(Clone)]
pub struct Call {
    pub tool: usize,
    pub arguments: Arguments,
}

impl Argument {
    /// The name of the argument in a call.
    pub fn key(&self) -> &'static str {
        self.name.split(' ').next().expect("there is a first part")
    }
}

impl Tool {
    /// Whether the tool permits a call with these kinds of values, one for each argument. Kind zero leaves the argument out.
    pub fn permits_row(&self, row: &[usize]) -> bool {
        let given = |name: &str| {
            let at = self.arguments.iter().position(|argument| argument.name == name);
            at.is_some_and(|at| row[at] > 0)
        };
        (self.permits)(&given)
    }

    /// Draws a call with values of the kinds in `row`, as far as the scene has them.
    pub fn draw(&self, row: &[usize], facts: &Facts, random: &mut Rng) -> Option<Arguments> {
        let mut drawing = Drawing { facts, random, folder: String::new() };
        let mut arguments = Arguments::new();
        // The other values depend on this one.
        let mut order: Vec<usize> = (0..row.len()).collect();
        order.sort_by_key(|&at| self.arguments[at].name != "working_dir");
        for at in order {
            let argument = &self.arguments[at];
            let name = argument.key();
            let Some(draw) = row[at].checked_sub(1).map(|kind| argument.kinds[kind]) else { continue };
            let Some(value) = draw(&mut drawing) else { continue };
            if name == "working_dir" {
                drawing.folder = format!("{}/", value.as_str().expect("it is a path"));
            }
            arguments.insert(name.to_owned(), value);
        }
        self.permits_call(facts, &arguments).then_some(arguments)
    }

    /// Whether git can answer the same call.
    pub fn permits_call(&self, facts: &Facts, arguments: &Arguments) -> bool {
        (self.permits)(&|name| arguments.contains_key(name)) && !(self.leaves_out)(facts, arguments)
    }

    /// The git command line of the call.
    pub fn line(&self, facts: &Facts, arguments: &Arguments) -> Line {
        let mut line = Line::default();
        (self.options)(arguments, &mut line);
        for argument in self.arguments.iter().filter(|argument| argument.key() == argument.name) {
            if let Some(value) = arguments.get(argument.name) {
                (argument.line)(value, facts, &mut line);
            }
        }
        line
    }
}

impl Line {
    /// The arguments of git.
    pub fn command<'l>(&'l self, command: &'l str, facts: &Facts) -> Vec<&'l str> {
        let folder = if self.folder.is_empty() { "." } else { &self.folder };
        let mut git = vec!["--no-optional-locks", "-C", folder, command];
        git.extend(self.options.iter().map(String::as_str));
        git.extend(self.revisions.iter().map(String::as_str));
        let prefix = if self.folder.is_empty() { String::new() } else { format!("{}/", self.folder) };
        // A tool knows that the argument is a revision. git needs `--`.
        let is_path = |revision: &String| facts.stands(format!("{prefix}{revision}").trim_end_matches('/'));
        if !self.paths.is_empty() || self.revisions.iter().any(is_path) {
            git.push("--");
        }
        git.extend(self.paths.iter().map(String::as_str));
        git
    }
}
