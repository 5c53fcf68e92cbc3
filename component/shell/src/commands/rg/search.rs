//! The search in one file, and what is printed of it.

use bstr::{BString, ByteSlice};
use bytes::Bytes;

use super::options::{Binary, Options, Output};
use crate::commands::grep::matcher::Matcher;
use crate::commands::grep::parts::Parts;
use crate::commands::grep::scan::{Scan, Style};
use crate::exec::{Call, Ended};
use crate::io::Source;

/// How much of a file ripgrep has before it looks whether that is text.
const PART: usize = 64 * 1024;

/// A search through files.
#[derive(Debug)]
pub struct Search<'a> {
    matcher: &'a Matcher,
    options: &'a Options,
    style: Style,
    has_printed: bool,
    /// Whether anything was found.
    pub found: bool,
}

/// A file that is searched.
struct File<'s, 't> {
    scan: Scan<'s>,
    name: &'t BString,
    binary: Binary,
    /// It is as a whole in memory for ripgrep, which looks for a NUL only at its beginning, and in lines that match.
    is_mapped: bool,
    /// Where the first NUL is.
    nul: Option<u64>,
    is_left: bool,
}

impl<'a> Search<'a> {
    /// One that has not begun.
    pub fn new(matcher: &'a Matcher, options: &'a Options, names: bool) -> Search<'a> {
        let style = Style { names, ..options.style.clone() };
        Search { matcher, options, style, has_printed: false, found: false }
    }

    /// Whether the result cannot change any more.
    pub fn is_done(&self) -> bool {
        self.found && self.options.output == Output::Nothing
    }

    /// Searches a whole text. One that was named is not left for being no text.
    pub async fn text(
        &mut self,
        call: &mut Call<'_>,
        text: Bytes,
        name: &BString,
        (is_named, is_mapped): (bool, bool),
    ) -> Result<(), Ended> {
        let style = self.style.clone();
        let binary = if is_named && self.options.binary == Binary::Leave { Binary::Say } else { self.options.binary };
        let scan = Scan::new(self.matcher, &style, name, self.has_printed);
        let mut file = File { scan, name, binary, is_mapped, nul: None, is_left: false };
        file.part(call, &text, 0).await?;
        self.end(call, &file).await
    }

    /// Searches what a source has.
    pub async fn source(&mut self, call: &mut Call<'_>, source: &Source, name: &BString) -> Result<(), Ended> {
        if self.matcher.spans() {
            let text = source.all().await;
            call.shell.hold(text.len())?;
            return self.text(call, text, name, (true, false)).await;
        }
        let style = self.style.clone();
        let binary = if self.options.binary == Binary::Text { Binary::Text } else { Binary::Say };
        let scan = Scan::new(self.matcher, &style, name, self.has_printed);
        let mut file = File { scan, name, binary, is_mapped: false, nul: None, is_left: false };
        let mut parts = Parts::new(style.end, false);
        let mut done = 0;
        while !file.scan.is_over() && !file.is_left {
            let Some(text) = parts.next(call, source).await? else { break };
            file.part(call, &text, done).await?;
            let used = file.scan.forget(&text);
            done += used as u64;
            parts.keep(&text, used);
        }
        self.end(call, &file).await
    }

    /// Prints what is known at the end of a file.
    async fn end(&mut self, call: &mut Call<'_>, file: &File<'_, '_>) -> Result<(), Ended> {
        self.has_printed = file.scan.has_printed();
        let options = self.options;
        let selected = file.scan.selected > 0;
        // Of a file that was left nothing is known.
        let is_left = file.is_left && file.binary == Binary::Leave && options.output != Output::Lines;
        let end = [self.style.end];
        let zero: &[u8] = if self.style.zero { b"\0" } else { &end };
        match options.output {
            _ if is_left => return Ok(()),
            Output::Counts if selected || options.zeros => {
                if self.style.names {
                    call.print(file.name).await?;
                    call.print(if self.style.zero { b"\0" } else { b":".as_slice() }).await?;
                }
                call.print(file.scan.count.to_string()).await?;
                call.print(end).await?;
            }
            Output::Names if selected => {
                call.print(file.name).await?;
                call.print(zero).await?;
            }
            Output::OtherNames if !selected => {
                call.print(file.name).await?;
                call.print(zero).await?;
            }
            _ => (),
        }
        self.found |= selected != (options.output == Output::OtherNames);
        if options.output != Output::Lines || !selected {
            return Ok(());
        }
        let Some(nul) = file.nul else { return Ok(()) };
        if self.style.names {
            call.print(file.name).await?;
            call.print(": ").await?;
        }
        let found = format!("(found \"\\0\" byte around offset {nul})");
        call.line(match file.binary {
            Binary::Leave => format!("WARNING: stopped searching binary file after match {found}"),
            _ => format!("binary file matches {found}"),
        })
        .await
    }
}

impl File<'_, '_> {
    /// Searches whole lines. So many bytes were before them.
    async fn part(&mut self, call: &mut Call<'_>, text: &Bytes, before: u64) -> Result<(), Ended> {
        call.work(1 + u32::try_from(text.len() / 1024).unwrap_or(u32::MAX))?;
        let looks = self.binary != Binary::Text;
        let Some(at) = text.find_byte(0).filter(|_| looks) else { return self.go(call, text).await };
        let nul = Some(before + at as u64);
        if self.is_mapped && at >= PART {
            return self.mapped(call, text).await;
        }
        // Lines before the part that is no text are printed as usual.
        let begin = at / PART * PART;
        let begin = text[..begin].rfind_byte(b'\n').map_or(0, |place| place + 1);
        if begin > 0 {
            self.go(call, &text[..begin]).await?;
        }
        if self.scan.is_over() {
            return Ok(());
        }
        self.is_left = true;
        if self.binary == Binary::Leave {
            self.nul = nul;
            return Ok(());
        }
        call.shell.hold(text.len())?;
        let lines: Vec<u8> = text.iter().map(|byte| if *byte == 0 { b'\n' } else { *byte }).collect();
        let selected = self.scan.selected;
        let is_quiet = std::mem::replace(&mut self.scan.is_quiet, true);
        self.go(call, &lines).await?;
        // Who counts goes on.
        self.is_left = !is_quiet;
        self.nul = nul.filter(|_| self.scan.selected > selected);
        Ok(())
    }

    /// Searches a text up to the first line that is selected and has a NUL.
    async fn mapped(&mut self, call: &mut Call<'_>, text: &Bytes) -> Result<(), Ended> {
        let is_quiet = self.scan.is_quiet;
        let mut from = 0;
        while let Some(at) = text[from..].find_byte(0).map(|at| from + at) {
            call.work(1)?;
            let begin = text[from..at].rfind_byte(b'\n').map_or(from, |place| from + place + 1);
            self.go(call, &text[..begin]).await?;
            let is_around = self.scan.is_around();
            from = text[at..].find_byte(b'\n').map_or(text.len(), |place| at + place + 1);
            let selected = self.scan.selected;
            self.scan.is_quiet = true;
            self.go(call, &text[..from]).await?;
            self.scan.is_quiet = is_quiet;
            if is_around || (self.scan.selected > selected && !is_quiet) {
                self.nul = Some(at as u64);
                self.is_left = true;
                return Ok(());
            }
        }
        self.go(call, text).await
    }

    async fn go(&mut self, call: &mut Call<'_>, text: &[u8]) -> Result<(), Ended> {
        loop {
            let goes_on = self.scan.go(text);
            call.print(&self.scan.out).await?;
            self.scan.out.clear();
            call.work(1)?;
            if !goes_on {
                return Ok(());
            }
        }
    }
}
