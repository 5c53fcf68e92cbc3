use clap::Args;
use serde_json::json;

use super::Context;
use crate::report::{self, Exit};
use crate::screen;

/// Show the calls that have changed the sandbox, latest first
#[derive(Debug, Args)]
pub struct History {}

impl History {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let mut sandbox = context.open()?;
        let result = context.tool(&mut sandbox, "sandbox_history", &json!({}))?;
        report::print(&screen::block(&result.text))?;
        Ok(Exit::Done)
    }
}
