use clap::Args;
use serde_json::{Value, json};

use super::Context;
use crate::report::{self, Exit};
use crate::screen::{self, status};

/// What the help ends with.
const EXAMPLES: &str = "\
Examples:
  gitgate status
  gitgate -s docs status --json";

/// Show what has changed in the sandbox and which commits are proposed
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Status {
    /// Print it as JSON
    #[arg(long)]
    pub json: bool,
}

impl Status {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let mut sandbox = context.open()?;
        let result = context.tool(&mut sandbox, "git_status", &json!({}))?;
        let state = status::read(&result.structured)?;
        let count = context.waiting(&context.name)?.len();
        if self.json {
            let status: Value = serde_json::from_str(&result.structured).expect("a result is JSON");
            let file = &sandbox.file;
            let printed = json!({
                "sandbox": context.name.as_str(),
                "from": file.targets.first(),
                "onDisk": file.on_disk,
                "waiting": count,
                "status": status,
            });
            report::print(&format!("{printed}\n"))?;
            return Ok(Exit::Done);
        }
        let from = sandbox.file.targets.first().map(String::as_str);
        let whereabouts = status::whereabouts(context.name.as_str(), from, &state);
        let screen = status::screen(&state);
        let not_sealed = sandbox.file.on_disk.as_deref().map(screen::not_sealed).unwrap_or_default();
        let waiting = screen::hint::waiting(count, Some(context.name.as_str()));
        let waiting = waiting.map_or_else(String::new, |words| format!("\n{words}\n"));
        report::print(&format!("{whereabouts}{not_sealed}{screen}{waiting}"))?;
        Ok(Exit::Done)
    }
}
