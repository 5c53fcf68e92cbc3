//! Prints a whole tree in a form that shows every difference.

use std::collections::BTreeMap;

use vfs::{
    Ino, Root,
    inode::{Inode, Node},
};

/// Counters of a tree, and each inode with all its fields.
pub type Deep = (u64, u64, u64, BTreeMap<Ino, String>);

/// Everything about a tree.
pub fn deep(root: &Root) -> Deep {
    let inode = |(ino, inode): (Ino, &Inode)| {
        let Inode { node, parent, nlink, executable, mtime } = inode;
        let node = match node {
            Node::File(content) => format!("{} {content:?}", read(content)),
            Node::Directory(entries) => format!("{entries:?}"),
            Node::Symlink(target) => format!("-> {target:?}"),
        };
        (ino, format!("{node} parent {} nlink {nlink} executable {executable} mtime {mtime}", parent.0))
    };
    (root.clock(), root.bytes(), root.files(), root.inodes().map(inode).collect())
}

/// The tree as users see it: path to kind, content, target, link count and executable bit.
pub fn visible(root: &Root) -> BTreeMap<String, String> {
    let mut seen = BTreeMap::new();
    let mut pending = vec![(String::new(), root.find(b"/").expect("there is a root").1)];
    while let Some((path, inode)) = pending.pop() {
        let text = match &inode.node {
            Node::File(content) => {
                format!("file {} x{} {}", read(content), inode.nlink, if inode.executable { "+x" } else { "-x" })
            }
            Node::Symlink(target) => format!("link {:?} x{}", target.escape_ascii().to_string(), inode.nlink),
            Node::Directory(entries) => {
                for (name, ino) in entries {
                    let child = root.get(*ino).expect("an entry names an inode");
                    pending.push((format!("{path}/{}", name.escape_ascii()), child));
                }
                "directory".to_owned()
            }
        };
        seen.insert(path, text);
    }
    seen
}

/// The bytes, unless the author of the journal wrote something else.
fn read(content: &vfs::Content) -> String {
    content.bytes().map_or_else(|_| "unreadable".to_owned(), |bytes| format!("{bytes:?}"))
}
