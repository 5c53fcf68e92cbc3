use clap::Args;
use gate::id::SandboxId;

use super::Context;
use crate::error::{ErrorKind, HostError};
use crate::report::{self, Exit};
use crate::store::Store;

/// Remove a sandbox, with everything in it that was not pushed
#[derive(Debug, Args)]
pub struct Rm {
    /// The sandbox
    #[arg(value_parser = |name: &str| name.parse::<SandboxId>().map_err(|fault| fault.message))]
    name: SandboxId,
    /// Even if a push was cut off that cannot be settled, and its repository may be left between before and after
    #[arg(long)]
    force: bool,
}

impl Rm {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let folder = context.home.folder(&self.name)?;
        let store = Store::open(&folder)?;
        let _held = store.lock.try_acquire()?;
        if !self.force {
            ensure_settled(&store)?;
        }
        context.home.remove(&self.name)?;
        report::print(&format!("Removed {}\n", self.name))?;
        Ok(Exit::Done)
    }
}

/// The ledger is the only record of how a target is brought to one of the two ends of a push. What could be settled has
/// been, at the start of this process.
fn ensure_settled(store: &Store) -> Result<(), HostError> {
    let ledger = store.ledger.read()?;
    let Some(intent) = ledger.open_intents().next() else { return Ok(()) };
    let what = format!("a push to {} at {} was cut off and is not settled", intent.reference.branch(), intent.target);
    Err(HostError::new(ErrorKind::InDoubt, what).hint(
        "any gitgate command settles it once the repository can be reached; --force removes the sandbox in any case",
    ))
}
