//! A shell: its variables, functions, options and open files. A subshell is a copy.

pub mod options;
pub mod scopes;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use brush_parser::ast;
use bstr::{BString, ByteSlice};

use self::options::Options;
use self::scopes::Scopes;
use crate::exec::{Ended, Stop};
use crate::io::{Fds, Files, Target};
use crate::script::clock::{Clock, SECOND};
use crate::script::turns::Turns;
use crate::value::{Value, Variable};
use crate::world::Halt;

/// How deeply commands may lie in each other, functions included.
const DEEPEST: u32 = 120;

/// What all subshells of a script share.
pub struct Base {
    /// The tree.
    pub files: Rc<Files>,
    /// How long was slept.
    pub clock: Rc<Clock>,
    /// Whose turn it is.
    pub turns: Rc<Turns>,
    /// The most bytes in memory.
    pub most: usize,
    /// Numbers of process substitutions, and of temporary files.
    pub next: Cell<u32>,
    /// The state of RANDOM.
    pub random: Cell<u32>,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// What it does.
    pub body: ast::FunctionBody,
    /// The text that it stands in.
    pub place: Place,
    /// Whether shells that are called have it as well.
    pub exported: bool,
}

/// The functions of a shell, by name.
pub type Functions = Rc<BTreeMap<String, Rc<Function>>>;

/// Where a text of commands stands.
#[derive(Clone, Debug)]
pub struct Place {
    /// The file, or what bash says instead.
    pub source: Rc<BString>,
    /// How many lines stand in front of it there.
    pub above: usize,
}

/// What stands for a sourced file among the functions that run.
pub const SOURCED: &str = "source";

/// A call of a function, or a sourced file.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Its name.
    pub function: String,
    /// The line of the call.
    pub line: usize,
    /// The place of the caller.
    pub from: Place,
}

/// Where `getopts` is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Getopts {
    /// The argument, from 1.
    pub index: usize,
    /// The letter in it.
    pub letter: usize,
}

/// A shell.
#[derive(Clone)]
pub struct Shell {
    /// What is shared.
    pub base: Rc<Base>,
    /// The variables.
    pub vars: Scopes,
    /// The functions.
    pub functions: Functions,
    /// Functions of a program that is no shell, for those that it calls.
    pub handed: Functions,
    /// Options of `set` and `shopt`.
    pub options: Options,
    /// The working directory.
    pub folder: BString,
    /// The folders that `pushd` has left.
    pub folders: Vec<BString>,
    /// The open files.
    pub fds: Fds,
    /// `$?`
    pub status: i32,
    /// `PIPESTATUS`
    pub statuses: Vec<i32>,
    /// `$1` and so on.
    pub args: Rc<Vec<BString>>,
    /// `$0`
    pub name: BString,
    /// What `trap` has set, by the name of the signal.
    pub traps: BTreeMap<String, BString>,
    /// What it may sleep until, on the clock of the script: `timeout` ends it then.
    pub deadline: u64,
    /// What `SECONDS` is ahead of the clock.
    pub seconds: i64,
    /// How many conditions are being looked at: in them a failure does not end the shell.
    pub guarded: u32,
    /// How many loops run.
    pub loops: u32,
    /// How deeply commands lie in each other.
    pub depth: u32,
    /// What runs stands here.
    pub place: Place,
    /// Whether it runs what is trapped, for which `BASH_COMMAND` stays what it was.
    pub in_trap: bool,
    /// `BASH_COMMAND`, once a script has named it.
    pub command: Option<Rc<str>>,
    /// `LINENO`
    pub line: usize,
    /// The functions that run, the latest last.
    pub frames: Vec<Frame>,
    /// How many shells this one is a copy in.
    pub subshell: u32,
    /// `$_`
    pub last: BString,
    /// Whether a command was to run in the background, and did not.
    pub refused: bool,
    /// Where `getopts` is.
    pub getopts: Getopts,
    /// What was written to process substitutions, with the commands that read it.
    pub later: Vec<(Rc<Target>, Rc<ast::CompoundList>)>,
    /// Whether a command substitution has run since, and how it ended.
    pub substituted: Option<i32>,
}

impl Shell {
    /// A copy that changes nothing in this one.
    pub fn fork(&self) -> Shell {
        let mut copy = self.clone();
        copy.subshell += 1;
        copy.loops = 0;
        copy.later = Vec::new();
        copy.traps.remove("EXIT");
        if !copy.options.errtrace {
            copy.traps.remove("ERR");
        }
        copy
    }

