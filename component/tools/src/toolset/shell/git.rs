//! `git` in a script: its command line, on the tools of the toolset `repo`.
//!
//! | file | commands |
//! |---|---|
//! | `comparing` | `diff` |
//! | `looking` | `status` `show` `blame` |
//! | `logging` | `log` |
//! | `recording` | `add` `commit` `rm` `mv` `stash` |
//! | `restoring` | `restore` |
//! | `resetting` | `reset` |
//! | `branching` | `branch` `merge` `cherry-pick` `revert` `tag` |
//! | `switching` | `checkout` `switch` |
//! | `naming` | `rev-parse` `rev-list` `symbolic-ref` `merge-base` `describe` and others that name commits |
//! | `reading` | `ls-files` `shortlog` `config` and others that read |
//! | `objects` | `ls-tree` `cat-file` `hash-object` |
//! | `searching` | `grep` |
//! | `pushing` | `push` |
//! | `elsewhere` | what reaches out of the sandbox, or is not here, and what is instead |
//! | `options` | how a command line is read |
//! | `written` | paths, as they are written and printed |

mod branching;
mod comparing;
mod elsewhere;
mod logging;
mod looking;
mod naming;
mod objects;
mod options;
mod pushing;
mod reading;
mod recording;
mod resetting;
mod restoring;
mod searching;
mod switching;
mod written;

use gix::bstr::ByteSlice;
use serde_json::{Value, json};
use shell::world::{Called, Halt, Ran};

use self::options::{Given, Opt};
use super::done::Done;
use crate::call::ToolCall;
use crate::error::{ErrorKind, Stop, ToolError};
use crate::git::store::repo::Repo;
use crate::options::MAX_MAX_BYTES;
use crate::output::Output;
use crate::paths::SandboxPath;
use crate::session::{Context, Made};

/// What git says where there is no repository.
const NO_REPOSITORY: &str = "fatal: not a git repository (or any of the parent directories): .git\n";

/// A subcommand.
pub struct Command {
    name: &'static str,
    options: &'static [Opt],
    run: fn(&mut Line<'_, '_>, &Given) -> Ended,
}

/// How a subcommand ends: what it prints is in its [`Line`].
type Ended = Result<(), Failed>;

/// Why a subcommand does not go on.
pub enum Failed {
    /// It has said why.
    Status(i32),
    /// With this on its error output.
    Said(String, i32),
    /// A tool has stopped.
    Stop(Stop),
}

impl From<Stop> for Failed {
    fn from(stop: Stop) -> Failed {
        Failed::Stop(stop)
    }
}

impl From<ToolError> for Failed {
    fn from(error: ToolError) -> Failed {
        Failed::Stop(error.into())
    }
}

/// Says `text` and ends with 128, as git does where it cannot go on.
fn fatal<T>(text: impl AsRef<str>) -> Result<T, Failed> {
    Err(Failed::Said(format!("fatal: {}\n", text.as_ref()), 128))
}

/// git, called by a script.
pub struct Git<'g, 'c> {
    /// The context of the script's call.
    pub context: &'g mut Context<'c>,
    /// What the script has done.
    pub done: &'g mut Done,
}

impl Git<'_, '_> {
    /// Runs it.
    ///
    /// # Errors
    /// If a question has to be answered first, or a limit ends the whole script.
    pub fn serve(self, called: &Called) -> Result<Ran, Halt> {
        let Context { session, call, dialect, answers, deadline, embedding, within } = self.context;
        let args: Vec<String> = called.args.iter().map(|arg| arg.to_str_lossy().into_owned()).collect();
        // What a pipe takes is not cut as what a model reads is.
        let call = ToolCall { max_bytes: None, arguments: String::new(), ..(*call).clone() };
        let usual = std::mem::replace(&mut session.options.git.max_bytes, MAX_MAX_BYTES);
        let mut context = Context {
            session,
            call: &call,
            dialect: *dialect,
            answers,
            deadline,
            embedding: &mut **embedding,
            within: *within,
        };
        let mut line = Line {
            context: &mut context,
            done: self.done,
            name: "",
            folder: called.folder.to_string(),
            stdin: &called.stdin,
            out: Vec::new(),
            err: Vec::new(),
            status: 0,
        };
        let ended = line.command(&args);
        let ran = line.ran(ended);
        context.session.options.git.max_bytes = usual;
        ran
    }
}

