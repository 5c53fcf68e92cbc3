//! Reflogs: what a ref was, line by line.

use std::io::ErrorKind;
use std::path::PathBuf;

use gix::ObjectId;
use gix::actor::Signature;
use gix::bstr::{BString, ByteSlice};

use crate::error::ToolError;
use crate::git::repo::{Repo, damaged};
use crate::platform;

/// A move of a ref.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Line {
    /// Where the ref was; null if it was not there.
    pub old: ObjectId,
    /// Where it is since.
    pub new: ObjectId,
    /// Who moved it, and when, as git writes it.
    pub who: BString,
    /// Why, in one line.
    pub message: BString,
}

impl Line {
    /// A move by `who`. White space in the message becomes single spaces (git's refs.c, `copy_reflog_msg`).
    pub fn new(old: ObjectId, new: ObjectId, who: &Signature, message: &[u8]) -> Result<Line, ToolError> {
        let mut written = Vec::new();
        let mut time = gix::date::parse::TimeBuf::default();
        who.to_ref(&mut time).write_to(&mut written).map_err(|error| damaged(&error))?;
        Ok(Line { old, new, who: written.into(), message: one_line(message) })
    }

    /// A line with its end. What git takes for none is none (git's refs/files-backend.c, `show_one_reflog_ent`).
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

    fn append(&self, log: &mut Vec<u8>) {
        log.extend_from_slice(format!("{} {} ", self.old, self.new).as_bytes());
        log.extend_from_slice(&self.who);
        if !self.message.is_empty() {
            log.push(b'\t');
            log.extend_from_slice(&self.message);
        }
        log.push(b'\n');
    }
}

/// `message` as a reflog has it.
pub fn one_line(message: &[u8]) -> BString {
    message
        .fields_with(|character| character.is_ascii_whitespace() || character == '\u{b}')
        .collect::<Vec<_>>()
        .join(&b' ')
        .into()
}

/// The log of the ref with this full name, the oldest line first; none where there is no log. Lines that are none are passed over.
pub fn read(repo: &Repo, name: &str) -> Result<Option<Vec<Line>>, ToolError> {
    match platform::read(&path(repo, name)) {
        Ok(log) => Ok(Some(log.split_inclusive(|byte| *byte == b'\n').filter_map(Line::parse).collect())),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::IsADirectory) => Ok(None),
        Err(error) => Err(ToolError::io(".git/logs", &error)),
    }
}

/// Writes the whole log of the ref with this full name.
pub fn write(repo: &Repo, name: &str, lines: &[Line]) -> Result<(), ToolError> {
    let mut log = Vec::new();
    lines.iter().for_each(|line| line.append(&mut log));
    put(repo, name, log)
}

/// Notes that HEAD was set to where it is, which moves nothing. Git says nothing of it where HEAD is on no branch, and keeps no log that a
/// configuration forbids.
pub fn note_head(repo: &Repo, line: &Line) -> Result<(), ToolError> {
    let is_logged = || repo.gix.config_snapshot().boolean("core.logAllRefUpdates").unwrap_or(true);
    let mut log = match platform::read(&path(repo, "HEAD")) {
        Ok(log) => log.to_vec(),
        Err(error) if error.kind() == ErrorKind::NotFound && is_logged() => Vec::new(),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(ToolError::io(".git/logs/HEAD", &error)),
    };
    line.append(&mut log);
    put(repo, "HEAD", log)
}

fn put(repo: &Repo, name: &str, log: Vec<u8>) -> Result<(), ToolError> {
    let path = path(repo, name);
    let folder = path.parent().expect("a log is in a folder");
    let written = platform::create_dir_all(folder).and_then(|()| platform::put_file(&path, log, None));
    written.map_err(|error| ToolError::io(".git/logs", &error))
}

fn path(repo: &Repo, name: &str) -> PathBuf {
    repo.git_dir().join("logs").join(name)
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
    }
}
