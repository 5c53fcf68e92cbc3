//! `stat`

use bstr::{BString, ByteSlice};

use super::arguments::{Flag, Reading, flag, read, valued};
use super::date;
use super::date::offset;
use super::entries::{BLOCK, OWNER, OWNER_ID, mode, quoted, shown_mode, size, stat, taken};
use crate::exec::{Call, Ended};
use crate::io::reason;
use crate::state::Shell;
use crate::world::{Kind, Stat};

const FLAGS: &[Flag] = &[
    valued('c', "format"),
    flag('L', "dereference"),
    flag('t', "terse"),
    valued('\x01', "printf"),
    valued('\x02', "cached"),
];

const TERSE: &[u8] = b"%n %s %b %f %u %g %D %i %h %t %T %X %Y %Z %W %o\n";

const USUAL: &[u8] = b"  File: %N
  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F
Device: %Hd,%Ld\tInode: %-11i Links: %h
Access: (%04a/%10.10A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)
Access: %x
Modify: %y
Change: %z
 Birth: %w
";

/// Prints metadata.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    if given.operands.is_empty() {
        return call.misused("missing operand", 1).await;
    }
    let last = given.last(&['c', '\x01', 't']);
    let format: Vec<u8> = match last {
        Some('c') => given.value('c').cloned().unwrap_or_default().into(),
        Some('\x01') => escaped(given.value('\x01').map(|format| format.as_slice()).unwrap_or_default()),
        Some(_) => TERSE.to_vec(),
        None => USUAL.to_vec(),
    };
    let end = if last == Some('c') { "\n" } else { "" };
    let mut status = 0;
    for name in &given.operands {
        call.work(1)?;
        match stat(call.shell, name, given.has('L')) {
            Ok(found) => {
                let seen = Seen { shell: call.shell, name, stat: &found, bare: last.is_none() };
                let text = seen.formatted(&format);
                call.print(text).await?;
                call.print(end).await?;
            }
            Err(error) => {
                call.complain(format!("cannot statx {}: {}", quoted(name), reason(&error))).await?;
                status = 1;
            }
        }
    }
    Ok(status)
}

/// An entry, and what is known about it.
struct Seen<'a> {
    shell: &'a Shell,
    name: &'a BString,
    stat: &'a Stat,
    /// Whether names are quoted only where they have to be.
    bare: bool,
}

impl Seen<'_> {
    /// What a format comes to.
    fn formatted(&self, format: &[u8]) -> BString {
        let mut out = BString::default();
        let mut rest = format;
        while let Some(at) = rest.find_byte(b'%') {
            out.extend_from_slice(&rest[..at]);
            rest = &rest[at + 1..];
            let end = rest.iter().position(|byte| !b"-0#+ .123456789".contains(byte)).unwrap_or(rest.len());
            let (shape, behind) = rest.split_at(end);
            let (letter, length) = match behind {
                [b'%', ..] if shape.is_empty() => {
                    out.push(b'%');
                    rest = &behind[1..];
                    continue;
                }
                [b'H' | b'L', letter @ (b'd' | b'r'), ..] => (*letter, 2),
                [letter, ..] => (*letter, 1),
                // A percent sign at the end stands for itself.
                [] => {
                    out.push(b'%');
                    out.extend_from_slice(shape);
                    rest = behind;
                    continue;
                }
            };
            rest = &behind[length..];
            let shape = Shape::read(shape);
            shape.write(&mut out, &self.value(letter, &shape));
        }
        out.extend_from_slice(rest);
        out
    }

    fn value(&self, letter: u8, shape: &Shape) -> Vec<u8> {
        let stat = self.stat;
        let kind = match stat.kind {
            Kind::File if stat.size == 0 => "regular empty file",
            Kind::File => "regular file",
            Kind::Folder => "directory",
            Kind::Link => "symbolic link",
        };
        let raw_mode = mode(stat)
            | match stat.kind {
                Kind::File => 0o100_000,
                Kind::Folder => 0o040_000,
                Kind::Link => 0o120_000,
            };
        let text = match letter {
            b'n' => return self.name.to_vec(),
            b'N' => self.pointed(),
            b's' => size(stat).to_string(),
            b'F' => kind.to_owned(),
            b'a' => format!("{:o}", mode(stat)),
            b'A' => shown_mode(stat),
            b'f' => format!("{raw_mode:x}"),
            b'x' | b'y' | b'z' => self.time(),
            b'X' | b'Y' | b'Z' => seconds(stat.modified, shape.digits()),
            b'w' => "-".to_owned(),
            b'U' | b'G' => OWNER.to_owned(),
            b'u' | b'g' => OWNER_ID.to_string(),
            b'i' => stat.inode.to_string(),
            b'b' => (taken(stat) / 512).to_string(),
            b'B' => "512".to_owned(),
            b'o' => BLOCK.to_string(),
            b'h' => "1".to_owned(),
            b'd' | b'D' | b't' | b'T' | b'r' | b'R' | b'W' => "0".to_owned(),
            b'm' => "/".to_owned(),
            _ => "?".to_owned(),
        };
        text.into_bytes()
    }

    fn pointed(&self) -> String {
        let name = self.quoted(self.name);
        let path = self.shell.path(self.name);
        let target = self.shell.base.files.world().and_then(|world| world.read_link(path.as_bstr()));
        match target {
            Ok(target) if self.stat.kind == Kind::Link => format!("{name} -> {}", self.quoted(&target)),
            _ => name,
        }
    }

    fn quoted(&self, name: &[u8]) -> String {
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte >= 128 || b"%+,-./:@]_{}#~".contains(byte);
        let begins = name.first().is_some_and(|first| !b"#~".contains(first));
        match name.to_str() {
            Ok(text) if self.bare && begins && name.iter().all(is_plain) => text.to_owned(),
            _ => quoted(name),
        }
    }

    fn time(&self) -> String {
        date::format(b"%Y-%m-%d %H:%M:%S.%N %z", self.stat.modified, offset(self.shell)).to_string()
    }
}

