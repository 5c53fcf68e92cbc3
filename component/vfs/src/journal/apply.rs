//! Reads the bytes of a difference, and applies it to a tree.

use std::sync::Arc;

use crate::{
    content::{Content, Unreadable},
    deflated::Stream,
    delta,
    inode::{Entries, Ino, Inode, Name, Node},
    journal::{
        Attachments, ChunksReader, JournalErrorKind,
        difference::{form, operation},
    },
    tree::Root,
    varint::{Malformed, Source},
};

/// No inode number and no second may be greater, so that counting on from it never overflows.
const HIGHEST: u64 = 1 << 62;

/// The error for a stream that cannot have a content of its length.
const TOO_LONG: NotApplied = NotApplied::malformed("a file is too long for its stream");

/// Why a difference does not apply.
#[derive(Debug)]
pub(crate) struct NotApplied {
    pub(crate) kind: JournalErrorKind,
    pub(crate) message: &'static str,
}

impl NotApplied {
    const fn malformed(message: &'static str) -> Self {
        Self { kind: JournalErrorKind::Malformed, message }
    }
}

impl From<Malformed> for NotApplied {
    fn from(Malformed: Malformed) -> Self {
        Self::malformed("the record ends too early or contains an invalid number")
    }
}

/// Applies the difference in `reader` to `old`. Every content gets its own buffer, so that it keeps
/// nothing else in memory.
pub(crate) fn apply(old: &Root, reader: ChunksReader<'_>, attachments: &Attachments) -> Result<Root, NotApplied> {
    Applying { old, attachments, reader }.root()
}

struct Applying<'a> {
    old: &'a Root,
    attachments: &'a Attachments,
    reader: ChunksReader<'a>,
}

impl Applying<'_> {
    fn root(&mut self) -> Result<Root, NotApplied> {
        let mut root = self.old.clone();
        root.next_ino = self.reader.varint()?;
        root.clock = self.reader.varint()?;
        if root.next_ino > HIGHEST || root.clock > HIGHEST {
            return Err(NotApplied::malformed("a counter of the tree is out of range"));
        }
        let mut ino = 0_u64;
        for _ in 0..self.reader.count()? {
            let distance = self.reader.varint()?;
            ino = ino.checked_add(distance).filter(|_| distance > 0).ok_or(Malformed)?;
            match self.reader.byte()? {
                operation::REMOVE => {
                    root.take(Ino(ino))
                        .ok_or(NotApplied::malformed("the record removes an inode that does not exist"))?;
                }
                operation => {
                    let inode = self.inode(Ino(ino), operation, root.clock)?;
                    root.put(Ino(ino), inode);
                }
            }
        }
        if self.reader.left() > 0 {
            return Err(NotApplied::malformed("the record continues past its end"));
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
            _ => return Err(NotApplied::malformed("an inode has an unknown kind")),
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
                    entries
                        .remove(&name[..])
                        .ok_or(NotApplied::malformed("the record removes an entry that does not exist"))?;
                }
                ino => {
                    let name = Name::new(&name).ok_or(NotApplied::malformed("an entry has an invalid name"))?;
                    entries.insert(name, Ino(ino));
                }
            }
        }
        Ok(entries)
    }

    /// The next slice of an attachment.
    fn attached(&mut self) -> Result<Content, NotApplied> {
        let id = self.reader.take(32)?.try_into().expect("as many bytes were taken");
        let (offset, length) = (self.reader.varint()?, self.reader.varint()?);
        let content = self.attachments.content(id, offset, length).map_err(|_| NotApplied {
            kind: JournalErrorKind::MissingAttachment,
            message: "an attachment that the record refers to is missing",
        })?;
        content.ok_or(NotApplied::malformed("an attachment is shorter than the record says"))
    }

    fn content(&mut self, ino: Ino) -> Result<Content, NotApplied> {
        let no_base = NotApplied::malformed("the record changes a file that does not exist");
        match self.reader.byte()? {
            form::SAME => self.former(ino).cloned().ok_or(no_base),
            form::BYTES => {
                let content = self.reader.bytes()?;
                Ok(Content::from(content))
            }
            form::DEFLATED => {
                let length = usize::try_from(self.reader.varint()?).map_err(|_| Malformed)?;
                let stream = Stream::raw(length, self.reader.bytes()?.into()).ok_or(TOO_LONG)?;
                Ok(Content::deflated(stream, None))
            }
            form::DELTA => {
                let base = Ino(self.reader.varint()?);
                let delta = self.reader.bytes()?;
                let former = self.former(base).ok_or(no_base)?;
                let former = former.bytes().map_err(|Unreadable| {
                    NotApplied::malformed("the content of a file that the record changes is unreadable")
                })?;
                let content = delta::apply(former, &delta);
                content.map(Content::from).map_err(|_| NotApplied::malformed("a change does not fit its file"))
            }
            form::ATTACHMENT => self.attached(),
            form::INFLATED => {
                let attached = self.attached()?;
                let length = self.reader.varint()?;
                let whole = 0..attached.len() as usize;
                attached.stream_in(whole, length).ok_or(TOO_LONG)
            }
            _ => Err(NotApplied::malformed("a file has an unknown form of content")),
        }
    }
}
