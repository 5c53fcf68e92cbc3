//! The devices that can be read without an end.

use std::cell::Cell;
use std::rc::Rc;

use bytes::Bytes;

use super::files::Files;

/// Bytes that are read at once.
const PART: usize = 32 * 1024;

static ZEROS: [u8; PART] = [0; PART];

/// `/dev/zero` or `/dev/urandom`, open.
#[derive(Debug)]
pub struct Device {
    /// Where random numbers come from. None for zeros.
    random: Option<Rc<Files>>,
    /// How many bytes those may still read who do not count them: whoever wants all of them waits for ever then, and is
    /// halted.
    left: Cell<usize>,
}

/// Whether a path is that of such a device.
pub fn is_endless(path: &[u8]) -> bool {
    matches!(path, b"/dev/zero" | b"/dev/random" | b"/dev/urandom")
}

impl Device {
    /// Opens the device of a path. At most `most` bytes of it are held in memory.
    pub fn open(path: &[u8], files: &Rc<Files>, most: usize) -> Option<Device> {
        let random = (path != b"/dev/zero").then(|| Rc::clone(files));
        is_endless(path).then(|| Device { random, left: Cell::new(most.saturating_add(1)) })
    }

    /// Some bytes, at most so many.
    pub fn part(&self, most: usize) -> Bytes {
        let most = most.min(PART);
        let Some(files) = &self.random else { return Bytes::from_static(&ZEROS[..most]) };
        let mut bytes: Vec<u8> = (0..most.div_ceil(8)).flat_map(|_| files.around().random().to_le_bytes()).collect();
        bytes.truncate(most);
        bytes.into()
    }

    /// The same, at least one byte, for somebody who does not count them.
    pub async fn uncounted(&self, most: usize) -> Bytes {
        let left = self.left.get();
        if left == 0 {
            std::future::pending::<()>().await;
        }
        let part = self.part(most.min(left));
        self.left.set(left - part.len());
        part
    }
}
