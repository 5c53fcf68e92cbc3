//! `cut`

use bstr::{BString, ByteSlice};

use super::arguments::{Flag, Given, Reading, flag, read, valued};
use super::feed::{Feed, body, misuse, number, quoted};
use crate::exec::{Call, Ended};

const COMPLEMENT: char = '\u{e000}';
const OUTPUT: char = '\u{e001}';

const FLAGS: &[Flag] = &[
    valued('b', "bytes"),
    valued('c', "characters"),
    valued('d', "delimiter"),
    valued('f', "fields"),
    flag('n', ""),
    flag('s', "only-delimited"),
    flag('z', "zero-terminated"),
    flag(COMPLEMENT, "complement"),
    valued(OUTPUT, "output-delimiter"),
];

/// First and last place, counted from 1.
type Range = (usize, usize);

struct Cutting {
    ranges: Vec<Range>,
    by_fields: bool,
    delimiter: u8,
    joint: Option<BString>,
    only_delimited: bool,
    end: u8,
}

/// Prints parts of each line.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let cutting = match cutting(&given) {
        Ok(cutting) => cutting,
        Err(message) => return Err(misuse(call, message, 1).await),
    };
    let end = cutting.end;
    let mut feed = Feed::new(given.operands, end);
    let mut out = Vec::new();
    if cutting.by_fields && cutting.delimiter == end {
        return lines_as_fields(call, &cutting, feed).await;
    }
    while let Some(line) = feed.line(call).await? {
        let line = body(&line, end);
        out.clear();
        if cutting.by_fields {
            if !cutting.fields(line, &mut out) {
                continue;
            }
        } else {
            cutting.bytes(line, &mut out);
        }
        out.push(end);
        call.print(&out).await?;
    }
    Ok(feed.status)
}

/// Lines are the fields of all of the input.
async fn lines_as_fields(call: &mut Call<'_>, cutting: &Cutting, mut feed: Feed) -> Result<i32, Ended> {
    while feed.open(call).await? {
        let mut text = Vec::new();
        while let Some(line) = feed.rest(call).await? {
            text.extend_from_slice(&line);
            call.shell.hold(text.len())?;
        }
        let mut out = Vec::new();
        if !text.is_empty() && cutting.fields(body(&text, cutting.end), &mut out) {
            out.push(cutting.end);
            call.print(&out).await?;
        }
    }
    Ok(feed.status)
}

impl Cutting {
    fn joint(&self) -> &[u8] {
        self.joint.as_deref().map_or(std::slice::from_ref(&self.delimiter), |joint| joint.as_slice())
    }

    /// False if nothing is to be printed.
    fn fields(&self, line: &[u8], out: &mut Vec<u8>) -> bool {
        if line.find_byte(self.delimiter).is_none() {
            out.extend_from_slice(line);
            return !self.only_delimited;
        }
        let mut ranges = self.ranges.iter().peekable();
        let mut is_first = true;
        for (at, field) in line.split(|byte| *byte == self.delimiter).enumerate() {
            while ranges.next_if(|(_, last)| *last <= at).is_some() {}
            match ranges.peek() {
                Some((first, _)) if *first <= at + 1 => (),
                Some(_) => continue,
                None => break,
            }
            if !is_first {
                out.extend_from_slice(self.joint());
            }
            is_first = false;
            out.extend_from_slice(field);
        }
        true
    }

    fn bytes(&self, line: &[u8], out: &mut Vec<u8>) {
        let mut is_first = true;
        for (first, last) in self.ranges.iter().take_while(|(first, _)| *first <= line.len()) {
            if let (false, Some(joint)) = (is_first, &self.joint) {
                out.extend_from_slice(joint);
            }
            is_first = false;
            out.extend_from_slice(&line[first - 1..(*last).min(line.len())]);
        }
    }
}

fn cutting(given: &Given) -> Result<Cutting, String> {
    let lists: Vec<_> = given.flags.iter().filter(|(letter, _)| matches!(letter, 'b' | 'c' | 'f')).collect();
    let (letter, list) = match &*lists {
        [] => return Err("you must specify a list of bytes, characters, or fields".to_owned()),
        [list] => list,
        _ => return Err("only one list may be specified".to_owned()),
    };
    let by_fields = *letter == 'f';
    let delimiter = match given.value('d').map(|value| value.as_slice()) {
        None => b'\t',
        Some(_) if !by_fields => {
            return Err("an input delimiter may be specified only when operating on fields".to_owned());
        }
        Some([]) => 0,
        Some([delimiter]) => *delimiter,
        Some(_) => return Err("the delimiter must be a single character".to_owned()),
    };
    if given.has('s') && !by_fields {
        return Err("suppressing non-delimited lines makes sense\n\tonly when operating on fields".to_owned());
    }
    let mut ranges = ranges(list, by_fields)?;
    if given.has(COMPLEMENT) {
        ranges = others(&ranges);
    }
    // An empty one is a zero byte.
    let joint = given.value(OUTPUT).map(|joint| if joint.is_empty() { BString::from("\0") } else { joint.clone() });
    Ok(Cutting {
        ranges,
        by_fields,
        delimiter,
        joint,
        only_delimited: given.has('s'),
        end: if given.has('z') { 0 } else { b'\n' },
    })
}

/// Reads a list. What overlaps becomes one range, in ascending order.
fn ranges(list: &[u8], by_fields: bool) -> Result<Vec<Range>, String> {
    let what = if by_fields { "field" } else { "byte/character" };
    let zero = || if by_fields { "fields are numbered from 1" } else { "byte/character positions are numbered from 1" };
    let place = |text: &[u8]| match number(text) {
        Some(0) => Err(zero().to_owned()),
        Some(place) => Ok(place),
        None if by_fields => Err(format!("invalid field value {}", quoted(text))),
        None => Err(format!("invalid byte/character position {}", quoted(text))),
    };
    let mut ranges = Vec::new();
    for part in list.split(|byte| matches!(byte, b',' | b' ' | b'\t')) {
        let range = match part.split_once_str("-") {
            None if part.is_empty() => return Err(zero().to_owned()),
            None => (place(part)?, place(part)?),
            Some((b"", b"")) => return Err("invalid range with no endpoint: -".to_owned()),
            Some((_, last)) if last.contains(&b'-') => return Err(format!("invalid {what} range")),
            Some((b"", last)) => (1, place(last)?),
            Some((first, b"")) => (place(first)?, usize::MAX),
            Some((first, last)) => (place(first)?, place(last)?),
        };
        if range.1 < range.0 {
            return Err("invalid decreasing range".to_owned());
        }
        ranges.push(range);
    }
    ranges.sort_unstable();
    let mut joined: Vec<Range> = Vec::new();
    for (first, last) in ranges {
        match joined.last_mut() {
            Some(range) if first <= range.1 => range.1 = range.1.max(last),
            _ => joined.push((first, last)),
        }
    }
    Ok(joined)
}

/// What is in none of these ranges.
fn others(ranges: &[Range]) -> Vec<Range> {
    let mut others = Vec::new();
    let mut next = 1;
    for (first, last) in ranges {
        if next < *first {
            others.push((next, first - 1));
        }
        next = last.saturating_add(1);
    }
    if next < usize::MAX {
        others.push((next, usize::MAX));
    }
    others
}
