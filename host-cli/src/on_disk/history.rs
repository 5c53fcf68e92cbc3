//! The calls that changed something, one per line. A call with a whole line is over. A call with an
//! incomplete line never happened.

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tools::{Caller, Past, ToolCall};

use super::place::Place;
use crate::error::{self, Doing, ErrorKind, HostError, Result};
use crate::store::disk;

/// Paths that a line names.
const NAMED_PATHS: usize = 20;
/// Characters of a summary.
const SUMMARY: usize = 120;

/// The file.
pub struct History {
    path: PathBuf,
    /// Its length when this process last read it.
    len: u64,
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Line {
    /// The host's name for it.
    pub id: String,
    tool: String,
    summary: String,
    caller: String,
    at: String,
    changed: Vec<String>,
    changed_count: u64,
}

impl Line {
    /// A call that returned `text` and changed the files `paths`, not counting the repository's own
    /// files.
    pub fn of(call: &ToolCall, text: &str, paths: &[PathBuf], place: &Place) -> Line {
        let mut shown = paths.iter().filter_map(|path| place.shown(path));
        let changed: Vec<String> = shown.by_ref().take(NAMED_PATHS).collect();
        let changed_count = changed.len() as u64 + shown.count() as u64;
        let caller = match call.caller {
            Caller::Agent => "agent",
            Caller::User => "user",
        };
        Line {
            id: call.id.clone(),
            tool: call.tool.clone(),
            summary: text.lines().next().unwrap_or_default().chars().take(SUMMARY).collect(),
            caller: caller.to_owned(),
            at: call.now.rfc3339(),
            changed,
            changed_count,
        }
    }
}

impl From<Line> for Past {
    fn from(line: Line) -> Past {
        let Line { id, tool, summary, caller, at, changed, changed_count } = line;
        Past { id, tool, summary, caller, at, undoable: false, changed, changed_count }
    }
}

impl History {
    /// The history in the file `path`. The first line creates the file.
    pub fn open(path: PathBuf) -> Result<Self> {
        let len = len(&path)?;
        Ok(History { path, len })
    }

    /// True if another process has written a line.
    pub fn has_moved(&self) -> Result<bool> {
        Ok(len(&self.path)? != self.len)
    }

    /// All lines, the latest first.
    pub fn lines(&self) -> Result<Vec<Line>> {
        let (text, _) = self.whole_lines()?;
        let line = |line: &str| {
            serde_json::from_str(line).map_err(|error| {
                HostError::new(ErrorKind::Damaged, format!("cannot read {}: {error}", self.path.display()))
                    .hint("restore the file from a backup, or remove it: it holds only the history")
            })
        };
        text.lines().rev().map(line).collect()
    }

    /// The latest line.
    pub fn last(&self) -> Result<Option<Line>> {
        Ok(self.lines()?.into_iter().next())
    }

    /// Appends a line, durably.
    pub fn append(&mut self, line: &Line) -> Result<()> {
        let (_, whole) = self.whole_lines()?;
        let mut text = serde_json::to_string(line).expect("it has no maps");
        text.push('\n');
        self.write(whole, text.as_bytes()).doing("write", &self.path)?;
        self.len = whole + text.len() as u64;
        Ok(())
    }

    fn write(&self, whole: u64, line: &[u8]) -> io::Result<()> {
        let mut file = disk::private(OpenOptions::new().write(true).create(true).truncate(false)).open(&self.path)?;
        file.set_len(whole)?;
        file.seek(SeekFrom::Start(whole))?;
        let written = file.write_all(line).and_then(|()| file.sync_data());
        if written.is_err() {
            // If the partial line cannot be cut off, it has no end and does not count.
            let _ = file.set_len(whole);
        }
        written
    }

    /// The whole lines and their length in bytes.
    fn whole_lines(&self) -> Result<(String, u64)> {
        let mut bytes = Vec::new();
        match fs::File::open(&self.path).and_then(|mut file| file.read_to_end(&mut bytes)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(error::io("read", &self.path, &error));
            }
            _ => {}
        }
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        bytes.truncate(whole);
        Ok((String::from_utf8_lossy(&bytes).into_owned(), whole as u64))
    }
}

fn len(path: &Path) -> Result<u64> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(metadata.len()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(0),
        Err(error) => Err(error::io("read", path, &error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(id: &str) -> Line {
        Line {
            id: id.to_owned(),
            tool: "write_file".to_owned(),
            summary: "Wrote\u{2028} it".to_owned(),
            caller: "agent".to_owned(),
            at: "2026-11-20T10:00:00+01:00".to_owned(),
            changed: vec!["/workspace/a\nb".to_owned()],
            changed_count: 1,
        }
    }

    #[test]
    fn lines_are_read_back_the_latest_first_and_others_are_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("history");
        let mut mine = History::open(path.clone()).unwrap();
        assert_eq!((mine.lines().unwrap(), mine.last().unwrap()), (Vec::new(), None));
        mine.append(&line("1")).unwrap();
        assert!(!mine.has_moved().unwrap());
        History::open(path).unwrap().append(&line("2")).unwrap();
        assert!(mine.has_moved().unwrap());
        assert_eq!(mine.lines().unwrap(), [line("2"), line("1")]);
    }

    #[test]
    fn a_line_that_was_cut_off_is_none_and_is_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("history");
        let mut history = History::open(path.clone()).unwrap();
        history.append(&line("1")).unwrap();
        let whole = fs::read(&path).unwrap();
        for cut in 0..whole.len() {
            fs::write(&path, [&whole[..], &whole[..cut]].concat()).unwrap();
            assert_eq!(history.lines().unwrap(), [line("1")]);
        }
        history.append(&line("2")).unwrap();
        assert_eq!(history.lines().unwrap(), [line("2"), line("1")]);
        fs::write(&path, "{}\n").unwrap();
        assert_eq!(history.lines().unwrap_err().kind, ErrorKind::Damaged);
    }
}
