//! Which files were found whole, and when: to hash a repository's packs anew for every call would take longer than the call.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use gate::hex;

use super::attachment::AttachmentId;
use super::disk::{self, Disk};

/// After so long everything is hashed once more: a failing disk touches no file.
const VALID: Duration = Duration::from_secs(86_400);

/// The file of notes. It is advice: one that is missing, damaged or old costs a check, and whoever can write it can write the
/// files that it is about as well.
#[derive(Debug)]
pub struct Checked {
    path: PathBuf,
    disk: Arc<dyn Disk>,
}

impl Checked {
    /// The notes in the file `path`, which is made with the first one.
    pub fn new(path: PathBuf, disk: Arc<dyn Disk>) -> Self {
        Checked { path, disk }
    }

    /// Whether the attachment was found whole lately, and its file is the one that was looked at.
    pub fn contains(&self, id: &AttachmentId, seen: &Metadata) -> bool {
        let now = seconds_of(SystemTime::now());
        let wanted = note(id, seen);
        self.notes().iter().filter_map(|line| line.rsplit_once(' ')).any(|(noted, at)| {
            let valid = at.parse().is_ok_and(|at: u64| at <= now && now - at < VALID.as_secs());
            noted == wanted && valid
        })
    }

    /// Notes that the attachment was found whole.
    pub fn add(&self, id: &AttachmentId, seen: &Metadata) {
        let own = hex::encode(id);
        let mut lines = self.notes();
        lines.retain(|line| !line.starts_with(&own));
        lines.push(format!("{} {}", note(id, seen), seconds_of(SystemTime::now())));
        let text = lines.join("\n");
        let written = disk::replace(&*self.disk, &self.path, |file| self.disk.write(file, text.as_bytes()));
        if let Err(error) = written {
            tracing::debug!("{} is not written: {error}", self.path.display());
        }
    }

    fn notes(&self) -> Vec<String> {
        fs::read_to_string(&self.path).unwrap_or_default().lines().map(str::to_owned).collect()
    }
}

/// The attachment and what changes with every write to its file, as no program can set the time of a file's last change back.
fn note(id: &AttachmentId, seen: &Metadata) -> String {
    format!("{} {} {} {} {}", hex::encode(id), seen.ino(), seen.size(), seen.ctime(), seen.ctime_nsec())
}

fn seconds_of(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
