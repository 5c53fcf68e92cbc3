//! What stands before the hunks of a patch: which files it is about.

use bstr::{BString, ByteSlice};

use super::hunk::{Form, next};
use super::names::{Stamp, pair, stamp};
use super::text::{Mark, Text};
use super::{context, normal};
use crate::exec::{Call, Ended};

/// What is asked about the next patch.
#[derive(Clone, Copy)]
pub struct Asked {
    /// How many folders of a name are left out.
    pub strip: Option<usize>,
    /// The form that it must have.
    pub form: Option<Form>,
    /// Whether it must name a file.
    pub named: bool,
    /// Whether carriage returns stay.
    pub binary: bool,
}

/// A patch of one file. Of each pair, the first is about the old file.
#[derive(Debug, Default)]
pub struct Header {
    /// How its hunks are written.
    pub form: Option<Form>,
    /// What it says about the file.
    pub stamps: [Stamp; 2],
    /// The name in an `Index:` line.
    pub index: Option<BString>,
    /// The word that the file must have.
    pub prereq: Option<BString>,
    /// The line on which there are several such words.
    pub prereq_extra: Option<usize>,
    /// Whether the file is not there: 1 if it may be there and be empty, 2 if it is not.
    pub absent: [u8; 2],
    /// Whether it is git's.
    pub git: bool,
    /// Whether the file gets another name.
    pub rename: bool,
    /// Whether the file is copied.
    pub copy: bool,
    /// The modes of the file.
    pub modes: [Option<u32>; 2],
    /// Where the text before it begins.
    pub begins: usize,
    /// Where its hunks begin.
    pub body: Mark,
    /// The line on which they begin.
    pub line: usize,
    /// Columns before its hunks.
    pub indent: usize,
    /// Whether its lines end with carriage returns.
    pub strips: bool,
}

/// What ends the search for a patch.
pub enum Wrong {
    /// The patch cannot be read.
    Fatal(String),
    /// The command ends.
    Ended(Ended),
}

/// Finds the next patch. The text stands where its hunks begin. None if there is none.
pub fn find(text: &mut Text, asked: Asked, call: &Call<'_>) -> Result<Option<Header>, Wrong> {
    let mut search = Search { asked, named: !asked.named, ..Search::default() };
    search.header.begins = text.mark.at;
    (text.indent, text.strips) = (0, false);
    loop {
        call.work(1).map_err(|halt| Wrong::Ended(halt.into()))?;
        let start = text.mark;
        let Some(line) = text.line() else {
            if !search.extended {
                return Ok(None);
            }
            return Ok(Some(search.found(Form::Unified, text.mark, text.mark.line, 0)));
        };
        // Comments may have been left out.
        let start = Mark { at: start.at, line: text.mark.line - 1 };
        let (indent, content) = unindented(&line);
        match search.look(content, indent, start, text)? {
            Look::Further => (),
            Look::Found(form, mark, number) => return Ok(Some(search.found(form, mark, number, indent))),
        }
        search.before =
            Before { mark: start, stars: content.starts_with(context::STARS), command: normal::is_command(content) };
    }
}

impl Header {
    /// What it is, for whoever wants to be told everything.
    pub fn looks(&self, first: bool) -> String {
        let what = match self.form {
            Some(Form::Unified) => "a unified diff",
            Some(Form::Context) => "a new-style context diff",
            Some(Form::Binary) => "a git binary diff",
            _ => "a normal diff",
        };
        format!("  {}ooks like {what} to me...\n", if first { "L" } else { "The next patch l" })
    }
}

/// The columns of blanks before a line, and what is behind them.
fn unindented(line: &[u8]) -> (usize, &[u8]) {
    let (mut column, mut length) = (0, 0);
    loop {
        column = match line.get(length) {
            Some(b' ' | b'X') => column + 1,
            Some(b'\t') => column + 8 - column % 8,
            _ => return (column, &line[length..]),
        };
        length += 1;
    }
}

enum Look {
    Further,
    Found(Form, Mark, usize),
}

/// The line before.
#[derive(Default)]
struct Before {
    mark: Mark,
    stars: bool,
    command: bool,
}

