//! Reads and writes reflogs, the history of a ref.

use std::io::ErrorKind;
use std::path::PathBuf;

use gix::ObjectId;
use gix::actor::Signature;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::refs::store::WriteReflog;

use crate::error::ToolError;
use crate::git::store::repo::Repo;
use crate::platform::{self, Kind};

/// The refs that git logs from their creation (git-config, "core.logAllRefUpdates").
const LOGGED: [&str; 3] = ["refs/heads/", "refs/remotes/", "refs/notes/"];

/// A line of a reflog: one move of a ref.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Line {
    /// The former object; the null id if the ref did not exist.
    pub old: ObjectId,
    /// The new object.
    pub new: ObjectId,
    /// The person who moved it, and the time, in git's format.
    pub who: BString,
    /// The reason, in one line.
    pub message: BString,
}

impl Line {
    /// A move that `who` makes now. Runs of white space in the message become single spaces (git's refs.c, `copy_reflog_msg`).
    pub fn new(who: &Signature, old: ObjectId, new: ObjectId, message: &[u8]) -> Line {
        let mut time = gix::date::parse::TimeBuf::default();
        let mut written = Vec::new();
        let result = who.to_ref(&mut time).trim().write_to(&mut written);
        result.expect("an identity without line feeds, written to memory, is written");
        Line { old, new, who: written.into(), message: one_line(message) }
    }

    /// Parses a line including its line feed. `None` if git would skip it (git's refs/files-backend.c, `show_one_reflog_ent`).
    fn parse(line: &[u8]) -> Option<Line> {
        let line = line.strip_suffix(b"\n")?;
        let mut parts = line.splitn(3, |byte| *byte == b' ');
        let mut id = || ObjectId::from_hex(parts.next()?).ok();
        let (old, new) = (id()?, id()?);
        let rest = parts.next()?;
        let time = rest[rest.find_byte(b'>')? + 1..].strip_prefix(b" ")?;
        let digits = time.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (time, behind) = time.split_at(digits);
        let zone = behind.strip_prefix(b" ")?;
        let (sign, message) = zone.split_at_checked(5)?;
        let is_zone = matches!(sign[0], b'+' | b'-') && sign[1..].iter().all(u8::is_ascii_digit);
        if !is_zone || time.iter().all(|digit| *digit == b'0') {
            return None;
        }
        let who = &rest[..rest.len() - message.len()];
        Some(Line { old, new, who: who.into(), message: message.strip_prefix(b"\t").unwrap_or(message).into() })
    }

    /// Appends the line to `log`.
    pub fn append(&self, log: &mut Vec<u8>) {
        log.extend_from_slice(format!("{} {} ", self.old, self.new).as_bytes());
        log.extend_from_slice(&self.who);
        if !self.message.is_empty() {
            log.push(b'\t');
            log.extend_from_slice(&self.message);
        }
        log.push(b'\n');
    }
}

/// `message` on one line. git treats only these bytes as white space here (git's ctype.c).
pub fn one_line(message: &[u8]) -> BString {
    message
        .fields_with(|character| matches!(character, ' ' | '\t' | '\n' | '\r'))
        .collect::<Vec<_>>()
        .join(&b' ')
        .into()
}

/// The path of the log of `name`.
pub fn path(repo: &Repo, name: &BStr) -> PathBuf {
    platform::join(&repo.git_dir().join("logs"), name)
}

/// The text of the log of `name`, if it has one.
pub fn text(repo: &Repo, name: &BStr) -> Result<Option<Vec<u8>>, ToolError> {
    match platform::read(&path(repo, name)) {
        Ok(log) => Ok(Some(log.to_vec())),
        Err(error) if is_absent(error.kind()) => Ok(None),
        Err(error) => Err(ToolError::io(&format!(".git/logs/{name}"), &error)),
    }
}

/// A folder in place of the log, or a file in place of a parent folder, means that there is no log.
fn is_absent(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::NotFound | ErrorKind::IsADirectory | ErrorKind::NotADirectory)
}

/// The log of `name`, if it has one, oldest line first. It skips invalid lines.
pub fn lines(repo: &Repo, name: &BStr) -> Result<Option<Vec<Line>>, ToolError> {
    let text = text(repo, name)?;
    Ok(text.map(|text| text.split_inclusive(|byte| *byte == b'\n').filter_map(Line::parse).collect()))
}

/// The object of a ref at `tip` before its last `position` moves (git's refs.c, `read_ref_at`).
pub fn at(lines: &[Line], position: usize, tip: ObjectId) -> Option<ObjectId> {
    let Some(newer) = position.checked_sub(1) else { return Some(tip) };
    let mut from = lines.iter().rev().skip(newer);
    match (from.next()?, from.next()) {
        // If the log has a gap, the new id of the older line counts, not the old id of the newer one.
        (newer, Some(line)) => Some(if newer.old.is_null() { tip } else { line.new }),
        (oldest, None) => Some(oldest.old).filter(|old| !old.is_null()),
    }
}

/// Whether git logs `name`: it has a log, or git starts one for it.
pub fn is_written(repo: &Repo, name: &BStr) -> bool {
    let begins = match repo.gix.refs.write_reflog {
        WriteReflog::Always => true,
        WriteReflog::Normal => name == "HEAD" || LOGGED.iter().any(|prefix| name.starts_with_str(prefix)),
        WriteReflog::Disable => false,
    };
    begins || platform::stat(&path(repo, name)).is_ok_and(|stat| stat.kind == Kind::File)
}

/// Replaces the existing log of `name`.
pub fn rewrite(repo: &Repo, name: &BStr, lines: &[Line]) -> Result<(), ToolError> {
    let mut log = Vec::new();
    lines.iter().for_each(|line| line.append(&mut log));
    let written = platform::put_file(&path(repo, name), log, None);
    written.map_err(|error| ToolError::io(&format!(".git/logs/{name}"), &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let line = b"0000000000000000000000000000000000000000 1111111111111111111111111111111111111111 A <a@b> 1 +0100\tWIP on main\n";
        let parsed = Line::parse(line).unwrap();
        assert_eq!((parsed.who.as_slice(), parsed.message.as_slice()), (&b"A <a@b> 1 +0100"[..], &b"WIP on main"[..]));
        let mut written = Vec::new();
        parsed.append(&mut written);
        assert_eq!(written, line);
        let with = |from: &[u8], to: &[u8]| Line::parse(&line.replace(from, to));
        assert_eq!(with(b"WIP", b"WIP"), Some(parsed));
        for (from, to) in
            [("\n", ""), (" 1 ", " 0 "), ("> ", ">"), ("+0100", "0100"), ("+0100", "+010"), ("0000 1", "000 1")]
        {
            assert_eq!(with(from.as_bytes(), to.as_bytes()), None, "{from:?} {to:?}");
        }
    }

    #[test]
    fn a_message_is_one_line() {
        assert_eq!(one_line(b"  two\n\n lines \t"), "two lines");
        assert_eq!(one_line(b"\x0ba\x0c \x0c\r"), "\x0ba\x0c \x0c");
    }
}
