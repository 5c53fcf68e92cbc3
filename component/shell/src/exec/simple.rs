//! Simple commands: assignments, redirections, words.

use brush_parser::ast;
use bstr::{BString, ByteSlice};

use super::assign::{Assigned, assign, expanded};
use super::call::Operand;
use super::{BROKEN, Call, Ended, Flow, Found, Stop, find, function, redirect, settled};
use crate::expand;
use crate::state::Shell;
use crate::value::Variable;

/// A command whose words are expanded.
#[derive(Default)]
struct Ready {
    words: Vec<BString>,
    operands: Vec<Operand>,
    assigned: Vec<Assigned>,
}

/// Commands that read assignments among their arguments as such.
const DECLARES: &[&str] = &["declare", "export", "local", "readonly", "typeset"];

/// Runs a simple command.
pub async fn run(shell: &mut Shell, command: &ast::SimpleCommand) -> Flow {
    if let Some(location) = command.word_or_name.as_ref().and_then(|word| word.loc.as_ref()) {
        shell.line = shell.place.above + location.start.line;
    } else if let Some(location) = items(command).find_map(located) {
        shell.line = shell.place.above + location;
    }
    if shell.command.is_some() && !shell.in_trap {
        shell.command = Some(command.to_string().trim_end().into());
    }
    shell.work(1)?;
    shell.substituted = None;
    let (was, later) = (shell.fds.clone(), shell.later.len());
    let flow = match prepared(shell, command).await {
        Ok(ready) => ran(shell, command, ready).await,
        Err(ended) => Err(ended),
    };
    let flow = match flow {
        Ok(Done::Keeps(status)) => return Ok(status),
        Ok(Done::Status(status)) => Ok(status),
        Err(ended) => Err(ended),
    };
    shell.fds = was;
    let flow = settled(shell, flow).await;
    match redirect::read_substituted(shell, later).await {
        Ok(()) => flow,
        Err(ended) => flow.and(settled(shell, Err(ended)).await),
    }
}

enum Done {
    Status(i32),
    /// What it has opened stays open.
    Keeps(i32),
}

/// All items of a command but its first word.
fn items(command: &ast::SimpleCommand) -> impl Iterator<Item = &ast::CommandPrefixOrSuffixItem> {
    let prefix = command.prefix.iter().flat_map(|prefix| &prefix.0);
    prefix.chain(command.suffix.iter().flat_map(|suffix| &suffix.0))
}

/// The line of an assignment.
fn located(item: &ast::CommandPrefixOrSuffixItem) -> Option<usize> {
    match item {
        ast::CommandPrefixOrSuffixItem::AssignmentWord(assignment, _) => Some(assignment.loc.start.line),
        _ => None,
    }
}

async fn prepared(shell: &mut Shell, command: &ast::SimpleCommand) -> Result<Ready, Ended> {
    let mut ready = Ready::default();
    if let Some(word) = &command.word_or_name {
        ready.words = expand::all(shell, std::slice::from_ref(word)).await?;
    }
    let declares = ready.words.first().is_some_and(|name| DECLARES.iter().any(|declares| name == declares));
    for item in command.suffix.iter().flat_map(|suffix| &suffix.0) {
        use ast::CommandPrefixOrSuffixItem as Item;
        match item {
            Item::IoRedirect(_) => (),
            Item::AssignmentWord(assignment, _) if declares => {
                ready.operands.push(Operand::Assigned(expanded(shell, assignment).await?));
            }
            Item::Word(word) | Item::AssignmentWord(_, word) => {
                let fields = expand::all(shell, std::slice::from_ref(word)).await?;
                if declares {
                    ready.operands.extend(fields.iter().cloned().map(Operand::Word));
                }
                ready.words.extend(fields);
            }
            Item::ProcessSubstitution(direction, commands) => {
                ready.words.push(redirect::substituted(shell, direction, commands).await?);
            }
        }
    }
    for item in command.prefix.iter().flat_map(|prefix| &prefix.0) {
        if let ast::CommandPrefixOrSuffixItem::AssignmentWord(assignment, _) = item {
            // What one assigns, the next one sees.
            let assigned = expanded(shell, assignment).await?;
            if ready.words.is_empty() {
                assign(shell, &assigned).await?;
            }
            ready.assigned.push(assigned);
        }
    }
    Ok(ready)
}

