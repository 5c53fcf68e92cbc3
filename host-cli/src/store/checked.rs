//! Records which files were whole, and when. Hashing a repository's packs for every call would take
//! longer than the call.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use gate::hex;

use super::disk::{self, Disk};
use host::attachment::AttachmentId;

/// The age at which a record expires. A failing disk leaves no other trace.
const VALID: Duration = Duration::from_secs(86_400);

/// The file of records. It only saves checks: a missing, damaged or old file costs another check.
/// Anyone who can write it can also write the files it describes.
#[derive(Debug)]
pub struct Checked {
    path: PathBuf,
    disk: Arc<dyn Disk>,
}

impl Checked {
    /// The records in the file `path`. The first one creates the file.
    pub fn new(path: PathBuf, disk: Arc<dyn Disk>) -> Self {
        Checked { path, disk }
    }

    /// True if the attachment was whole recently and its file is unchanged since.
    pub fn contains(&self, id: &AttachmentId, seen: &Metadata) -> bool {
        let now = seconds_of(SystemTime::now());
        let wanted = note(id, seen);
        self.notes().iter().filter_map(|line| line.rsplit_once(' ')).any(|(noted, at)| {
            let valid = at.parse().is_ok_and(|at: u64| at <= now && now - at < VALID.as_secs());
            noted == wanted && valid
        })
    }

    /// Records that the attachment is whole.
    pub fn add(&self, id: &AttachmentId, seen: &Metadata) {
        let own = hex::encode(id);
        let mut lines = self.notes();
        lines.retain(|line| !line.starts_with(&own));
        lines.push(format!("{} {}", note(id, seen), seconds_of(SystemTime::now())));
        let text = lines.join("\n");
        let written = disk::replace(&*self.disk, &self.path, |file| self.disk.write(file, text.as_bytes()));
        if let Err(error) = written {
            tracing::debug!("cannot write {}: {error}", self.path.display());
        }
    }

    fn notes(&self) -> Vec<String> {
        fs::read_to_string(&self.path).unwrap_or_default().lines().map(str::to_owned).collect()
    }
}

/// Identifies the attachment and the state of its file. No program can set back the time of the
/// last change, so every write changes the record.
fn note(id: &AttachmentId, seen: &Metadata) -> String {
    format!("{} {} {} {} {}", hex::encode(id), seen.ino(), seen.size(), seen.ctime(), seen.ctime_nsec())
}

fn seconds_of(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
