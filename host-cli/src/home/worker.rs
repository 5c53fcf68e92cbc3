//! Reads a worker file.

use std::io::Read;
use std::path::Path;

use host::settings::Worker;

use crate::error::{self, Result};
use crate::limits;
use crate::moment::Moment;

/// Reads the file at `path`. `now` fills the placeholders in branch names.
pub fn read(path: &Path, now: Moment) -> Result<Worker> {
    let mut bytes = Vec::new();
    // One byte more than allowed shows that there are more.
    std::fs::File::open(path)
        .and_then(|file| file.take(limits::WORKER_FILE_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|error| {
            error::io("read", path, &error).hint("name a worker file that you can read; nothing was created")
        })?;
    Worker::parse(&path.display().to_string(), &bytes, now)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn a_file_that_cannot_be_read_is_an_error_with_a_hint() {
        let now = Moment { nanos: 0, utc_offset: 0 };
        let error = read(Path::new("/nowhere/worker.md"), now).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Storage);
        assert!(crate::screen::hint::words(&error.hint).ends_with("nothing was created"));
    }
}
