//! Changes the settings of a sandbox permanently.

use gate::target::CanonicalTarget;

use super::Sandbox;
use crate::error::Result;
use crate::settings::{Belonging, Identity, SandboxFile};

impl Sandbox {
    /// Adds a target to those that an agent may name.
    pub fn add_target(&mut self, target: &CanonicalTarget) -> Result<()> {
        let name = target.to_string();
        self.change(|file| {
            if !file.targets.contains(&name) {
                file.targets.push(name);
            }
        })
    }

    /// Sets who commits, as author and as committer.
    pub fn set_identity(&mut self, identity: Identity) -> Result<()> {
        self.change(|file| (file.identity, file.committer) = (Some(identity), None))
    }

    /// Sets which repository it belongs to.
    pub fn set_repository(&mut self, repository: Belonging) -> Result<()> {
        self.change(|file| file.repository = Some(repository))
    }

    fn change(&mut self, change: impl FnOnce(&mut SandboxFile)) -> Result<()> {
        // Under the lock no other process replaces the settings, but one may have done so before.
        let held = self.store.lock.acquire()?;
        let mut file = self.store.settings()?;
        change(&mut file);
        self.store.put_settings(&held, &file)?;
        let known = std::mem::replace(&mut self.file, file);
        // The platform knows who commits where the settings do not say it.
        if self.file.identity.is_none() {
            (self.file.identity, self.file.committer) = (known.identity, known.committer);
        }
        Ok(())
    }
}
