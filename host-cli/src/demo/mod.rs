//! The main job from end to end, on a real repository that is made for it: an agent works in a sandbox, tries what it must not,
//! a person reviews and pushes, and the repository shows what came of it.

mod approver;
mod folder;
mod proof;
mod repository;
mod script;

use std::io::IsTerminal;
use std::path::Path;

use gate::policy::Caller;
use serde_json::{Value, json};

use crate::answer::{Call, Reply};
use crate::approve::{Approver, Prompt, Scripted};
use crate::command::{Context, New, exit};
use crate::error::{ErrorKind, HostError};
use crate::home::Home;
use crate::report::{self, Exit, print};
use crate::sandbox::{Clock, Sandbox, wit};
use crate::screen::{self, status};

/// Plays the demo, and leaves what it made if `keep` says so.
pub fn play(clock: Clock, keep: bool) -> anyhow::Result<Exit> {
    let folder = folder::Folder::make(keep)?;
    let project = folder.path().join("project");
    let context = Context::new(Home::find(Some(folder.path().join("home")))?, "demo".parse()?, clock);

    title("A repository of yours")?;
    let made = repository::make(&project)?;
    print(&format!("  {} on branch main: {made}\n", project.display()))?;

    title("A sandbox, opened from it")?;
    let identity = "Demo Agent <agent@example.org>".parse()?;
    print(&indented(&New::from_local(&project, identity).create(&context)?))?;
    let mut sandbox = context.open()?;

    title("An agent works in the sandbox")?;
    for step in script::WORK {
        agent(&context, &mut sandbox, step)?;
    }

    title("What an agent cannot do")?;
    for step in script::ATTACKS {
        refused(&context, &mut sandbox, step)?;
    }

    title("What came of it")?;
    let state = context.tool(&mut sandbox, "git_status", &json!({}))?;
    print(&indented(&status::screen(&status::read(&state.structured)?)))?;

    title("Nothing leaves before you have seen and approved it")?;
    let before = proof::head(&project)?;
    let exit = push(&context, &mut sandbox)?;
    if exit != Exit::Done {
        return nothing_left(exit);
    }

    title("The repository has it")?;
    print(&indented(&proof::of(&project, before)?))?;
    let exit = conflict(&context, &mut sandbox, &project)?;
    if exit != Exit::Done {
        return nothing_left(exit);
    }
    if keep {
        print(&format!("\nEverything is in {}\n", folder.path().display()))?;
    }
    Ok(Exit::Done)
}

/// Somebody else was faster, and the way out of it.
fn conflict(context: &Context, sandbox: &mut Sandbox, project: &Path) -> anyhow::Result<Exit> {
    title("Meanwhile, you commit to the same branch")?;
    print(&indented(&repository::meanwhile(project)?))?;
    for step in script::MORE {
        agent(context, sandbox, step)?;
    }

    title("A push onto what nobody has seen is refused")?;
    let exit = push(context, sandbox)?;
    if exit != Exit::Conflict {
        return Err(HostError::new(ErrorKind::Component, "the push was not refused").into());
    }

    title("The way out: pull, resolve, stage again")?;
    for step in script::WAY_OUT {
        agent(context, sandbox, step)?;
    }

    title("You approve what came of it")?;
    let before = proof::head(project)?;
    let exit = push(context, sandbox)?;
    if exit == Exit::Done {
        title("The repository has both")?;
        print(&indented(&proof::of(project, before)?))?;
    }
    Ok(exit)
}

/// Pushes the commit that was staged last, and says what came of it.
fn push(context: &Context, sandbox: &mut Sandbox) -> anyhow::Result<Exit> {
    let state = context.tool(sandbox, "git_status", &json!({}))?;
    let id = status::last_staged(&status::read(&state.structured)?)
        .ok_or_else(|| HostError::new(ErrorKind::Component, "the agent staged nothing"))?;
    let call = call("git_push", &json!({ "commitId": id }), Caller::User);
    match context.run(sandbox, &call, &mut *approver())? {
        Reply::Done(Ok(result)) => {
            print(&indented(&result.text))?;
            Ok(exit(&call, &result.structured))
        }
        Reply::Done(Err(error)) => {
            let words = report::tool_error(&error);
            report::error(&words);
            Ok(words.exit)
        }
        Reply::NotApproved(not) => Err(HostError::new(ErrorKind::NotApproved, not.reason).hint(not.hint).into()),
    }
}

fn nothing_left(exit: Exit) -> anyhow::Result<Exit> {
    print("\nNothing has left the sandbox.\n")?;
    Ok(exit)
}

/// A person at the terminal, or else a script that says what it does.
fn approver() -> Box<dyn Approver> {
    if std::io::stdin().is_terminal() && std::io::stderr().is_terminal() {
        Box::new(Prompt::at_terminal())
    } else {
        Box::new(approver::Announced)
    }
}

/// A call of the agent's that succeeds.
fn agent(context: &Context, sandbox: &mut Sandbox, step: &script::Step) -> anyhow::Result<()> {
    match attempt(context, sandbox, step)? {
        Ok(result) => {
            print(&format!("  {}\n{}", shown(step), indented(&indented(&head(&result.text)))))?;
            Ok(())
        }
        Err(error) => Err(report::ToolFailure(error).into()),
    }
}

/// A call of the agent's that must fail.
fn refused(context: &Context, sandbox: &mut Sandbox, step: &script::Step) -> anyhow::Result<()> {
    match attempt(context, sandbox, step)? {
        Ok(_) => Err(HostError::new(ErrorKind::Component, format!("{} was not refused", step.tool)).into()),
        Err(error) => {
            let words = report::tool_error(&error);
            print(&format!("  {}\n    refused ({}): {}\n", shown(step), words.kind, screen::block(&words.message)))?;
            Ok(())
        }
    }
}

fn attempt(
    context: &Context,
    sandbox: &mut Sandbox,
    step: &script::Step,
) -> anyhow::Result<Result<wit::ToolResult, wit::ToolError>> {
    let call = Call { tool: step.tool.to_owned(), arguments: step.arguments.to_owned(), caller: Caller::Agent };
    match context.run(sandbox, &call, &mut Scripted::default())? {
        Reply::Done(outcome) => Ok(outcome),
        Reply::NotApproved(not) => Err(HostError::new(ErrorKind::NotApproved, not.reason).hint(not.hint).into()),
    }
}

fn call(tool: &str, arguments: &Value, caller: Caller) -> Call {
    Call { tool: tool.to_owned(), arguments: arguments.to_string(), caller }
}

fn title(text: &str) -> anyhow::Result<()> {
    print(&format!("\n== {text}\n"))?;
    Ok(())
}

fn shown(step: &script::Step) -> String {
    let arguments = match step.arguments.char_indices().nth(70) {
        Some((end, _)) => format!("{}…", &step.arguments[..end]),
        None => step.arguments.to_owned(),
    };
    format!("> {} {arguments}", step.tool)
}

/// The first lines of a text, and how many more there are.
fn head(text: &str) -> String {
    const LINES: usize = 6;
    let mut out: String = text.lines().take(LINES).map(|line| format!("{line}\n")).collect();
    match text.lines().count().saturating_sub(LINES) {
        0 => {}
        more => out.push_str(&format!("… {more} more lines\n")),
    }
    out
}

fn indented(text: &str) -> String {
    text.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("  {line}\n") }).collect()
}
