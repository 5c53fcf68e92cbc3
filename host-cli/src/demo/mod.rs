//! Plays a session on a real repository made for it: an agent works in a sandbox and tries what it
//! must not, a person reviews and pushes, and the repository shows the result.

mod approver;
mod folder;
mod proof;
mod repository;
mod script;

use std::path::Path;

use gate::policy::Caller;
use host::answer::{Call, Reply};
use serde_json::{Value, json};

use crate::approve::{Approver, Prompt, Scripted};
use crate::command::{Context, New, exit};
use crate::error::{Doing, ErrorKind, HostError};
use crate::home::Home;
use crate::report::{self, Exit, print};
use crate::sandbox::{Clock, Sandbox, wit};
use crate::screen::{self, status};
use crate::store::disk;
use crate::terminal::Terminal;

/// Plays the demo. Keeps its repository and sandbox if `keep` is set.
pub fn play(clock: Clock, keep: bool) -> anyhow::Result<Exit> {
    let folder = folder::Folder::make(keep)?;
    let project = folder.path().join("project");
    let home = folder.path().join("home");
    disk::private_folder(&home).doing("make", &home)?;
    let settings = home.join("gitgate.toml");
    std::fs::write(&settings, "[tools.tasks]\nenabled = true\n").doing("write", &settings)?;
    let context = Context::new(Home::find(Some(home))?, Some("demo".parse()?), clock);

    title("Your repository")?;
    let made = repository::make(&project)?;
    print(&format!("  {} on branch main: {made}\n", project.display()))?;

    title("A sandbox created from it")?;
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

    title("The result")?;
    let state = context.tool(&mut sandbox, "git_status", &json!({}))?;
    print(&indented(&status::screen(&status::read(&state.structured)?)))?;

    title("You comment on it, and ask for changes: in a review with c and R, here by the demo itself")?;
    commented(&context, &mut sandbox)?;

    title("Nothing leaves until you have looked at what is new and approved it")?;
    let before = proof::head(&project)?;
    let exit = push(&context, &mut sandbox, &mut *approver())?;
    if exit != Exit::Done {
        return nothing_left(exit);
    }

    title("The repository has the commit")?;
    print(&indented(&proof::of(&project, before)?))?;
    for act in [conflict, task] {
        let exit = act(&context, &mut sandbox, &project)?;
        if exit != Exit::Done {
            return nothing_left(exit);
        }
    }
    if keep {
        print(&format!("\nEverything is in {}\n", folder.path().display()))?;
    }
    Ok(Exit::Done)
}

/// Plays a comment of the person's, and how the agent reads, mends and answers it.
fn commented(context: &Context, sandbox: &mut Sandbox) -> anyhow::Result<()> {
    if push(context, sandbox, &mut approver::Commenting)? != Exit::NotApproved {
        return Err(HostError::new(ErrorKind::Component, "the push was not commented on").into());
    }
    title("The agent reads the comment, mends what it is about, and answers")?;
    let read = Call::new("git_review", "{}".to_owned(), Caller::Agent);
    let review = made(context, sandbox, &read)?;
    print(&format!("  > git_review\n{}", indented(&indented(&review.text))))?;
    for step in script::MENDED {
        agent(context, sandbox, step)?;
    }
    let listed: Value = serde_json::from_str(&review.structured)?;
    let answers = json!({ "answers": [{ "id": listed["comments"][0]["id"], "text": "It is tested now" }] });
    made(context, sandbox, &call("git_review", &answers, Caller::Agent))?;
    print("  > git_review: It is tested now\n")?;
    Ok(())
}

/// Plays a conflict with a commit of the person's, and how the agent resolves it.
fn conflict(context: &Context, sandbox: &mut Sandbox, project: &Path) -> anyhow::Result<Exit> {
    title("Meanwhile, you commit to the same branch")?;
    print(&indented(&repository::meanwhile(project)?))?;
    for step in script::MORE {
        agent(context, sandbox, step)?;
    }

    title("A push to a branch that has moved is refused")?;
    let exit = push(context, sandbox, &mut *approver())?;
    if exit != Exit::Conflict {
        return Err(HostError::new(ErrorKind::Component, "the push was not refused").into());
    }

    title("Pull, resolve, stage again")?;
    for step in script::WAY_OUT {
        agent(context, sandbox, step)?;
    }

    title("You approve the result")?;
    let before = proof::head(project)?;
    let exit = push(context, sandbox, &mut *approver())?;
    if exit == Exit::Done {
        title("The repository has both commits")?;
        print(&indented(&proof::of(project, before)?))?;
    }
    Ok(exit)
}

