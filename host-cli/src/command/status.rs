use clap::Args;
use serde_json::json;

use super::Context;
use crate::report::{self, Exit};
use crate::screen::{self, status};

/// Show what has changed in the sandbox and what is staged
#[derive(Debug, Args)]
pub struct Status {}

impl Status {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let mut sandbox = context.open()?;
        let result = context.tool(&mut sandbox, "git_status", &json!({}))?;
        let screen = status::screen(&status::read(&result.structured)?);
        let not_sealed = sandbox.file.on_disk.as_deref().map(screen::not_sealed).unwrap_or_default();
        let waiting = screen::hint::waiting(context.waiting(&context.name)?.len());
        let waiting = waiting.map_or_else(String::new, |words| format!("\n{words}\n"));
        report::print(&format!("{not_sealed}{screen}{waiting}"))?;
        Ok(Exit::Done)
    }
}
