//! File names in patches.

use bstr::{BString, ByteSlice};

/// What a line of a heading says about a file.
#[derive(Clone, Debug, Default)]
pub struct Stamp {
    /// Its name, without the folders that are left out. None if it is no file.
    pub name: Option<BString>,
    /// What stands behind the name, from the blank on.
    pub time: BString,
    /// Whether it was last changed when time began, which means that there is no file.
    pub epoch: bool,
}

/// Reads a name and what stands behind it.
pub fn stamp(rest: &[u8], strip: Option<usize>) -> Stamp {
    let rest = rest.trim_start_with(blank);
    let rest = rest.strip_suffix(b"\n").unwrap_or(rest);
    let rest = rest.strip_suffix(b"\r").unwrap_or(rest);
    if rest.is_empty() {
        return Stamp::default();
    }
    let (name, behind) = if rest.starts_with(b"\"") {
        match quoted(rest) {
            Some(found) => found,
            None => return Stamp::default(),
        }
    } else {
        let (name, behind) = rest.split_at(end(rest));
        (name.into(), behind)
    };
    if name == "/dev/null" {
        return Stamp { name: None, time: behind.into(), epoch: true };
    }
    Stamp { name: stripped(&name, strip), time: behind.into(), epoch: is_epoch(behind) }
}

/// The two names of a line of git's, if there are exactly two.
pub fn pair(rest: &[u8], strip: Option<usize>) -> Option<[Option<BString>; 2]> {
    let (one, rest) = word(rest)?;
    let (other, rest) = word(rest)?;
    rest.trim_with(blank).is_empty().then(|| [stripped(&one, strip), stripped(&other, strip)])
}

fn word(rest: &[u8]) -> Option<(BString, &[u8])> {
    let rest = rest.trim_start_with(blank);
    if rest.starts_with(b"\"") {
        return quoted(rest);
    }
    let (name, rest) = rest.split_at(rest.find_byteset(b" \t\r\n").unwrap_or(rest.len()));
    (!name.is_empty()).then(|| (name.into(), rest))
}

fn blank(char: char) -> bool {
    char.is_ascii_whitespace()
}

/// Where a name ends: at the blanks that a tab is among, if there is a tab at all.
fn end(rest: &[u8]) -> usize {
    let Some(tab) = rest.find_byte(b'\t') else {
        return rest.find_byteset(b" \r").unwrap_or(rest.len());
    };
    rest[..tab].trim_end_with(blank).len()
}

/// A name in quotes, and what stands behind it.
fn quoted(rest: &[u8]) -> Option<(BString, &[u8])> {
    let mut name = BString::default();
    let mut bytes = rest.iter().copied().enumerate().skip(1);
    while let Some((at, byte)) = bytes.next() {
        let byte = match byte {
            b'"' => return Some((name, &rest[at + 1..])),
            b'\\' => match bytes.next()?.1 {
                b'a' => 7,
                b'b' => 8,
                b'f' => 12,
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'v' => 11,
                byte @ (b'"' | b'\\') => byte,
                first @ b'0'..=b'3' => {
                    let mut digit = || bytes.next().filter(|(_, byte)| (b'0'..=b'7').contains(byte));
                    let (second, third) = (digit()?.1, digit()?.1);
                    (first - b'0') << 6 | (second - b'0') << 3 | (third - b'0')
                }
                _ => return None,
            },
            byte => byte,
        };
        name.push(byte);
    }
    None
}

/// A name without its first folders, or without all of them. None if there are not so many.
fn stripped(name: &[u8], strip: Option<usize>) -> Option<BString> {
    let Some(mut left) = strip else {
        let start = name.rfind_byte(b'/').map_or(0, |at| at + 1);
        return (start < name.len()).then(|| name[start..].into());
    };
    let mut rest = name;
    while left > 0 {
        let slash = rest.find_byte(b'/')?;
        rest = rest[slash..].trim_start_with(|char| char == '/');
        left -= 1;
    }
    (!rest.is_empty()).then(|| rest.into())
}

/// Whether a time is the first second of 1970.
fn is_epoch(time: &[u8]) -> bool {
    let Ok(time) = time.to_str() else { return false };
    let words: Vec<&str> = time.split_ascii_whitespace().collect();
    let (day, clock, zone) = match *words {
        ["1970-01-01", clock, ref zone @ ..] => (0, clock, zone.first()),
        ["1969-12-31", clock, ref zone @ ..] => (-1, clock, zone.first()),
        [_, "Jan", "1" | "01", clock, "1970", ref zone @ ..] => (0, clock, zone.first()),
        [_, "Dec", "31", clock, "1969", ref zone @ ..] => (-1, clock, zone.first()),
        _ => return false,
    };
    let clock = clock.split('.').next().unwrap_or_default();
    let Some(parts) = clock.split(':').map(|part| part.parse::<i64>().ok()).collect::<Option<Vec<_>>>() else {
        return false;
    };
    let east = match zone {
        None => Some(0),
        Some(&"UTC" | &"GMT" | &"Z") => Some(0),
        Some(zone) if zone.len() == 5 && zone.is_ascii() => {
            let number = |text: &str| text.parse::<i64>().ok();
            let sign = if zone.starts_with('-') { -1 } else { 1 };
            number(&zone[1..3]).zip(number(&zone[3..])).map(|(hours, minutes)| sign * (hours * 3600 + minutes * 60))
        }
        Some(_) => None,
    };
    match (&*parts, east) {
        ([hours, minutes, seconds], Some(east)) => day * 86_400 + hours * 3600 + minutes * 60 + seconds == east,
        _ => false,
    }
}

/// The parts of a name, without slashes and points that say nothing.
fn parts(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    name.split_str("/").filter(|part| !part.is_empty() && *part != b".")
}

/// Whether a name may be one that a patch speaks of: it stays in the folder.
pub fn is_safe(name: &[u8]) -> bool {
    !name.starts_with(b"/") && parts(name).all(|part| part != b"..")
}

/// The best of several names: with the fewest folders, the shortest last part, and the shortest, the first if many are.
pub fn best<'a>(names: impl Iterator<Item = &'a BString>) -> Option<&'a BString> {
    let last = |name: &[u8]| name.len() - name.rfind_byte(b'/').map_or(0, |at| at + 1);
    names.min_by_key(|name| (parts(name).count(), last(name), name.len()))
}

/// A name as messages have it: in quotes if the shell would read it as something else.
pub fn shown(name: &[u8]) -> BString {
    const SPECIAL: &[u8] = b" \t\n\r\x0b\x0c!\"$&'()*;<=>?[\\^`|";
    let odd = name.is_empty()
        || name.iter().any(|byte| SPECIAL.contains(byte))
        || matches!(name[0], b'#' | b'~')
        || matches!(name, b"{" | b"}");
    if !odd {
        return name.into();
    }
    if name.contains(&b'\'') && !name.iter().any(|byte| b"!\"$\\`\n".contains(byte)) {
        return [b"\"", name, b"\""].concat().into();
    }
    [b"'", &*name.replace("'", "'\\''"), b"'"].concat().into()
}
