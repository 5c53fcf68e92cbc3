use clap::Args;
use gate::id::SandboxId;

use super::Context;
use crate::report::{self, Exit};
use crate::store::Store;

/// Remove a sandbox, with everything in it that was not pushed
#[derive(Debug, Args)]
pub struct Rm {
    /// The sandbox
    #[arg(value_parser = |name: &str| name.parse::<SandboxId>().map_err(|fault| fault.message))]
    name: SandboxId,
}

impl Rm {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let folder = context.home.sandbox(&self.name)?;
        let store = Store::open(&folder)?;
        let _held = store.lock.try_acquire()?;
        context.home.remove(&self.name)?;
        report::print(&format!("Removed {}\n", self.name))?;
        Ok(Exit::Done)
    }
}
