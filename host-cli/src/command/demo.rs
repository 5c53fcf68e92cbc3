use clap::Args;

use super::Context;
use crate::demo;
use crate::report::Exit;

/// Play a session on a demo repository: an agent works, you review and push
#[derive(Debug, Args)]
pub struct Demo {
    /// Keep the repository and the sandbox for a look afterwards
    #[arg(long)]
    keep: bool,
}

impl Demo {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        demo::play(context.clock, self.keep)
    }
}
