use clap::Args;
use serde_json::json;

use super::Context;
use crate::report::{self, Exit};
use crate::screen;

/// Undo the last call that changed the sandbox, or the last N
#[derive(Debug, Args)]
pub struct Undo {
    /// Number of calls to undo
    #[arg(value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,
}

impl Undo {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let mut sandbox = context.open()?;
        let result = context.tool(&mut sandbox, "sandbox_undo", &json!({ "steps": self.steps }))?;
        report::print(&screen::block(&result.text))?;
        Ok(Exit::Done)
    }
}
