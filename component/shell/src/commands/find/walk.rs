//! The walk itself: a loop with a stack of folders.

use std::rc::Rc;

use bstr::{BString, ByteSlice};

use super::act::State;
use super::entry::{Around, Entry, Links, Root};
use super::parse::Options;
use super::plan::Plan;
use crate::exec::{Call, Ended};
use crate::io::reason;
use crate::world::{Kind, Stat};

/// A folder whose entries are walked through.
struct Open {
    folder: Entry,
    rest: std::vec::IntoIter<(BString, Stat)>,
    /// How many commands had run when it was listed.
    read_at: u64,
    bytes: usize,
}

/// Walks from each of these names on.
pub async fn all(
    call: &mut Call<'_>,
    plan: &Plan,
    options: &Options,
    around: &Around,
    state: &mut State,
    names: &[BString],
) -> Result<(), Ended> {
    for name in names {
        match start(call, around, name, state.ran) {
            Ok(entry) => {
                let mut walk = Walk { call, plan, options, around, state, open: Vec::new(), bytes: 0 };
                walk.from(entry).await?;
            }
            Err(error) => {
                call.flush().await?;
                state.failed(call, format!("‘{name}’: {}", reason(&error))).await?;
            }
        }
        if state.quits {
            break;
        }
    }
    Ok(())
}

/// The entry of an argument.
fn start(call: &Call<'_>, around: &Around, name: &BString, ran: u64) -> std::io::Result<Entry> {
    if name.is_empty() {
        return Err(std::io::ErrorKind::NotFound.into());
    }
    let full = call.shell.path(name);
    // A slash behind it asks for a folder, even if that is behind a link.
    let slash = name.ends_with(b"/");
    let own = around.files.stat(full.as_bstr(), slash)?;
    if slash && own.kind != Kind::Folder {
        return Err(std::io::ErrorKind::NotADirectory.into());
    }
    let root = Rc::new(Root { shown: name.clone(), full });
    let mut entry = Entry { root, path: name.clone(), depth: 0, own, target: None, read_at: Some(ran) };
    entry.follow(around);
    Ok(entry)
}

struct Walk<'w, 'c> {
    call: &'w mut Call<'c>,
    plan: &'w Plan,
    options: &'w Options,
    around: &'w Around,
    state: &'w mut State,
    open: Vec<Open>,
    /// What the open folders take in memory.
    bytes: usize,
}

impl Walk<'_, '_> {
    async fn from(&mut self, start: Entry) -> Result<(), Ended> {
        let mut next = Some(start);
        loop {
            match next.take() {
                Some(entry) => {
                    self.call.work(1)?;
                    self.visit(entry).await?;
                }
                None => {
                    let Some(open) = self.open.last_mut() else { return Ok(()) };
                    match open.rest.next() {
                        Some((name, own)) => next = Some(open.folder.within(&name, own, self.around, open.read_at)),
                        None => self.leave().await?,
                    }
                }
            }
            if self.state.quits {
                return Ok(());
            }
        }
    }

    async fn visit(&mut self, mut entry: Entry) -> Result<(), Ended> {
        let is_folder = entry.stat().kind == Kind::Folder;
        if is_folder && let Some(above) = self.above(&entry) {
            let path = &entry.path;
            let what =
                format!("File system loop detected; ‘{path}’ is part of the same file system loop as ‘{above}’.");
            self.call.flush().await?;
            return self.state.failed(self.call, what).await;
        }
        let enters = is_folder && entry.depth < self.options.most;
        if !self.options.depth_first {
            self.test(&mut entry).await?;
            if self.state.quits || !enters || self.state.prunes {
                return Ok(());
            }
        }
        let left = if enters { self.enter(entry).await? } else { Some(entry) };
        match left {
            Some(mut entry) if self.options.depth_first => self.test(&mut entry).await,
            _ => Ok(()),
        }
    }

    /// The folder above an entry that is the same, if links lead around in a circle.
    fn above(&self, entry: &Entry) -> Option<BString> {
        if self.around.links != Links::Always {
            return None;
        }
        let inode = entry.stat().inode;
        let same = self.open.iter().find(|open| open.folder.stat().inode == inode)?;
        Some(same.folder.path.clone())
    }

    /// Goes into a folder. Gives it back if it cannot be listed.
    async fn enter(&mut self, folder: Entry) -> Result<Option<Entry>, Ended> {
        let listed = match self.around.files.list(folder.full().as_bstr()) {
            Ok(listed) => listed,
            Err(error) => {
                self.call.flush().await?;
                self.state.failed(self.call, format!("‘{}’: {}", folder.path, reason(&error))).await?;
                return Ok(Some(folder));
            }
        };
        let entries = listed.capacity() * size_of::<(BString, Stat)>();
        let bytes = entries + listed.iter().map(|(name, _)| name.len()).sum::<usize>();
        self.bytes += bytes + folder.path.len();
        self.call.shell.hold(self.bytes)?;
        self.open.push(Open { folder, rest: listed.into_iter(), read_at: self.state.ran, bytes });
        Ok(None)
    }

    /// Comes out of the folder that was entered last.
    async fn leave(&mut self) -> Result<(), Ended> {
        let Some(Open { mut folder, bytes, .. }) = self.open.pop() else { return Ok(()) };
        self.bytes -= bytes + folder.path.len();
        if self.options.depth_first { self.test(&mut folder).await } else { Ok(()) }
    }

    async fn test(&mut self, entry: &mut Entry) -> Result<(), Ended> {
        self.state.prunes = false;
        if entry.depth < self.options.least {
            return Ok(());
        }
        self.state.evaluate(self.call, self.plan, self.around, entry).await
    }
}
