//! What `head` and `tail` share: which part of a file is meant, and the files one after the other.

use bstr::{BString, ByteSlice};

use super::arguments::Given;
use super::numbers::{count, size};
use crate::exec::{Call, Ended};
use crate::io::{Source, reason};

/// A part of each file.
#[derive(Clone, Copy)]
pub struct Part {
    /// Whether bytes are counted, and not lines.
    pub bytes: bool,
    /// Whether it is the other part: all but the last ones, or all from one on.
    pub other: bool,
    /// How many, or from which one on.
    pub number: usize,
    /// What ends a line.
    pub end: u8,
}

impl Part {
    /// What `-c` and `-n` make of a part. A number with this sign means the other part.
    pub async fn given(mut self, call: &mut Call<'_>, given: &Given, sign: u8) -> Result<Part, Ended> {
        for (letter, value) in given.flags.iter().filter(|(letter, _)| matches!(letter, 'c' | 'n')) {
            self.bytes = *letter == 'c';
            self.other = value.first() == Some(&sign);
            match size(value.strip_prefix(b"+").or(value.strip_prefix(b"-")).unwrap_or(value)) {
                Some(number) => self.number = count(number),
                None => {
                    let what = if self.bytes { "bytes" } else { "lines" };
                    call.complain(format!("invalid number of {what}: '{value}'")).await?;
                    return Err(Ended::Status(1));
                }
            }
        }
        Ok(self)
    }
}

/// The files, each under a line with its name if that is wanted.
pub struct Files {
    names: std::vec::IntoIter<BString>,
    titled: bool,
    is_first: bool,
    /// 1 if one could not be read.
    pub status: i32,
}

impl Files {
    /// The operands, or what the command reads anyway.
    pub fn of(given: Given) -> Files {
        let last = given.last(&['q', 'v']);
        let names = if given.operands.is_empty() { vec![BString::from("-")] } else { given.operands };
        let titled = last.map_or(names.len() > 1, |letter| letter == 'v');
        Files { names: names.into_iter(), titled, is_first: true, status: 0 }
    }

    /// The next one that can be read. What cannot be read is said.
    pub async fn next(&mut self, call: &mut Call<'_>) -> Result<Option<Source>, Ended> {
        while let Some(name) = self.names.next() {
            let opened = call.open(&name);
            match &opened {
                Err(error) if error.kind() != std::io::ErrorKind::IsADirectory => {
                    call.complain(format!("cannot open '{name}' for reading: {}", reason(error))).await?;
                }
                _ if self.titled => self.title(call, &name).await?,
                _ => (),
            }
            match opened {
                Ok(source) => return Ok(Some(source)),
                Err(error) => {
                    if error.kind() == std::io::ErrorKind::IsADirectory {
                        call.complain(format!("error reading '{name}': Is a directory")).await?;
                    }
                    self.status = 1;
                }
            }
        }
        Ok(None)
    }

    async fn title(&mut self, call: &mut Call<'_>, name: &BString) -> Result<(), Ended> {
        let name = if name == "-" { b"standard input".as_bstr() } else { name.as_bstr() };
        let space = if std::mem::take(&mut self.is_first) { "" } else { "\n" };
        call.line(format!("{space}==> {name} <==")).await
    }
}
