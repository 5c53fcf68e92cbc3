//! `numfmt`

mod scale;

use bstr::{BString, ByteSlice};

use self::scale::{Round, Scale, Value};
use super::arguments::{Flag, Given, Reading, flag, read, valued};
use super::input::number;
use crate::exec::{Call, Ended};

const FLAGS: &[Flag] = &[
    valued('F', "from"),
    valued('T', "to"),
    valued('u', "from-unit"),
    valued('U', "to-unit"),
    valued('R', "round"),
    valued('s', "suffix"),
    valued('p', "padding"),
    valued('f', "field"),
    valued('d', "delimiter"),
    valued('m', "format"),
    valued('i', "invalid"),
    Flag { letter: 'h', long: "header", value: super::arguments::Value::Possible },
    flag('g', "grouping"),
    flag('z', "zero-terminated"),
    flag('D', "debug"),
];

/// What was asked for.
struct Options {
    from: Scale,
    to: Scale,
    from_unit: i128,
    to_unit: i128,
    round: Round,
    suffix: BString,
    padding: i64,
    zeros: usize,
    precision: Option<usize>,
    before: BString,
    after: BString,
    fields: Vec<(usize, usize)>,
    delimiter: Option<u8>,
    header: u64,
    end: u8,
}

/// Prints numbers with other units.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    // A negative number is no option.
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let mut options = match options(&given) {
        Ok(options) => options,
        Err(message) => return call.misused(message, 1).await,
    };
    let manner = given.value('i').map_or_else(|| "abort".to_owned(), ToString::to_string);
    let mut status = 0;
    if !given.operands.is_empty() {
        for word in &given.operands {
            status = status.max(line(call, &options, &manner, word, true).await?);
        }
        return Ok(status);
    }
    let stdin = call.stdin.clone();
    while let Some(text) = stdin.line(options.end).await {
        call.work(1)?;
        if options.header > 0 {
            options.header -= 1;
            call.print(&text).await?;
            continue;
        }
        let (text, ends) = match text.strip_suffix(&[options.end]) {
            Some(text) => (text, true),
            None => (&text[..], false),
        };
        status = status.max(line(call, &options, &manner, text, ends).await?);
    }
    Ok(status)
}

async fn line(call: &mut Call<'_>, options: &Options, manner: &str, text: &[u8], ends: bool) -> Result<i32, Ended> {
    let (mut rest, mut field, mut status) = (Some(text), 0, 0);
    while let Some(text) = rest {
        field += 1;
        let blanks = match options.delimiter {
            Some(_) => 0,
            None => text.iter().take_while(|byte| byte.is_ascii_whitespace()).count(),
        };
        let is_end = |byte: &u8| options.delimiter.map_or(*byte == b' ' || *byte == b'\t', |end| *byte == end);
        let end = text[blanks..].iter().position(is_end).map_or(text.len(), |at| at + blanks);
        let word = &text[..end];
        rest = text.get(end + 1..).filter(|_| end < text.len());
        if field > 1 {
            call.print([options.delimiter.unwrap_or(b' ')]).await?;
        }
        if !options.fields.iter().any(|(from, to)| (*from..=*to).contains(&field)) {
            call.print(word).await?;
            continue;
        }
        match options.converted(word, field) {
            Ok(word) => call.print(word).await?,
            Err(message) => {
                if manner != "ignore" {
                    call.flush().await?;
                    call.complain(message).await?;
                }
                match manner {
                    "abort" => return Err(Ended::Status(2)),
                    "fail" => status = 2,
                    _ => (),
                }
                call.print(word).await?;
            }
        }
    }
    if ends {
        call.print([options.end]).await?;
    }
    Ok(status)
}

