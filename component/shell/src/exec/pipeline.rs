//! Pipelines: commands that take turns, each in a shell of its own.

use std::rc::Rc;

use brush_parser::ast;

use super::{Flow, Stop, command, functions};
use crate::io::{Sink, Source, pipe};
use crate::script::turns::{Local, together};
use crate::state::Shell;
use crate::world::Halt;

/// Runs a pipeline.
pub async fn run(shell: &mut Shell, pipeline: &ast::Pipeline) -> Flow {
    let began = shell.base.clock.slept();
    let status = match &*pipeline.seq {
        [] => 0,
        [only] => {
            let status = command::run(shell, only).await?;
            if !matches!(only, ast::Command::Compound(..)) {
                shell.statuses = vec![status];
            }
            status
        }
        stages => piped(shell, stages).await?,
    };
    if pipeline.timed.is_some() {
        let zero = "0m0.000s";
        let millis = (shell.base.clock.slept() - began) / 1_000_000;
        let (minutes, seconds, millis) = (millis / 60_000, millis / 1_000 % 60, millis % 1_000);
        let text = format!("\nreal\t{minutes}m{seconds}.{millis:03}s\nuser\t{zero}\nsys\t{zero}\n");
        // As for every message: who cannot read it does not need it.
        drop(shell.fds.sink(2).write(text.as_bytes()).await);
    }
    Ok(if pipeline.bang { i32::from(status == 0) } else { status })
}

async fn piped(shell: &mut Shell, stages: &[ast::Command]) -> Flow {
    shell.deeper()?;
    let turns = Rc::clone(&shell.base.turns);
    let mut running: Vec<Local<'_, Result<i32, Halt>>> = Vec::new();
    let mut stdin = shell.fds.source(0);
    let last = stages.len() - 1;
    let lasts_here = shell.options.lastpipe;
    for (at, stage) in stages[..last].iter().enumerate() {
        let (reader, writer) = pipe(&turns);
        let mut copy = shell.fork();
        if at > 0 {
            copy.fds.set(0, std::mem::replace(&mut stdin, Source::Pipe(reader)));
        } else {
            stdin = Source::Pipe(reader);
        }
        copy.fds.set(1, Sink::Pipe(writer));
        running.push(Box::pin(alone(copy, stage)));
    }
    let (final_stage, was) = (&stages[last], shell.fds.clone());
    let end: Local<'_, Result<i32, Stop>> = if lasts_here {
        shell.fds.set(0, stdin);
        let shell = &mut *shell;
        Box::pin(async move { command::run(shell, final_stage).await })
    } else {
        let mut copy = shell.fork();
        copy.fds.set(0, stdin);
        Box::pin(async move { Ok(alone(copy, final_stage).await?) })
    };
    let mut all: Vec<Local<'_, Result<i32, Stop>>> =
        running.into_iter().map(|stage| -> Local<'_, _> { Box::pin(async move { Ok(stage.await?) }) }).collect();
    all.push(end);
    let flows = together(&turns, all).await;
    shell.fds = was;
    let statuses = flows.into_iter().collect::<Result<Vec<i32>, Stop>>()?;
    shell.depth -= 1;
    let failed = statuses.iter().rev().copied().find(|status| *status != 0);
    let status = match shell.options.pipefail {
        true => failed.unwrap_or(0),
        false => statuses[last],
    };
    shell.statuses = statuses;
    Ok(status)
}

/// Runs a command in a shell of its own, which ends with it.
async fn alone(mut shell: Shell, stage: &ast::Command) -> Result<i32, Halt> {
    let flow = command::run(&mut shell, stage).await;
    functions::ended(&mut shell, flow).await
}
