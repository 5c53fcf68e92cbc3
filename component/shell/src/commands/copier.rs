//! Copying of entries, for `cp` and `install`.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind};

use bstr::{BStr, BString, ByteSlice};

use super::entries::{below, has_parent, make_folder, quoted, stat};
use super::targets::{Pair, trails};
use super::walk::{Entry, Step, Walk};
use crate::exec::{Call, Ended, redirect};
use crate::io::reason;
use crate::world::{Kind, Stat};

/// Which links are followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Follow {
    /// None: a link is copied as one.
    Never,
    /// Those that are operands.
    First,
    /// All.
    #[default]
    Always,
}

/// How entries are copied.
#[derive(Debug, Default)]
pub struct Copier {
    /// Whether folders are copied.
    pub recursive: bool,
    /// Which links are followed.
    pub follow: Follow,
    /// Whether copies are as old as what they are of.
    pub times: bool,
    /// Whether files that exist become executable as what they get.
    pub modes: bool,
    /// Whether what exists stays as it is.
    pub keeps: bool,
    /// Whether what exists stays as it is, if it is newer.
    pub updates: bool,
    /// Whether what cannot be written is removed first.
    pub force: bool,
    /// Whether what exists is removed first.
    pub replaces: bool,
    /// Whether every copy is printed.
    pub says: bool,
    /// The files that were made, which no other operand may overwrite.
    pub made: BTreeSet<BString>,
}

/// What is wrong with a copy, in words.
type Copied = Result<(), String>;

impl Copier {
    /// Copies an entry with all that is in it. Returns whether that went well; what went wrong is said.
    pub async fn copy(&mut self, call: &mut Call<'_>, pair: &Pair) -> Result<bool, Ended> {
        let Pair { from, to } = pair;
        if redirect::is_device(call.shell, &call.shell.path(from)) {
            return self.device(call, pair).await;
        }
        let found = match stat(call.shell, from, self.follow != Follow::Never) {
            Ok(found) => found,
            Err(error) => {
                call.complain(format!("cannot stat {}: {}", quoted(from), reason(&error))).await?;
                return Ok(false);
            }
        };
        if found.kind == Kind::Folder && !self.recursive {
            let why = if call.name == "cp" { "-r not specified; " } else { "" };
            call.complain(format!("{why}omitting directory {}", quoted(from))).await?;
            return Ok(false);
        }
        let root = call.shell.path(to);
        let mut walk = Walk::new(call.shell, from, found, self.follow == Follow::Always);
        let mut fine = true;
        while let Some(step) = walk.next(call.shell)? {
            let wrong = match step {
                Step::Entry(entry) if entry.stat.kind == Kind::Folder => {
                    let made = if entry.path == root {
                        Err(itself(&entry, pair))
                    } else {
                        self.folder(call, &entry, pair).await?
                    };
                    if made.is_err() {
                        walk.skip();
                    }
                    made
                }
                // It leads nowhere, or it would have been followed.
                Step::Entry(entry) if entry.stat.kind == Kind::Link && self.follow == Follow::Always => {
                    Err(format!("cannot stat {}: No such file or directory", quoted(&entry.shown)))
                }
                Step::Entry(entry) => self.entry(call, &entry, pair).await?,
                Step::Leave(entry) => {
                    let path = call.shell.path(&renamed(&entry, pair));
                    self.finish(call, path.as_bstr(), &entry.stat);
                    Ok(())
                }
                Step::Unlisted(entry, error) => {
                    Err(format!("cannot access {}: {}", quoted(&entry.shown), reason(&error)))
                }
                Step::Cycle(entry) => Err(format!("cannot copy cyclic symbolic link {}", quoted(&entry.shown))),
            };
            if let Err(message) = wrong {
                call.complain(message).await?;
                fine = false;
            }
        }
        Ok(fine)
    }

    /// Makes a folder, unless it is there.
    async fn folder(&self, call: &mut Call<'_>, entry: &Entry, pair: &Pair) -> Result<Copied, Ended> {
        let to = renamed(entry, pair);
        let path = call.shell.path(&to);
        match call.shell.base.files.stat(path.as_bstr(), true) {
            Ok(there) if there.kind == Kind::Folder => return Ok(Ok(())),
            Ok(_) => {
                let (to, from) = (quoted(&to), quoted(&entry.shown));
                return Ok(Err(format!("cannot overwrite non-directory {to} with directory {from}")));
            }
            Err(_) => (),
        }
        if let Err(error) = make_folder(call.shell, path.as_bstr()) {
            return Ok(Err(format!("cannot create directory {}: {}", quoted(&to), reason(&error))));
        }
        self.say(call, &entry.shown, &to).await?;
        Ok(Ok(()))
    }

