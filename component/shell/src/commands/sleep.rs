//! `sleep` and `timeout`. Time stands still while a script runs, so there is nothing to wait for, and nothing takes too long.

use super::arguments::{Flag, Reading, flag, read, valued};
use super::numbers::is_duration;
use super::program::{self, Ran};
use crate::exec::{Call, Ended};

/// Looks at its arguments, and ends.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: &[], status: 1, stops: false }).await?;
    if given.operands.is_empty() {
        return call.misused("missing operand", 1).await;
    }
    match given.operands.iter().find(|operand| !is_duration(operand)) {
        Some(wrong) => call.misused(format!("invalid time interval '{wrong}'"), 1).await,
        None => Ok(0),
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
    let [duration, name, args @ ..] = &*given.operands else {
        call.say("Try 'timeout --help' for more information.\n").await?;
        return Ok(125);
    };
    if let Some(wrong) = given.values('k').chain([duration]).find(|text| !is_duration(text)) {
        return call.misused(format!("invalid time interval '{wrong}'"), 125).await;
    }
    match program::run(call, name, args.to_vec(), None).await? {
        Ran::Status(status) => Ok(status),
        Ran::Broken => Err(Ended::Broken),
        Ran::Missing(why, status) => {
            call.complain(format!("failed to run command '{name}': {why}")).await?;
            Ok(status)
        }
    }
}
