//! `wc`

use bstr::{BString, ByteSlice};

use super::arguments::{Flag, Reading, flag, read, valued};
use crate::exec::{Call, Ended};
use crate::io::{Source, reason};

const FLAGS: &[Flag] = &[
    flag('c', "bytes"),
    flag('m', "chars"),
    flag('l', "lines"),
    flag('w', "words"),
    flag('L', "max-line-length"),
    valued('\0', "files0-from"),
];

/// What is counted, in the order in which it is printed.
const ORDER: [char; 5] = ['l', 'w', 'm', 'c', 'L'];

/// What was counted, in the same order.
type Counts = [u64; 5];

/// The width of numbers if the size of what is read is not known.
const UNKNOWN: usize = 7;

/// Counts lines, words, characters and bytes.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let mut shown: Vec<usize> = (0..ORDER.len()).filter(|at| given.has(ORDER[*at])).collect();
    if shown.is_empty() {
        shown = vec![0, 1, 3];
    }
    let mut names = given.operands.clone();
    let listed = given.value('\0');
    if let Some(list) = listed {
        if let Some(extra) = names.first() {
            let message = format!("extra operand '{extra}'\nfile operands cannot be combined with --files0-from");
            return call.misused(message, 1).await;
        }
        let Some(content) = call.content(list).await? else { return Ok(1) };
        let content = content.strip_suffix(b"\0").unwrap_or(&content);
        names = content.split_str("\0").map(BString::from).filter(|name| !name.is_empty()).collect();
        if names.is_empty() {
            return Ok(0);
        }
    }
    let is_bare = names.is_empty();
    if is_bare {
        names.push("-".into());
    }
    // GNU does not look at the sizes of names that it reads from standard input.
    let width = match listed {
        Some(list) if list == "-" => 1,
        _ => width(call, &names, &shown),
    };
    let (mut status, mut total) = (0, Counts::default());
    for name in &names {
        call.work(1)?;
        let counts = match call.open(name) {
            Ok(source) => Some(counted(call, &source, &shown).await?),
            Err(error) => {
                call.flush().await?;
                call.complain(format!("{name}: {}", reason(&error))).await?;
                status = 1;
                (error.kind() == std::io::ErrorKind::IsADirectory).then(Counts::default)
            }
        };
        let Some(counts) = counts else { continue };
        for (at, count) in counts.iter().enumerate() {
            total[at] = if at == 4 { total[at].max(*count) } else { total[at] + count };
        }
        line(call, &counts, &shown, width, (!is_bare).then_some(&**name)).await?;
    }
    if names.len() > 1 {
        line(call, &total, &shown, width, Some(b"total")).await?;
    }
    Ok(status)
}

/// How wide numbers are: as the size of all files together is.
fn width(call: &Call<'_>, names: &[BString], shown: &[usize]) -> usize {
    if names.len() == 1 && shown.len() == 1 {
        return 1;
    }
    let (mut least, mut sum) = (1, 0);
    for name in names {
        let path = call.shell.path(name);
        let size = match call.shell.base.files.stat(path.as_bstr(), true) {
            _ if name == "-" => call.stdin.file_size(),
            Ok(stat) if stat.kind == crate::world::Kind::File => Some(stat.size),
            Ok(_) => None,
            Err(_) if crate::exec::redirect::is_device(call.shell, &path) => None,
            Err(_) => Some(0),
        };
        match size {
            Some(size) => sum += size,
            None => least = UNKNOWN,
        }
    }
    sum.to_string().len().max(least)
}

async fn line(
    call: &mut Call<'_>,
    counts: &Counts,
    shown: &[usize],
    width: usize,
    name: Option<&[u8]>,
) -> Result<(), Ended> {
    let numbers: Vec<String> = shown.iter().map(|at| format!("{:>width$}", counts[*at])).collect();
    call.print(numbers.join(" ")).await?;
    if let Some(name) = name {
        call.print(" ").await?;
        call.print(name).await?;
    }
    call.print("\n").await
}

async fn counted(call: &mut Call<'_>, source: &Source, shown: &[usize]) -> Result<Counts, Ended> {
    let mut counts = Counts::default();
    let mut column = Column::default();
    let needs_chars = shown.iter().any(|at| matches!(at, 1 | 2 | 4));
    while let Some(text) = source.line(b'\n').await {
        call.work(u32::try_from(text.len() / 64).unwrap_or(u32::MAX).saturating_add(1))?;
        counts[0] += u64::from(text.ends_with(b"\n"));
        counts[3] += text.len() as u64;
        if needs_chars {
            for (start, end, char) in text.char_indices() {
                // What is no character is shown as a replacement of another length, or stands in the text as such.
                if char != char::REPLACEMENT_CHARACTER || &text[start..end] == "\u{fffd}".as_bytes() {
                    counts[2] += 1;
                    counts[1] += u64::from(column.word(char));
                    column.step(char);
                }
            }
        }
    }
    counts[4] = column.most.max(column.at);
    Ok(counts)
}

/// Where a line is.
#[derive(Default)]
struct Column {
    in_word: bool,
    at: u64,
    most: u64,
}

impl Column {
    /// Whether a word begins with this character.
    fn word(&mut self, char: char) -> bool {
        let is_blank =
            char.is_whitespace() && !matches!(char, '\u{85}' | '\u{2028}' | '\u{2029}') || char == '\u{2060}';
        if is_blank {
            self.in_word = false;
            return false;
        }
        let begins = !self.in_word && is_printed(char);
        self.in_word |= is_printed(char);
        begins
    }

    fn step(&mut self, char: char) {
        match char {
            '\n' | '\r' | '\u{c}' => {
                self.most = self.most.max(self.at);
                self.at = 0;
            }
            '\t' => self.at += 8 - self.at % 8,
            char if is_printed(char) => self.at += columns(char),
            _ => (),
        }
    }
}

fn is_printed(char: char) -> bool {
    !char.is_control() && !matches!(char, '\u{2028}' | '\u{2029}')
}

/// Columns that a character takes on a terminal.
fn columns(char: char) -> u64 {
    match u32::from(char) {
        0x300..=0x36f | 0x200b..=0x200f | 0x20d0..=0x20ff | 0xfe00..=0xfe0f => 0,
        0x1100..=0x115f | 0x2e80..=0x303e | 0x3041..=0xa4cf | 0xa960..=0xa97c | 0xac00..=0xd7a3 => 2,
        0xf900..=0xfaff | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 => 2,
        0x1f300..=0x1f64f | 0x1f680..=0x1f6ff | 0x1f900..=0x1f9ff | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}