    /// Copies a file or a link.
    async fn entry(&mut self, call: &mut Call<'_>, entry: &Entry, pair: &Pair) -> Result<Copied, Ended> {
        let to = renamed(entry, pair);
        let path = call.shell.path(&to);
        let is_link = entry.stat.kind == Kind::Link;
        if redirect::is_device(call.shell, &path) && !is_link {
            return written(call, &entry.shown, &to).await;
        }
        let files = &call.shell.base.files;
        let there = files.stat(path.as_bstr(), false).ok();
        let goal = files.stat(path.as_bstr(), true).ok();
        if let Some(there) = &there {
            let older = goal.as_ref().is_some_and(|goal| goal.modified >= entry.stat.modified);
            if self.keeps || self.updates && older {
                return Ok(Ok(()));
            }
            let (from_shown, to_shown) = (quoted(&entry.shown), quoted(&to));
            // A link that is removed first is not what it leads to.
            let itself = is_link || self.replaces;
            let same = if itself { Some(there) } else { goal.as_ref() };
            if same.is_some_and(|same| same.inode == entry.stat.inode) {
                return Ok(Err(format!("{from_shown} and {to_shown} are the same file")));
            }
            if goal.as_ref().is_some_and(|goal| goal.kind == Kind::Folder) {
                return Ok(Err(format!("cannot overwrite directory {to_shown} with non-directory")));
            }
            if self.made.contains(&path) {
                return Ok(Err(format!("will not overwrite just-created {to_shown} with {from_shown}")));
            }
            if goal.is_none() && !is_link && !self.replaces {
                return Ok(Err(format!("not writing through dangling symlink {to_shown}")));
            }
        }
        let copied = match trails(call.shell, &to) {
            true => Err(ErrorKind::NotADirectory.into()),
            false => self.copied(call, entry, path.as_bstr(), there.is_some()),
        };
        if let Err(error) = copied {
            let what = if is_link { "symbolic link" } else { "regular file" };
            return Ok(Err(format!("cannot create {what} {}: {}", quoted(&to), reason(&error))));
        }
        self.finish(call, path.as_bstr(), &entry.stat);
        self.made.insert(path);
        self.say(call, &entry.shown, &to).await?;
        Ok(Ok(()))
    }

    fn copied(&self, call: &Call<'_>, entry: &Entry, path: &BStr, exists: bool) -> io::Result<()> {
        let files = &call.shell.base.files;
        has_parent(call.shell, path)?;
        let is_link = entry.stat.kind == Kind::Link;
        if exists && (is_link || self.replaces) {
            files.world()?.remove_file(path)?;
        }
        if is_link {
            let target = files.world()?.read_link(entry.path.as_bstr())?;
            return files.world()?.link(target.as_bstr(), path);
        }
        let content = files.read(entry.path.as_bstr())?;
        let mut is_new = !exists || self.replaces;
        if let Err(error) = files.put(path, content.to_vec()) {
            if !(self.force && exists && error.kind() == ErrorKind::PermissionDenied) {
                return Err(error);
            }
            files.world()?.remove_file(path)?;
            files.put(path, content.to_vec())?;
            is_new = true;
        }
        if is_new && entry.stat.executable || self.modes && !is_new {
            files.world()?.set_executable(path, entry.stat.executable)?;
        }
        Ok(())
    }

    /// Copies what can be read, but is not in the tree.
    async fn device(&mut self, call: &mut Call<'_>, pair: &Pair) -> Result<bool, Ended> {
        let Some(content) = call.content(&pair.from).await? else { return Ok(false) };
        let path = call.shell.path(&pair.to);
        if self.keeps && call.shell.base.files.stat(path.as_bstr(), false).is_ok() {
            return Ok(true);
        }
        let sink = match call.create(&pair.to, false) {
            Err(Ended::Failed(message)) => {
                call.complain(format!("cannot create regular file {message}")).await?;
                return Ok(false);
            }
            sink => sink?,
        };
        sink.write(&content).await?;
        self.say(call, &pair.from, &pair.to).await?;
        Ok(true)
    }

    fn finish(&self, call: &Call<'_>, path: &BStr, stat: &Stat) {
        if self.times && stat.kind != Kind::Link {
            // A tree that keeps no such times has nothing to preserve.
            drop(call.shell.base.files.world().and_then(|world| world.set_modified(path, stat.modified)));
        }
    }

    async fn say(&self, call: &mut Call<'_>, from: &[u8], to: &[u8]) -> Result<(), Ended> {
        if self.says {
            call.line(format!("{} -> {}", quoted(from), quoted(to))).await?;
        }
        Ok(())
    }
}

fn itself(entry: &Entry, pair: &Pair) -> String {
    match entry.depth {
        0 => format!("{} and {} are the same file", quoted(&pair.from), quoted(&pair.to)),
        _ => format!("cannot copy a directory, {}, into itself, {}", quoted(&pair.from), quoted(&pair.to)),
    }
}

/// What an entry below the operand is going to be called.
fn renamed(entry: &Entry, pair: &Pair) -> BString {
    let rest = entry.shown[pair.from.len()..].trim_start_with(|char| char == '/');
    if rest.is_empty() { pair.to.clone() } else { below(&pair.to, rest) }
}

/// Writes a file to one of the shell's open files.
async fn written(call: &mut Call<'_>, from: &[u8], to: &[u8]) -> Result<Copied, Ended> {
    let Some(content) = call.content(from).await? else { return Err(Ended::Status(1)) };
    call.flush().await?;
    call.create(to, false)?.write(&content).await?;
    Ok(Ok(()))
}
