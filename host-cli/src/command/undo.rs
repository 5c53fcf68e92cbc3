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

impl Undo {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let mut sandbox = context.open()?;
        if let Some(push) = self.push(&context, &mut sandbox)?.filter(|_| !self.past_push) {
            ensure_meant(&push)?;
        }
        let result = context.tool(&mut sandbox, "sandbox_undo", &json!({ "steps": self.steps }))?;
        report::print(&screen::block(&result.text))?;
        Ok(Exit::Done)
    }

    /// The last push that has landed since the calls that are undone, in one line.
    fn push(&self, context: &Context, sandbox: &mut Sandbox) -> anyhow::Result<Option<String>> {
        let limit = self.steps.saturating_add(OTHERS);
        let result = context.tool(sandbox, "sandbox_history", &json!({ "limit": limit }))?;
        let history: History = serde_json::from_str(&result.structured)?;
        let mut undone = 0;
        let mut push = None;
        for call in history.calls {
            match call.undoable {
                true if undone == self.steps => break,
                true => undone += 1,
                // A call that is not undone lies between only if an undone one is older.
                false if call.tool == "git_push" && push.is_none() => push = Some((undone, call.summary)),
                false => {}
            }
        }
        Ok(push.filter(|(before, _)| *before < undone).map(|(_, summary)| summary))
    }
}

/// Asks whether the person means to go back to before this push.
///
/// # Errors
/// If they do not, or nobody can be asked.
fn ensure_meant(push: &str) -> anyhow::Result<()> {
    let what = format!("this goes back to before a push: {}", screen::line(push));
    let stays =
        "What was pushed stays where it is, so the next push there needs `gitgate pull` first, which brings it back.";
    let Some(mut terminal) = Terminal::open() else {
        let hint = format!("add --past-push if you mean it. {stays}");
        return Err(HostError::new(ErrorKind::Refused, what).hint(hint).into());
    };
    let prompt = format!("{what}\n{stays}\nUndo it here? [y]es [n]o ");
    match terminal.press(&prompt).doing("write to", Path::new("/dev/tty"))?.as_deref() {
        Some("y" | "yes") => Ok(()),
        _ => Err(HostError::new(ErrorKind::NotApproved, "nothing was undone")
            .hint("`gitgate history` lists the calls")
            .into()),
    }
}
