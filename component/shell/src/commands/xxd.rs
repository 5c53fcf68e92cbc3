//! `xxd`

mod back;

use bstr::{BString, ByteSlice};
use bytes::Bytes;

use super::input::{Input, number};
use crate::exec::{Call, Ended};

/// What it prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Style {
    #[default]
    Normal,
    Plain,
    Include,
    Bits,
    Little,
}

/// What was asked for.
#[derive(Debug, Default)]
struct Options {
    style: Style,
    reverse: bool,
    upper: bool,
    columns: Option<usize>,
    group: Option<usize>,
    length: Option<u64>,
    seek: i64,
    offset: i64,
    names: Vec<BString>,
}

/// Prints bytes as hexadecimal numbers, or reads such numbers.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let args = std::mem::take(&mut call.args);
    let Some(options) = options(&args) else {
        let usage = "Usage:\n       xxd [options] [infile [outfile]]\n    or\n       xxd -r [-s [-]offset] [-c cols] [-ps] [infile [outfile]]\n";
        call.say(usage).await?;
        return Ok(1);
    };
    let name = options.names.first().cloned().unwrap_or_else(|| "-".into());
    if name != "-"
        && let Err(error) = call.open(&name)
    {
        call.complain(format!("{name}: {}", crate::io::reason(&error))).await?;
        return Ok(2);
    }
    let mut input = Input::new(vec![name.clone()]);
    let mut out = Vec::new();
    let to = options.names.get(1).filter(|name| *name != "-");
    if options.reverse {
        let all = call.content(&name).await?.unwrap_or_default();
        let plain = options.style == Style::Plain;
        out = if plain {
            back::plain(&all)
        } else {
            back::lines(call, &all, options.columns.unwrap_or(16), options.seek)?
        };
    } else {
        dump(call, &options, &name, &mut input, to.is_some().then_some(&mut out)).await?;
    }
    match to {
        Some(to) => call.create(to, false)?.write(&out).await?,
        None => call.print(&out).await?,
    }
    Ok(input.status)
}

fn options(args: &[BString]) -> Option<Options> {
    let mut options = Options::default();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        if !arg.starts_with(b"-") || arg.len() < 2 || arg == "--" {
            if arg != "--" {
                options.names.push(arg.clone());
            }
            options.names.extend(rest.cloned());
            return Some(options).filter(|options| options.names.len() < 3);
        }
        // Long names may have one dash or two.
        let text = arg.strip_prefix(b"--").unwrap_or(&arg[1..]);
        match text {
            b"a" | b"autoskip" => (),
            b"b" | b"bits" => options.style = Style::Bits,
            b"e" => options.style = Style::Little,
            b"i" | b"include" => options.style = Style::Include,
            b"r" | b"revert" => options.reverse = true,
            b"u" | b"upper" => options.upper = true,
            b"p" | b"ps" | b"plain" | b"postscript" => options.style = Style::Plain,
            text => {
                let name = match text {
                    b"cols" => b'c',
                    b"groupsize" => b'g',
                    b"len" => b'l',
                    b"seek" | b"skip" => b's',
                    [letter, ..] => *letter,
                    [] => return None,
                };
                let long = matches!(text, b"cols" | b"groupsize" | b"len" | b"seek" | b"skip");
                let value = if long || text.len() == 1 { rest.next()?.as_bytes() } else { &text[1..] };
                match name {
                    b'c' => options.columns = usize::try_from(signed(value)?).ok(),
                    b'g' => options.group = usize::try_from(signed(value)?).ok(),
                    b'l' => options.length = u64::try_from(signed(value)?).ok(),
                    b's' => options.seek = signed(value)?,
                    b'o' => options.offset = signed(value)?,
                    _ => return None,
                }
            }
        }
    }
    Some(options)
}

fn signed(text: &[u8]) -> Option<i64> {
    let (text, negative) = match text {
        [b'-', rest @ ..] | [b'+', b'-', rest @ ..] => (rest, true),
        [b'+', rest @ ..] => (rest, false),
        text => (text, false),
    };
    let value = i64::try_from(number(text)?).ok()?;
    Some(if negative { -value } else { value })
}

