//! Where lines are written. A line that lacks its end gets it as soon as something follows.

use bstr::BString;

use crate::exec::{Call, Ended};
use crate::io::Sink;

/// Where lines go.
#[derive(Debug)]
enum To {
    Stdout,
    Stderr,
    File(Sink),
    Memory(Vec<u8>),
}

/// What is written to.
#[derive(Debug)]
pub struct Output {
    to: To,
    /// Whether the last line lacks its end.
    lacks: bool,
    end: u8,
}

impl Output {
    fn new(to: To, end: u8) -> Output {
        Output { to, lacks: false, end }
    }

    /// What the command prints.
    pub fn stdout(end: u8) -> Output {
        Output::new(To::Stdout, end)
    }

    /// The file that `w` names.
    pub fn named(call: &Call<'_>, name: &BString, end: u8) -> Result<Output, Ended> {
        let to = match name.as_slice() {
            b"/dev/stdout" => To::Stdout,
            b"/dev/stderr" => To::Stderr,
            name => To::File(call.create(name, false)?),
        };
        Ok(Output::new(to, end))
    }

    /// What is kept until the file that is changed is over.
    pub fn memory(end: u8) -> Output {
        Output::new(To::Memory(Vec::new()), end)
    }

    /// Takes what was kept. The next file begins with nothing.
    pub fn kept(&mut self) -> Vec<u8> {
        self.lacks = false;
        match &mut self.to {
            To::Memory(bytes) => std::mem::take(bytes),
            _ => Vec::new(),
        }
    }

    /// How many bytes are kept.
    pub fn held(&self) -> usize {
        if let To::Memory(bytes) = &self.to { bytes.len() } else { 0 }
    }

    /// Writes a line, with its end if it has one.
    pub async fn line(&mut self, call: &mut Call<'_>, text: &[u8], ends: bool) -> Result<(), Ended> {
        let mut line = text.to_vec();
        if ends {
            line.push(self.end);
        }
        self.raw(call, &line).await?;
        self.lacks = !ends;
        Ok(())
    }

    /// Writes a text as it is.
    pub async fn raw(&mut self, call: &mut Call<'_>, text: &[u8]) -> Result<(), Ended> {
        if std::mem::take(&mut self.lacks) {
            self.write(call, &[self.end]).await?;
        }
        self.write(call, text).await
    }

    async fn write(&mut self, call: &mut Call<'_>, text: &[u8]) -> Result<(), Ended> {
        match &mut self.to {
            To::Stdout => call.print(text).await,
            To::Stderr => call.say(text).await,
            To::File(sink) => {
                sink.write(text).await?;
                Ok(call.shell.hold(call.shell.base.files.held())?)
            }
            To::Memory(bytes) => {
                bytes.extend_from_slice(text);
                Ok(call.shell.hold(bytes.len())?)
            }
        }
    }
}