/// One call of git.
pub struct Line<'l, 'c> {
    context: &'l mut Context<'c>,
    done: &'l mut Done,
    /// The subcommand.
    name: &'static str,
    /// Where it was called.
    folder: String,
    stdin: &'l [u8],
    out: Vec<u8>,
    err: Vec<u8>,
    status: i32,
}

impl Line<'_, '_> {
    fn command(&mut self, args: &[String]) -> Ended {
        let mut args = args.iter();
        let name = loop {
            match args.next().map(String::as_str) {
                None | Some("help" | "--help" | "-h") => return elsewhere::help(self),
                Some("-v" | "--version") => break "version",
                Some("-C") => match args.next() {
                    Some(folder) if folder.starts_with('/') => self.folder.clone_from(folder),
                    Some(folder) => self.folder = format!("{}/{folder}", self.folder),
                    None => return fatal("no directory given for '-C'"),
                },
                // Nothing of the sandbox is set by it that such scripts mean: no pager, no colour, no hooks.
                Some("-c") => drop(args.next()),
                Some("--no-pager" | "-P" | "--no-optional-locks" | "--literal-pathspecs") => {}
                Some(option) if option.starts_with('-') => {
                    return Err(Failed::Said(format!("unknown option: {option}\n"), 129));
                }
                Some(name) => break name,
            }
        };
        let args: Vec<String> = args.cloned().collect();
        let all = [
            comparing::COMMANDS,
            looking::COMMANDS,
            logging::COMMANDS,
            recording::COMMANDS,
            resetting::COMMANDS,
            restoring::COMMANDS,
            branching::COMMANDS,
            switching::COMMANDS,
            naming::COMMANDS,
            reading::COMMANDS,
            objects::COMMANDS,
            searching::COMMANDS,
            pushing::COMMANDS,
        ];
        let Some(command) = all.into_iter().flatten().find(|command| command.name == name) else {
            return elsewhere::run(self, name, &args);
        };
        // `/tmp` is none of the tools' zones.
        if !self.context.session.zones.folder("-C", &self.folder).is_ok_and(|place| place.is_in_workspace()) {
            return Err(match self.folder == "/tmp" || self.folder.starts_with("/tmp/") {
                true => Failed::Said(NO_REPOSITORY.to_owned(), 128),
                false => {
                    Failed::Said(format!("fatal: cannot change to '{}': No such file or directory\n", self.folder), 128)
                }
            });
        }
        self.name = command.name;
        let given = options::read(command.name, command.options, args)?;
        (command.run)(self, &given)
    }

    /// What has come of it.
    fn ran(&mut self, ended: Ended) -> Result<Ran, Halt> {
        match ended {
            Ok(()) => {}
            Err(Failed::Status(status)) => self.status = status,
            Err(Failed::Said(text, status)) => {
                self.err.extend_from_slice(text.as_bytes());
                self.status = status;
            }
            Err(Failed::Stop(Stop::Failed(error))) if !ends_all(&error.kind) => self.failed(&error),
            Err(Failed::Stop(stop)) => return Err(Halt::World(Box::new(stop))),
        }
        let (stdout, stderr) = (std::mem::take(&mut self.out), std::mem::take(&mut self.err));
        Ok(Ran { stdout, stderr, status: self.status })
    }

    /// Says a tool's error as git does.
    fn failed(&mut self, error: &ToolError) {
        let known = [
            "fatal: ",
            "error: ",
            "warning: ",
            "hint: ",
            "merge: ",
            "Auto-merging",
            "CONFLICT",
            "Aborting",
            "The following paths",
        ];
        let words = match error.kind {
            ErrorKind::NotARepository => NO_REPOSITORY.trim_end().to_owned(),
            _ if known.iter().any(|begin| error.message.starts_with(begin)) => error.message.clone(),
            // Its tool says errors without git's mark.
            _ if self.name == "branch" => format!("error: {}", error.message),
            _ => format!("fatal: {}", error.message),
        };
        self.status = if words.lines().any(|line| line.starts_with("fatal: ")) { 128 } else { 1 };
        self.err.extend_from_slice(words.as_bytes());
        self.err.push(b'\n');
        if error.kind == ErrorKind::NotPermitted && !error.hint.is_empty() {
            self.err.extend_from_slice(format!("hint: {}\n", error.hint).as_bytes());
        }
    }

