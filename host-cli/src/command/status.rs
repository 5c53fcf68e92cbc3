use clap::Args;
use gate::forge::{Checks, Standing};
use host::answer::Looking;
use serde_json::{Value, json};

use super::Context;
use crate::driver;
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
        let looking = Looking::at(&sandbox)?;
        if self.json {
            let status: Value = serde_json::from_str(&result.structured).expect("a result is JSON");
            let file = &sandbox.file;
            let printed = json!({
                "sandbox": context.name.as_str(),
                "from": file.targets.first(),
                "onDisk": file.on_disk,
                "waiting": count,
                "pullRequest": looking.and_then(|looking| standing(looking, &context)).map(in_json),
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
        // Behind all that is known here: the server takes its time, and may be out of reach.
        if let Some(standing) = looking.and_then(|looking| standing(looking, &context)) {
            report::print(&format!("\n{}\n", in_words(&standing)))?;
        }
        Ok(Exit::Done)
    }
}

/// How the pull request of the sandbox's branch stands. That nobody can say is no error.
fn standing(looking: Looking, context: &Context) -> Option<Standing> {
    driver::look(looking, &*context.servers).unwrap_or_else(|error| {
        report::note(&format!("how the pull request stands is not known: {error}"));
        None
    })
}

/// `Pull request 7: open, checks pass: https://…`
fn in_words(Standing { number, address, progress, checks }: &Standing) -> String {
    let checks = checks.map_or_else(String::new, |checks| format!(", checks {}", checks.word()));
    format!("Pull request {number}: {}{checks}: {}", progress.word(), screen::line(address))
}

fn in_json(Standing { number, address, progress, checks }: Standing) -> Value {
    json!({ "number": number, "address": address, "state": progress.word(), "checks": checks.map(Checks::word) })
}