struct Search {
    asked: Asked,
    header: Header,
    /// What lines that begin with stars, dashes and pluses say.
    stars: Option<Stamp>,
    dashes: Option<Stamp>,
    pluses: Option<Stamp>,
    named: bool,
    extended: bool,
    before: Before,
}

impl Default for Search {
    fn default() -> Search {
        Search {
            asked: Asked { strip: None, form: None, named: true, binary: false },
            header: Header::default(),
            stars: None,
            dashes: None,
            pluses: None,
            named: false,
            extended: false,
            before: Before::default(),
        }
    }
}

impl Search {
    fn found(mut self, form: Form, body: Mark, line: usize, indent: usize) -> Header {
        let (old, new) = match form {
            Form::Context => (self.stars, self.dashes),
            Form::Unified | Form::Binary => (self.dashes.or(self.stars), self.pluses),
            Form::Normal if self.stars.is_some() => (self.stars, self.dashes),
            Form::Normal => (self.dashes, self.pluses),
        };
        self.header.stamps = [old.unwrap_or_default(), new.unwrap_or_default()];
        Header { form: Some(form), body, line, indent, ..self.header }
    }

    fn look(&mut self, line: &[u8], indent: usize, start: Mark, text: &mut Text) -> Result<Look, Wrong> {
        let strips = !self.asked.binary && line.ends_with(b"\r\n");
        if let Some(rest) = line.strip_prefix(b"*** ").filter(|_| !self.before.stars) {
            self.stars = Some(self.stamp(rest));
            self.header.strips = strips;
        } else if let Some(rest) = line.strip_prefix(b"+++ ") {
            let stamp = self.stamp(rest);
            self.pluses = Some(Self::known(stamp, self.pluses.as_ref()));
            self.header.strips = strips;
        } else if let Some(rest) = line.strip_prefix(b"Index:") {
            self.header.index = self.stamp(rest).name;
            self.header.strips = strips;
        } else if let Some(rest) = line.strip_prefix(b"Prereq:") {
            let mut words = rest.fields();
            self.header.prereq = words.next().map(BString::from);
            self.header.prereq_extra = words.next().map(|_| start.line);
        } else if let Some(rest) = line.strip_prefix(b"diff --git ") {
            if self.extended {
                text.mark = start;
                return Ok(Look::Found(Form::Unified, start, start.line + 1));
            }
            self.begin_git(rest);
        } else if self.header.git && self.extension(line) {
            self.extended = true;
        } else if self.header.git && line.starts_with(b"GIT binary patch") {
            return Ok(Look::Found(Form::Binary, start, start.line + 1));
        } else if let Some(rest) = line.strip_prefix(b"--- ") {
            let stamp = self.stamp(rest);
            self.dashes = Some(Self::known(stamp, self.dashes.as_ref()));
            self.header.strips = strips;
        }
        if self.named { self.body(line, indent, start, text) } else { Ok(Look::Further) }
    }

    fn stamp(&mut self, rest: &[u8]) -> Stamp {
        self.named = true;
        stamp(rest, self.asked.strip)
    }

    /// What has no name has the one that was said before, as by git of a file that is not there.
    fn known(stamp: Stamp, before: Option<&Stamp>) -> Stamp {
        let name = before.and_then(|before| before.name.clone());
        Stamp { name: stamp.name.or(name), ..stamp }
    }

    fn begin_git(&mut self, rest: &[u8]) {
        let [old, new] = pair(rest, self.asked.strip).unwrap_or_default();
        self.dashes = Some(Stamp { name: old, ..Stamp::default() });
        self.pluses = Some(Stamp { name: new, ..Stamp::default() });
        self.header.git = true;
        self.named = true;
    }

