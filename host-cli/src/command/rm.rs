use clap::Args;
use gate::id::SandboxId;
use serde_json::json;

use super::Context;
use crate::error::{ErrorKind, HostError};
use crate::report::{self, Exit};
use crate::screen::status;
use crate::store::Store;

/// Remove a sandbox
///
/// One with work that was not pushed, staged or not, stays unless --force says otherwise.
#[derive(Debug, Args)]
pub struct Rm {
    /// The sandbox
    #[arg(value_parser = |name: &str| name.parse::<SandboxId>().map_err(|fault| fault.message))]
    name: SandboxId,
    /// Even with work that was not pushed, and even if a push was cut off that cannot be settled
    #[arg(long)]
    force: bool,
}

impl Rm {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let folder = context.home.folder(&self.name)?;
        let store = Store::open(&folder)?;
        if !self.force {
            ensure_settled(&store)?;
            let named = Context { name: self.name.clone(), ..context.clone() };
            ensure_pushed(&named)?;
        }
        let _held = store.lock.try_acquire()?;
        context.home.remove(&self.name)?;
        report::print(&format!("Removed {}\n", self.name))?;
        Ok(Exit::Done)
    }
}

/// What is only in the sandbox goes with it.
fn ensure_pushed(context: &Context) -> anyhow::Result<()> {
    let looked = (|| {
        let mut sandbox = context.open()?;
        let status = context.tool(&mut sandbox, "git_status", &json!({}))?;
        anyhow::Ok(status::unpushed(&status::read(&status.structured)?))
    })();
    let (kind, what) = match looked {
        Ok(0) => return Ok(()),
        Ok(1) => (ErrorKind::Unpushed, "1 commit or changed file in it was not pushed".to_owned()),
        Ok(many) => (ErrorKind::Unpushed, format!("{many} commits and changed files in it were not pushed")),
        Err(error) => (ErrorKind::Unpushed, format!("nobody can tell whether all in it was pushed: {error:#}")),
    };
    Err(HostError::new(kind, what)
        .hint(format!("see `gitgate -s {} status`; --force removes the sandbox in any case", context.name))
        .into())
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
