//! `csplit`

use bstr::{BString, ByteSlice};

use super::arguments::{Flag, Given, Reading, flag, read, valued};
use super::feed::{all, fail, misuse, number, quoted};
use crate::exec::{Call, Ended};
use crate::io::reason;
use crate::regexp::{Regex, Syntax};

const SUPPRESS: char = '\u{e000}';

const FLAGS: &[Flag] = &[
    valued('b', "suffix-format"),
    valued('f', "prefix"),
    flag('k', "keep-files"),
    valued('n', "digits"),
    flag('s', "quiet"),
    flag('s', "silent"),
    flag('q', ""),
    flag('z', "elide-empty-files"),
    flag(SUPPRESS, "suppress-matched"),
];

/// Where a piece ends.
enum Place {
    /// In front of a line, or as many lines further each time.
    Line(usize),
    /// So many lines behind a match. What is in front of it may be left out.
    Match { regex: Regex, skips: bool, offset: isize },
}

struct Pattern {
    text: BString,
    place: Place,
    /// How often it is repeated. None for as often as it matches.
    repeats: Option<usize>,
}

struct Split<'t> {
    lines: Vec<&'t [u8]>,
    /// The first line that is in no piece yet.
    next: usize,
    /// The line behind the last one that was looked at.
    seen: usize,
    /// The piece that is being made.
    piece: Vec<u8>,
    files: Vec<BString>,
    quiet: bool,
    elides: bool,
    suppresses: bool,
    prefix: BString,
    format: Format,
}

/// How the number of a piece is written.
struct Format {
    before: Vec<u8>,
    width: usize,
    zeros: bool,
    letter: u8,
    after: Vec<u8>,
}

/// How splitting ends before all patterns are through.
enum End {
    /// At the end of the text, as it should.
    Done,
    /// With a reason, perhaps with a last piece.
    Wrong(String, bool),
    Ended(Ended),
}

impl From<Ended> for End {
    fn from(ended: Ended) -> End {
        End::Ended(ended)
    }
}

/// Splits a file where lines match.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let (name, rest) = match &*given.operands {
        [] => return Err(misuse(call, "missing operand", 1).await),
        [only] => return Err(misuse(call, format!("missing operand after {}", quoted(only)), 1).await),
        [name, rest @ ..] => (name, rest),
    };
    let settled = patterns(rest).and_then(|patterns| Ok((patterns, format(&given)?)));
    let (patterns, format) = match settled {
        Ok(settled) => settled,
        Err(message) => return Err(fail(call, message, 1).await),
    };
    let text = match call.open(name) {
        Ok(source) => all(call, &source).await?,
        Err(error) => {
            let message = format!("cannot open {} for reading: {}", quoted(name), reason(&error));
            return Err(fail(call, message, 1).await);
        }
    };
    let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    call.shell.hold(lines.len() * 16)?;
    let mut split = Split {
        lines,
        next: 0,
        seen: 0,
        piece: Vec::new(),
        files: Vec::new(),
        quiet: given.has('s') || given.has('q'),
        elides: given.has('z'),
        suppresses: given.has(SUPPRESS),
        prefix: given.value('f').cloned().unwrap_or_else(|| "xx".into()),
        format,
    };
    match split.all(call, &patterns).await {
        Ok(()) | Err(End::Done) => Ok(0),
        Err(End::Ended(ended)) => Err(ended),
        Err(End::Wrong(message, has_piece)) => {
            call.flush().await?;
            call.complain(message).await?;
            if has_piece {
                split.close(call).await?;
            }
            if !given.has('k') {
                split.remove(call)?;
            }
            Ok(1)
        }
    }
}

impl Split<'_> {
    async fn all(&mut self, call: &mut Call<'_>, patterns: &[Pattern]) -> Result<(), End> {
        for pattern in patterns {
            let mut repetition = 0;
            while pattern.repeats.is_none_or(|repeats| repetition <= repeats) {
                match &pattern.place {
                    Place::Line(line) => self.up_to_line(call, pattern, *line, repetition).await?,
                    Place::Match { regex, skips, offset } => {
                        self.up_to_match(call, pattern, (regex, *skips, *offset), repetition).await?;
                    }
                }
                repetition += 1;
            }
        }
        self.take(self.lines.len());
        Ok(self.close(call).await?)
    }

    async fn up_to_line(
        &mut self,
        call: &mut Call<'_>,
        pattern: &Pattern,
        line: usize,
        repetition: usize,
    ) -> Result<(), End> {
        let last = line.saturating_mul(repetition + 1) - 1;
        let is_there = last < self.lines.len();
        self.take(last.min(self.lines.len()));
        if !is_there {
            return Err(End::Wrong(wrong(pattern, "line number out of range", repetition), true));
        }
        self.close(call).await?;
        self.suppress();
        Ok(())
    }

    async fn up_to_match(
        &mut self,
        call: &mut Call<'_>,
        pattern: &Pattern,
        (regex, skips, offset): (&Regex, bool, isize),
        repetition: usize,
    ) -> Result<(), End> {
        let mut at = self.seen.max(self.next);
        while let Some(line) = self.lines.get(at) {
            call.work(1).map_err(Ended::from)?;
            if regex.is_match(super::feed::body(line, b'\n')) {
                break;
            }
            at += 1;
        }
        if at >= self.lines.len() {
            self.take(self.lines.len());
            if skips {
                self.piece.clear();
            }
            if pattern.repeats.is_some() {
                return Err(End::Wrong(wrong(pattern, "match not found", repetition), !skips));
            }
            if !skips {
                self.close(call).await?;
            }
            return Err(End::Done);
        }
        let end = at.checked_add_signed(offset).filter(|end| (self.next..=self.lines.len()).contains(end));
        let Some(end) = end else {
            if offset > 0 {
                self.take(self.lines.len());
            }
            return Err(End::Wrong(wrong(pattern, "line number out of range", repetition), !skips));
        };
        self.take(end);
        if skips {
            self.piece.clear();
        } else {
            self.close(call).await?;
        }
        self.seen = if offset > 0 { end + 1 } else { at + 1 };
        self.suppress();
        Ok(())
    }

    /// Takes the lines in front of this one into the piece.
    fn take(&mut self, end: usize) {
        if self.next < end {
            self.piece.extend(self.lines[self.next..end].concat());
            self.next = end;
        }
    }

    fn suppress(&mut self) {
        if self.suppresses {
            self.next = (self.next + 1).min(self.lines.len());
        }
    }

    /// Writes the piece.
    async fn close(&mut self, call: &mut Call<'_>) -> Result<(), Ended> {
        let piece = std::mem::take(&mut self.piece);
        if piece.is_empty() && self.elides {
            return Ok(());
        }
        let mut name = self.prefix.clone();
        name.extend_from_slice(&self.format.written(self.files.len()));
        let sink = call.create(&name, false)?;
        sink.write(&piece).await?;
        call.shell.hold(call.shell.base.files.held())?;
        self.files.push(name);
        if self.quiet { Ok(()) } else { call.line(piece.len().to_string()).await }
    }

    fn remove(&self, call: &Call<'_>) -> Result<(), Ended> {
        for name in &self.files {
            let path = call.shell.path(name);
            let world = call.shell.base.files.world().map_err(|error| Ended::Failed(reason(&error)))?;
            // One that is gone already need not be removed.
            drop(world.remove_file(path.as_bstr()));
        }
        Ok(())
    }
}