fn options(given: &Given) -> Result<Options, String> {
    let text = |letter: char| given.value(letter).map(|value| value.as_bstr());
    let scale = |letter: char, long: &str| match text(letter) {
        None => Ok(Scale::None),
        Some(name) => {
            Scale::named(name, letter == 'F').ok_or_else(|| format!("invalid argument ‘{name}’ for ‘--{long}’"))
        }
    };
    let unit = |letter: char| match text(letter) {
        None => Ok(1),
        Some(size) => {
            let size_of = |size: &[u8]| match size.strip_suffix(b"i") {
                Some(size) => number(size),
                None if size.last().is_some_and(u8::is_ascii_alphabetic) => number(&[size, b"B"].concat()),
                None => number(size),
            };
            size_of(size).filter(|size| *size > 0).map(i128::from).ok_or_else(|| format!("invalid unit size: ‘{size}’"))
        }
    };
    let padding = match text('p') {
        None => 0,
        Some(width) => {
            let width = width.to_str().ok().and_then(|width| width.parse::<i64>().ok());
            width.filter(|width| *width != 0 && width.abs() < 1 << 16).ok_or("invalid padding value")?
        }
    };
    let header = match text('h') {
        None => 0,
        Some(count) if count.is_empty() => 1,
        Some(count) => {
            number(count).filter(|count| *count > 0).ok_or_else(|| format!("invalid header value ‘{count}’"))?
        }
    };
    let delimiter = match text('d') {
        None => None,
        Some(text) if text.len() == 1 => Some(text[0]),
        Some(_) => return Err("the delimiter must be a single character".to_owned()),
    };
    let round = text('R').map_or(Some(Round::FromZero), |name| Round::named(name));
    let mut options = Options {
        from: scale('F', "from")?,
        to: scale('T', "to")?,
        from_unit: unit('u')?,
        to_unit: unit('U')?,
        round: round.ok_or("invalid argument for ‘--round’")?,
        suffix: given.value('s').cloned().unwrap_or_default(),
        padding,
        zeros: 0,
        precision: None,
        before: BString::default(),
        after: BString::default(),
        fields: fields(text('f').map_or(b"1", |text| text)).ok_or("invalid field value")?,
        delimiter,
        header,
        end: if given.has('z') { 0 } else { b'\n' },
    };
    if let Some(format) = text('m') {
        options
            .lay_out(format)
            .ok_or_else(|| format!("invalid format ‘{format}’, directive must be %[0]['][-][N][.][N]f"))?;
    }
    Ok(options)
}

fn fields(text: &[u8]) -> Option<Vec<(usize, usize)>> {
    let place = |text: &[u8], none: usize| if text.is_empty() { Some(none) } else { text.to_str().ok()?.parse().ok() };
    let one = |part: &[u8]| match part.split_once_str("-") {
        Some((from, to)) => Some((place(from, 1)?, place(to, usize::MAX)?)),
        None => place(part, 0).map(|at| (at, at)),
    };
    text.split_str(",").map(|part| one(part).filter(|(from, to)| *from > 0 && from <= to)).collect()
}

impl Options {
    /// Reads a format such as `%8.2f`.
    fn lay_out(&mut self, format: &[u8]) -> Option<()> {
        let at = format.find_byte(b'%')?;
        self.before = format[..at].into();
        let rest = &format[at + 1..];
        let flags = rest.iter().take_while(|byte| b"0-' ".contains(byte)).count();
        let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let width_end = flags + digits(&rest[flags..]);
        let width: i64 = rest[flags..width_end].to_str().ok()?.parse().unwrap_or(0);
        let mut end = width_end;
        if rest.get(end) == Some(&b'.') {
            let count = digits(&rest[end + 1..]);
            self.precision =
                Some(rest[end + 1..end + 1 + count].to_str().ok()?.parse().unwrap_or(0)).filter(|count| *count < 20);
            end += 1 + count;
        }
        if rest.get(end) != Some(&b'f') || width >= 1 << 16 {
            return None;
        }
        self.after = rest[end + 1..].into();
        if rest[..flags].contains(&b'-') {
            self.padding = -width;
        } else if rest[..flags].contains(&b'0') {
            self.zeros = width as usize;
        } else if width > 0 {
            self.padding = width;
        }
        Some(())
    }

    fn converted(&self, word: &[u8], field: usize) -> Result<Vec<u8>, String> {
        let text = word.trim_start();
        let skipped = word.len() - text.len();
        let bare = match text.strip_suffix(&self.suffix[..]) {
            Some(bare) if !self.suffix.is_empty() => bare,
            _ => text,
        };
        let mut value = Value::read(bare, self.from)?;
        value.multiply(self.from_unit, self.to_unit).ok_or("value too large to be converted")?;
        let large = || format!("value too large to be printed: ‘{}’", BString::from(text));
        let mut shown = value.written(self.to, self.round, self.precision).ok_or_else(large)?;
        if shown.len() < self.zeros {
            let (sign, digits) = match shown.strip_prefix('-') {
                Some(digits) => ("-", digits.to_owned()),
                None => ("", shown.clone()),
            };
            shown = format!("{sign}{}{digits}", "0".repeat(self.zeros - shown.len()));
        }
        let mut out = shown.into_bytes();
        out.extend_from_slice(&self.suffix);
        let automatic = self.padding == 0 && self.delimiter.is_none() && (skipped > 0 || field > 1);
        let width = if automatic { word.len() as i64 } else { self.padding };
        let blanks = vec![b' '; (width.unsigned_abs() as usize).saturating_sub(out.len())];
        let padded = if width < 0 { [out, blanks].concat() } else { [blanks, out].concat() };
        Ok([&self.before[..], &padded, &self.after].concat())
    }
}
