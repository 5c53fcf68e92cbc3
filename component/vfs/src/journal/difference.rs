//! Encodes the difference of two trees as bytes.
//!
//! Format: `next_ino`, `clock`, the number of changed inodes, then each of them by number. An inode starts with the distance from the
//! previous number and an operation byte (kind, and whether executable). Unless it was removed, there follow the second of its mtime before
//! the clock, its parent's distance from it, its link count, and its contents. A directory holds its changed entries. A file holds nothing
//! (unchanged), bytes, a delta against a file of the old tree, a slice of an attachment, its length and a raw deflate stream, or a slice of
//! an attachment that is a zlib stream, and its length. Integers are LEB128.

use std::collections::BTreeMap;

use crate::{
    content::Content,
    deflated::Deflater,
    delta,
    diff::{InodeChange, changed_entries, changed_inodes},
    inode::{Entries, Ino, Inode, Node},
    journal::Rope,
    tree::Root,
    varint::{put, put_bytes, put_signed},
};

/// Operations on an inode.
pub(crate) mod operation {
    pub(crate) const REMOVE: u8 = 0;
    pub(crate) const FILE: u8 = 1;
    pub(crate) const EXECUTABLE: u8 = 2;
    pub(crate) const DIRECTORY: u8 = 3;
    pub(crate) const SYMLINK: u8 = 4;
}

/// Forms of a file's content.
pub(crate) mod form {
    pub(crate) const SAME: u8 = 0;
    pub(crate) const BYTES: u8 = 1;
    pub(crate) const DELTA: u8 = 2;
    pub(crate) const ATTACHMENT: u8 = 3;
    pub(crate) const DEFLATED: u8 = 4;
    pub(crate) const INFLATED: u8 = 5;
}

/// Appends the difference that turns `old` into `new`.
pub(crate) fn encode(old: &Root, new: &Root, out: &mut Rope) {
    let changes: Vec<InodeChange<'_>> = changed_inodes(old, new).collect();
    let replaced = replaced(&changes);
    Encoding { old, clock: new.clock, replaced, deflater: Deflater::default(), out }.root(new, &changes);
}

/// For every inode that replaced another one in a directory, that other inode. If a program replaces a file by renaming a new one over it,
/// a delta against the replaced file is shortest.
fn replaced(changes: &[InodeChange<'_>]) -> BTreeMap<Ino, Ino> {
    let directories = changes.iter().filter_map(|change| Some((change.old?.entries()?, change.new?.entries()?)));
    directories
        .flat_map(|(old, new)| changed_entries(old, new))
        .filter_map(|entry| Some((entry.new?, entry.old?)))
        .collect()
}

struct Encoding<'a> {
    old: &'a Root,
    clock: u64,
    replaced: BTreeMap<Ino, Ino>,
    deflater: Deflater,
    out: &'a mut Rope,
}

impl Encoding<'_> {
    fn root(&mut self, new: &Root, changes: &[InodeChange<'_>]) {
        self.out.write(|out| {
            put(out, new.next_ino);
            put(out, new.clock);
            put(out, changes.len() as u64);
        });
        let mut former = 0;
        for change in changes {
            self.out.write(|out| put(out, change.ino.0 - former));
            former = change.ino.0;
            match change.new {
                Some(inode) => self.inode(change, inode),
                None => self.out.write(|out| out.push(operation::REMOVE)),
            }
        }
    }

    fn inode(&mut self, change: &InodeChange<'_>, inode: &Inode) {
        let operation = match &inode.node {
            Node::File(_) if inode.executable => operation::EXECUTABLE,
            Node::File(_) => operation::FILE,
            Node::Directory(_) => operation::DIRECTORY,
            Node::Symlink(_) => operation::SYMLINK,
        };
        let clock = self.clock;
        self.out.write(|out| {
            out.push(operation);
            put_signed(out, clock.wrapping_sub(inode.mtime) as i64);
            put_signed(out, change.ino.0.wrapping_sub(inode.parent.0) as i64);
            put(out, u64::from(inode.nlink));
        });
        match &inode.node {
            Node::File(content) => self.content(change, content),
            Node::Directory(entries) => self.entries(change.old.and_then(Inode::entries), entries),
            Node::Symlink(target) => self.out.write(|out| put_bytes(out, target)),
        }
    }

    fn entries(&mut self, old: Option<&Entries>, new: &Entries) {
        let nothing = Entries::new();
        let changes: Vec<_> = changed_entries(old.unwrap_or(&nothing), new).collect();
        self.out.write(|out| {
            put(out, changes.len() as u64);
            for entry in changes {
                put_bytes(out, entry.name);
                put(out, entry.new.map_or(0, |ino| ino.0));
            }
        });
    }

    fn content(&mut self, change: &InodeChange<'_>, content: &Content) {
        let former = change.old.and_then(Inode::content);
        if former.is_some_and(|former| former.ptr_eq(content)) {
            return self.out.write(|out| out.push(form::SAME));
        }
        if let Some(origin) = content.origin() {
            let stream = content.stream();
            return self.out.write(|out| {
                out.push(if stream.is_some() { form::INFLATED } else { form::ATTACHMENT });
                out.extend_from_slice(&origin.id);
                put(out, origin.offset);
                if let Some(stream) = stream {
                    put(out, stream.bytes.len() as u64);
                }
                put(out, content.len());
            });
        }
        let base = match former {
            Some(former) => Some((change.ino, former)),
            None => self.replaced.get(&change.ino).and_then(|&ino| Some((ino, self.old.get(ino)?.content()?))),
        };
        let delta = base.and_then(|(ino, base)| Some((ino, delta::encode(base.bytes().ok()?, content.bytes().ok()?)?)));
        match delta {
            Some((base, delta)) => self.out.write(|out| {
                out.push(form::DELTA);
                put(out, base.0);
                put_bytes(out, &delta);
            }),
            None => self.bytes(content),
        }
    }

    /// A content that nothing else is known to hold. A compressed one stays compressed.
    fn bytes(&mut self, content: &Content) {
        let out = &mut *self.out;
        let mut put_stream = |stream: &[u8]| {
            out.write(|out| {
                out.push(form::DEFLATED);
                put(out, content.len());
                put_bytes(out, stream);
            });
        };
        if let Some(stream) = content.stream() {
            return put_stream(&stream.bytes);
        }
        let bytes = content.bytes().expect("what is not compressed can be read");
        match self.deflater.deflate(bytes) {
            Some(stream) => put_stream(stream),
            None => {
                self.out.write(|out| {
                    out.push(form::BYTES);
                    put(out, content.len());
                });
                self.out.push(bytes);
            }
        }
    }
}
