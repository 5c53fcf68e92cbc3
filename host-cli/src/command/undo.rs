use clap::Args;

use super::Context;
use crate::answer;
use crate::approve::Scripted;
use crate::moment::Moment;
use crate::report::{self, Exit};
use crate::screen;

/// Take back the last call that changed the sandbox, or the last N
#[derive(Debug, Args)]
pub struct Undo {
    /// How many calls
    #[arg(value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,
}

impl Undo {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let mut sandbox = context.open()?;
        let undone = answer::enter(&mut sandbox, &mut Scripted::default())?.undo(self.steps, Moment::now().nanos)?;
        let lines: String = undone.calls.iter().map(|call| format!("Undone: {}\n", screen::line(call))).collect();
        report::print(&lines)?;
        Ok(Exit::Done)
    }
}
