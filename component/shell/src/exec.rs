//! Runs what was parsed.

pub mod assign;
pub mod call;
pub mod command;
mod compound;
mod condition;
mod functions;
pub mod lookup;
mod pipeline;
pub mod redirect;
pub mod select;
mod simple;
mod substitution;

use brush_parser::ast;

pub use self::call::Call;
pub use self::functions::{ended, function};
pub use self::lookup::{Found, find};
pub use self::substitution::{captured, scripted};
use crate::io::{BrokenPipe, Unwritten};
use crate::script::turns::Local;
use crate::state::Shell;
use crate::world::Halt;

/// Why commands do not go on.
#[derive(Debug)]
pub enum Stop {
    /// The shell ends.
    Exit(i32),
    /// A function or a sourced file ends.
    Return(i32),
    /// So many loops end.
    Break(u32),
    /// So many loops but one end, and that one goes on.
    Continue(u32),
    /// The whole script ends, and nothing of it stays.
    Halt(Halt),
}

/// How a command ended, if not by itself.
#[derive(Debug)]
pub enum Ended {
    /// With what the shell says about it, and status 1.
    Failed(String),
    /// With what the shell says about it. The shell ends.
    Fatal(String, i32),
    /// With this status. What is to be said was said.
    Status(i32),
    /// Nobody reads what it writes.
    Broken,
    /// Other commands do not go on either.
    Stop(Stop),
}

impl Ended {
    /// The same as an end of the shell.
    pub fn fatal(self) -> Ended {
        match self {
            Ended::Failed(message) => Ended::Fatal(message, 1),
            ended => ended,
        }
    }
}

impl From<Halt> for Stop {
    fn from(halt: Halt) -> Stop {
        Stop::Halt(halt)
    }
}

impl From<Halt> for Ended {
    fn from(halt: Halt) -> Ended {
        Ended::Stop(Stop::Halt(halt))
    }
}

impl From<Stop> for Ended {
    fn from(stop: Stop) -> Ended {
        Ended::Stop(stop)
    }
}

impl From<BrokenPipe> for Ended {
    fn from(_: BrokenPipe) -> Ended {
        Ended::Broken
    }
}

impl From<Unwritten> for Ended {
    fn from(unwritten: Unwritten) -> Ended {
        match unwritten {
            Unwritten::Broken => Ended::Broken,
            Unwritten::Failed(why) => Ended::Failed(format!("write error: {why}")),
            Unwritten::Halt(halt) => halt.into(),
        }
    }
}

/// The exit status of commands.
pub type Flow = Result<i32, Stop>;

/// The status of a command that wrote to a pipe which nobody read any more: 128 and SIGPIPE.
pub const BROKEN: i32 = 141;

/// The status of what has slept for longer than it may.
pub const OVER: i32 = 124;

/// What became of something that ended so.
pub async fn settled(shell: &mut Shell, ended: Result<i32, Ended>) -> Flow {
    match ended {
        Ok(status) | Err(Ended::Status(status)) => Ok(status),
        Err(Ended::Failed(message)) => {
            shell.complain(&message).await?;
            Ok(1)
        }
        Err(Ended::Fatal(message, status)) => {
            shell.complain(&message).await?;
            Err(Stop::Exit(status))
        }
        Err(Ended::Broken) => Ok(BROKEN),
        Err(Ended::Stop(stop)) => Err(stop),
    }
}

/// Runs the commands of a whole program.
pub async fn program(shell: &mut Shell, program: &ast::Program) -> Flow {
    let mut status = 0;
    for commands in &program.complete_commands {
        status = list(shell, commands).await?;
    }
    Ok(status)
}

/// Runs a list of commands, one after the other.
pub fn list<'a>(shell: &'a mut Shell, list: &'a ast::CompoundList) -> Local<'a, Flow> {
    Box::pin(async move {
        shell.deeper()?;
        let mut status = 0;
        for ast::CompoundListItem(commands, separator) in &list.0 {
            status = match separator {
                ast::SeparatorOperator::Sequence => and_or(shell, commands).await?,
                ast::SeparatorOperator::Async => no_jobs(shell).await?,
            };
            shell.status = status;
        }
        shell.depth -= 1;
        Ok(status)
    })
}

async fn no_jobs(shell: &mut Shell) -> Flow {
    shell.refused = true;
    shell.complain("&: there are no jobs in the background here. Run the command without the &").await?;
    Ok(127)
}

async fn and_or(shell: &mut Shell, list: &ast::AndOrList) -> Flow {
    let count = list.additional.len();
    let mut status = guarded(shell, &list.first, count > 0).await?;
    for (at, next) in list.additional.iter().enumerate() {
        let (pipeline, runs) = match next {
            ast::AndOr::And(pipeline) => (pipeline, status == 0),
            ast::AndOr::Or(pipeline) => (pipeline, status != 0),
        };
        if runs {
            status = guarded(shell, pipeline, at + 1 < count).await?;
        }
    }
    Ok(status)
}

/// Runs a pipeline, whose failure ends the shell with `set -e` unless something else depends on it.
async fn guarded(shell: &mut Shell, pipeline: &ast::Pipeline, is_condition: bool) -> Flow {
    // Nothing switches it off again: that would be a command as well.
    if shell.options.noexec {
        return Ok(shell.status);
    }
    if shell.is_over() {
        return Err(Stop::Exit(OVER));
    }
    let guards = is_condition || pipeline.bang;
    shell.guarded += u32::from(guards);
    let flow = pipeline::run(shell, pipeline).await;
    shell.guarded -= u32::from(guards);
    let status = flow?;
    shell.status = status;
    if status != 0 && !guards && shell.guarded == 0 {
        functions::trap(shell, "ERR").await?;
        if shell.options.errexit {
            return Err(Stop::Exit(status));
        }
    }
    Ok(status)
}

/// Runs commands whose failure is no failure of the shell.
pub async fn condition(shell: &mut Shell, commands: &ast::CompoundList) -> Flow {
    shell.guarded += 1;
    let flow = list(shell, commands).await;
    shell.guarded -= 1;
    flow
}
