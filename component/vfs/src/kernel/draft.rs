//! Contents being written.
//!
//! The first write takes a file's content out of its inode as a growing vector, and does not copy it if nobody else holds it. Freezing puts
//! it back. So appending in small pieces is linear, and a tree that leaves the kernel is complete.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::Kernel;
use crate::{
    content::Content,
    errno::Errno,
    inode::{Ino, Inode, Node},
};

/// The slack, as a fraction of the length, that is not worth a copy to free.
const SLACK: usize = 8;

#[derive(Debug, Default)]
pub(super) struct Drafts {
    buffers: BTreeMap<Ino, Vec<u8>>,
    bytes: u64,
}

impl Drafts {
    pub(super) fn get(&self, ino: Ino) -> Option<&Vec<u8>> {
        self.buffers.get(&ino)
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn remove(&mut self, ino: Ino) -> Option<Vec<u8>> {
        let buffer = self.buffers.remove(&ino)?;
        self.bytes -= buffer.len() as u64;
        Some(buffer)
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    fn insert(&mut self, ino: Ino, buffer: Vec<u8>) {
        self.bytes += buffer.len() as u64;
        let former = self.buffers.insert(ino, buffer);
        debug_assert!(former.is_none(), "a file has one draft");
    }

    fn change(&mut self, ino: Ino, change: impl FnOnce(&mut Vec<u8>)) {
        let buffer = self.buffers.get_mut(&ino).expect("the file was thawed");
        self.bytes -= buffer.len() as u64;
        change(buffer);
        self.bytes += buffer.len() as u64;
    }
}

fn file_content(inode: &mut Inode) -> Option<&mut Content> {
    match &mut inode.node {
        Node::File(content) => Some(content),
        _ => None,
    }
}

impl Kernel {
    /// The bytes of a file, in a draft or not.
    pub(super) fn content_of(&self, ino: Ino) -> Result<&[u8], Errno> {
        match self.drafts.get(ino) {
            Some(draft) => Ok(draft),
            None => Ok(self.inode(ino)?.content().ok_or(Errno::Isdir)?.bytes()?),
        }
    }

    /// The number of bytes. A compressed content stays compressed.
    pub(super) fn length_of(&self, ino: Ino) -> Result<u64, Errno> {
        match self.drafts.get(ino) {
            Some(draft) => Ok(draft.len() as u64),
            None => Ok(self.inode(ino)?.content().ok_or(Errno::Isdir)?.len()),
        }
    }

    /// Sets the length of a file to `length` and changes its bytes, at one tick of the clock. If a limit is exceeded, fails and changes
    /// nothing.
    pub(super) fn rewrite(&mut self, ino: Ino, length: u64, change: impl FnOnce(&mut Vec<u8>)) -> Result<(), Errno> {
        if length > self.limits.file_bytes {
            return Err(Errno::Fbig);
        }
        let length = usize::try_from(length).map_err(|_| Errno::Fbig)?;
        let grown = (length as u64).saturating_sub(self.length_of(ino)?);
        if grown > 0 && self.bytes_in_use() + grown > self.limits.bytes {
            return Err(Errno::Nospc);
        }
        self.thaw(ino, length)?;
        let mut fits = true;
        self.drafts.change(ino, |buffer| {
            let missing = length.saturating_sub(buffer.len());
            fits = buffer.try_reserve(missing).is_ok();
            if fits {
                buffer.resize(length, 0);
                change(buffer);
            }
        });
        if !fits {
            return Err(Errno::Nospc);
        }
        let now = self.tree.tick();
        self.update(ino, |inode| inode.mtime = now)
    }

    /// Turns a file's content into a draft that needs at most its first `keep` bytes.
    fn thaw(&mut self, ino: Ino, keep: usize) -> Result<(), Errno> {
        if self.drafts.get(ino).is_none() {
            // Read before taking the content, so that an unreadable one stays in place. If the draft keeps no bytes, do not read.
            if keep > 0 {
                self.content_of(ino)?;
            }
            let content = self.update(ino, |inode| file_content(inode).map(std::mem::take))?.ok_or(Errno::Isdir)?;
            let kept = match keep {
                0 => Bytes::new(),
                _ => content.bytes().map(|bytes| bytes.slice(..keep.min(bytes.len())))?,
            };
            drop(content);
            self.drafts.insert(ino, Vec::from(kept));
        }
        Ok(())
    }

    /// Freezes a file after its last writer closed it, unless that would cost a copy.
    pub(super) fn settle(&mut self, ino: Ino) {
        if self.drafts.get(ino).is_some_and(|draft| draft.capacity() - draft.len() <= draft.len() / SLACK) {
            self.freeze(ino);
        }
    }

    /// Puts a file's draft back into its inode, if it has one.
    pub(super) fn freeze(&mut self, ino: Ino) {
        if let Some(mut buffer) = self.drafts.remove(ino) {
            if buffer.capacity() - buffer.len() > buffer.len() / SLACK {
                buffer.shrink_to_fit();
            }
            self.update(ino, |inode| {
                if let Some(content) = file_content(inode) {
                    *content = Content::from(buffer);
                }
            })
            .expect("a draft goes away with its inode");
        }
    }

    pub(super) fn freeze_all(&mut self) {
        let inos: Vec<Ino> = self.drafts.buffers.keys().copied().collect();
        for ino in inos {
            self.freeze(ino);
        }
    }
}