    /// Makes a call of a tool where git was called.
    fn tool(&mut self, name: &'static str, mut arguments: Value) -> Result<Output, Failed> {
        let fields = arguments.as_object_mut().expect("arguments are an object");
        fields.retain(|_, value| !value.is_null());
        let within = self.context.within;
        let Made { output, changes, asked, arguments } = within(self.context, name, &self.folder, arguments)?;
        if changes {
            self.done.call(name, &arguments, asked);
        }
        self.done.keeps(output.effect);
        Ok(output)
    }

    /// Makes a call of a tool, and prints what git would print.
    fn print(&mut self, name: &'static str, arguments: Value) -> Ended {
        let output = self.tool(name, arguments)?;
        self.printed(&output.text);
        Ok(())
    }

    /// Prints the text of a tool: its two streams apart.
    fn printed(&mut self, text: &[u8]) {
        let (out, err) = match text.find(STDERR) {
            Some(at) => (&text[..at], &text[at + STDERR.len()..]),
            None => (text, &b""[..]),
        };
        self.out.extend_from_slice(out);
        if !out.is_empty() && !out.ends_with(b"\n") {
            self.out.push(b'\n');
        }
        self.err.extend_from_slice(err);
        if !err.is_empty() && !err.ends_with(b"\n") {
            self.err.push(b'\n');
        }
    }

    /// The structured result of a call.
    fn structured(&mut self, name: &'static str, arguments: Value) -> Result<Value, Failed> {
        let output = self.tool(name, arguments)?;
        Ok(serde_json::from_str(&output.structured.into_json()).expect("a result is JSON"))
    }

    /// Prints a line.
    fn line(&mut self, text: impl AsRef<[u8]>) {
        self.out.extend_from_slice(text.as_ref());
        self.out.push(b'\n');
    }

    /// Where git was called.
    fn place(&self) -> Result<SandboxPath, Failed> {
        Ok(self.context.session.zones.folder("-C", &self.folder)?)
    }

    /// The repository.
    fn repo(&mut self) -> Result<Repo, Failed> {
        let place = self.context.session.zones.folder("-C", &self.folder);
        match place {
            Ok(place) if place.is_in_workspace() => Ok(self.context.session.repo()?),
            _ => Err(Failed::Said(NO_REPOSITORY.to_owned(), 128)),
        }
    }

    /// Whether a word of a command line names a path, where it could be a revision too.
    fn is_path(&self, word: &str) -> bool {
        let Ok(place) = self.place() else { return false };
        let found = self.context.session.zones.resolve(word, &place, crate::paths::Access::Look);
        found.is_ok_and(|path| crate::platform::stat(&path.real()).is_ok())
    }

    /// The words in front, which are revisions, and those behind, which are paths: divided by `--`, or else at the first that names a path.
    fn revisions_and_paths(&self, given: &Given) -> (Vec<String>, Vec<String>) {
        match &given.after {
            Some(paths) => (given.words.clone(), paths.clone()),
            None => {
                let at = given.words.iter().position(|word| self.is_path(word)).unwrap_or(given.words.len());
                (given.words[..at].to_vec(), given.words[at..].to_vec())
            }
        }
    }
}

/// What divides the two streams in a tool's text.
const STDERR: &[u8] = b"\n\n[stderr]\n";

/// Whether an error ends the whole script.
fn ends_all(kind: &ErrorKind) -> bool {
    matches!(kind, ErrorKind::Timeout { .. } | ErrorKind::OutOfSpace)
}

/// A list for a tool, or nothing where it is empty.
fn some(list: &[String]) -> Value {
    if list.is_empty() { Value::Null } else { json!(list) }
}
