//! The files that are read, one after the other, and those that are changed.

use std::collections::VecDeque;

use bstr::{BString, ByteSlice};

use super::{Options, PANIC, UNREAD, failed};
use crate::exec::{Call, Ended};
use crate::io::{Source, reason};
use crate::world::Kind;

/// The lines of all files.
#[derive(Debug)]
pub struct Input {
    names: VecDeque<BString>,
    /// The file that is read, and the one behind it, if somebody had to look whether it has a line.
    open: VecDeque<Open>,
    /// The name of the file that is read.
    pub name: BString,
    /// The number of the line that was read.
    pub number: u64,
    /// What the files that could not be read make of the status.
    pub status: i32,
}

/// A file that is read.
#[derive(Debug)]
struct Open {
    name: BString,
    source: Source,
    /// A line that was read to know that it is there.
    ahead: Option<Vec<u8>>,
    /// Whether its first line is to be read.
    fresh: bool,
}

/// A line, or what stands between two.
#[derive(Debug)]
pub enum Event {
    /// A line, and whether it is the first of its file.
    Line(Vec<u8>, bool),
    /// The file is over.
    Over(BString),
    /// All files are.
    End,
}

impl Open {
    async fn line(&mut self, end: u8) -> Option<Vec<u8>> {
        match self.ahead.take() {
            Some(line) => Some(line),
            None => self.source.line(end).await,
        }
    }

    async fn has_line(&mut self, end: u8) -> bool {
        if self.ahead.is_none() {
            self.ahead = self.source.line(end).await;
        }
        self.ahead.is_some()
    }
}

impl Input {
    /// The lines of these files, or of what the command reads.
    pub fn new(names: Vec<BString>) -> Input {
        let names = if names.is_empty() { VecDeque::from([BString::from("-")]) } else { names.into() };
        Input { names, open: VecDeque::new(), name: "-".into(), number: 0, status: 0 }
    }

    /// What comes next.
    pub async fn next(&mut self, call: &mut Call<'_>, options: &Options) -> Result<Event, Ended> {
        if self.open.is_empty() && !self.open_next(call, options).await? {
            return Ok(Event::End);
        }
        let open = self.open.front_mut().expect("one is open");
        let Some(line) = open.line(options.end).await else {
            let name = self.open.pop_front().expect("one is open").name;
            return Ok(Event::Over(name));
        };
        let fresh = std::mem::take(&mut open.fresh);
        if fresh {
            self.name.clone_from(&open.name);
            if options.separate {
                self.number = 0;
            }
        }
        self.number += 1;
        Ok(Event::Line(line, fresh))
    }

    /// Whether there is no line behind the one that was read.
    pub async fn is_last(&mut self, call: &mut Call<'_>, options: &Options) -> Result<bool, Ended> {
        let mut at = 0;
        loop {
            if at == self.open.len() && !self.open_next(call, options).await? {
                return Ok(true);
            }
            if self.open[at].has_line(options.end).await {
                return Ok(false);
            }
            if options.separate {
                return Ok(true);
            }
            // An empty file behind the one that is read does not matter.
            if at > 0 { drop(self.open.remove(at)) } else { at = 1 }
        }
    }

    /// The name of the file that is read, if it is to be changed.
    pub fn current(&self) -> Option<BString> {
        self.open.front().filter(|open| !open.fresh).map(|open| open.name.clone())
    }

    /// Opens the next file that can be read. False if there is none.
    async fn open_next(&mut self, call: &mut Call<'_>, options: &Options) -> Result<bool, Ended> {
        while let Some(name) = self.names.pop_front() {
            let source = match self.source(call, options, &name) {
                Ok(source) => source,
                Err((message, status)) => {
                    call.flush().await?;
                    failed(call, message, status).await?;
                    if status == PANIC {
                        return Err(Ended::Status(PANIC));
                    }
                    self.status = status;
                    continue;
                }
            };
            self.open.push_back(Open { name, source, ahead: None, fresh: true });
            return Ok(true);
        }
        Ok(false)
    }

    fn source(&self, call: &Call<'_>, options: &Options, name: &BString) -> Result<Source, (String, i32)> {
        let unread = |error: &std::io::Error| match error.kind() {
            std::io::ErrorKind::IsADirectory => (format!("read error on {name}: {}", reason(error)), PANIC),
            _ => (format!("can't read {name}: {}", reason(error)), UNREAD),
        };
        if options.in_place.is_none() {
            return call.open(name).map_err(|error| unread(&error));
        }
        let path = call.shell.path(name);
        let stat = call.shell.base.files.stat(path.as_bstr(), true).map_err(|error| unread(&error))?;
        if stat.kind != Kind::File {
            return Err((format!("couldn't edit {name}: not a regular file"), PANIC));
        }
        let content = call.shell.base.files.read(path.as_bstr()).map_err(|error| unread(&error))?;
        Ok(Source::text(content))
    }
}

/// Puts a new content into a file, and the old one into another file if it is wanted.
pub fn replace(call: &Call<'_>, options: &Options, name: &BString, content: Vec<u8>) -> std::io::Result<()> {
    let Some(suffix) = &options.in_place else { return Ok(()) };
    let mut path = call.shell.path(name);
    let world = call.shell.base.files.world()?;
    if options.follows {
        path = world.real_path(path.as_bstr())?;
    }
    let executable = world.stat(path.as_bstr(), true)?.executable;
    let is_link = world.stat(path.as_bstr(), false)?.kind == Kind::Link;
    if !suffix.is_empty() {
        let backup = backup(&path, suffix);
        if is_link {
            world.rename(path.as_bstr(), backup.as_bstr())?;
        } else {
            world.write(backup.as_bstr(), world.read(path.as_bstr())?.to_vec())?;
            world.set_executable(backup.as_bstr(), executable)?;
        }
    } else if is_link {
        world.remove_file(path.as_bstr())?;
    }
    world.write(path.as_bstr(), content)?;
    if is_link && executable {
        world.set_executable(path.as_bstr(), true)?;
    }
    Ok(())
}

/// The path of the copy of a file. Stars stand for its name; without one, the suffix is appended.
fn backup(path: &BString, suffix: &BString) -> BString {
    let slash = path.rfind_byte(b'/').map_or(0, |at| at + 1);
    let (folder, base) = path.split_at(slash);
    let name = match suffix.contains(&b'*') {
        true => suffix.replace("*", base),
        false => [base, suffix].concat(),
    };
    match name.contains(&b'/') {
        true => name.into(),
        false => [folder, &name].concat().into(),
    }
}
