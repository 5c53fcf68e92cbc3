//! Compound commands: groups, subshells, conditions, loops.

use brush_parser::ast;

use super::{Ended, Flow, Stop, condition, functions, list, select, settled};
use crate::expand::{self, arithmetic};
use crate::state::Shell;

/// Runs a compound command.
pub async fn run(shell: &mut Shell, command: &ast::CompoundCommand) -> Flow {
    use ast::CompoundCommand as Compound;
    match command {
        Compound::BraceGroup(group) => list(shell, &group.list).await,
        Compound::Subshell(subshell) => {
            let mut copy = shell.fork();
            let flow = list(&mut copy, &subshell.list).await;
            Ok(functions::ended(&mut copy, flow).await?)
        }
        Compound::IfClause(clause) => {
            if condition(shell, &clause.condition).await? == 0 {
                return list(shell, &clause.then).await;
            }
            for other in clause.elses.iter().flatten() {
                let holds = match &other.condition {
                    Some(commands) => condition(shell, commands).await? == 0,
                    None => true,
                };
                if holds {
                    return list(shell, &other.body).await;
                }
            }
            Ok(0)
        }
        Compound::WhileClause(clause) => repeated(shell, clause, true).await,
        Compound::UntilClause(clause) => repeated(shell, clause, false).await,
        Compound::ForClause(clause) => for_each(shell, clause).await,
        Compound::ArithmeticForClause(clause) => counted(shell, clause).await,
        Compound::CaseClause(clause) => case(shell, clause).await,
        Compound::Arithmetic(command) => {
            shell.line = shell.place.above + command.loc.start.line;
            let value = arithmetic::run(shell, &command.expr.value).await;
            settled(shell, value.map(|value| i32::from(value == 0))).await
        }
        Compound::Coprocess(_) => {
            shell.complain("coproc: there are no jobs in the background here").await?;
            Ok(127)
        }
    }
}

/// What a loop does after its body.
pub enum Next {
    /// The next round.
    Round(i32),
    /// It ends.
    End(i32),
}

/// Runs the body of a loop once.
pub async fn round(shell: &mut Shell, body: &ast::CompoundList) -> Result<Next, Stop> {
    shell.loops += 1;
    let flow = list(shell, body).await;
    shell.loops = shell.loops.saturating_sub(1);
    match flow {
        Ok(status) => Ok(Next::Round(status)),
        // Both succeed.
        Err(Stop::Break(1)) => Ok(Next::End(0)),
        Err(Stop::Continue(1)) => Ok(Next::Round(0)),
        Err(Stop::Break(count)) => Err(Stop::Break(count - 1)),
        Err(Stop::Continue(count)) => Err(Stop::Continue(count - 1)),
        Err(stop) => Err(stop),
    }
}

async fn repeated(shell: &mut Shell, clause: &ast::WhileOrUntilClauseCommand, wanted: bool) -> Flow {
    let ast::WhileOrUntilClauseCommand(commands, body, _) = clause;
    let depth = shell.depth;
    let mut status = 0;
    loop {
        shell.work(1)?;
        shell.depth = depth;
        shell.loops += 1;
        let holds = condition(shell, commands).await;
        shell.loops -= 1;
        let holds = match holds {
            Err(Stop::Break(1)) => return Ok(0),
            Err(Stop::Continue(1)) => continue,
            Err(Stop::Break(count)) => return Err(Stop::Break(count - 1)),
            Err(Stop::Continue(count)) => return Err(Stop::Continue(count - 1)),
            holds => holds? == 0,
        };
        if holds != wanted {
            shell.depth = depth;
            return Ok(status);
        }
        match round(shell, &body.list).await? {
            Next::Round(now) => status = now,
            Next::End(now) => {
                shell.depth = depth;
                return Ok(now);
            }
        }
    }
}

async fn for_each(shell: &mut Shell, clause: &ast::ForClauseCommand) -> Flow {
    if let Some(name) = clause.variable_name.strip_prefix(select::MARK) {
        return Box::pin(select::run(shell, clause, name)).await;
    }
    shell.line = shell.place.above + clause.loc.start.line;
    let values = match &clause.values {
        None => shell.args.to_vec(),
        Some(words) => match expand::all(shell, words).await {
            Ok(values) => values,
            Err(ended) => return settled(shell, Err(ended)).await,
        },
    };
    let depth = shell.depth;
    let mut status = 0;
    for value in values {
        shell.depth = depth;
        if let Err(ended) = shell.set(&clause.variable_name, value) {
            return settled(shell, Err(ended)).await;
        }
        match round(shell, &clause.body.list).await? {
            Next::Round(now) => status = now,
            Next::End(now) => {
                status = now;
                break;
            }
        }
    }
    shell.depth = depth;
    Ok(status)
}

async fn counted(shell: &mut Shell, clause: &ast::ArithmeticForClauseCommand) -> Flow {
    shell.line = shell.place.above + clause.loc.start.line;
    let depth = shell.depth;
    let mut status = 0;
    if let Err(ended) = part(shell, clause.initializer.as_ref()).await {
        return settled(shell, Err(ended)).await;
    }
    loop {
        shell.work(1)?;
        shell.depth = depth;
        match part(shell, clause.condition.as_ref()).await {
            Ok(Some(0)) => return Ok(status),
            Ok(_) => (),
            Err(ended) => return settled(shell, Err(ended)).await,
        }
        match round(shell, &clause.body.list).await? {
            Next::Round(now) => status = now,
            Next::End(now) => {
                shell.depth = depth;
                return Ok(now);
            }
        }
        if let Err(ended) = part(shell, clause.updater.as_ref()).await {
            return settled(shell, Err(ended)).await;
        }
    }
}

/// One of the three expressions of a loop. None if it is empty.
async fn part(shell: &mut Shell, expr: Option<&ast::UnexpandedArithmeticExpr>) -> Result<Option<i64>, Ended> {
    match expr {
        Some(expr) if !expr.value.trim().is_empty() => Ok(Some(arithmetic::run(shell, &expr.value).await?)),
        _ => Ok(None),
    }
}

async fn case(shell: &mut Shell, clause: &ast::CaseClauseCommand) -> Flow {
    shell.line = shell.place.above + clause.loc.start.line;
    let value = match expand::text(shell, &clause.value).await {
        Ok(value) => value,
        Err(ended) => return settled(shell, Err(ended)).await,
    };
    let mut status = 0;
    let mut falls_through = false;
    for item in &clause.cases {
        let mut takes = falls_through;
        for pattern in &item.patterns {
            if takes {
                break;
            }
            let pattern = match expand::pattern(shell, pattern).await {
                Ok(pattern) => pattern,
                Err(ended) => return settled(shell, Err(ended)).await,
            };
            takes = pattern.ignoring_case(shell.options.nocasematch).matches(&value);
        }
        if !takes {
            continue;
        }
        if let Some(commands) = &item.cmd {
            status = list(shell, commands).await?;
        } else {
            status = 0;
        }
        match item.post_action {
            ast::CaseItemPostAction::ExitCase => return Ok(status),
            ast::CaseItemPostAction::UnconditionallyExecuteNextCaseItem => falls_through = true,
            ast::CaseItemPostAction::ContinueEvaluatingCases => falls_through = false,
        }
    }
    Ok(status)
}
