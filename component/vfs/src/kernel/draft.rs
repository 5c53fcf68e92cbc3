//! Contents being written.
//!
//! The first write takes a file's content out of its inode as a growing vector, without a copy when
//! nobody else holds it; freezing puts it back. Appending in small pieces is thus linear, and a tree
//! that is handed out is complete.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::Kernel;
use crate::{
    content::Content,
    errno::Errno,
    inode::{Ino, Inode, Node},
};

/// Slack that is not worth a copy to get rid of, as a part of the length.
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
    /// The bytes of a file, being written or not.
    pub(super) fn content_of(&self, ino: Ino) -> Result<&[u8], Errno> {
        match self.drafts.get(ino) {
            Some(draft) => Ok(draft),
            None => Ok(self.inode(ino)?.content().ok_or(Errno::Isdir)?.bytes()?),
        }
    }

    /// How many they are. A content that is compressed is not read for this.
    pub(super) fn length_of(&self, ino: Ino) -> Result<u64, Errno> {
        match self.drafts.get(ino) {
            Some(draft) => Ok(draft.len() as u64),
            None => Ok(self.inode(ino)?.content().ok_or(Errno::Isdir)?.len()),
        }
    }

    /// Give a file the length `length` and change its bytes, at one tick of the clock.
    /// Fails with nothing changed when a limit is in the way.
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

    /// Turn a file's content into a draft, of which no more than `keep` bytes are needed.
    fn thaw(&mut self, ino: Ino, keep: usize) -> Result<(), Errno> {
        if self.drafts.get(ino).is_none() {
            // Before the content is taken: one that cannot be read stays what it is. Where nothing of it is kept, it is not read.
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

    /// Freeze a file after its last writer left, unless that would cost a copy.
    pub(super) fn settle(&mut self, ino: Ino) {
        if self.drafts.get(ino).is_some_and(|draft| draft.capacity() - draft.len() <= draft.len() / SLACK) {
            self.freeze(ino);
        }
    }

    /// Put the draft of a file, if there is one, back into its inode.
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
