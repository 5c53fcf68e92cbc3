use clap::Args;
use serde_json::json;

use super::Context;
use crate::report::{self, Exit};
use crate::screen::status;

/// Show what has changed in the sandbox, and what is staged
#[derive(Debug, Args)]
pub struct Status {}

impl Status {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let mut sandbox = context.open()?;
        let result = context.tool(&mut sandbox, "git_status", &json!({}))?;
        report::print(&status::screen(&status::read(&result.structured)?))?;
        Ok(Exit::Done)
    }
}
