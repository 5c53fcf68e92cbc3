//! Whether a sandbox's files have changed, without reading them.

use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::home::SandboxFile;
use crate::on_disk;
use crate::store::{Kind, Log};

/// A file's identity, length and time: one that was replaced has another identity, and one that was
/// written to another length or time.
pub(super) type Mark = (u64, u64, i64, i64);

/// How far the files of a sandbox have come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks {
    /// Where the calls are that have changed something.
    pub calls: [Option<Mark>; 2],
    /// The audit log.
    pub log: Option<Mark>,
    /// The calls that wait.
    pub waiting: Vec<(OsString, Mark)>,
    /// The settings, without which there is no sandbox.
    pub settings: Option<Mark>,
}

impl Marks {
    /// Those of the sandbox in `folder`. What cannot be looked at has none; reading it says why.
    pub fn of(folder: &Path) -> Self {
        let mark = |name: &str| fs::symlink_metadata(folder.join(name)).ok().as_ref().map(mark);
        Marks {
            calls: [Log::Journal.name(), on_disk::HISTORY].map(mark),
            log: mark(Log::Audit.name()),
            waiting: marks_in(&folder.join(Kind::Waiting.name())),
            settings: mark(SandboxFile::NAME),
        }
    }
}

fn marks_in(folder: &Path) -> Vec<(OsString, Mark)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut marks: Vec<_> =
        entries.filter_map(|entry| Some((entry.file_name(), mark(&entry.metadata().ok()?)))).collect();
    marks.sort_unstable();
    marks
}

fn mark(of: &Metadata) -> Mark {
    (of.ino(), of.len(), of.mtime(), of.mtime_nsec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_that_changes_changes_its_own_mark() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let none = Marks::of(folder.path());
        assert_eq!(none, Marks::default());
        for name in ["journal", "history", "audit.log", "sandbox.toml"] {
            fs::write(path(name), "1").unwrap();
        }
        fs::create_dir(path("waiting")).unwrap();
        fs::write(path("waiting/1.json"), "1").unwrap();
        let first = Marks::of(folder.path());
        assert_eq!(Marks::of(folder.path()), first, "looking changes nothing");

        fs::write(path("journal"), "12").unwrap();
        let journal = Marks::of(folder.path());
        assert_ne!(journal.calls, first.calls);
        assert_eq!((journal.log, &journal.waiting), (first.log, &first.waiting));

        fs::write(path("audit.log"), "12").unwrap();
        let log = Marks::of(folder.path());
        assert_ne!(log.log, journal.log);
        assert_eq!((log.calls, &log.waiting), (journal.calls, &journal.waiting));

        // As a record is written: beside the old one, which it then replaces.
        fs::write(path("waiting/.new"), "2").unwrap();
        fs::rename(path("waiting/.new"), path("waiting/1.json")).unwrap();
        let waiting = Marks::of(folder.path());
        assert_ne!(waiting.waiting, log.waiting, "even of the same length");
        assert_eq!((waiting.calls, waiting.log), (log.calls, log.log));

        fs::remove_file(path("sandbox.toml")).unwrap();
        assert_eq!(Marks::of(folder.path()).settings, None);
    }
}
