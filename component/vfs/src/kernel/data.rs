//! Reading, writing and positions.

use std::io::SeekFrom;

use bytes::Bytes;

use super::{Fd, Kernel, table::Description};
use crate::{
    content::Content,
    errno::Errno,
    inode::{Ino, Kind},
};

/// The largest offset of a file: preview1's offsets are signed.
const OFFSET_MAX: u64 = i64::MAX as u64;

impl Kernel {
    /// Reads at the position and advances it. Fewer bytes than asked for mean the end of the file.
    pub fn read(&mut self, fd: Fd, buffer: &mut [u8]) -> Result<usize, Errno> {
        if let Description::Standard = self.table.description(fd)? {
            return if fd == 0 { Ok(0) } else { Err(Errno::Badf) };
        }
        let offset = self.table.get(fd)?.offset;
        let read = self.pread(fd, buffer, offset)?;
        self.table.get_mut(fd)?.offset = offset + read as u64;
        Ok(read)
    }

    /// Reads at `offset`. The position stays.
    pub fn pread(&mut self, fd: Fd, buffer: &mut [u8], offset: u64) -> Result<usize, Errno> {
        self.charge(buffer.len())?;
        let file = self.table.get(fd)?;
        if offset > OFFSET_MAX {
            return Err(Errno::Inval);
        }
        if !file.read {
            return Err(Errno::Badf);
        }
        let content = self.content_of(file.ino)?;
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(content.len());
        let read = buffer.len().min(content.len() - start);
        buffer[..read].copy_from_slice(&content[start..start + read]);
        Ok(read)
    }

    /// Writes at the position and advances it, or writes at the end of a file open for appending.
    /// Writes all bytes or none.
    pub fn write(&mut self, fd: Fd, bytes: &[u8]) -> Result<usize, Errno> {
        if let Description::Standard = self.table.description(fd)? {
            return if fd == 0 { Err(Errno::Badf) } else { Ok(bytes.len()) };
        }
        let ino = self.table.get(fd)?.ino;
        let file = self.table.get(fd)?;
        let offset = match file.append && file.write {
            true => self.length_of(ino)?,
            false => file.offset,
        };
        let written = self.pwrite(fd, bytes, offset)?;
        if written > 0 {
            self.table.get_mut(fd)?.offset = offset + written as u64;
        }
        Ok(written)
    }

    /// Writes at `offset`. The position stays. A gap before it reads as zeros.
    pub fn pwrite(&mut self, fd: Fd, bytes: &[u8], offset: u64) -> Result<usize, Errno> {
        self.charge(bytes.len())?;
        let file = self.table.get(fd)?;
        if offset > OFFSET_MAX {
            return Err(Errno::Inval);
        }
        if !file.write {
            return Err(Errno::Badf);
        }
        if bytes.is_empty() {
            return Ok(0);
        }
        let end = offset.checked_add(bytes.len() as u64).filter(|&end| end <= OFFSET_MAX).ok_or(Errno::Fbig)?;
        let ino = file.ino;
        let length = end.max(self.length_of(ino)?);
        self.rewrite(ino, length, |buffer| {
            let end = usize::try_from(end).expect("the buffer is at least as long");
            buffer[end - bytes.len()..end].copy_from_slice(bytes);
        })?;
        Ok(bytes.len())
    }

    /// Moves the position of a file and returns it. It may be past the end.
    pub fn seek(&mut self, fd: Fd, to: SeekFrom) -> Result<u64, Errno> {
        self.charge(0)?;
        let file = self.table.get(fd)?;
        if self.inode(file.ino)?.kind() != Kind::File {
            return Err(Errno::Inval);
        }
        let position = match to {
            SeekFrom::Start(offset) => Some(offset),
            SeekFrom::Current(delta) => file.offset.checked_add_signed(delta),
            SeekFrom::End(delta) => self.length_of(file.ino)?.checked_add_signed(delta),
        };
        let position = position.filter(|&position| position <= OFFSET_MAX).ok_or(Errno::Inval)?;
        self.table.get_mut(fd)?.offset = position;
        Ok(position)
    }

    /// Sets the length of a file: cuts it or fills it with zeros.
    pub fn set_size(&mut self, fd: Fd, size: u64) -> Result<(), Errno> {
        self.charge(0)?;
        let file = self.table.get(fd)?;
        if !file.write || size > OFFSET_MAX {
            return Err(Errno::Inval);
        }
        let ino = file.ino;
        self.rewrite(ino, size, |_| ())
    }

    /// Makes the file at least `offset + length` bytes long: `posix_fallocate`.
    pub fn allocate(&mut self, fd: Fd, offset: u64, length: u64) -> Result<(), Errno> {
        self.charge(0)?;
        let file = self.table.get(fd)?;
        if length == 0 || offset > OFFSET_MAX || length > OFFSET_MAX {
            return Err(Errno::Inval);
        }
        if !file.write {
            return Err(Errno::Badf);
        }
        let ino = file.ino;
        let size = self.length_of(ino)?;
        self.rewrite(ino, size.max(offset + length), |_| ())
    }

    /// Only checks the descriptor: written bytes are in the tree already.
    pub fn sync(&mut self, fd: Fd) -> Result<(), Errno> {
        self.charge(0)?;
        match self.table.description(fd)? {
            Description::Stale => Err(Errno::Stale),
            _ => Ok(()),
        }
    }

    /// The whole content of an open file as the shared buffer. Later writes do not change it.
    pub fn map(&mut self, fd: Fd) -> Result<Bytes, Errno> {
        self.charge(0)?;
        let file = self.table.get(fd)?;
        if !file.read {
            return Err(Errno::Badf);
        }
        let ino = file.ino;
        Ok(self.content(ino)?.bytes()?.clone())
    }

    /// The content of the file at a path. Links are followed.
    pub fn read_path(&mut self, dir: Fd, path: &[u8]) -> Result<Content, Errno> {
        self.charge(0)?;
        let ino = self.lookup(dir, path, true)?;
        self.content(ino)
    }

    fn content(&mut self, ino: Ino) -> Result<Content, Errno> {
        self.freeze(ino);
        self.inode(ino)?.content().cloned().ok_or(Errno::Isdir)
    }
}
