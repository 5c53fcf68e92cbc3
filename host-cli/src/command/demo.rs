use clap::Args;

use super::Context;
use crate::demo;
use crate::report::Exit;

/// Play the main job on a repository made for it: an agent works, you review and push
#[derive(Debug, Args)]
pub struct Demo {
    /// Leave the repository and the sandbox behind, to look at
    #[arg(long)]
    keep: bool,
}

impl Demo {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        demo::play(context.clock, self.keep)
    }
}
