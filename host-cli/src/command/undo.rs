use std::path::Path;

use clap::Args;
use serde::Deserialize;
use serde_json::json;

use super::Context;
use crate::approve::Talk;
use crate::error::{Doing, ErrorKind, HostError};
use crate::report::{self, Exit};
use crate::sandbox::Sandbox;
use crate::screen;
use crate::terminal::Terminal;

/// What the help ends with.
const EXAMPLES: &str = "\
Examples:
  gitgate undo                         # the last call
  gitgate undo 3";

/// Undo the last call that changed the sandbox, or the last N
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Undo {
    /// Number of calls to undo
    #[arg(value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,
    /// Go back to before a push without asking. What was pushed stays where it is
    #[arg(long)]
    past_push: bool,
}

/// The calls of a sandbox, latest first.
#[derive(Deserialize)]
struct History {
    calls: Vec<PastCall>,
}

#[derive(Deserialize)]
struct PastCall {
    tool: String,
    summary: String,
    undoable: bool,
}

/// Calls that are looked at beside those that can be undone. An undo skips them.
const OTHERS: u32 = 1000;

/// What an undo takes back.
#[derive(Default)]
struct Plan {
    /// The calls, latest first, a line each.
    calls: Vec<String>,
    /// The pushes that have landed since the earliest of them, latest first, a line each.
    pushes: Vec<String>,
}

impl Undo {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let mut sandbox = context.open()?;
        let plan = self.plan(&context, &mut sandbox)?;
        // Of more than there are nothing is undone, so nothing is asked: the tool says how many there are.
        match plan.calls.len() == self.steps as usize {
            true if !plan.pushes.is_empty() && !self.past_push => ensure_past_push(&plan)?,
            true if plan.calls.len() > 1 => ensure_all(&plan)?,
            _ => {}
        }
        let result = context.tool(&mut sandbox, "sandbox_undo", &json!({ "steps": self.steps }))?;
        report::print(&screen::block(&result.text))?;
        Ok(Exit::Done)
    }

    fn plan(&self, context: &Context, sandbox: &mut Sandbox) -> anyhow::Result<Plan> {
        let limit = self.steps.saturating_add(OTHERS);
        let result = context.tool(sandbox, "sandbox_history", &json!({ "limit": limit }))?;
        let history: History = serde_json::from_str(&result.structured)?;
        let mut plan = Plan::default();
        // A push is not undone itself. It lies between only if an undone call is older.
        let mut pushes = Vec::new();
        for call in history.calls {
            match call.undoable {
                true if plan.calls.len() == self.steps as usize => break,
                true => {
                    plan.calls.push(screen::line(&format!("{}: {}", call.tool, call.summary)));
                    plan.pushes.append(&mut pushes);
                }
                false if call.tool == "git_push" => pushes.push(screen::line(&call.summary)),
                false => {}
            }
        }
        Ok(plan)
    }
}

/// Calls that a question names.
const NAMED: usize = 10;

impl Plan {
    /// The calls for a question, a line each.
    fn lines(&self) -> String {
        let named: String = self.calls.iter().take(NAMED).map(|call| format!("  {call}\n")).collect();
        match self.calls.len().checked_sub(NAMED) {
            None | Some(0) => named,
            Some(more) => format!("{named}  … and {more} more\n"),
        }
    }
}

/// Asks whether the person means to undo all these calls. Who is not at a terminal has said the number.
///
/// # Errors
/// If they do not.
fn ensure_all(plan: &Plan) -> anyhow::Result<()> {
    let Some(terminal) = Terminal::open() else { return Ok(()) };
    ensure_yes(terminal, &format!("{}Undo these {} calls? [y]es [n]o ", plan.lines(), plan.calls.len()))
}

/// Asks whether the person means to go back to before these pushes.
///
/// # Errors
/// If they do not, or nobody can be asked.
fn ensure_past_push(plan: &Plan) -> anyhow::Result<()> {
    let what = match plan.pushes.as_slice() {
        [push] => format!("this goes back to before a push: {push}"),
        pushes => format!("this goes back to before {} pushes: {}", pushes.len(), pushes.join("; ")),
    };
    let stays = "What was pushed stays where it is, so the next push there is refused, and says which `gitgate pull --from` brings it back.";
    let Some(terminal) = Terminal::open() else {
        let hint = format!("add --past-push if you mean it. {stays}");
        return Err(HostError::new(ErrorKind::Refused, what).hint(hint).into());
    };
    ensure_yes(terminal, &format!("{}{what}\n{stays}\nUndo it here? [y]es [n]o ", plan.lines()))
}

fn ensure_yes(mut terminal: Terminal, prompt: &str) -> anyhow::Result<()> {
    match terminal.press(prompt).doing("write to", Path::new("/dev/tty"))?.as_deref() {
        Some("y" | "yes") => Ok(()),
        _ => Err(HostError::new(ErrorKind::NotApproved, "nothing was undone")
            .hint("`gitgate history` lists the calls")
            .into()),
    }
}
