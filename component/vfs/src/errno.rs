//! The error numbers of WASI preview1 that a filesystem in memory returns.

use std::{fmt, io};

macro_rules! errnos {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $kind:ident, $text:literal;)*) => {
        /// An error number of WASI preview1.
        ///
        /// The discriminants are preview1's own, which are also the numbers of wasi-libc's `errno.h`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        pub enum Errno {
            $($(#[$doc])* $name = $number,)*
        }

        impl Errno {
            /// The message of `strerror` for this number.
            pub fn message(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }

            fn kind(self) -> io::ErrorKind {
                match self {
                    $(Self::$name => io::ErrorKind::$kind,)*
                }
            }
        }
    };
}

errnos! {
    /// Permission denied.
    Acces = 2, PermissionDenied, "Permission denied";
    /// Bad file descriptor, or one not open for this kind of access.
    Badf = 8, InvalidInput, "Bad file descriptor";
    /// Device or resource busy.
    Busy = 10, ResourceBusy, "Resource busy";
    /// Someone interrupted the kernel. It refuses all work until someone clears that.
    Canceled = 11, TimedOut, "Operation canceled";
    /// File exists.
    Exist = 20, AlreadyExists, "File exists";
    /// Bad address: the caller passed an invalid pointer.
    Fault = 21, InvalidInput, "Bad address";
    /// File too large.
    Fbig = 22, FileTooLarge, "File too large";
    /// Invalid argument.
    Inval = 28, InvalidInput, "Invalid argument";
    /// The tree refers to something it lacks.
    Io = 29, InvalidData, "I/O error";
    /// Is a directory.
    Isdir = 31, IsADirectory, "Is a directory";
    /// Too many symbolic links.
    Loop = 32, InvalidInput, "Symbolic link loop";
    /// Too many open files.
    Mfile = 33, Other, "No file descriptors available";
    /// File name too long.
    Nametoolong = 37, InvalidFilename, "Filename too long";
    /// No such file or directory.
    Noent = 44, NotFound, "No such file or directory";
    /// No space left on device.
    Nospc = 51, StorageFull, "No space left on device";
    /// Function not supported.
    Nosys = 52, Unsupported, "Function not implemented";
    /// Not a directory.
    Notdir = 54, NotADirectory, "Not a directory";
    /// Directory not empty.
    Notempty = 55, DirectoryNotEmpty, "Directory not empty";
    /// Not a socket.
    Notsock = 57, InvalidInput, "Not a socket";
    /// Not supported.
    Notsup = 58, Unsupported, "Not supported";
    /// Value too large.
    Overflow = 61, InvalidInput, "Value too large for data type";
    /// Operation not permitted.
    Perm = 63, PermissionDenied, "Operation not permitted";
    /// Read-only file system.
    Rofs = 69, ReadOnlyFilesystem, "Read-only file system";
    /// Illegal seek.
    Spipe = 70, NotSeekable, "Invalid seek";
    /// The descriptor is from before the tree was restored.
    Stale = 72, StaleNetworkFileHandle, "Stale file handle";
}

impl Errno {
    /// The number as preview1 passes it.
    pub fn raw(self) -> u16 {
        self as u16
    }
}

impl fmt::Display for Errno {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl std::error::Error for Errno {}

/// In wasm the result is the error that `std::fs` would return. Native numbers mean something else,
/// so there the error has the same kind and carries the `Errno` as its source.
impl From<Errno> for io::Error {
    fn from(errno: Errno) -> Self {
        if cfg!(target_os = "wasi") {
            io::Error::from_raw_os_error(i32::from(errno.raw()))
        } else {
            io::Error::new(errno.kind(), errno)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_errno_becomes_the_io_error_that_std_would_have_made() {
        let error = io::Error::from(Errno::Noent);
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        let number = cfg!(target_os = "wasi").then_some(44);
        assert_eq!(error.raw_os_error(), number, "the numbers are wasi-libc's, and nobody else's");
    }
}
