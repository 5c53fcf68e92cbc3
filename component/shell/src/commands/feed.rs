//! What commands that work line by line share: their inputs one after the other, and how they fail.

use bstr::{BString, ByteSlice};
use bytes::Bytes;

use super::numbers;
use crate::exec::{Call, Ended};
use crate::io::Source;

/// Inputs, one after the other. What cannot be opened is said and left out.
#[derive(Debug)]
pub struct Feed {
    names: std::vec::IntoIter<BString>,
    source: Option<Source>,
    end: u8,
    /// 1 if something could not be opened.
    pub status: i32,
}

impl Feed {
    /// These files, or what the command reads anyway.
    pub fn new(mut names: Vec<BString>, end: u8) -> Feed {
        if names.is_empty() {
            names.push("-".into());
        }
        Feed { names: names.into_iter(), source: None, end, status: 0 }
    }

    /// The next line with what ends it, if something does. It counts the work.
    pub async fn line(&mut self, call: &mut Call<'_>) -> Result<Option<Vec<u8>>, Ended> {
        loop {
            if let Some(source) = &self.source
                && let Some(line) = source.line(self.end).await
            {
                call.work(1 + units(line.len()))?;
                return Ok(Some(line));
            }
            if !self.open(call).await? {
                return Ok(None);
            }
        }
    }

    /// More bytes of the input that is open. None at its end.
    pub async fn rest(&mut self, call: &mut Call<'_>) -> Result<Option<Bytes>, Ended> {
        let Some(source) = &self.source else { return Ok(None) };
        let part = source.streamed().await;
        call.work(1 + part.as_ref().map_or(0, |part| units(part.len())))?;
        Ok(part)
    }

    /// Opens the next input. False if there is none.
    pub async fn open(&mut self, call: &mut Call<'_>) -> Result<bool, Ended> {
        self.source = None;
        for name in self.names.by_ref() {
            match call.opened(&name).await? {
                Some(source) => {
                    self.source = Some(source);
                    return Ok(true);
                }
                None => self.status = 1,
            }
        }
        Ok(false)
    }
}

fn units(bytes: usize) -> u32 {
    u32::try_from(bytes / 128).unwrap_or(u32::MAX)
}

/// All that a source still has, within what a script may hold.
pub async fn all(call: &Call<'_>, source: &Source) -> Result<Bytes, Ended> {
    let Some(first) = source.some().await else { return Ok(Bytes::new()) };
    let Some(second) = source.some().await else { return Ok(first) };
    let mut all = [first, second].concat();
    while let Some(part) = source.some().await {
        call.work(1 + units(part.len()))?;
        call.shell.hold(all.len() + part.len())?;
        all.extend_from_slice(&part);
    }
    Ok(all.into())
}

/// A line without what ends it.
pub fn body(line: &[u8], end: u8) -> &[u8] {
    match line {
        [body @ .., last] if *last == end => body,
        line => line,
    }
}

/// The lines of a text without what ends them.
pub fn lines(text: &[u8], end: u8) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(move |byte| *byte == end).map(move |line| body(line, end))
}

/// Says what is wrong, and ends the command.
pub async fn fail(call: &mut Call<'_>, message: impl AsRef<str>, status: i32) -> Ended {
    match call.complain(message).await {
        Ok(()) => Ended::Status(status),
        Err(ended) => ended,
    }
}

/// Says what is wrong with the arguments, and ends the command.
pub async fn misuse(call: &mut Call<'_>, message: impl AsRef<str>, status: i32) -> Ended {
    match call.misused(message, status).await {
        Ok(status) => Ended::Status(status),
        Err(ended) => ended,
    }
}

/// A text between quotes, as GNU's messages have it.
pub fn quoted(text: impl AsRef<[u8]>) -> String {
    format!("‘{}’", text.as_ref().to_str_lossy())
}

/// What a word means, which is one of these names or begins one. The error names them all.
pub fn choice<T: Copy + PartialEq>(word: &[u8], option: &str, names: &[(&str, T)]) -> Result<T, String> {
    let mut found = names.iter().filter(|(name, _)| name.as_bytes().starts_with(word)).peekable();
    let exact = names.iter().find(|(name, _)| name.as_bytes() == word);
    let meant = exact.or(found.peek().copied()).map(|(_, meant)| *meant);
    match meant {
        Some(meant) if exact.is_some() || found.all(|(_, other)| *other == meant) => return Ok(meant),
        _ => (),
    }
    let problem = if meant.is_some() { "ambiguous" } else { "invalid" };
    let mut text = format!("{problem} argument {} for {}\nValid arguments are:", quoted(word), quoted(option));
    for (at, (name, meant)) in names.iter().enumerate() {
        let is_another = at > 0 && names[at - 1].1 == *meant;
        text.push_str(if is_another { ", " } else { "\n  - " });
        text.push_str(&quoted(name));
    }
    Err(text)
}

/// What is said in addition about a number that is zero, where it must not be.
pub fn out_of_range(text: &[u8]) -> &'static str {
    if number(text).is_some() { ": Numerical result out of range" } else { "" }
}

/// A decimal number that is all of the text. One that is too large is the largest.
pub fn number(text: &[u8]) -> Option<usize> {
    numbers::whole(text).map(numbers::count)
}

/// A number of bytes with a unit, as `10K`. A unit alone is one of it.
pub fn size(text: &[u8]) -> Option<usize> {
    let is_alone = text.first().is_some_and(|first| !first.is_ascii_digit());
    let size = if is_alone { numbers::size(&[b"1", text].concat()) } else { numbers::size(text) };
    size.map(numbers::count)
}

/// Moves a number with a dash in front, as in `-80`, behind the option that it stands for.
pub fn numbered(args: &mut [BString], letter: char) {
    for arg in args.iter_mut().take_while(|arg| *arg != "--") {
        if arg.strip_prefix(b"-").is_some_and(|digits| number(digits).is_some()) {
            *arg = format!("-{letter}{}", arg[1..].to_str_lossy()).into();
        }
    }
}
