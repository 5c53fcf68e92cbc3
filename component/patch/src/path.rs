//! Paths that share their bytes with the folders above them.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::ops::Deref;
use std::rc::Rc;

/// A path. It shares its bytes with its folders, so a deep path does not cost its length once for each of them.
#[derive(Debug, Clone)]
pub(crate) struct Path {
    whole: Rc<[u8]>,
    length: usize,
}

impl Path {
    /// The path's folder; empty at the top.
    pub(crate) fn folder(&self) -> Self {
        Self { whole: self.whole.clone(), length: split(self).0.len() }
    }

    /// A name in this folder. `sample` is a path through that name.
    pub(crate) fn child(&self, name: &[u8], sample: &[u8]) -> Self {
        let length = if self.length == 0 { name.len() } else { self.length + 1 + name.len() };
        let is_through = |whole: &[u8]| {
            whole.len() >= length
                && whole.get(length).is_none_or(|&byte| byte == b'/')
                && whole[..length].ends_with(name)
        };
        // The bytes to share: they start with this folder, and may go on.
        let whole = if is_through(&self.whole) { self.whole.clone() } else { sample.into() };
        Self { whole, length }
    }
}

impl Deref for Path {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.whole[..self.length]
    }
}

impl Borrow<[u8]> for Path {
    fn borrow(&self) -> &[u8] {
        self
    }
}

impl From<&[u8]> for Path {
    fn from(path: &[u8]) -> Self {
        Self { whole: path.into(), length: path.len() }
    }
}

impl From<Vec<u8>> for Path {
    fn from(path: Vec<u8>) -> Self {
        Self { length: path.len(), whole: path.into() }
    }
}

impl PartialEq for Path {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Path {}

impl PartialOrd for Path {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Path {
    fn cmp(&self, other: &Self) -> Ordering {
        (**self).cmp(other)
    }
}

/// The folder of a path (empty at the top) and its last name.
pub(crate) fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|&byte| byte == b'/') {
        Some(at) => (&path[..at], &path[at + 1..]),
        None => (b"", path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_on_the_way_to_a_file_share_its_bytes() {
        let top = Path::from(b"".as_slice());
        let one = top.child(b"one", b"one/two/three");
        let two = one.child(b"two", b"one/two/three");
        let file = two.child(b"three", b"one/two/three");
        assert_eq!((&*one, &*two, &*file), (&b"one"[..], &b"one/two"[..], &b"one/two/three"[..]));
        assert!(Rc::ptr_eq(&one.whole, &file.whole));
        assert!(Rc::ptr_eq(&file.folder().whole, &file.whole));
        assert_eq!(file.folder(), two);
        assert_eq!(two.folder().folder(), top);
    }

    #[test]
    fn another_way_has_its_own_bytes() {
        let top = Path::from(b"".as_slice());
        let one = top.child(b"one", b"one/two/three");
        for (name, sample, path) in [
            (&b"tw"[..], &b"one/tw"[..], &b"one/tw"[..]),
            (b"two2", b"one/two2/x", b"one/two2"),
            (b"o", b"one/o", b"one/o"),
        ] {
            assert_eq!(&*one.child(name, sample), path);
        }
    }
}
