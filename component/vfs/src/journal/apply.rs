//! From the bytes of a difference back to a tree.

use std::sync::Arc;

use bytes::Bytes;

use crate::{
    content::Content,
    delta,
    inode::{Entries, Ino, Inode, Name, Node},
    journal::{
        Attachments, JournalErrorKind,
        difference::{form, operation},
    },
    tree::Root,
    varint::{Malformed, Reader},
};

/// From this length on a content may share the buffer of its record.
const SHARE: usize = 4 << 10;
/// Beyond this no number of an inode and no second can lie: what counts on from it never overflows.
const HIGHEST: u64 = 1 << 62;

/// Why a difference cannot be applied.
#[derive(Debug)]
pub(crate) struct NotApplied {
    pub(crate) kind: JournalErrorKind,
    pub(crate) message: &'static str,
}

impl NotApplied {
    fn malformed(message: &'static str) -> Self {
        Self { kind: JournalErrorKind::Malformed, message }
    }
}

impl From<Malformed> for NotApplied {
    fn from(Malformed: Malformed) -> Self {
        Self::malformed("the record ends too early or holds a number that cannot be")
    }
}

/// Apply the difference that `bytes` holds to `old`.
///
/// Large contents become slices of `bytes` if together they are at least half of `pinned`, the
/// length of the buffer that such a slice keeps alive; else they are copied.
pub(crate) fn apply(old: &Root, bytes: &Bytes, pinned: usize, attachments: &Attachments) -> Result<Root, NotApplied> {
    let mut applying = Applying { old, bytes, attachments, reader: Reader::new(bytes), shared: Vec::new() };
    let mut root = applying.root()?;
    let shared: u64 = applying.shared.iter().filter_map(|ino| Some(root.get(*ino)?.size())).sum();
    if shared < pinned as u64 / 2 {
        for &ino in &applying.shared {
            let copy = |inode: &mut Inode| {
                if let Node::File(content) = &mut inode.node {
                    *content = Content::new(Bytes::copy_from_slice(content.bytes()));
                }
            };
            root.update(ino, copy).expect("it was put there");
        }
    }
    Ok(root)
}

struct Applying<'a> {
    old: &'a Root,
    bytes: &'a Bytes,
    attachments: &'a Attachments,
    reader: Reader<'a>,
    /// The files whose content is a slice of `bytes`.
    shared: Vec<Ino>,
}

impl Applying<'_> {
    fn root(&mut self) -> Result<Root, NotApplied> {
        let mut root = self.old.clone();
        root.next_ino = self.reader.varint()?;
        root.clock = self.reader.varint()?;
        if root.next_ino > HIGHEST || root.clock > HIGHEST {
            return Err(NotApplied::malformed("a counter of the tree is beyond all bounds"));
        }
        let mut ino = 0_u64;
        for _ in 0..self.reader.count()? {
            let distance = self.reader.varint()?;
            ino = ino.checked_add(distance).filter(|_| distance > 0).ok_or(Malformed)?;
            match self.reader.byte()? {
                operation::REMOVE => {
                    root.take(Ino(ino)).ok_or(NotApplied::malformed("an inode is removed that was not there"))?;
                }
                operation => {
                    let inode = self.inode(Ino(ino), operation, root.clock)?;
                    root.put(Ino(ino), inode);
                }
            }
        }
        if self.reader.left() > 0 {
            return Err(NotApplied::malformed("the record goes on behind its end"));
        }
        Ok(root)
    }

    fn inode(&mut self, ino: Ino, operation: u8, clock: u64) -> Result<Inode, NotApplied> {
        let mtime = clock.wrapping_sub(self.reader.signed()? as u64);
        let parent = Ino(ino.0.wrapping_sub(self.reader.signed()? as u64));
        let nlink = u32::try_from(self.reader.varint()?).map_err(|_| Malformed)?;
        let node = match operation {
            operation::FILE | operation::EXECUTABLE => Node::File(self.content(ino)?),
            operation::DIRECTORY => Node::Directory(self.entries(ino)?),
            operation::SYMLINK => Node::Symlink(Arc::from(self.reader.bytes()?)),
            _ => return Err(NotApplied::malformed("an inode is of no known kind")),
        };
        Ok(Inode { node, parent, nlink, executable: operation == operation::EXECUTABLE, mtime })
    }

    fn former(&self, ino: Ino) -> Option<&Content> {
        self.old.get(ino)?.content()
    }

    fn entries(&mut self, ino: Ino) -> Result<Entries, NotApplied> {
        let mut entries = self.old.get(ino).and_then(Inode::entries).cloned().unwrap_or_default();
        for _ in 0..self.reader.count()? {
            let name = self.reader.bytes()?;
            match self.reader.varint()? {
                0 => {
                    entries.remove(name).ok_or(NotApplied::malformed("an entry is removed that was not there"))?;
                }
                ino => {
                    let name = Name::new(name).ok_or(NotApplied::malformed("an entry cannot have this name"))?;
                    entries.insert(name, Ino(ino));
                }
            }
        }
        Ok(entries)
    }

    fn content(&mut self, ino: Ino) -> Result<Content, NotApplied> {
        let no_base = NotApplied::malformed("a file changes that was not there");
        match self.reader.byte()? {
            form::SAME => self.former(ino).cloned().ok_or(no_base),
            form::BYTES => {
                let content = self.reader.bytes()?;
                let end = self.reader.position();
                if content.len() < SHARE {
                    return Ok(Content::new(Bytes::copy_from_slice(content)));
                }
                self.shared.push(ino);
                Ok(Content::new(self.bytes.slice(end - content.len()..end)))
            }
            form::DELTA => {
                let base = Ino(self.reader.varint()?);
                let delta = self.reader.bytes()?;
                let former = self.former(base).ok_or(no_base)?;
                let content = delta::apply(former.bytes(), delta);
                content.map(Content::from).map_err(|_| NotApplied::malformed("a change does not fit its file"))
            }
            form::ATTACHMENT => {
                let id = self.reader.take(32)?.try_into().expect("as many bytes were taken");
                let (offset, length) = (self.reader.varint()?, self.reader.varint()?);
                let content = self.attachments.content(id, offset, length).map_err(|_| NotApplied {
                    kind: JournalErrorKind::MissingAttachment,
                    message: "an attachment that the record refers to is missing",
                })?;
                content.ok_or(NotApplied::malformed("an attachment is shorter than the record says"))
            }
            _ => Err(NotApplied::malformed("a file has no known form of content")),
        }
    }
}