async fn dump(
    call: &mut Call<'_>,
    options: &Options,
    name: &BString,
    input: &mut Input,
    mut to: Option<&mut Vec<u8>>,
) -> Result<(), Ended> {
    let mut begin = options.seek.unsigned_abs();
    if options.seek < 0 {
        let all = call.content(name).await?.unwrap_or_default();
        let Some(at) = (all.len() as u64).checked_sub(begin) else {
            return Err(Ended::Failed("Sorry, cannot seek.".to_owned()));
        };
        begin = at;
    }
    if input.skip(call, begin).await? < begin && name == "-" {
        call.say("xxd: Sorry, cannot seek.\n").await?;
        return Err(Ended::Status(4));
    }
    let columns = match options.columns.filter(|columns| *columns > 0) {
        Some(columns) => columns.min(256),
        None => match options.style {
            Style::Plain => 30,
            Style::Include => 12,
            Style::Bits => 6,
            Style::Normal | Style::Little => 16,
        },
    };
    let named = options.style == Style::Include && name != "-";
    let variable: String =
        name.bytes().map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte) } else { '_' }).collect();
    let variable =
        if variable.starts_with(|first: char| first.is_ascii_digit()) { format!("__{variable}") } else { variable };
    let (mut at, mut left, mut first) = (begin, options.length.unwrap_or(u64::MAX), true);
    if named {
        put(call, &mut to, format!("unsigned char {variable}[] = {{\n")).await?;
    }
    loop {
        let part = input.take(call, columns.min(usize::try_from(left).unwrap_or(columns))).await?;
        if part.is_empty() {
            break;
        }
        call.work(1)?;
        let shown = at.wrapping_add_signed(options.offset);
        put(call, &mut to, options.line(shown, &part, columns, first)).await?;
        at += part.len() as u64;
        left -= part.len() as u64;
        first = false;
    }
    if options.style == Style::Include && !first {
        put(call, &mut to, "\n".to_owned()).await?;
    }
    if named {
        put(call, &mut to, format!("}};\nunsigned int {variable}_len = {};\n", at - begin)).await?;
    }
    Ok(())
}

async fn put(call: &mut Call<'_>, to: &mut Option<&mut Vec<u8>>, text: String) -> Result<(), Ended> {
    match to {
        Some(out) => {
            out.extend_from_slice(text.as_bytes());
            Ok(call.shell.hold(out.len())?)
        }
        None => call.print(text).await,
    }
}

impl Options {
    fn line(&self, at: u64, part: &Bytes, columns: usize, first: bool) -> String {
        let hex = |byte: &u8| if self.upper { format!("{byte:02X}") } else { format!("{byte:02x}") };
        match self.style {
            Style::Plain => part.iter().map(hex).chain(["\n".to_owned()]).collect(),
            Style::Include => {
                let prefix = if self.upper { "0X" } else { "0x" };
                let all: Vec<String> = part.iter().map(|byte| format!("{prefix}{}", hex(byte))).collect();
                format!("{}  {}", if first { "" } else { ",\n" }, all.join(", "))
            }
            style => {
                let (usual, width) = match style {
                    Style::Bits => (1, 8),
                    Style::Little => (4, 2),
                    _ => (2, 2),
                };
                let group = match self.group.unwrap_or(usual) {
                    0 => columns,
                    group => group,
                };
                let mut text = String::new();
                for place in 0..columns {
                    let from = match style {
                        Style::Little => place / group * group + (group - 1 - place % group),
                        _ => place,
                    };
                    text.push_str(&match part.get(from) {
                        Some(byte) if style == Style::Bits => format!("{byte:08b}"),
                        Some(byte) => hex(byte),
                        None => " ".repeat(width),
                    });
                    if (place + 1) % group == 0 {
                        text.push(' ');
                    }
                }
                if !columns.is_multiple_of(group) {
                    text.push(' ');
                }
                let shown: String =
                    part.iter().map(|byte| if matches!(byte, b' '..=b'~') { char::from(*byte) } else { '.' }).collect();
                format!("{at:08x}: {text} {shown}\n")
            }
        }
    }
}
