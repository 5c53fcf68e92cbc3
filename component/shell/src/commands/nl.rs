//! `nl`

use bstr::{BString, ByteSlice};

use super::arguments::{Flag, Given, Reading, flag, read, valued};
use super::numbers::whole;
use crate::builtins::printf::zeros;
use crate::exec::{Call, Ended};
use crate::io::reason;
use crate::regexp::{Regex, Syntax};

const FLAGS: &[Flag] = &[
    valued('b', "body-numbering"),
    valued('d', "section-delimiter"),
    valued('f', "footer-numbering"),
    valued('h', "header-numbering"),
    valued('i', "line-increment"),
    valued('l', "join-blank-lines"),
    valued('n', "number-format"),
    flag('p', "no-renumber"),
    valued('s', "number-separator"),
    valued('v', "starting-line-number"),
    valued('w', "number-width"),
];

/// Which lines of a section have numbers.
enum Style {
    All,
    Filled,
    None,
    Matching(Regex),
}

/// How lines are numbered.
struct Numbering {
    /// Those of the header, the body and the footer.
    styles: [Style; 3],
    /// What begins a header, a body and a footer.
    begins: Option<[Vec<u8>; 3]>,
    step: i64,
    joined: i64,
    first: i64,
    width: usize,
    format: BString,
    separator: BString,
    restarts: bool,
}

/// Where the text is.
struct Place {
    section: usize,
    next: i64,
    blank: i64,
}

/// Prints files with numbers of lines.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let numbering = match numbering(&given) {
        Ok(numbering) => numbering,
        Err(Wrong { message, helps: true }) => return call.misused(message, 1).await,
        Err(Wrong { message, .. }) => {
            call.complain(message).await?;
            return Ok(1);
        }
    };
    let names = if given.operands.is_empty() { vec![BString::from("-")] } else { given.operands };
    let mut place = Place { section: 1, next: numbering.first, blank: 0 };
    let mut status = 0;
    for name in names {
        let source = match call.open(&name) {
            Ok(source) => source,
            Err(error) => {
                call.complain(format!("{name}: {}", reason(&error))).await?;
                status = 1;
                continue;
            }
        };
        while let Some(line) = source.line(b'\n').await {
            call.work(1)?;
            numbered(call, &numbering, &mut place, line.strip_suffix(b"\n").unwrap_or(&line)).await?;
        }
    }
    Ok(status)
}

/// What is wrong with an option, and whether the help is mentioned.
struct Wrong {
    message: String,
    helps: bool,
}

fn numbering(given: &Given) -> Result<Numbering, Wrong> {
    let number = |letter, usual: i64, least: i64, what: &str| match given.value(letter) {
        None => Ok(usual),
        Some(text) => signed(text)
            .filter(|number| *number >= least)
            .ok_or_else(|| Wrong { message: format!("invalid {what}: '{text}'"), helps: false }),
    };
    let style = |letter, usual, section: &str| match given.value(letter).map_or(usual, |style| &***style) {
        b"a" => Ok(Style::All),
        b"t" => Ok(Style::Filled),
        b"n" => Ok(Style::None),
        other => match other.strip_prefix(b"p") {
            Some(pattern) => {
                let syntax = Syntax { extended: false, ignores_case: false, multiline: false };
                let read = syntax.read(pattern);
                read.map(Style::Matching).map_err(|message| Wrong { message, helps: false })
            }
            None => {
                let message = format!("invalid {section} numbering style: '{}'", other.as_bstr());
                Err(Wrong { message, helps: true })
            }
        },
    };
    let format = given.value('n').cloned().unwrap_or_else(|| "rn".into());
    if ![&b"ln"[..], b"rn", b"rz"].contains(&format.as_bytes()) {
        return Err(Wrong { message: format!("invalid line numbering format: '{format}'"), helps: true });
    }
    let mut delimiter = b"\\:".to_vec();
    if let Some(text) = given.value('d') {
        match text.len() {
            1 => delimiter[0] = text[0],
            _ => delimiter = text.to_vec(),
        }
    }
    let width = number('w', 6, 1, "line number field width")?;
    Ok(Numbering {
        styles: [style('h', b"n", "header")?, style('b', b"t", "body")?, style('f', b"n", "footer")?],
        begins: (delimiter.len() > 1).then(|| [3, 2, 1].map(|times| delimiter.repeat(times))),
        step: number('i', 1, i64::MIN, "line number increment")?,
        joined: number('l', 1, 1, "line number of blank lines")?,
        first: number('v', 1, i64::MIN, "starting line number")?,
        // The widest that anybody could want: what is wider only costs memory.
        width: usize::try_from(width).unwrap_or(1).min(100_000),
        format,
        separator: given.value('s').cloned().unwrap_or_else(|| "\t".into()),
        restarts: !given.has('p'),
    })
}

fn signed(text: &[u8]) -> Option<i64> {
    match text.strip_prefix(b"-") {
        Some(digits) => Some(-i64::try_from(whole(digits)?).ok()?),
        None => i64::try_from(whole(text.strip_prefix(b"+").unwrap_or(text))?).ok(),
    }
}

async fn numbered(call: &mut Call<'_>, how: &Numbering, place: &mut Place, line: &[u8]) -> Result<(), Ended> {
    let begun = how.begins.as_ref().and_then(|begins| begins.iter().position(|begin| begin == line));
    if let Some(section) = begun {
        place.section = section;
        if how.restarts {
            place.next = how.first;
        }
        return call.print("\n").await;
    }
    let has_number = match &how.styles[place.section] {
        Style::All if how.joined > 1 && line.is_empty() => {
            place.blank += 1;
            place.blank == how.joined
        }
        Style::All => true,
        Style::Filled => !line.is_empty(),
        Style::None => false,
        Style::Matching(regex) => regex.is_match(line),
    };
    if has_number {
        place.blank = 0;
        let (number, width) = (place.next, how.width);
        let text = number.to_string();
        let blanks = " ".repeat(width.saturating_sub(text.len()));
        let text = match how.format.as_bytes() {
            b"ln" => text + &blanks,
            b"rz" => match text.strip_prefix('-') {
                Some(digits) => format!("-{}", zeros(digits, width.saturating_sub(1))),
                None => zeros(&text, width),
            },
            _ => blanks + &text,
        };
        call.print(text).await?;
        call.print(&how.separator).await?;
        place.next = number.checked_add(how.step).ok_or_else(|| Ended::Failed("line number overflow".to_owned()))?;
    } else {
        call.print(" ".repeat(how.width + how.separator.len())).await?;
    }
    call.line(line).await
}
