use std::rc::Rc;

use clap::Args;
use gate::id::SandboxId;
use serde_json::json;

use super::Context;
use crate::report::{self, Exit};
use crate::sandbox::{self, Runtime};
use crate::screen::{self, status};
use crate::store;

/// List the sandboxes
#[derive(Debug, Args)]
pub struct Ls {}

/// How many calls wait for the person in a sandbox, if any does. A sandbox that cannot be looked at
/// says so where it is opened.
fn waiting(context: &Context, name: &SandboxId) -> String {
    let count = context.waiting(name).map_or(0, |waiting| waiting.len());
    screen::hint::waiting(count).map_or_else(String::new, |words| format!("{words}  "))
}

/// The files of a sandbox that have the markers of a merge.
fn conflicts(context: &Context, name: &SandboxId, runtime: Rc<Runtime>) -> anyhow::Result<Option<String>> {
    let context = context.of(name.clone());
    let config = context.config()?;
    let mut sandbox = sandbox::open(&context.home.sandbox(name)?, config.tools(), runtime)?;
    // Nobody waits for a list until another process is done.
    sandbox.try_lock()?;
    let result = context.tool(&mut sandbox, "git_status", &json!({}))?;
    Ok(status::conflicts(&status::read(&result.structured)?))
}

impl Ls {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let names = context.home.sandboxes()?;
        let width = names.iter().map(|name| name.as_str().len()).max().unwrap_or_default();
        let runtime = if names.is_empty() { None } else { Some(context.runtime()?) };
        let mut out = String::new();
        for name in &names {
            let about = match store::settings(&context.home.sandbox(name)?) {
                Ok(file) => {
                    let from = if file.targets.is_empty() { "no target".to_owned() } else { file.targets.join(", ") };
                    let not_sealed = file.on_disk.as_deref().map(screen::not_sealed).unwrap_or_default();
                    let waiting = waiting(&context, name);
                    let policy = file.policy.name();
                    let about = format!("{}  {policy}  {}  {waiting}{not_sealed}", file.created, screen::line(&from));
                    about.trim_end().to_owned()
                }
                Err(error) => format!("damaged: {}", screen::line(&error.message)),
            };
            out.push_str(&format!("{name:width$}  {about}\n", name = name.as_str()));
            // A sandbox that cannot be opened says so where it is used.
            let found = runtime.clone().and_then(|runtime| conflicts(&context, name, runtime).ok().flatten());
            context.clock.ensure_wanted()?;
            if let Some(conflicts) = found {
                out.push_str(&format!("{:width$}  {conflicts}\n", ""));
            }
        }
        report::print(&out)?;
        Ok(Exit::Done)
    }
}
