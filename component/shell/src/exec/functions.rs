//! Functions, traps, and how a shell ends.

use std::rc::Rc;

use bstr::BString;

use super::{Flow, Stop, command, substitution};
use crate::script::clock::NEVER;
use crate::state::{Frame, Function, Shell};
use crate::world::Halt;

/// Calls a function.
pub async fn function(shell: &mut Shell, name: &str, called: &Function, args: Vec<BString>) -> Flow {
    let (depth, loops) = (shell.depth, std::mem::take(&mut shell.loops));
    shell.deeper()?;
    shell.vars.enter();
    let from = std::mem::replace(&mut shell.place, called.place.clone());
    let line = shell.line;
    let trap = if shell.options.errtrace { None } else { shell.traps.remove("ERR") };
    shell.frames.push(Frame { function: name.to_owned(), line, from: from.clone() });
    let args = std::mem::replace(&mut shell.args, Rc::new(args));
    let flow = command::body(shell, &called.body).await;
    shell.args = args;
    shell.frames.pop();
    if let Some(text) = trap {
        shell.traps.entry("ERR".to_owned()).or_insert(text);
    }
    (shell.place, shell.line) = (from, line);
    shell.vars.leave();
    (shell.depth, shell.loops) = (depth, loops);
    match flow {
        Err(Stop::Return(status)) => Ok(status),
        // Loops outside of a function go on.
        Err(Stop::Break(_) | Stop::Continue(_)) => Ok(0),
        flow => flow,
    }
}

/// Runs what is trapped for a signal, whose status does not count.
pub async fn trap(shell: &mut Shell, signal: &str) -> Result<(), Stop> {
    let Some(text) = shell.traps.get(signal).cloned() else { return Ok(()) };
    // It is not run for what it does itself.
    shell.traps.remove(signal);
    let status = shell.status;
    shell.guarded += 1;
    let (was, trapped) = (shell.place.above, std::mem::replace(&mut shell.in_trap, true));
    shell.place.above = shell.line.saturating_sub(1);
    let flow = substitution::scripted(shell, &text).await;
    (shell.place.above, shell.in_trap) = (was, trapped);
    shell.guarded -= 1;
    shell.status = status;
    flow?;
    shell.traps.entry(signal.to_owned()).or_insert(text);
    Ok(())
}

/// Ends a shell, and gives its status.
pub async fn ended(shell: &mut Shell, flow: Flow) -> Result<i32, Halt> {
    let mut status = status_of(flow)?;
    shell.status = status;
    // What is to be done at the end has its own time.
    shell.deadline = NEVER;
    if let Some(text) = shell.traps.remove("EXIT") {
        let errexit = std::mem::take(&mut shell.options.errexit);
        // bash counts the lines of this text alone.
        shell.place.above = 0;
        shell.in_trap = true;
        match substitution::scripted(shell, &text).await {
            Err(Stop::Exit(now)) => status = now,
            flow => drop(status_of(flow)?),
        }
        shell.options.errexit = errexit;
    }
    Ok(status)
}

fn status_of(flow: Flow) -> Result<i32, Halt> {
    match flow {
        Ok(status) | Err(Stop::Exit(status) | Stop::Return(status)) => Ok(status),
        Err(Stop::Break(_) | Stop::Continue(_)) => Ok(0),
        Err(Stop::Halt(halt)) => Err(halt),
    }
}
