//! The files that `grep` searches.

use bstr::{BString, ByteSlice};
use bytes::Bytes;

use super::matcher::Matcher;
use super::options::{self, Binary, Options};
use super::parts::Parts;
use super::scan::{Scan, Style, color};
use crate::exec::{Call, Ended};
use crate::io::{Source, reason};
use crate::world::{Kind, Stat};

/// How much of a file GNU's grep has before it looks whether that is text.
const PART: usize = 96 * 1024;
/// How deeply folders may lie in each other.
const DEEPEST: usize = 1000;

/// A folder on the way: the entries that are left, and the lengths of its name as it is shown and of its path.
type Level = (std::vec::IntoIter<(BString, Stat)>, usize, usize);

/// A search through files.
pub struct Search<'a> {
    matcher: &'a Matcher,
    options: &'a Options,
    with: Style,
    without: Style,
    has_printed: bool,
    selected: bool,
    failed: bool,
}

impl<'a> Search<'a> {
    /// One that has not begun.
    pub fn new(matcher: &'a Matcher, options: &'a Options) -> Search<'a> {
        let with = Style { names: true, ..options.style.clone() };
        let without = Style { names: false, ..options.style.clone() };
        Search { matcher, options, with, without, has_printed: false, selected: false, failed: false }
    }

    /// Whether the result cannot change any more.
    pub fn is_done(&self) -> bool {
        self.options.quiet && self.selected
    }

    /// The exit status.
    pub fn status(&self) -> i32 {
        match (self.failed, self.selected) {
            (true, _) => 2,
            (false, true) => 0,
            (false, false) => 1,
        }
    }

    async fn fail(&mut self, call: &mut Call<'_>, name: &[u8], error: &std::io::Error) -> Result<(), Ended> {
        self.failed = true;
        if !self.options.silent {
            call.complain(format!("{}: {}", name.as_bstr(), reason(error))).await?;
        }
        Ok(())
    }

    /// Searches an operand. An empty one is the folder where the shell is, whose name is not printed.
    pub async fn operand(&mut self, call: &mut Call<'_>, name: &BString) -> Result<(), Ended> {
        let names = self.options.names;
        if name == "-" {
            let label = self.options.label.clone();
            let source = call.stdin.clone();
            return self.source(call, &source, &label, names.unwrap_or(false)).await;
        }
        let path = call.shell.path(name);
        let stat = match crate::exec::redirect::is_device(call.shell, &path) {
            true => None,
            // What cannot be found is told when it is opened.
            false => call.shell.base.files.stat(path.as_bstr(), true).ok(),
        };
        if stat.is_some_and(|stat| stat.kind == Kind::Folder) {
            if self.options.recurses {
                if self.options.leaves_out_folder(name, true) && !name.is_empty() {
                    return Ok(());
                }
                return self.folder(call, name, path).await;
            }
            if !self.options.skips_folders && !self.options.leaves_out_folder(name, true) {
                let error = std::io::ErrorKind::IsADirectory.into();
                self.fail(call, name, &error).await?;
            }
            return Ok(());
        }
        if self.options.leaves_out(name, true) {
            return Ok(());
        }
        match call.open(name) {
            Ok(source) => self.source(call, &source, name, names.unwrap_or(false)).await,
            Err(error) => self.fail(call, name, &error).await,
        }
    }

    /// Searches a folder and all that is below it, sorted by name.
    async fn folder(&mut self, call: &mut Call<'_>, name: &BString, path: BString) -> Result<(), Ended> {
        let names = self.options.names.unwrap_or(true);
        let (mut shown, mut path) = (BString::from(options::trimmed(name)), path);
        let mut levels: Vec<Level> = Vec::new();
        let mut opens = true;
        loop {
            if opens {
                match call.shell.base.files.list(path.as_bstr()) {
                    Ok(entries) => levels.push((entries.into_iter(), shown.len(), path.len())),
                    Err(error) => {
                        let shown = shown.clone();
                        self.fail(call, &shown, &error).await?;
                        if levels.is_empty() {
                            return Ok(());
                        }
                    }
                }
                opens = false;
            }
            let depth = levels.len();
            let Some((entries, shown_length, path_length)) = levels.last_mut() else { return Ok(()) };
            shown.truncate(*shown_length);
            path.truncate(*path_length);
            let Some((entry, stat)) = entries.next() else {
                levels.pop();
                continue;
            };
            call.work(1)?;
            join(&mut shown, &entry);
            join(&mut path, &entry);
            let mut kind = stat.kind;
            if kind == Kind::Link {
                if !self.options.follows {
                    continue;
                }
                kind = match call.shell.base.files.stat(path.as_bstr(), true) {
                    Ok(stat) => stat.kind,
                    Err(error) => {
                        self.fail(call, &shown, &error).await?;
                        continue;
                    }
                };
            }
            if kind == Kind::Folder {
                opens = depth < DEEPEST
                    && !self.options.leaves_out_folder(&entry, false)
                    && !self.loops(call, &path, &stat);
                continue;
            }
            if self.options.leaves_out(&entry, false) {
                continue;
            }
            match call.shell.base.files.read(path.as_bstr()) {
                Ok(content) => self.text(call, content, &shown, names).await?,
                Err(error) => self.fail(call, &shown, &error).await?,
            }
            if self.is_done() {
                return Ok(());
            }
        }
    }

    /// Whether a link leads to a folder that it is in.
    fn loops(&self, call: &Call<'_>, path: &BString, stat: &Stat) -> bool {
        if stat.kind != Kind::Link {
            return false;
        }
        let real = call.shell.base.files.world().and_then(|world| world.real_path(path.as_bstr()));
        real.map_or(true, |real| path.starts_with(&real) && path.get(real.len()) == Some(&b'/'))
    }

    /// Searches a whole text.
    async fn text(&mut self, call: &mut Call<'_>, content: Bytes, name: &BString, names: bool) -> Result<(), Ended> {
        let (matcher, style) = (self.matcher, if names { self.with.clone() } else { self.without.clone() });
        let mut scan = Scan::new(matcher, &style, name, self.has_printed);
        self.part(call, &mut scan, content).await?;
        self.end(call, &scan, name, names).await
    }

    /// Searches what a source has.
    async fn source(&mut self, call: &mut Call<'_>, source: &Source, name: &BString, names: bool) -> Result<(), Ended> {
        let (matcher, style) = (self.matcher, if names { self.with.clone() } else { self.without.clone() });
        let mut scan = Scan::new(matcher, &style, name, self.has_printed);
        // What is behind the last line that counts is left to who reads next.
        let is_shared = self.options.style.most.is_some() && name == &self.options.label;
        let mut parts = Parts::new(style.end, is_shared);
        while !scan.is_over() {
            let Some(text) = parts.next(call, source).await? else { break };
            self.part(call, &mut scan, text.clone()).await?;
            parts.keep(&text, scan.forget(&text));
        }
        self.end(call, &scan, name, names).await
    }

    /// Searches whole lines.
    async fn part(&mut self, call: &mut Call<'_>, scan: &mut Scan<'_>, text: Bytes) -> Result<(), Ended> {
        call.work(1 + u32::try_from(text.len() / 1024).unwrap_or(u32::MAX))?;
        let looks = self.options.binary != Binary::Text && self.options.style.end == b'\n';
        let Some(at) = text.find_byte(0).filter(|_| looks) else { return self.go(call, scan, &text).await };
        if self.options.binary == Binary::Skip {
            scan.skip();
            return Ok(());
        }
        // Lines before the part that is no text are printed as usual.
        let begin = at / PART * PART;
        let begin = text[..begin].rfind_byte(b'\n').map_or(0, |place| place + 1);
        if begin > 0 {
            self.go(call, scan, &text.slice(..begin)).await?;
        }
        let lines: Vec<u8> = text.iter().map(|byte| if *byte == 0 { b'\n' } else { *byte }).collect();
        let before = scan.selected;
        scan.is_quiet = true;
        self.go(call, scan, &lines).await?;
        scan.is_odd |= scan.selected > before;
        Ok(())
    }

    async fn go(&mut self, call: &mut Call<'_>, scan: &mut Scan<'_>, text: &[u8]) -> Result<(), Ended> {
        loop {
            let goes_on = scan.go(text);
            call.print(&scan.out).await?;
            scan.out.clear();
            call.work(1)?;
            if !goes_on {
                return Ok(());
            }
        }
    }

    /// Prints what is known at the end of a file.
    async fn end(&mut self, call: &mut Call<'_>, scan: &Scan<'_>, name: &BString, names: bool) -> Result<(), Ended> {
        let options = self.options;
        self.has_printed = scan.has_printed();
        let selected = scan.selected > 0;
        let counts = if options.lists_rest { !selected } else { selected };
        self.selected |= selected;
        if options.quiet {
            return Ok(());
        }
        let zero: &[u8] = if options.style.zero { b"\0" } else { b"\n" };
        if options.counts {
            if names {
                let mut text = Vec::new();
                color::put(&mut text, &options.style, color::NAME, name);
                match options.style.zero {
                    true => text.push(0),
                    false => color::put(&mut text, &options.style, color::MARK, b":"),
                }
                call.print(text).await?;
            }
            call.line(scan.count.to_string()).await?;
        }
        if (options.lists || options.lists_rest) && counts {
            let mut text = Vec::new();
            color::put(&mut text, &options.style, color::NAME, name);
            text.extend_from_slice(zero);
            call.print(text).await?;
        }
        let says = scan.is_odd && options.binary == Binary::Say && !options.style.counts;
        if says {
            call.complain(format!("{name}: binary file matches")).await?;
        }
        Ok(())
    }
}

/// Adds a name to a path. An empty path is where the shell is.
pub fn join(path: &mut BString, name: &[u8]) {
    if !path.is_empty() && !path.ends_with(b"/") {
        path.push(b'/');
    }
    path.extend_from_slice(name);
}