    /// Counts units of work.
    pub fn work(&self, units: u32) -> Result<(), Halt> {
        if self.base.files.around().passed(units) { Err(Halt::Timeout) } else { Ok(()) }
    }

    /// Fails if so many bytes are more than a script may hold.
    pub fn hold(&self, bytes: usize) -> Result<(), Halt> {
        if bytes > self.base.most {
            let most = self.base.most >> 20;
            return Err(Halt::TooLarge(format!("The script holds more than {most} MiB in memory")));
        }
        Ok(())
    }

    /// Goes one level deeper. Whoever does it comes up again.
    pub fn deeper(&mut self) -> Result<(), Halt> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Halt::TooLarge(format!("Commands and functions lie in each other more than {DEEPEST} deep")));
        }
        self.work(1)
    }

    /// Whether it has slept for longer than it may.
    pub fn is_over(&self) -> bool {
        self.base.clock.slept() > self.deadline
    }

    /// Whole seconds that the script has slept.
    pub fn slept(&self) -> i64 {
        i64::try_from(self.base.clock.slept() / SECOND).unwrap_or(i64::MAX)
    }

    /// The absolute path of a name, without `.` and `..`.
    pub fn path(&self, name: &[u8]) -> BString {
        let mut parts: Vec<&[u8]> = Vec::new();
        let base: &[u8] = if name.starts_with(b"/") { b"" } else { &self.folder };
        for part in base.split_str("/").chain(name.split_str("/")) {
            match part {
                b"" | b"." => (),
                b".." => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        let mut path = BString::from("/");
        path.extend_from_slice(&parts.join(&b'/'));
        path
    }

    /// The text of a variable.
    pub fn text(&self, name: &str) -> Option<BString> {
        crate::expand::special::text(self, name).or_else(|| self.vars.text(name).cloned())
    }

    /// Sets a variable to a text.
    pub fn set(&mut self, name: &str, text: impl Into<BString>) -> Result<(), Ended> {
        self.assign(name, Value::Text(text.into()))
    }

    /// Sets a variable, as its attributes want it.
    pub fn assign(&mut self, name: &str, value: Value) -> Result<(), Ended> {
        let name = self.vars.resolved(name).to_owned();
        self.hold(value.bytes())?;
        if self.vars.itself(&name).is_some_and(|variable| variable.readonly) {
            return Err(Ended::Failed(format!("{name}: readonly variable")));
        }
        if let ("SECONDS", Value::Text(text)) = (name.as_str(), &value) {
            // bash counts on from there.
            self.seconds = text.to_str_lossy().trim().parse::<i64>().unwrap_or(0).wrapping_sub(self.slept());
        }
        let exports = self.options.allexport;
        let integer = self.vars.itself(&name).is_some_and(|variable| variable.integer);
        let value = match value {
            Value::Text(text) if integer => {
                Value::Text(crate::expand::arithmetic::evaluate(self, &text)?.to_string().into())
            }
            value => value,
        };
        let variable = self.vars.entry(&name);
        variable.exported |= exports;
        let value = match value {
            Value::Text(text) => Value::Text(variable.cased(text)),
            value => value,
        };
        match (&mut variable.value, value) {
            // A text for an array is its element 0.
            (Some(Value::List(list)), Value::Text(text)) => drop(list.insert(0, text)),
            (Some(Value::Map(map)), Value::Text(text)) => map.insert("0".into(), text),
            (slot, value) => *slot = Some(value),
        }
        Ok(())
    }

    /// Exported variables, by name.
    pub fn exported(&self) -> Vec<(String, BString)> {
        let exported = self.vars.iter().filter(|(_, variable)| variable.exported);
        let texts = exported.filter_map(|(name, Variable { value, .. })| match value {
            Some(Value::Text(text)) => Some((name.clone(), text.clone())),
            _ => None,
        });
        texts.collect()
    }

    /// The prefix of what the shell says about errors.
    pub fn prefix(&self) -> String {
        let source = if self.place.source.is_empty() { &self.name } else { &*self.place.source };
        format!("{}: line {}: ", source.to_str_lossy(), self.line.max(1))
    }

    /// Says something about an error.
    pub async fn complain(&self, message: &str) -> Result<(), Stop> {
        let text = format!("{}{message}\n", self.prefix());
        match self.fds.sink(2).write(text.as_bytes()).await {
            Err(crate::io::Unwritten::Halt(halt)) => Err(Stop::Halt(halt)),
            // Nobody hears it.
            _ => Ok(()),
        }
    }
}
