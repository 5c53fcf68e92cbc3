use clap::Args;
use serde_json::json;

use super::Context;
use crate::report::{self, Exit};
use crate::screen;

/// Show the calls that have changed the sandbox, latest first
#[derive(Debug, Args)]
pub struct History {
    /// How many calls
    #[arg(value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
}

impl History {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let mut sandbox = context.open()?;
        let result = context.tool(&mut sandbox, "sandbox_history", &json!({ "limit": self.limit }))?;
        // A call is a line; what comes after an empty one is for those who cannot ask for more.
        let calls = result.text.lines().take_while(|line| !line.is_empty());
        let mut shown: String = calls.map(|line| format!("{}\n", screen::line(line))).collect();
        if result.truncated {
            shown.push_str(&format!("... and earlier ones: gitgate history {}\n", self.limit.saturating_mul(2)));
        }
        report::print(&shown)?;
        Ok(Exit::Done)
    }
}
