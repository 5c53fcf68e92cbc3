//! Builders of small trees.

use vfs::{Bytes, Content, Errno, Fd, Kernel, Limits, OpenOptions, ROOT_FD, Root};

pub const READ: OpenOptions = OpenOptions {
    read: true,
    write: false,
    append: false,
    create: false,
    exclusive: false,
    truncate: false,
    directory: false,
    no_follow: false,
};
pub const WRITE: OpenOptions = OpenOptions { read: false, write: true, create: true, truncate: true, ..READ };
pub const EDIT: OpenOptions = OpenOptions { write: true, ..READ };
pub const APPEND: OpenOptions = OpenOptions { read: false, append: true, truncate: false, ..WRITE };

/// Short forms of kernel calls on absolute paths.
pub trait Shorthand {
    fn make(&mut self, path: &str, content: &[u8]);
    fn dir(&mut self, path: &str);
    fn content(&mut self, path: &str) -> Result<Vec<u8>, Errno>;
    fn open_at(&mut self, path: &str, how: OpenOptions) -> Result<Fd, Errno>;
}

impl Shorthand for Kernel {
    fn make(&mut self, path: &str, content: &[u8]) {
        let content = Content::new(Bytes::copy_from_slice(content));
        self.put_file(ROOT_FD, path.as_bytes(), content, false).expect(path);
    }

    fn dir(&mut self, path: &str) {
        self.mkdir(ROOT_FD, path.as_bytes()).expect(path);
    }

    fn content(&mut self, path: &str) -> Result<Vec<u8>, Errno> {
        self.read_path(ROOT_FD, path.as_bytes()).and_then(|content| Ok(content.bytes()?.to_vec()))
    }

    fn open_at(&mut self, path: &str, how: OpenOptions) -> Result<Fd, Errno> {
        self.open(ROOT_FD, path.as_bytes(), how)
    }
}

pub fn kernel() -> Kernel {
    Kernel::new(Root::new(), Limits::default())
}

pub fn kernel_on(root: &Root) -> Kernel {
    Kernel::new(root.clone(), Limits::default())
}

/// A reproducible stream of numbers (xorshift), for contents that do not compress.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    pub fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.next() as u8).collect()
    }
}

/// A journal whose header claims another version, with a right checksum.
pub fn of_version(journal: &[u8], version: u32) -> Vec<u8> {
    let mut journal = journal.to_vec();
    journal[8..12].copy_from_slice(&version.to_le_bytes());
    let sum = twox_hash::XxHash64::oneshot(0, &journal[..28]);
    journal[28..36].copy_from_slice(&sum.to_le_bytes());
    journal
}
