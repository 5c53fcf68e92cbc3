use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use gate::id::SandboxId;
use host::answer;
use serde_json::json;

use super::Context;
use crate::error::{ErrorKind, HostError};
use crate::report::{self, Exit};
use crate::sandbox::Sandbox;
use crate::screen::{self, status};
use crate::store::disk::RealDisk;
use crate::store::{self, FileStorage, Storage, Wait};

/// Remove a sandbox
///
/// Refuses to remove unpushed work, proposed or not, unless --force is given. Files that a .gitignore
/// in the sandbox ignores do not count as work. The files of a sandbox on disk stay where they are.
#[derive(Debug, Args)]
pub struct Rm {
    /// Sandbox to remove
    #[arg(value_parser = |name: &str| name.parse::<SandboxId>().map_err(|fault| fault.message))]
    name: SandboxId,
    /// Remove it even with unpushed work, or with an interrupted push that cannot be settled
    #[arg(long)]
    force: bool,
}

impl Rm {
    /// The same as `gitgate rm NAME`.
    pub fn of(name: SandboxId, force: bool) -> Self {
        Rm { name, force }
    }

    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        if context.is_named && !context.is_named_by_environment && context.name != self.name {
            let what = format!("-s names {}, and the command {}", context.name, self.name);
            return Err(HostError::new(ErrorKind::Usage, what).hint("name one sandbox").into());
        }
        let heading = context.standing()?.heading(&self.name);
        let stay = self.remove(&context)?;
        let stay = stay.map(|folder| format!("; its files stay in {}", screen::line(&folder.display().to_string())));
        report::print(&format!("Removed {heading}{}\n", stay.unwrap_or_default()))?;
        Ok(Exit::Done)
    }

    /// Removes it. Returns the folder of a sandbox on disk, which stays.
    pub fn remove(&self, context: &Context) -> anyhow::Result<Option<PathBuf>> {
        let folder = context.home.folder(&self.name)?;
        let storage = FileStorage::open(&folder, Arc::new(RealDisk))?;
        // Files on disk stay, so no work can be lost.
        let on_disk = store::settings(&folder).ok().and_then(|file| file.on_disk);
        if !self.force {
            ensure_settled(&folder, &self.name)?;
        }
        let looked_at = match self.force || on_disk.is_some() {
            true => None,
            false => Some(ensure_pushed(&Context { name: self.name.clone(), ..context.clone() })?),
        };
        let held = storage.lock(Wait::Not)?;
        if let Some(sandbox) = looked_at {
            // The check ran without the lock; make sure it still holds.
            sandbox.ensure_unmoved(&held)?;
        }
        if !self.force {
            ensure_settled(&folder, &self.name)?;
        }
        context.home.remove(&self.name)?;
        Ok(on_disk)
    }
}

/// Fails if the sandbox holds unpushed work. Returns the sandbox as it was checked.
fn ensure_pushed(context: &Context) -> anyhow::Result<Sandbox> {
    let looked = (|| {
        let mut sandbox = context.open()?;
        let status = context.tool(&mut sandbox, "git_status", &json!({}))?;
        status::ensure_pushed(&status::read(&status.structured)?)?;
        anyhow::Ok(sandbox)
    })();
    looked.map_err(|error| {
        let unpushed = error.downcast_ref::<HostError>().filter(|error| error.kind == ErrorKind::Unpushed);
        let what = match unpushed {
            Some(unpushed) => unpushed.message.clone(),
            None => format!("cannot tell whether all its work was pushed: {error:#}"),
        };
        let hint = format!("see `gitgate -s {} status`, or remove the sandbox anyway with --force", context.name);
        HostError::new(ErrorKind::Unpushed, what).hint(hint).into()
    })
}

/// Fails if a push is not settled. What could be settled was settled at the start of this process.
fn ensure_settled(folder: &Path, name: &SandboxId) -> Result<(), HostError> {
    let settled = store::open(folder)
        .and_then(|store| Ok(store.ledger.read()?))
        .and_then(|ledger| answer::ensure_settled(&ledger, name.as_str()));
    settled.map_err(|error| {
        let hint = format!("{}; or remove the sandbox anyway with --force", screen::hint::words(&error.hint));
        error.hint(hint)
    })
}
