use std::path::Path;

use clap::Args;
use gate::id::SandboxId;
use serde_json::json;

use super::Context;
use crate::answer;
use crate::error::{ErrorKind, HostError};
use crate::home::SandboxFile;
use crate::report::{self, Exit};
use crate::sandbox::Sandbox;
use crate::screen::{self, status};
use crate::store::{LockFile, Store};

/// Remove a sandbox
///
/// One with work that was not pushed, staged or not, stays unless --force says otherwise. Files that a .gitignore of the sandbox names do
/// not count as work. The files of a sandbox on disk stay where they are.
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
        let lock = LockFile::open(&folder.join("lock"))?;
        // Files on disk stay, so that there is nothing to lose.
        let on_disk = SandboxFile::read(&folder).ok().and_then(|file| file.on_disk);
        if !self.force {
            ensure_settled(&folder, &self.name)?;
        }
        let looked_at = match self.force || on_disk.is_some() {
            true => None,
            false => Some(ensure_pushed(&Context { name: self.name.clone(), ..context.clone() })?),
        };
        let _held = lock.try_acquire()?;
        if let Some(sandbox) = looked_at {
            // What was seen without the lock is so still.
            sandbox.ensure_unmoved()?;
        }
        if !self.force {
            ensure_settled(&folder, &self.name)?;
        }
        context.home.remove(&self.name)?;
        let stay = on_disk.map(|folder| format!("; its files stay in {}", screen::line(&folder.display().to_string())));
        report::print(&format!("Removed {}{}\n", self.name, stay.unwrap_or_default()))?;
        Ok(Exit::Done)
    }
}

/// What is only in the sandbox goes with it. Gives the sandbox as it was looked at.
fn ensure_pushed(context: &Context) -> anyhow::Result<Sandbox> {
    let looked = (|| {
        let mut sandbox = context.open()?;
        let status = context.tool(&mut sandbox, "git_status", &json!({}))?;
        anyhow::Ok((status::unpushed(&status::read(&status.structured)?), sandbox))
    })();
    let what = match looked {
        Ok((0, sandbox)) => return Ok(sandbox),
        Ok((1, _)) => "1 commit or changed file in it was not pushed".to_owned(),
        Ok((many, _)) => format!("{many} commits and changed files in it were not pushed"),
        Err(error) => format!("nobody can tell whether all in it was pushed: {error:#}"),
    };
    Err(HostError::new(ErrorKind::Unpushed, what)
        .hint(format!("see `gitgate -s {} status`; --force removes the sandbox in any case", context.name))
        .into())
}

/// What could be settled has been, at the start of this process.
fn ensure_settled(folder: &Path, name: &SandboxId) -> Result<(), HostError> {
    let settled = SandboxFile::read(folder)
        .and_then(|file| Ok(Store::open(folder, file.id.name())?.ledger.read()?))
        .and_then(|ledger| answer::ensure_settled(&ledger, name.as_str()));
    settled.map_err(|error| {
        let hint = format!("{}; --force removes the sandbox in any case", error.hint);
        error.hint(hint)
    })
}
