use clap::Args;

use super::Context;
use crate::home::SandboxFile;
use crate::report::{self, Exit};
use crate::screen;

/// List the sandboxes
#[derive(Debug, Args)]
pub struct Ls {}

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
                    let about =
                        format!("{}  {}  {}  {not_sealed}", file.created, file.policy.name(), screen::line(&from));
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
