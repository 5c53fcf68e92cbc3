//! The difference of two trees as bytes.
//!
//! `next_ino`, `clock`, the number of changed inodes, then each, by number: the distance from the
//! former number, an operation byte (kind, and whether executable), and unless it is gone: the second
//! of its mtime before the clock, its parent's distance from it, its link count, and what it holds.
//! A directory holds the entries that changed; a file nothing (as before), bytes, a delta against a
//! file of the former tree, or a slice of an attachment. Integers are LEB128.

use std::collections::BTreeMap;

use crate::{
    content::Content,
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
}

/// Append the difference that makes `new` of `old`.
pub(crate) fn encode(old: &Root, new: &Root, out: &mut Rope) {
    let changes: Vec<InodeChange<'_>> = changed_inodes(old, new).collect();
    let replaced = replaced(&changes);
    out.write(|out| {
        put(out, new.next_ino);
        put(out, new.clock);
        put(out, changes.len() as u64);
    });
    let mut former = 0;
    for change in &changes {
        out.write(|out| put(out, change.ino.0 - former));
        former = change.ino.0;
        match change.new {
            Some(inode) => encode_inode(old, new.clock, change, inode, &replaced, out),
            None => out.write(|out| out.push(operation::REMOVE)),
        }
    }
}

/// For every inode that took the place of another one in a directory, that other one: a file that
/// is replaced by renaming a new one over it is best told as a change of the former file.
fn replaced(changes: &[InodeChange<'_>]) -> BTreeMap<Ino, Ino> {
    let directories = changes.iter().filter_map(|change| Some((change.old?.entries()?, change.new?.entries()?)));
    directories
        .flat_map(|(old, new)| changed_entries(old, new))
        .filter_map(|entry| Some((entry.new?, entry.old?)))
        .collect()
}

fn encode_inode(
    old: &Root,
    clock: u64,
    change: &InodeChange<'_>,
    inode: &Inode,
    replaced: &BTreeMap<Ino, Ino>,
    out: &mut Rope,
) {
    let operation = match &inode.node {
        Node::File(_) if inode.executable => operation::EXECUTABLE,
        Node::File(_) => operation::FILE,
        Node::Directory(_) => operation::DIRECTORY,
        Node::Symlink(_) => operation::SYMLINK,
    };
    out.write(|out| {
        out.push(operation);
        put_signed(out, clock.wrapping_sub(inode.mtime) as i64);
        put_signed(out, change.ino.0.wrapping_sub(inode.parent.0) as i64);
        put(out, u64::from(inode.nlink));
    });
    match &inode.node {
        Node::File(content) => encode_content(old, change, content, replaced, out),
        Node::Directory(entries) => encode_entries(change.old.and_then(Inode::entries), entries, out),
        Node::Symlink(target) => out.write(|out| put_bytes(out, target)),
    }
}

fn encode_entries(old: Option<&Entries>, new: &Entries, out: &mut Rope) {
    let nothing = Entries::new();
    let changes: Vec<_> = changed_entries(old.unwrap_or(&nothing), new).collect();
    out.write(|out| {
        put(out, changes.len() as u64);
        for entry in changes {
            put_bytes(out, entry.name);
            put(out, entry.new.map_or(0, |ino| ino.0));
        }
    });
}

fn encode_content(
    old: &Root,
    change: &InodeChange<'_>,
    content: &Content,
    replaced: &BTreeMap<Ino, Ino>,
    out: &mut Rope,
) {
    let former = change.old.and_then(Inode::content);
    if former.is_some_and(|former| former.ptr_eq(content)) {
        return out.write(|out| out.push(form::SAME));
    }
    if let Some(origin) = content.origin() {
        return out.write(|out| {
            out.push(form::ATTACHMENT);
            out.extend_from_slice(&origin.id);
            put(out, origin.offset);
            put(out, content.len());
        });
    }
    let base = match former {
        Some(former) => Some((change.ino, former)),
        None => replaced.get(&change.ino).and_then(|&ino| Some((ino, old.get(ino)?.content()?))),
    };
    let delta = base.and_then(|(ino, base)| Some((ino, delta::encode(base.bytes(), content.bytes())?)));
    match delta {
        Some((base, delta)) => out.write(|out| {
            out.push(form::DELTA);
            put(out, base.0);
            put_bytes(out, &delta);
        }),
        None => {
            out.write(|out| {
                out.push(form::BYTES);
                put(out, content.len());
            });
            out.push(content.bytes());
        }
    }
}
