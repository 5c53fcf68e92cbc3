//! The part of `memmap2`'s interface that readers of files use, on top of the kernel's buffers.

use std::io;
use std::ops::Deref;
use std::os::fd::{AsRawFd, RawFd};

use bytes::Bytes;

unsafe extern "Rust" {
    /// The content of an open file, or an error number. `vfs::process` defines it; every program with this crate on WASI links that.
    safe fn vfs_map_fd(fd: u32) -> Result<Bytes, i32>;
}

/// The source of a mapping: anything with a file descriptor.
pub trait MmapAsRawDesc {
    /// The descriptor of the file.
    fn as_raw_desc(&self) -> RawFd;
}

impl<T: AsRawFd> MmapAsRawDesc for &T {
    fn as_raw_desc(&self) -> RawFd {
        self.as_raw_fd()
    }
}

/// An immutable view of a whole file.
#[derive(Debug)]
pub struct Mmap(Bytes);

impl Mmap {
    /// Maps the whole of `file`.
    ///
    /// # Safety
    ///
    /// None here: the buffer is immutable and shared. The real crate's signature is unsafe.
    pub unsafe fn map<T: MmapAsRawDesc>(file: T) -> io::Result<Mmap> {
        MmapOptions::new().view(file)
    }
}

impl Deref for Mmap {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl AsRef<[u8]> for Mmap {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Which part of a file to map.
#[derive(Clone, Debug, Default)]
pub struct MmapOptions {
    offset: u64,
    len: Option<usize>,
}

impl MmapOptions {
    /// The whole file.
    pub fn new() -> MmapOptions {
        MmapOptions::default()
    }

    /// Begin `offset` bytes into the file.
    pub fn offset(&mut self, offset: u64) -> &mut Self {
        self.offset = offset;
        self
    }

    /// Map `len` bytes and no more.
    pub fn len(&mut self, len: usize) -> &mut Self {
        self.len = Some(len);
        self
    }

    /// # Safety
    ///
    /// See [`Mmap::map`].
    pub unsafe fn map<T: MmapAsRawDesc>(&self, file: T) -> io::Result<Mmap> {
        self.view(file)
    }

    /// # Safety
    ///
    /// See [`Mmap::map`].
    pub unsafe fn map_copy_read_only<T: MmapAsRawDesc>(&self, file: T) -> io::Result<Mmap> {
        self.view(file)
    }

    fn view<T: MmapAsRawDesc>(&self, file: T) -> io::Result<Mmap> {
        let fd = u32::try_from(file.as_raw_desc()).expect("an open file's descriptor is not negative");
        let whole = vfs_map_fd(fd).map_err(io::Error::from_raw_os_error)?;
        let out_of_range =
            || io::Error::new(io::ErrorKind::InvalidInput, "the mapping reaches past the end of the file");
        let start = usize::try_from(self.offset).map_err(|_| out_of_range())?;
        let end = match self.len {
            Some(len) => start.checked_add(len).ok_or_else(out_of_range)?,
            None => whole.len(),
        };
        if start > end || end > whole.len() {
            return Err(out_of_range());
        }
        Ok(Mmap(whole.slice(start..end)))
    }
}