async fn ran(shell: &mut Shell, command: &ast::SimpleCommand, ready: Ready) -> Result<Done, Ended> {
    let Ready { mut words, operands, assigned } = ready;
    if shell.options.xtrace {
        trace(shell, &words, &assigned).await?;
    }
    let redirects = items(command).filter_map(|item| match item {
        ast::CommandPrefixOrSuffixItem::IoRedirect(redirect) => Some(redirect),
        _ => None,
    });
    redirect::apply(shell, redirects).await?;
    if words.is_empty() {
        return Ok(Done::Status(shell.substituted.unwrap_or(0)));
    }
    if words[0] == "exec" && words.len() == 1 {
        return Ok(Done::Keeps(0));
    }
    let name = words.remove(0).to_string();
    let hidden = hide(shell, &assigned).await?;
    shell.last = words.last().cloned().unwrap_or_else(|| name.as_str().into());
    let ended = called(shell, &name, words, operands).await;
    for (name, was) in hidden.into_iter().rev() {
        match was {
            Some(was) => *shell.vars.entry(&name) = was,
            None => shell.vars.remove(&name),
        }
    }
    ended.map(Done::Status)
}

/// Makes assignments for one command. Returns what was there before.
async fn hide(shell: &mut Shell, assigned: &[Assigned]) -> Result<Vec<(String, Option<Variable>)>, Ended> {
    let mut hidden = Vec::new();
    for one in assigned {
        hidden.push((one.name.clone(), shell.vars.itself(&one.name).cloned()));
        assign(shell, one).await?;
        shell.vars.entry(&one.name).exported = true;
    }
    Ok(hidden)
}

async fn called(shell: &mut Shell, name: &str, args: Vec<BString>, operands: Vec<Operand>) -> Result<i32, Ended> {
    match find(shell, name) {
        Found::Function(body) => Ok(function(shell, name, &body, args).await?),
        found @ (Found::Builtin(run) | Found::Command(run)) => {
            let is_own = matches!(found, Found::Builtin(_));
            let mut call = Call::new(shell, name, args, operands);
            let ended = run(&mut call).await;
            match call.finish(ended).await {
                // SIGPIPE ends a program, and for a command of its own the shell.
                Err(Ended::Broken) if is_own => Err(Stop::Exit(BROKEN).into()),
                ended => ended,
            }
        }
        Found::Program => Ok(super::call::program(shell, name, args).await?),
        Found::Script(path) => Ok(super::call::script(shell, name, path, args).await?),
        Found::Nothing(message, status) => Err(said(shell, &message, status).await),
    }
}

async fn said(shell: &Shell, message: &str, status: i32) -> Ended {
    match shell.complain(message).await {
        Ok(()) => Ended::Status(status),
        Err(stop) => Ended::Stop(stop),
    }
}

/// Prints a command before it runs.
async fn trace(shell: &Shell, words: &[BString], assigned: &[Assigned]) -> Result<(), Stop> {
    let mut line = "+".repeat(1 + shell.subshell.min(20) as usize).into_bytes();
    for one in assigned {
        if let super::assign::New::Text(text) = &one.value {
            line.extend_from_slice(format!(" {}=", one.name).as_bytes());
            line.extend_from_slice(&expand::quote::traced(text));
        }
    }
    for word in words {
        line.push(b' ');
        line.extend_from_slice(&expand::quote::traced(word.as_bytes()));
    }
    line.push(b'\n');
    match shell.fds.sink(2).write(&line).await {
        Err(crate::io::Unwritten::Halt(halt)) => Err(halt.into()),
        _ => Ok(()),
    }
}