/// Plays a task that fails, is tried again with its lesson, and completes. Its state is in the commits.
fn task(context: &Context, sandbox: &mut Sandbox, project: &Path) -> anyhow::Result<Exit> {
    title("A task fails, is tried again with its lesson, and completes")?;
    for step in script::TASK {
        agent(context, sandbox, step)?;
    }

    title("You approve its records")?;
    let before = proof::head(project)?;
    let exit = push(context, sandbox, &mut *approver())?;
    if exit == Exit::Done {
        title("The repository has the task's state in its history")?;
        print(&indented(&proof::of(project, before)?))?;
    }
    Ok(exit)
}

/// Pushes the last staged commit and prints the result.
fn push(context: &Context, sandbox: &mut Sandbox, approver: &mut dyn Approver) -> anyhow::Result<Exit> {
    let state = context.tool(sandbox, "git_status", &json!({}))?;
    let id = status::last_staged(&status::read(&state.structured)?)
        .ok_or_else(|| HostError::new(ErrorKind::Component, "the agent staged nothing"))?;
    let call = call("git_push", &json!({ "commitId": id }), Caller::User);
    match context.run(sandbox, &call, approver)? {
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

/// A person at the terminal, or else a stand-in that says what it does.
fn approver() -> Box<dyn Approver> {
    match Terminal::open() {
        Some(terminal) => Box::new(Prompt::new(terminal)),
        None => Box::new(approver::Announced),
    }
}

/// Makes a call as the agent. It must succeed.
fn agent(context: &Context, sandbox: &mut Sandbox, step: &script::Step) -> anyhow::Result<()> {
    match attempt(context, sandbox, step)? {
        Ok(result) => {
            print(&format!("  {}\n{}", command_line(step), indented(&indented(&head(&result.text)))))?;
            Ok(())
        }
        Err(error) => Err(report::ToolFailure(error).into()),
    }
}

/// Makes a call as the agent. It must fail.
fn refused(context: &Context, sandbox: &mut Sandbox, step: &script::Step) -> anyhow::Result<()> {
    match attempt(context, sandbox, step)? {
        // A script that has failed has a result, as in any shell.
        Ok(result) if result.text.contains("[exit code ") => {
            print(&format!("  {}\n{}", command_line(step), indented(&indented(&head(&result.text)))))?;
            Ok(())
        }
        Ok(_) => Err(HostError::new(ErrorKind::Component, format!("{} was not refused", step.tool)).into()),
        Err(error) => {
            let words = report::tool_error(&error);
            print(&format!(
                "  {}\n    refused ({}): {}\n",
                command_line(step),
                words.said.kind,
                screen::block(&words.said.message)
            ))?;
            Ok(())
        }
    }
}

fn attempt(
    context: &Context,
    sandbox: &mut Sandbox,
    step: &script::Step,
) -> anyhow::Result<Result<wit::ToolResult, wit::ToolError>> {
    answered(context, sandbox, &Call::new(step.tool, step.arguments.to_owned(), Caller::Agent))
}

/// Makes a call. It must succeed.
fn made(context: &Context, sandbox: &mut Sandbox, call: &Call) -> anyhow::Result<wit::ToolResult> {
    answered(context, sandbox, call)?.map_err(|error| report::ToolFailure(error).into())
}

fn answered(
    context: &Context,
    sandbox: &mut Sandbox,
    call: &Call,
) -> anyhow::Result<Result<wit::ToolResult, wit::ToolError>> {
    match context.run(sandbox, call, &mut Scripted::default())? {
        Reply::Done(outcome) => Ok(outcome),
        Reply::NotApproved(not) => Err(HostError::new(ErrorKind::NotApproved, not.reason).hint(not.hint).into()),
    }
}

fn call(tool: &str, arguments: &Value, caller: Caller) -> Call {
    Call::new(tool, arguments.to_string(), caller)
}

fn title(text: &str) -> anyhow::Result<()> {
    print(&format!("\n== {text}\n"))?;
    Ok(())
}

fn command_line(step: &script::Step) -> String {
    if step.tool == "bash" {
        let arguments: Value = serde_json::from_str(step.arguments).expect("the script is JSON");
        return format!("$ {}", arguments["command"].as_str().unwrap_or_default());
    }
    let arguments = match step.arguments.char_indices().nth(70) {
        Some((end, _)) => format!("{}…", &step.arguments[..end]),
        None => step.arguments.to_owned(),
    };
    format!("> {} {arguments}", step.tool)
}

/// The first lines of a text and the number of lines left.
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
