//! A command that runs: its arguments, and what it reads and writes.

use bstr::{BString, ByteSlice};

use super::assign::Assigned;
use super::{Ended, Flow, Stop, functions};
use crate::io::{Sink, Source, Unwritten, reason};
use crate::state::Shell;
use crate::world::{Called, Halt};

/// Bytes that are collected before they are written.
const COLLECTED: usize = 32 * 1024;

/// An argument of a command that declares variables.
#[derive(Clone, Debug)]
pub enum Operand {
    /// A word.
    Word(BString),
    /// An assignment.
    Assigned(Assigned),
}

/// A command that runs.
pub struct Call<'a> {
    /// The shell that called it.
    pub shell: &'a mut Shell,
    /// Its name, as it was called.
    pub name: String,
    /// Its arguments.
    pub args: Vec<BString>,
    /// Its arguments, if it declares variables.
    pub operands: Vec<Operand>,
    /// What it reads.
    pub stdin: Source,
    stdout: Sink,
    stderr: Sink,
    out: Vec<u8>,
}

impl<'a> Call<'a> {
    /// One in this shell, with the shell's open files.
    pub fn new(shell: &'a mut Shell, name: &str, args: Vec<BString>, operands: Vec<Operand>) -> Call<'a> {
        let (stdin, stdout, stderr) = (shell.fds.source(0), shell.fds.sink(1), shell.fds.sink(2));
        Call { shell, name: name.to_owned(), args, operands, stdin, stdout, stderr, out: Vec::new() }
    }

    /// Prints it.
    pub async fn print(&mut self, bytes: impl AsRef<[u8]>) -> Result<(), Ended> {
        self.out.extend_from_slice(bytes.as_ref());
        if self.out.len() >= COLLECTED { self.flush().await } else { Ok(()) }
    }

    /// Prints it with a line break.
    pub async fn line(&mut self, bytes: impl AsRef<[u8]>) -> Result<(), Ended> {
        self.out.extend_from_slice(bytes.as_ref());
        self.print(b"\n").await
    }

    /// Writes what was collected.
    pub async fn flush(&mut self) -> Result<(), Ended> {
        if !self.out.is_empty() {
            let units = u32::try_from(self.out.len() / 256).unwrap_or(u32::MAX);
            self.shell.work(units)?;
            self.stdout.write(&std::mem::take(&mut self.out)).await?;
            self.shell.hold(self.stdout.held() + self.shell.base.files.held())?;
        }
        Ok(())
    }

    /// Says something on the error output, as it is.
    pub async fn say(&mut self, text: impl AsRef<[u8]>) -> Result<(), Ended> {
        if self.stdout.is(&self.stderr) {
            self.flush().await?;
        }
        match self.stderr.write(text.as_ref()).await {
            Err(Unwritten::Halt(halt)) => Err(halt.into()),
            // Who cannot read it does not need it.
            _ => Ok(()),
        }
    }

    /// Says what is wrong, with the command's name in front.
    pub async fn complain(&mut self, message: impl AsRef<str>) -> Result<(), Ended> {
        let text = format!("{}: {}\n", self.name, message.as_ref());
        self.say(text).await
    }

    /// Says what is wrong as bash's own commands do, with the line.
    pub async fn complain_here(&mut self, message: impl AsRef<str>) -> Result<(), Ended> {
        let text = format!("{}{}: {}\n", self.shell.prefix(), self.name, message.as_ref());
        self.say(text).await
    }

    /// Says what is wrong, and how to find out more, as GNU's commands do.
    pub async fn misused(&mut self, message: impl AsRef<str>, status: i32) -> Result<i32, Ended> {
        let name = &self.name;
        let text = format!("{name}: {}\nTry '{name} --help' for more information.\n", message.as_ref());
        self.say(text).await?;
        Ok(status)
    }

    /// Writes what is left, and settles how the command ended.
    pub async fn finish(mut self, ended: Result<i32, Ended>) -> Result<i32, Ended> {
        let status = match ended {
            Err(Ended::Failed(message)) => {
                self.complain(message).await?;
                Ok(1)
            }
            ended => ended,
        };
        match self.flush().await {
            Err(Ended::Failed(message)) => {
                self.complain(message).await?;
                Ok(1)
            }
            flushed => match (status, flushed) {
                (Ok(_), Err(ended)) => Err(ended),
                (status, _) => status,
            },
        }
    }

    /// Opens an operand to read it: a dash is what the command reads anyway.
    pub fn open(&self, name: &[u8]) -> std::io::Result<Source> {
        if name == b"-" {
            return Ok(self.stdin.clone());
        }
        super::redirect::read(self.shell, name)
    }

    /// Opens an operand to read it. If it cannot be opened, says so, behind what was printed before.
    pub async fn opened(&mut self, name: &[u8]) -> Result<Option<Source>, Ended> {
        match self.open(name) {
            Ok(source) => Ok(Some(source)),
            Err(error) => {
                self.flush().await?;
                self.complain(format!("{}: {}", name.to_str_lossy(), reason(&error))).await?;
                Ok(None)
            }
        }
    }

    /// The content of an operand. If it cannot be read, says so.
    pub async fn content(&mut self, name: &[u8]) -> Result<Option<bytes::Bytes>, Ended> {
        match self.open(name) {
            Ok(source) => {
                let all = source.all().await;
                self.shell.hold(all.len())?;
                Ok(Some(all))
            }
            Err(error) => {
                self.complain(format!("{}: {}", name.to_str_lossy(), reason(&error))).await?;
                Ok(None)
            }
        }
    }

    /// Opens an operand to write it, instead of what it has.
    pub fn create(&self, name: &[u8], appends: bool) -> Result<Sink, Ended> {
        super::redirect::sink(self.shell, name, appends, false)
    }

    /// Counts units of work.
    pub fn work(&self, units: u32) -> Result<(), Halt> {
        self.shell.work(units)
    }
}

/// Runs another command with these arguments, in the same shell.
pub async fn again(shell: &mut Shell, name: &str, args: Vec<BString>) -> Result<i32, Ended> {
    match super::find(shell, name) {
        super::Found::Builtin(run) | super::Found::Command(run) => {
            let mut call = Call::new(shell, name, args, Vec::new());
            let ended = run(&mut call).await;
            Box::pin(call.finish(ended)).await
        }
        super::Found::Function(body) => Ok(super::function(shell, name, &body, args).await?),
        super::Found::Program => Ok(program(shell, name, args).await?),
        super::Found::Script(path) => Ok(Box::pin(script(shell, name, path, args)).await?),
        super::Found::Nothing(message, status) => {
            shell.complain(&message).await?;
            Ok(status)
        }
    }
}

/// Runs a program of the world.
pub async fn program(shell: &mut Shell, name: &str, args: Vec<BString>) -> Flow {
    let stdin = match shell.fds.source(0) {
        // Nobody waits for what a program does not read: only what is there already can be meant for it.
        source if reads_input(&args) => source.all().await,
        _ => bytes::Bytes::new(),
    };
    let (folder, env) = (shell.folder.clone(), shell.exported());
    if let Err(error) = shell.base.files.flush() {
        shell.complain(&reason(&error)).await?;
        return Ok(1);
    }
    let called = Called { name: name.to_owned(), args, folder, stdin, env };
    let turns = std::rc::Rc::clone(&shell.base.turns);
    let ran = turns.ask(called).await?;
    for (number, bytes) in [(2, ran.stderr), (1, ran.stdout)] {
        match shell.fds.sink(number).write(&bytes).await {
            Err(Unwritten::Halt(halt)) => return Err(halt.into()),
            Err(Unwritten::Broken) if number == 1 => return Ok(super::BROKEN),
            _ => (),
        }
    }
    Ok(ran.status)
}

/// Whether a program's arguments say that it reads its input.
fn reads_input(args: &[BString]) -> bool {
    const FLAGS: &[&str] =
        &["-", "--stdin", "--batch", "--batch-check", "-F-", "--file=-", "--stdin-paths", "apply", "am"];
    args.iter().any(|arg| FLAGS.iter().any(|flag| arg == flag))
}

/// Runs a file of commands in a shell of its own.
pub async fn script(shell: &mut Shell, name: &str, path: BString, args: Vec<BString>) -> Flow {
    let text = match shell.base.files.read(path.as_bstr()) {
        Ok(text) => text,
        Err(error) => {
            shell.complain(&format!("{path}: {}", reason(&error))).await?;
            return Ok(126);
        }
    };
    let mut copy = fresh(shell);
    copy.name = name.into();
    copy.place.source = std::rc::Rc::new(name.into());
    copy.args = std::rc::Rc::new(args);
    let flow = Box::pin(super::scripted(&mut copy, &text)).await;
    functions::ended(&mut copy, flow).await.map_err(Stop::Halt)
}

/// A shell as a program of its own: it has what is exported, and nothing else.
pub fn fresh(shell: &Shell) -> Shell {
    let mut copy = shell.fork();
    copy.subshell = 0;
    copy.frames = Vec::new();
    copy.traps.clear();
    copy.guarded = 0;
    copy.seconds = -copy.slept();
    copy.functions = exported_functions(shell);
    copy.handed = std::rc::Rc::default();
    copy.place = crate::state::Place { source: std::rc::Rc::default(), above: 0 };
    copy.line = 1;
    copy.in_trap = false;
    copy.options = crate::state::options::Options { extglob: true, ..Default::default() };
    let exported = copy.exported();
    copy.vars = crate::state::scopes::Scopes::default();
    for (name, text) in crate::script::USUAL {
        *copy.vars.entry(name) = crate::value::Variable::of(*text);
    }
    for (name, text) in exported {
        *copy.vars.entry(&name) = crate::value::Variable { exported: true, ..crate::value::Variable::of(text) };
    }
    copy
}

/// The functions that a shell which is called has.
pub fn exported_functions(shell: &Shell) -> crate::state::Functions {
    let exported = |(_, function): &(&String, &std::rc::Rc<crate::state::Function>)| function.exported;
    let own = shell.functions.iter().filter(exported);
    std::rc::Rc::new(shell.handed.iter().chain(own).map(|(name, one)| (name.clone(), one.clone())).collect())
}
