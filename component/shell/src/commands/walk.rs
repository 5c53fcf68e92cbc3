//! A walk over a tree, without recursion.

use std::io;
use std::vec::IntoIter;

use bstr::{BString, ByteSlice};

use super::entries::below;
use crate::state::Shell;
use crate::world::{Halt, Kind, Stat};

/// What a walk has come to.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its name, as the operand was written.
    pub shown: BString,
    /// Its absolute path.
    pub path: BString,
    /// Its metadata.
    pub stat: Stat,
    /// How deep it is below the operand.
    pub depth: usize,
}

/// A step of a walk.
#[derive(Debug)]
pub enum Step {
    /// An entry: a folder comes before what is in it.
    Entry(Entry),
    /// A folder, after everything that is in it.
    Leave(Entry),
    /// A folder that cannot be listed.
    Unlisted(Entry, io::Error),
    /// A link to a folder that it is in.
    Cycle(Entry),
}

/// A walk over a tree.
#[derive(Debug)]
pub struct Walk {
    first: Option<Entry>,
    /// The folder that was entered last, and is not listed yet.
    entered: Option<Entry>,
    open: Vec<(Entry, IntoIter<(BString, Stat)>)>,
    follows: bool,
    order: Option<Order>,
}

/// Which entry of a folder comes first.
pub type Order = fn(&(BString, Stat), &(BString, Stat)) -> std::cmp::Ordering;

impl Walk {
    /// One from an operand on. Links in the tree are followed, if so wanted.
    pub fn new(shell: &Shell, name: &[u8], stat: Stat, follows: bool) -> Walk {
        let first = Entry { shown: name.into(), path: shell.path(name), stat, depth: 0 };
        Walk { first: Some(first), entered: None, open: Vec::new(), follows, order: None }
    }

    /// The same, in another order than that of names.
    #[must_use]
    pub fn ordered(self, order: Option<Order>) -> Walk {
        Walk { order, ..self }
    }

    /// Leaves out what is in the folder that was entered last. It is not left either.
    pub fn skip(&mut self) {
        self.entered = None;
    }

    /// The next step.
    pub fn next(&mut self, shell: &Shell) -> Result<Option<Step>, Halt> {
        shell.work(1)?;
        if let Some(entry) = self.first.take() {
            return Ok(Some(self.enter(entry)));
        }
        if let Some(folder) = self.entered.take() {
            match shell.base.files.list(folder.path.as_bstr()) {
                Ok(mut list) => {
                    if let Some(order) = self.order {
                        list.sort_by(order);
                    }
                    shell.work(u32::try_from(list.len() / 4).unwrap_or(u32::MAX))?;
                    self.open.push((folder, list.into_iter()));
                }
                Err(error) => return Ok(Some(Step::Unlisted(folder, error))),
            }
        }
        let Some((folder, rest)) = self.open.last_mut() else { return Ok(None) };
        let Some((name, stat)) = rest.next() else {
            return Ok(self.open.pop().map(|(folder, _)| Step::Leave(folder)));
        };
        let (shown, path) = (below(&folder.shown, &name), below(&folder.path, &name));
        let depth = folder.depth + 1;
        let stat = match stat.kind {
            Kind::Link if self.follows => shell.base.files.stat(path.as_bstr(), true).unwrap_or(stat),
            _ => stat,
        };
        Ok(Some(self.enter(Entry { shown, path, stat, depth })))
    }

    fn enter(&mut self, entry: Entry) -> Step {
        if entry.stat.kind == Kind::Folder {
            if self.open.iter().any(|(folder, _)| folder.stat.inode == entry.stat.inode) {
                return Step::Cycle(entry);
            }
            self.entered = Some(entry.clone());
        }
        Step::Entry(entry)
    }
}
