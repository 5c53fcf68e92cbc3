//! Where a command reads from.

use std::cell::Cell;
use std::rc::Rc;

use bytes::Bytes;

use super::device::Device;
use super::pipe::Reader;

/// An open file or text, whose readers share the place where they are.
#[derive(Debug)]
pub struct Text {
    bytes: Bytes,
    at: Cell<usize>,
    is_file: bool,
}

/// What can be read, once.
#[derive(Clone, Debug)]
pub enum Source {
    /// A file as it was when it was opened, or a text.
    Text(Rc<Text>),
    /// What another command writes.
    Pipe(Reader),
    /// A device without an end.
    Device(Rc<Device>),
    /// Nothing can be read: it is closed, or open for writing only.
    Closed,
}

impl Source {
    /// One that has these bytes.
    pub fn text(bytes: impl Into<Bytes>) -> Source {
        Source::Text(Rc::new(Text { bytes: bytes.into(), at: Cell::new(0), is_file: false }))
    }

    /// One that has the content of a regular file.
    pub fn file(bytes: impl Into<Bytes>) -> Source {
        Source::Text(Rc::new(Text { bytes: bytes.into(), at: Cell::new(0), is_file: true }))
    }

    /// The size of the file that it is, if it is one.
    pub fn file_size(&self) -> Option<u64> {
        match self {
            Source::Text(text) if text.is_file => Some(text.bytes.len() as u64),
            _ => None,
        }
    }

    /// Whether it is a pipe, a file or a text that somebody gave, and not just nothing.
    pub fn is_given(&self) -> bool {
        match self {
            Source::Text(text) => text.is_file || !text.bytes.is_empty(),
            Source::Pipe(_) | Source::Device(_) => true,
            Source::Closed => false,
        }
    }

    /// Some of the next bytes. None at the end.
    pub async fn some(&self) -> Option<Bytes> {
        match self {
            Source::Text(text) => {
                let rest = text.bytes.slice(text.at.replace(text.bytes.len())..);
                (!rest.is_empty()).then_some(rest)
            }
            Source::Pipe(pipe) => pipe.take(None).await,
            Source::Device(device) => Some(device.uncounted(usize::MAX).await),
            Source::Closed => None,
        }
    }

    /// The same, for somebody who counts them as work and does not keep them.
    pub async fn streamed(&self) -> Option<Bytes> {
        match self {
            Source::Device(device) => Some(device.part(usize::MAX)),
            source => source.some().await,
        }
    }

    /// The next line with what ends it, which the last one may lack. None at the end.
    pub async fn line(&self, end: u8) -> Option<Vec<u8>> {
        let mut line = Vec::new();
        match self {
            Source::Text(text) => {
                let rest = &text.bytes[text.at.get()..];
                let length = memchr(end, rest).map_or(rest.len(), |at| at + 1);
                line.extend_from_slice(&rest[..length]);
                text.at.set(text.at.get() + length);
            }
            Source::Pipe(pipe) => {
                while let Some(part) = pipe.take(Some(end)).await {
                    line.extend_from_slice(&part);
                    if line.last() == Some(&end) {
                        break;
                    }
                }
            }
            Source::Device(device) => {
                while line.last() != Some(&end) {
                    line.extend_from_slice(&device.uncounted(1).await);
                }
            }
            Source::Closed => (),
        }
        (!line.is_empty()).then_some(line)
    }

    /// The next byte.
    pub async fn byte(&self) -> Option<u8> {
        match self {
            Source::Text(text) => {
                let byte = text.bytes.get(text.at.get()).copied()?;
                text.at.set(text.at.get() + 1);
                Some(byte)
            }
            Source::Pipe(pipe) => pipe.byte().await,
            Source::Device(device) => device.uncounted(1).await.first().copied(),
            Source::Closed => None,
        }
    }

    /// All that is left.
    pub async fn all(&self) -> Bytes {
        let Some(first) = self.some().await else { return Bytes::new() };
        let Some(second) = self.some().await else { return first };
        let mut all = [first, second].concat();
        while let Some(part) = self.some().await {
            all.extend_from_slice(&part);
        }
        all.into()
    }
}

fn memchr(byte: u8, bytes: &[u8]) -> Option<usize> {
    bstr::ByteSlice::find_byte(bytes, byte)
}