fn wrong(pattern: &Pattern, what: &str, repetition: usize) -> String {
    let again = if repetition > 0 { format!(" on repetition {repetition}") } else { String::new() };
    format!("{}: {what}{again}", quoted(&pattern.text))
}

fn patterns(operands: &[BString]) -> Result<Vec<Pattern>, String> {
    let mut patterns: Vec<Pattern> = Vec::new();
    let mut last = 0;
    for text in operands {
        if let [b'{', count @ .., b'}'] = text.as_slice()
            && let Some(pattern) = patterns.last_mut()
        {
            let invalid = || format!("{text}}}: integer required between '{{' and '}}'");
            pattern.repeats = if count == b"*" { None } else { Some(number(count).ok_or_else(invalid)?) };
            continue;
        }
        let place = match text.as_slice() {
            [mark @ (b'/' | b'%'), rest @ ..] => matched(text, *mark, rest)?,
            digits => {
                let line = number(digits).ok_or_else(|| format!("{}: invalid pattern", quoted(digits)))?;
                if line == 0 {
                    return Err(format!("{text}: line number must be greater than zero"));
                }
                if line < last {
                    return Err(format!("line number {} is smaller than preceding line number, {last}", quoted(text)));
                }
                last = line;
                Place::Line(line)
            }
        };
        patterns.push(Pattern { text: text.clone(), place, repeats: Some(0) });
    }
    Ok(patterns)
}

fn matched(text: &BString, mark: u8, rest: &[u8]) -> Result<Place, String> {
    let Some(close) = rest.rfind_byte(mark) else {
        return Err(format!("{text}: closing delimiter '{}' missing", char::from(mark)));
    };
    let regex = Syntax::default().read(&rest[..close]);
    let regex = regex.map_err(|why| format!("{text}: invalid regular expression: {why}"))?;
    let offset = match &rest[close + 1..] {
        [] => Some(0),
        offset => offset.to_str().ok().and_then(|offset| offset.parse().ok()),
    };
    let offset = offset.ok_or_else(|| format!("{text}: integer expected after delimiter"))?;
    Ok(Place::Match { regex, skips: mark == b'%', offset })
}

fn format(given: &Given) -> Result<Format, String> {
    let Some(format) = given.value('b') else {
        let width = match given.value('n') {
            Some(digits) => number(digits).ok_or_else(|| format!("invalid number: {}", quoted(digits)))?,
            None => 2,
        };
        return Ok(Format { before: Vec::new(), width: width.min(255), zeros: true, letter: b'd', after: Vec::new() });
    };
    let missing = || "missing % conversion specification in suffix".to_owned();
    let (before, rest) = format.split_once_str("%").ok_or_else(missing)?;
    let zeros = rest.starts_with(b"0");
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let width = if digits == 0 { 0 } else { number(&rest[..digits]).unwrap_or(0).min(255) };
    match &rest[digits..] {
        [letter @ (b'd' | b'i' | b'u' | b'o' | b'x' | b'X'), after @ ..] if !after.contains(&b'%') => {
            Ok(Format { before: before.into(), width, zeros, letter: *letter, after: after.into() })
        }
        [letter, ..] if !letter.is_ascii_graphic() || letter.is_ascii_alphabetic() => {
            Err(format!("invalid conversion specifier in suffix: {}", char::from(*letter)))
        }
        _ => Err("invalid conversion specifier in suffix".to_owned()),
    }
}

impl Format {
    fn written(&self, number: usize) -> Vec<u8> {
        let digits = match self.letter {
            b'o' => format!("{number:o}"),
            b'x' => format!("{number:x}"),
            b'X' => format!("{number:X}"),
            _ => number.to_string(),
        };
        let fill = if self.zeros { b"0" } else { b" " }.repeat(self.width.saturating_sub(digits.len()));
        [&self.before, &fill, digits.as_bytes(), &self.after].concat()
    }
}
