//! Resolves a path by the rules of POSIX.

use std::{borrow::Cow, ops::Range};

use crate::{
    errno::Errno,
    inode::{Ino, NAME_MAX, Name, Node},
    tree::Root,
};

/// The most symbolic links in one resolution. More count as a loop.
pub const SYMLINK_MAX: usize = 40;

/// What happens to a symbolic link that is the last component of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Follow {
    /// It is followed.
    Always,
    /// It is followed only if a slash follows it.
    WithSlash,
    /// It is followed unless a slash follows it: `O_CREAT` refuses the slash itself.
    WithoutSlash,
    /// It is the operand: calls that create, remove or rename an entry mean the link.
    Never,
}

/// The last component of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Last {
    /// A name to look up in a directory.
    Name,
    /// `.`
    Dot,
    /// `..`
    DotDot,
    /// The path is only slashes.
    Root,
}

/// The place that a path names. It may be empty.
#[derive(Debug)]
pub(crate) struct Place<'p> {
    /// The directory of the last component, or the directory itself if that component is not a name.
    pub(crate) dir: Ino,
    /// The last component.
    pub(crate) last: Last,
    /// The inode at the place.
    pub(crate) ino: Option<Ino>,
    /// Whether a slash follows the last component.
    pub(crate) slash: bool,
    path: Cow<'p, [u8]>,
    name: Range<usize>,
}

impl Place<'_> {
    /// The last component as the name of an entry. Fails for `.`, `..` and the root.
    pub(crate) fn name(&self) -> Result<Name, Errno> {
        if self.name.len() > NAME_MAX {
            return Err(Errno::Nametoolong);
        }
        Name::new(&self.path[self.name.clone()]).ok_or(Errno::Inval)
    }

    /// The inode, which must exist.
    pub(crate) fn existing(&self) -> Result<Ino, Errno> {
        match self.ino {
            Some(ino) => Ok(ino),
            None if self.name.len() > NAME_MAX => Err(Errno::Nametoolong),
            None => Err(Errno::Noent),
        }
    }
}

/// Resolves `path` from the directory `base`. An absolute path starts at the root of the tree.
///
/// `parent_of` finds the parent of directories that left the tree but are still open. Every component calls `pass`: with links, one path
/// can have a hundred thousand.
pub(crate) fn resolve<'p>(
    tree: &Root,
    base: Ino,
    path: &'p [u8],
    follow: Follow,
    parent_of: impl Fn(Ino) -> Option<Ino>,
    pass: impl Fn(),
) -> Result<Place<'p>, Errno> {
    if path.contains(&0) {
        return Err(Errno::Inval);
    }
    let mut path = Cow::Borrowed(path);
    let mut dir = if path.first() == Some(&b'/') { Root::INO } else { base };
    let mut links = 0;
    let mut at = 0;
    loop {
        pass();
        let start = at + slashes(&path[at..]);
        let end = path[start..].iter().position(|&byte| byte == b'/').map_or(path.len(), |n| start + n);
        let is_last = end + slashes(&path[end..]) == path.len();
        let slash = is_last && end < path.len();
        let place = |path, dir, last, ino| Place { dir, last, ino, slash, path, name: start..end };
        at = end;
        let child = match &path[start..end] {
            b"" => return Ok(place(path, dir, Last::Root, Some(dir))),
            b"." if is_last => return Ok(place(path, dir, Last::Dot, Some(dir))),
            b"." => continue,
            b".." => {
                dir = match tree.get(dir) {
                    Some(inode) => inode.parent,
                    None => parent_of(dir).ok_or(Errno::Noent)?,
                };
                if is_last {
                    return Ok(place(path, dir, Last::DotDot, Some(dir)));
                }
                continue;
            }
            // A call on the entry itself may have to fail for another reason first.
            name if name.len() > NAME_MAX && is_last && follow == Follow::Never => None,
            name if name.len() > NAME_MAX => return Err(Errno::Nametoolong),
            name => tree.directory(dir)?.get(name).copied(),
        };
        let Some(child) = child else {
            return if is_last { Ok(place(path, dir, Last::Name, None)) } else { Err(Errno::Noent) };
        };
        match &tree.known(child)?.node {
            Node::Symlink(target) if !is_last || followed(follow, slash) => {
                links += 1;
                if links > SYMLINK_MAX {
                    return Err(Errno::Loop);
                }
                if target.first() == Some(&b'/') {
                    dir = Root::INO;
                }
                let mut expanded = target.to_vec();
                expanded.extend_from_slice(&path[end..]);
                path = Cow::Owned(expanded);
                at = 0;
            }
            _ if is_last => return Ok(place(path, dir, Last::Name, Some(child))),
            Node::Directory(_) => dir = child,
            _ => return Err(Errno::Notdir),
        }
    }
}

fn followed(follow: Follow, slash: bool) -> bool {
    match follow {
        Follow::Always => true,
        Follow::WithSlash => slash,
        Follow::WithoutSlash => !slash,
        Follow::Never => false,
    }
}

fn slashes(path: &[u8]) -> usize {
    path.iter().take_while(|&&byte| byte == b'/').count()
}
