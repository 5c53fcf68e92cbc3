use clap::Args;
use serde_json::json;

use super::Context;
use crate::report::{self, Exit};
use crate::screen;

/// Show the calls that have changed the sandbox, latest first
#[derive(Debug, Args)]
pub struct History {
    /// Number of calls to show
    #[arg(value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Print them as JSON
    #[arg(long)]
    pub json: bool,
}

impl History {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let mut sandbox = context.open()?;
        let result = context.tool(&mut sandbox, "sandbox_history", &json!({ "limit": self.limit }))?;
        if self.json {
            report::print(&format!("{}\n", result.structured))?;
            return Ok(Exit::Done);
        }
        // Each call is one line. What follows the empty line tells agents how to see more.
        let calls = result.text.lines().take_while(|line| !line.is_empty());
        let times = screen::times_of_output();
        let mut shown: String = calls.map(|line| times.of_line(line) + "\n").collect();
        if result.truncated {
            shown.push_str(&format!("... earlier calls: gitgate history {}\n", self.limit.saturating_mul(2)));
        }
        report::print(&shown)?;
        Ok(Exit::Done)
    }
}
