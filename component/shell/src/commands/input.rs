//! Several operands read as one stream.

use std::collections::VecDeque;

use bstr::{BString, ByteSlice};
use bytes::{Bytes, BytesMut};

use crate::exec::{Call, Ended};
use crate::io::{Source, reason};

/// Bytes that are left out at once.
const PART: usize = 4096;

/// What is open.
#[derive(Debug)]
enum Now {
    Nothing,
    Source(Source),
}

/// Operands, one after the other.
#[derive(Debug)]
pub struct Input {
    names: VecDeque<BString>,
    now: Now,
    rest: Bytes,
    /// Whether it reads no more than it is asked for, so that others can read on.
    exact: bool,
    /// 1 if something could not be read.
    pub status: i32,
    /// Whether anything could be opened.
    pub opened: bool,
}

impl Input {
    /// The operands, or what the command reads if there are none.
    pub fn new(names: Vec<BString>) -> Input {
        let names = if names.is_empty() { vec![BString::from("-")] } else { names };
        Input { names: names.into(), now: Now::Nothing, rest: Bytes::new(), exact: false, status: 0, opened: false }
    }

    /// One that reads no more than it is asked for.
    pub fn exact(name: BString) -> Input {
        Input { exact: true, ..Input::new(vec![name]) }
    }

    /// Some of the next bytes. None at the end of all.
    pub async fn some(&mut self, call: &mut Call<'_>) -> Result<Option<Bytes>, Ended> {
        loop {
            if !self.rest.is_empty() {
                return Ok(Some(std::mem::take(&mut self.rest)));
            }
            call.work(1)?;
            match &self.now {
                Now::Source(source) => match source.streamed().await {
                    Some(part) => return Ok(Some(part)),
                    None => self.now = Now::Nothing,
                },
                Now::Nothing => match self.names.pop_front() {
                    Some(name) => self.open(call, &name).await?,
                    None => return Ok(None),
                },
            }
        }
    }

    /// So many of the next bytes: fewer only at the end of all.
    pub async fn take(&mut self, call: &mut Call<'_>, length: usize) -> Result<Bytes, Ended> {
        let mut out = BytesMut::new();
        while out.len() < length {
            if self.exact && self.rest.is_empty() {
                if let Now::Nothing = self.now
                    && let Some(name) = self.names.pop_front()
                {
                    self.open(call, &name).await?;
                }
                if let Now::Source(source) = &self.now
                    && !matches!(source, Source::Device(_))
                {
                    match source.byte().await {
                        Some(byte) => out.extend_from_slice(&[byte]),
                        None => break,
                    }
                    call.shell.hold(out.len())?;
                    continue;
                }
            }
            let Some(mut part) = self.some(call).await? else { break };
            let wanted = length - out.len();
            if part.len() > wanted {
                self.rest = part.split_off(wanted);
            }
            if out.is_empty() && part.len() == length {
                return Ok(part);
            }
            out.extend_from_slice(&part);
            call.shell.hold(out.len())?;
        }
        Ok(out.freeze())
    }

    /// Leaves so many bytes out, and says how many there were.
    pub async fn skip(&mut self, call: &mut Call<'_>, length: u64) -> Result<u64, Ended> {
        let mut left = length;
        while left > 0 {
            let part = self.take(call, usize::try_from(left).unwrap_or(PART).min(PART)).await?;
            if part.is_empty() {
                break;
            }
            left -= part.len() as u64;
        }
        Ok(length - left)
    }

    async fn open(&mut self, call: &mut Call<'_>, name: &BString) -> Result<(), Ended> {
        let before = std::mem::replace(&mut self.opened, true);
        self.now = match call.open(name) {
            Ok(source) => Now::Source(source),
            Err(error) => {
                call.flush().await?;
                call.complain(format!("{name}: {}", reason(&error))).await?;
                self.status = 1;
                self.opened = before;
                Now::Nothing
            }
        };
        Ok(())
    }
}

/// A number with a unit, as coreutils read it: `16`, `0x10`, `2k`, `1MB`.
pub fn number(text: &[u8]) -> Option<u64> {
    let (digits, base) = match text {
        [b'0', b'x' | b'X', rest @ ..] => (rest, 16),
        text => (text, 10),
    };
    let end = digits.iter().position(|byte| !char::from(*byte).is_digit(base)).unwrap_or(digits.len());
    let value = u64::from_str_radix(digits[..end].to_str().ok()?, base).ok()?;
    value.checked_mul(unit(&digits[end..])?)
}

fn unit(text: &[u8]) -> Option<u64> {
    let (letter, rest) = match text {
        [] => return Some(1),
        [letter, rest @ ..] => (*letter, rest),
    };
    let power = match letter {
        b'c' if rest.is_empty() => return Some(1),
        b'w' if rest.is_empty() => return Some(2),
        b'b' if rest.is_empty() => return Some(512),
        b'k' | b'K' => 1,
        b'm' | b'M' => 2,
        b'g' | b'G' => 3,
        b't' | b'T' => 4,
        b'P' => 5,
        b'E' => 6,
        _ => return None,
    };
    match rest {
        b"" | b"iB" => 1024_u64.checked_pow(power),
        b"B" => 1000_u64.checked_pow(power),
        _ => None,
    }
}
