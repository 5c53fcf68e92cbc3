//! Which sandboxes belong to which repository, and when each was last used.

use std::fs::File;
use std::time::SystemTime;

use gate::id::SandboxId;
use host::settings::Belonging;

use super::Home;
use crate::error::Result;
use crate::{remote, store};

/// The file whose time says when a sandbox was last opened. Every sandbox has it.
const USED: &str = "lock";

/// A sandbox, as it is looked for from a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: SandboxId,
    /// The repository on this machine that it was made from.
    pub repository: Option<Belonging>,
    /// True if that had no commit then.
    pub is_of_the_beginning: bool,
    used: SystemTime,
}

impl Home {
    /// All sandboxes, the last used first. Skips one whose settings cannot be read: it says so where it is named.
    pub fn entries(&self) -> Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for name in self.sandboxes()? {
            let folder = self.folder_of(&name);
            match store::settings(&folder) {
                Ok(file) => {
                    let used =
                        folder.join(USED).metadata().and_then(|it| it.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
                    let is_of_the_beginning = file.repository.as_ref().is_some_and(|own| own.root.is_none());
                    entries.push(Entry { name, repository: remote::belonging(&file), is_of_the_beginning, used });
                }
                Err(error) => tracing::warn!("skipping the sandbox '{name}': {error}"),
            }
        }
        entries.sort_by(|one, other| other.used.cmp(&one.used).then_with(|| one.name.cmp(&other.name)));
        Ok(entries)
    }

    /// Notes that the sandbox is used now. Which of several is found depends on it, and nothing else does.
    pub(crate) fn note_use(&self, name: &SandboxId) {
        let noted = File::options().append(true).open(self.folder_of(name).join(USED));
        if let Err(error) = noted.and_then(|file| file.set_modified(SystemTime::now())) {
            tracing::debug!("cannot note that the sandbox '{name}' is used: {error}");
        }
    }
}
