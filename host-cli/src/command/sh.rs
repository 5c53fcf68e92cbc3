//! `gitgate sh`: a person's shell in the sandbox. Each line is a call of `bash`, so each is a transaction that `gitgate undo` takes back.

mod completing;
mod line;

use std::cell::RefCell;
use std::rc::Rc;

use clap::Args;
use gate::policy::Caller;
use host::answer::{Call, Reply};
use serde::Deserialize;
use serde_json::json;

use self::line::{Line, Typed};
use super::context::Approvals;
use super::{Context, call};
use crate::error::{ErrorKind, HostError};
use crate::interrupt;
use crate::report::{self, Exit};
use crate::sandbox::{Sandbox, wit};
use crate::screen;
use crate::terminal::Terminal;

/// What the help ends with.
const EXAMPLES: &str = "\
Examples:
  gitgate sh
  gitgate -s work sh

Each line is a call of the tool `bash`, in the sandbox and not on this machine: there are the usual
commands and git, no network and no other programs. Ctrl-C calls a running line off, and it has then
changed nothing. `gitgate undo` takes back the last line that changed something. Ctrl-D leaves.
For a script, `gitgate call bash '{\"command\": \"...\"}'`.";

/// Open a shell in the sandbox
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Sh {}

/// The most bytes of a line's output: whatever a tool gives at most.
const MOST: u64 = 4 << 20;

/// What the shell goes by of a result of `bash`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Ran {
    stdout: String,
    stderr: String,
    exit_code: i32,
    cwd: String,
    #[serde(default)]
    hint: Option<String>,
    #[serde(default)]
    push: Option<Pushed>,
}

/// What a push of the line came to.
#[derive(Deserialize)]
struct Pushed {
    text: String,
}

/// The sandbox as one line after the other finds it. A line that was called off leaves a clock that has ended.
pub(super) struct Open {
    context: Context,
    sandbox: Sandbox,
}

impl Open {
    fn new(process: &Context) -> anyhow::Result<Open> {
        let context = Context { clock: process.clock.child(), ..process.clone() };
        let sandbox = context.open()?;
        Ok(Open { context, sandbox })
    }
}

impl Sh {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        if Terminal::open().is_none() {
            return Err(HostError::new(ErrorKind::Usage, "a shell needs a terminal")
                .hint("`gitgate call bash '{\"command\": \"...\"}'` runs a script")
                .into());
        }
        let open = Rc::new(RefCell::new(Open::new(&context)?));
        let mut line = Line::new(&context, Rc::clone(&open))?;
        let mut last = Last { folder: folder(&mut open.borrow_mut())?, status: 0 };
        report::note("this is the sandbox, not this machine: usual commands and git, no network; Ctrl-D leaves");
        loop {
            match line.read(&last.prompt(context.name.as_str()))? {
                Typed::Nothing => {}
                Typed::End => return Ok(Exit::Done),
                Typed::Command(command) => {
                    let ran = {
                        let open = &mut *open.borrow_mut();
                        // The first signal ends the line, and not the shell.
                        let _theirs = interrupt::instead(open.context.clock.clone());
                        run(open, &command)
                    };
                    match ran {
                        Ok(Some(now)) => last = now,
                        Ok(None) => last.status = 1,
                        Err(error) => {
                            report::error(&report::explain(&error));
                            last.status = i32::from(interrupt::INTERRUPTED);
                        }
                    }
                    context.clock.ensure_wanted()?;
                    if open.borrow().context.clock.is_cancelled() {
                        *open.borrow_mut() = Open::new(&context)?;
                    }
                }
            }
        }
    }
}

/// How the last line ended.
struct Last {
    folder: String,
    status: i32,
}

impl Last {
    fn prompt(&self, sandbox: &str) -> String {
        let folder = match self.folder.strip_prefix("/workspace") {
            Some(below) => format!("~{below}"),
            None => self.folder.clone(),
        };
        let status = if self.status == 0 { String::new() } else { format!("[{}] ", self.status) };
        format!("{status}{sandbox}:{}$ ", screen::line(&folder))
    }
}

/// The folder that the shell begins in.
fn folder(open: &mut Open) -> anyhow::Result<String> {
    let result = open.context.tool(&mut open.sandbox, "bash", &json!({ "command": "pwd" }))?;
    Ok(serde_json::from_str::<Ran>(&result.structured)?.cwd)
}

/// Runs a line and prints what it prints. None if it did not run, which is then said.
fn run(open: &mut Open, command: &str) -> anyhow::Result<Option<Last>> {
    let arguments = json!({ "command": command, "max_bytes": MOST }).to_string();
    let made = Call::new("bash", arguments, Caller::User);
    let mut approver = open.context.approver(&Approvals::default())?;
    match open.context.run(&mut open.sandbox, &made, &mut *approver)? {
        Reply::Done(Ok(result)) => Ok(Some(print(&result)?)),
        reply => {
            call::show(&made, &reply)?;
            Ok(None)
        }
    }
}

/// Prints a result on both streams, each of which ends with a line.
fn print(result: &wit::ToolResult) -> anyhow::Result<Last> {
    let ran: Ran = serde_json::from_str(&result.structured)?;
    let ended = |text: &str| match text.is_empty() || text.ends_with('\n') {
        true => screen::block(text),
        false => screen::block(text) + "\n",
    };
    report::print(&ended(&ran.stdout))?;
    eprint!("{}", ended(&ran.stderr));
    if let Some(push) = &ran.push {
        report::print(&ended(&screen::hint::for_person(&push.text)))?;
    }
    if let Some(hint) = &ran.hint {
        report::note(hint);
    }
    Ok(Last { folder: ran.cwd, status: ran.exit_code })
}
