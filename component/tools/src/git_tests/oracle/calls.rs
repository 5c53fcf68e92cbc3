//! Calls of a tool, from a description of its arguments.

use fastrand::Rng;
use serde_json::{Map, Value};

use super::facts::Facts;
use super::scene::pick;

/// The arguments of a call.
pub type Arguments = Map<String, Value>;

/// Whether the argument of this name is given.
pub type Given<'g> = &'g dyn Fn(&str) -> bool;

/// A tool, and the git command that says the same.
pub struct Tool {
    pub name: &'static str,
    pub command: &'static str,
    pub arguments: Vec<Argument>,
    /// Options that come of several arguments together, or of their absence.
    pub options: fn(&Arguments, &mut Line),
    /// Whether arguments may be given together, by their names: what the tool's validation refuses is never called.
    pub permits: fn(Given<'_>) -> bool,
    /// Whether a call is left out, because the tool does not say yet, or on purpose, what git says.
    pub leaves_out: fn(&Facts, &Arguments) -> bool,
}

/// An argument, and what a value of it is on git's command line.
pub struct Argument {
    /// Its name, and behind a space what sets values apart that other arguments do not go with.
    pub name: &'static str,
    /// Kinds of values: every two kinds of two arguments meet in some call.
    pub kinds: Vec<Draw>,
    pub line: fn(&Value, &Facts, &mut Line),
}

/// A value of one kind, if the scene has any.
pub type Draw = fn(&mut Drawing<'_>) -> Option<Value>;

/// What a value is drawn from.
pub struct Drawing<'a> {
    pub facts: &'a Facts,
    pub random: &'a mut Rng,
    /// The working folder of the call, with a slash at its end; empty for the root.
    pub folder: String,
}

impl Drawing<'_> {
    /// One of these.
    pub fn one(&mut self, list: &[String]) -> Option<String> {
        (!list.is_empty()).then(|| list[self.random.usize(..list.len())].clone())
    }

    /// One of the paths of `list` that are in the working folder, as seen from there.
    pub fn inside(&mut self, list: &[String]) -> Option<String> {
        let below: Vec<String> =
            list.iter().filter_map(|path| path.strip_prefix(&self.folder)).map(str::to_owned).collect();
        // A path that begins so means something else to git's and to our command line.
        self.one(&below).filter(|path| !path.starts_with(':'))
    }

    pub fn choose<T: Copy>(&mut self, list: &[T]) -> T {
        pick(self.random, list)
    }
}

/// git's command line, in parts.
#[derive(Debug, Default)]
pub struct Line {
    pub folder: String,
    pub options: Vec<String>,
    pub revisions: Vec<String>,
    pub paths: Vec<String>,
    /// The text is cut at so many bytes, which git does not know.
    pub max_bytes: Option<usize>,
    /// The text is that of the files in this folder, one after the other.
    pub output_dir: Option<String>,
}

/// A call of a tool.
#[derive(Clone)]
pub struct Call {
    pub tool: usize,
    pub arguments: Arguments,
}

impl Argument {
    /// What it is called in a call.
    pub fn key(&self) -> &'static str {
        self.name.split(' ').next().expect("there is a first part")
    }
}

impl Tool {
    /// Kinds of values for a call, one for each argument; zero leaves it out.
    pub fn permits_row(&self, row: &[usize]) -> bool {
        let given = |name: &str| {
            let at = self.arguments.iter().position(|argument| argument.name == name);
            at.is_some_and(|at| row[at] > 0)
        };
        (self.permits)(&given)
    }

    /// The call that has values of the kinds in `row`, as far as the scene has them.
    pub fn draw(&self, row: &[usize], facts: &Facts, random: &mut Rng) -> Option<Arguments> {
        let mut drawing = Drawing { facts, random, folder: String::new() };
        let mut arguments = Arguments::new();
        // What other values are drawn from comes first.
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

    /// Whether a call is one that git can be asked, too.
    pub fn permits_call(&self, facts: &Facts, arguments: &Arguments) -> bool {
        (self.permits)(&|name| arguments.contains_key(name)) && !(self.leaves_out)(facts, arguments)
    }

    /// The same call as git's command line.
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
        // A tool takes a revision for nothing else, and git has to be told.
        let is_path = |revision: &String| facts.stands(format!("{prefix}{revision}").trim_end_matches('/'));
        if !self.paths.is_empty() || self.revisions.iter().any(is_path) {
            git.push("--");
        }
        git.extend(self.paths.iter().map(String::as_str));
        git
    }
}