    /// Whether the line is one of those that only git writes.
    fn extension(&mut self, line: &[u8]) -> bool {
        let mode = |rest: &[u8]| {
            let word = rest.fields().next()?.to_str().ok()?;
            u32::from_str_radix(word, 8).ok()
        };
        let header = &mut self.header;
        if let Some(rest) = line.strip_prefix(b"index ") {
            let mut words = rest.fields();
            let hashes = words.next().unwrap_or_default();
            if let Some((old, new)) = hashes.split_once_str("..") {
                header.absent = [of_hash(old), of_hash(new)];
            }
            if let Some(mode) = words.next().and_then(mode) {
                header.modes = [Some(mode); 2];
            }
        } else if let Some(rest) = line.strip_prefix(b"old mode ") {
            header.modes[0] = mode(rest);
        } else if let Some(rest) = line.strip_prefix(b"new mode ") {
            header.modes[1] = mode(rest);
        } else if let Some(rest) = line.strip_prefix(b"deleted file mode ") {
            header.modes[0] = mode(rest);
            header.absent[1] = 2;
        } else if let Some(rest) = line.strip_prefix(b"new file mode ") {
            header.modes[1] = mode(rest);
            header.absent[0] = 2;
        } else if line.starts_with(b"rename from ") || line.starts_with(b"rename to ") {
            header.rename = true;
        } else if line.starts_with(b"copy from ") || line.starts_with(b"copy to ") {
            header.copy = true;
        } else {
            return false;
        }
        true
    }

    /// Whether hunks begin here.
    fn body(&mut self, line: &[u8], indent: usize, start: Mark, text: &mut Text) -> Result<Look, Wrong> {
        let form = self.asked.form;
        let may = |wanted: Form| form.is_none_or(|form| form == wanted);
        if let Some(rest) = line.strip_prefix(b"@@ -").filter(|_| may(Form::Unified)) {
            let (old, new) = rest.split_once_str(" +").unwrap_or((rest, b"1"));
            self.absences([is_zero(old), is_zero(new)], Form::Unified);
            text.mark = start;
            return Ok(Look::Found(Form::Unified, start, start.line + 1));
        }
        if self.before.stars && line.starts_with(b"*** ") && may(Form::Context) {
            text.mark = self.before.mark;
            (text.indent, text.strips) = (indent, self.header.strips);
            let first = next(text, Form::Context).map_err(Wrong::Fatal)?;
            let empty = |count: usize| first.is_some() && count == 0;
            let counts = first.as_ref().map_or((1, 1), |first| {
                (first.count(super::hunk::Kind::Insert), first.count(super::hunk::Kind::Delete))
            });
            let firsts = first.as_ref().map_or((2, 2), |first| (first.old_first, first.new_first));
            self.absences([empty(counts.0) && firsts.0 == 1, empty(counts.1) && firsts.1 == 1], Form::Context);
            text.mark = self.before.mark;
            return Ok(Look::Found(Form::Context, self.before.mark, self.before.mark.line + 1));
        }
        if self.before.command && (line.starts_with(b"< ") || line.starts_with(b"> ")) && may(Form::Normal) {
            text.mark = self.before.mark;
            return Ok(Look::Found(Form::Normal, self.before.mark, self.before.mark.line + 1));
        }
        Ok(Look::Further)
    }

    /// Notes sides that have no lines at all.
    fn absences(&mut self, none: [bool; 2], form: Form) {
        let stamps = match form {
            Form::Context => [&self.stars, &self.dashes],
            _ => [&self.dashes, &self.pluses],
        };
        for side in 0..2 {
            if none[side] {
                let epoch = stamps[side].as_ref().is_some_and(|stamp| stamp.epoch);
                self.header.absent[side] = self.header.absent[side].max(1 + u8::from(epoch));
            }
        }
    }
}

fn is_zero(range: &[u8]) -> bool {
    let digits = &range[..range.iter().take_while(|byte| byte.is_ascii_digit()).count()];
    digits.iter().all(|digit| *digit == b'0')
}

/// Whether a file of git's has this hash because it is empty, or because it is not there.
fn of_hash(hash: &[u8]) -> u8 {
    const EMPTY: &[u8] = b"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
    if !hash.is_empty() && hash.iter().all(|digit| *digit == b'0') {
        2
    } else if hash.len() >= 7 && EMPTY.starts_with(hash) {
        1
    } else {
        0
    }
}
