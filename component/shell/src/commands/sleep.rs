//! `sleep` and `timeout`. Only sleeping takes time that `timeout` sees.

use std::rc::Rc;

use super::arguments::{Flag, Reading, flag, read, valued};
use super::numbers::duration;
use super::program::{self, Ran};
use crate::exec::{Call, Ended, OVER, Stop};
use crate::script::clock::NEVER;

/// Looks at its arguments, and ends.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: &[], status: 1, stops: false }).await?;
    if given.operands.is_empty() {
        return call.misused("missing operand", 1).await;
    }
    let mut until = call.shell.base.clock.slept();
    for operand in &given.operands {
        match duration(operand) {
            Some(long) => until = until.saturating_add(long),
            None => return call.misused(format!("invalid time interval '{operand}'"), 1).await,
        }
    }
    call.flush().await?;
    // One unit later it is over.
    let until = until.min(call.shell.deadline.saturating_add(1));
    let (clock, turns) = (Rc::clone(&call.shell.base.clock), Rc::clone(&call.shell.base.turns));
    clock.sleep(&turns, until).await;
    match call.shell.is_over() {
        true => Err(Stop::Exit(OVER).into()),
        false => Ok(0),
    }
}

const FLAGS: &[Flag] = &[
    flag('\0', "foreground"),
    flag('\u{1}', "preserve-status"),
    flag('v', "verbose"),
    valued('k', "kill-after"),
    valued('s', "signal"),
];

/// Runs a command.
pub async fn timeout(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 125, stops: true }).await?;
    let [wanted, name, args @ ..] = &*given.operands else {
        call.say("Try 'timeout --help' for more information.\n").await?;
        return Ok(125);
    };
    if let Some(wrong) = given.values('k').chain([wanted]).find(|text| duration(text).is_none()) {
        return call.misused(format!("invalid time interval '{wrong}'"), 125).await;
    }
    let was = call.shell.deadline;
    let own = match duration(wanted) {
        // As GNU's, which then waits for ever.
        Some(0) | None => NEVER,
        Some(long) => call.shell.base.clock.slept().saturating_add(long),
    };
    call.shell.deadline = was.min(own);
    let ran = program::run(call, name, args.to_vec(), None).await;
    call.shell.deadline = was;
    let ran = ran?;
    if call.shell.base.clock.slept() > own {
        let kills = given.value('s').is_some_and(|signal| is_kill(signal));
        return Ok(if kills {
            KILLED
        } else if given.has('\u{1}') {
            TERMINATED
        } else {
            OVER
        });
    }
    match ran {
        Ran::Status(status) => Ok(status),
        Ran::Broken => Err(Ended::Broken),
        Ran::Missing(why, status) => {
            call.complain(format!("failed to run command '{name}': {why}")).await?;
            Ok(status)
        }
    }
}

/// The status of what a signal has ended: 128 and KILL, or TERM.
const KILLED: i32 = 137;
const TERMINATED: i32 = 143;

fn is_kill(signal: &[u8]) -> bool {
    matches!(signal, b"9" | b"KILL" | b"SIGKILL" | b"kill")
}
