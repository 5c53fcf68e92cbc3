//! A script from its text to what it printed.

pub mod clock;
pub mod turns;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use bstr::BString;

use self::clock::{Clock, NEVER};
use self::turns::Turns;
use crate::exec::{ended, scripted};
use crate::io::{Fds, Files, Sink, Source, Target};
use crate::state::options::Options;
use crate::state::scopes::Scopes;
use crate::state::{Base, Getopts, Place, Shell};
use crate::value::Variable;
use crate::world::{Called, Halt, Ran, World};

/// Variables that every shell begins with.
pub(crate) const USUAL: &[(&str, &str)] =
    &[("IFS", " \t\n"), ("OPTIND", "1"), ("PS4", "+ "), ("BASH", "/bin/bash"), ("HOSTNAME", "sandbox")];

/// What a shell keeps from one script to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The working directory.
    pub folder: BString,
    /// The exported variables.
    pub env: Vec<(String, BString)>,
}

/// A script that is to run.
#[derive(Clone, Debug)]
pub struct Script {
    /// Its text.
    pub text: String,
    /// `$0`
    pub name: String,
    /// `$1` and so on.
    pub args: Vec<BString>,
    /// What it reads.
    pub stdin: Vec<u8>,
    /// Where it begins, and with which variables.
    pub kept: Kept,
    /// The most bytes that it may hold in memory.
    pub most: usize,
}

/// What has come of it.
#[derive(Debug)]
pub struct Outcome {
    /// What it printed.
    pub stdout: Vec<u8>,
    /// What it said about errors.
    pub stderr: Vec<u8>,
    /// Its exit code.
    pub status: i32,
    /// What the next script begins with.
    pub kept: Kept,
}

impl Script {
    /// Runs it. `serve` runs the programs of the world.
    ///
    /// # Errors
    /// If the script ends as a whole. Whoever runs it puts the tree back.
    pub fn run(
        self,
        world: Rc<dyn World>,
        mut serve: impl FnMut(Called) -> Result<Ran, Halt>,
    ) -> Result<Outcome, Halt> {
        let (stdout, stderr) = (Rc::new(Target::default()), Rc::new(Target::default()));
        let mut shell = self.shell(world, &stdout, &stderr);
        let (turns, clock) = (Rc::clone(&shell.base.turns), Rc::clone(&shell.base.clock));
        let text = self.text;
        let run = async {
            let flow = scripted(&mut shell, text.as_bytes()).await;
            ended(&mut shell, flow).await
        };
        let status = driven(Box::pin(run), &turns, &clock, &mut serve)?;
        shell.base.files.flush().map_err(|error| Halt::World(Box::new(error)))?;
        let kept = Kept { folder: shell.folder.clone(), env: shell.exported() };
        Ok(Outcome { stdout: stdout.take(), stderr: stderr.take(), status, kept })
    }

    fn shell(&self, world: Rc<dyn World>, stdout: &Rc<Target>, stderr: &Rc<Target>) -> Shell {
        let random = u32::try_from(world.random() % 2_147_483_646).expect("it has 31 bits") + 1;
        let clock = Rc::<Clock>::default();
        let base = Base {
            files: Rc::new(Files::new(world, Rc::clone(&clock))),
            clock,
            turns: Rc::default(),
            most: self.most,
            next: Cell::new(0),
            random: Cell::new(random),
        };
        let mut vars = Scopes::default();
        for (name, text) in USUAL {
            *vars.entry(name) = Variable::of(*text);
        }
        for (name, text) in &self.kept.env {
            *vars.entry(name) = Variable { exported: true, ..Variable::of(text.clone()) };
        }
        *vars.entry("PWD") = Variable { exported: true, ..Variable::of(self.kept.folder.clone()) };
        Shell {
            base: Rc::new(base),
            vars,
            functions: Rc::default(),
            handed: Rc::default(),
            place: Place { source: Rc::default(), above: 0 },
            in_trap: false,
            command: None,
            options: Options { extglob: true, ..Options::default() },
            folder: self.kept.folder.clone(),
            folders: Vec::new(),
            fds: Fds::new(
                Source::text(self.stdin.clone()),
                Sink::Target(Rc::clone(stdout)),
                Sink::Target(Rc::clone(stderr)),
            ),
            status: 0,
            statuses: vec![0],
            args: Rc::new(self.args.clone()),
            name: self.name.as_str().into(),
            traps: BTreeMap::new(),
            deadline: NEVER,
            seconds: 0,
            guarded: 0,
            loops: 0,
            depth: 0,
            line: 1,
            frames: Vec::new(),
            subshell: 0,
            last: BString::default(),
            refused: false,
            getopts: Getopts::default(),
            later: Vec::new(),
            substituted: None,
        }
    }
}

/// Lets the commands take turns until all are done.
fn driven(
    mut run: turns::Local<'_, Result<i32, Halt>>,
    turns: &Turns,
    clock: &Clock,
    serve: &mut dyn FnMut(Called) -> Result<Ran, Halt>,
) -> Result<i32, Halt> {
    let mut context = Context::from_waker(Waker::noop());
    loop {
        let before = turns.count();
        if let Poll::Ready(done) = run.as_mut().poll(&mut context) {
            return done;
        }
        if let Some(called) = turns.asked() {
            turns.answered(serve(called));
        } else if turns.count() == before {
            match clock.pass() {
                // Only its end would wake it up.
                Some(NEVER) => return Err(Halt::Timeout),
                Some(_) => continue,
                None => (),
            }
            let why = "The commands of the script wait for each other, or for the end of what has none";
            return Err(Halt::TooLarge(why.to_owned()));
        }
    }
}
