use clap::Args;
use gate::id::SandboxId;

use super::Context;
use crate::home::SandboxFile;
use crate::report::{self, Exit};
use crate::screen;

/// List the sandboxes
#[derive(Debug, Args)]
pub struct Ls {}

/// How many calls wait for the person in a sandbox, if any does. A sandbox that cannot be looked at
/// says so where it is opened.
fn waiting(context: &Context, name: &SandboxId) -> String {
    let count = context.waiting(name).map_or(0, |waiting| waiting.len());
    screen::status::waiting(count).map_or_else(String::new, |words| format!("{words}  "))
}

impl Ls {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let names = context.home.sandboxes()?;
        let width = names.iter().map(|name| name.as_str().len()).max().unwrap_or_default();
        let mut out = String::new();
        for name in &names {
            let about = match SandboxFile::read(&context.home.sandbox(name)?) {
                Ok(file) => {
                    let from = if file.targets.is_empty() { "no target".to_owned() } else { file.targets.join(", ") };
                    let not_sealed = file.on_disk.as_deref().map(screen::not_sealed).unwrap_or_default();
                    let waiting = waiting(&context, name);
                    let about = format!(
                        "{}  {}  {}  {waiting}{not_sealed}",
                        file.created,
                        file.policy.name(),
                        screen::line(&from)
                    );
                    about.trim_end().to_owned()
                }
                Err(error) => format!("damaged: {}", screen::line(&error.message)),
            };
            out.push_str(&format!("{name:width$}  {about}\n", name = name.as_str()));
        }
        report::print(&out)?;
        Ok(Exit::Done)
    }
}
