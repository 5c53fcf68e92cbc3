//! Who reads and writes what: pipes, files, and texts.

mod device;
mod fds;
mod files;
mod pipe;
mod sink;
mod source;

pub use self::device::{Device, is_endless};
pub use self::fds::{Fd, Fds};
pub use self::files::Files;
pub use self::pipe::pipe;
pub use self::sink::{Sink, Target, Unwritten};
pub use self::source::Source;

/// The reader of a pipe is gone.
#[derive(Debug)]
pub struct BrokenPipe;

/// What went wrong, in the words of the C library.
pub fn reason(error: &std::io::Error) -> String {
    use std::io::ErrorKind as Kind;
    let text = match error.kind() {
        Kind::NotFound => "No such file or directory",
        Kind::PermissionDenied => "Permission denied",
        Kind::AlreadyExists => "File exists",
        Kind::NotADirectory => "Not a directory",
        Kind::IsADirectory => "Is a directory",
        Kind::DirectoryNotEmpty => "Directory not empty",
        Kind::ReadOnlyFilesystem => "Read-only file system",
        Kind::StorageFull | Kind::QuotaExceeded => "No space left on device",
        Kind::FileTooLarge => "File too large",
        Kind::CrossesDevices => "Invalid cross-device link",
        Kind::InvalidFilename => "File name too long",
        Kind::InvalidInput => "Invalid argument",
        Kind::Unsupported => "Operation not supported",
        _ => return error.to_string(),
    };
    text.to_owned()
}