/// Seconds since the epoch, with this many digits behind the point.
fn seconds(nanos: i128, digits: Option<usize>) -> String {
    let second = 1_000_000_000;
    let whole = nanos.div_euclid(second);
    match digits {
        None | Some(0) => whole.to_string(),
        Some(digits) => {
            let fraction = format!("{:09}", nanos.rem_euclid(second));
            format!("{whole}.{:0<digits$}", &fraction[..digits.min(9)])
        }
    }
}

/// The flags, the width and the precision of a directive.
struct Shape {
    left: bool,
    zeros: bool,
    width: usize,
    precision: Option<usize>,
}

/// No value is made wider than this.
const WIDEST: usize = 1_000;

impl Shape {
    fn read(text: &[u8]) -> Shape {
        let text = text.to_str_lossy();
        let numbers = text.trim_start_matches(['-', '0', '#', '+', ' ']);
        let flags = &text[..text.len() - numbers.len()];
        let (width, precision) = match numbers.split_once('.') {
            // Without a number, all nine digits are meant.
            Some((width, "")) => (width, Some(9)),
            Some((width, precision)) => (width, precision.parse().ok()),
            None => (numbers, None),
        };
        Shape {
            left: flags.contains('-'),
            zeros: flags.contains('0'),
            width: width.parse().unwrap_or(0).min(WIDEST),
            precision: precision.map(|precision: usize| precision.min(WIDEST)),
        }
    }

    fn digits(&self) -> Option<usize> {
        self.precision
    }

    fn write(&self, out: &mut BString, text: &[u8]) {
        let fill = self.width.saturating_sub(text.len());
        if self.left {
            out.extend_from_slice(text);
        }
        let zeros = self.zeros && !self.left && text.first().is_some_and(u8::is_ascii_digit);
        out.extend(std::iter::repeat_n(if zeros { b'0' } else { b' ' }, fill));
        if !self.left {
            out.extend_from_slice(text);
        }
    }
}

/// A format with its escapes, as `--printf` has them.
fn escaped(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some((byte, behind)) = rest.split_first() {
        rest = behind;
        if *byte != b'\\' {
            out.push(*byte);
            continue;
        }
        let Some((letter, behind)) = rest.split_first() else {
            out.push(b'\\');
            break;
        };
        if (b'0'..=b'7').contains(letter) {
            let end = rest.iter().take(3).take_while(|byte| (b'0'..=b'7').contains(byte)).count();
            let value = rest[..end].iter().fold(0_u32, |value, digit| value * 8 + u32::from(digit - b'0'));
            out.push(value.to_le_bytes()[0]);
            rest = &rest[end..];
            continue;
        }
        rest = behind;
        out.push(match letter {
            b'a' => 7,
            b'b' => 8,
            b'e' => 27,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 11,
            other => *other,
        });
    }
    out
}
