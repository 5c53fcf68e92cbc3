//! `expand` and `unexpand`

use bstr::BString;

use super::arguments::{Flag, Given, Reading, flag, read, valued};
use super::feed::{Feed, fail, number, quoted};
use crate::exec::{Call, Ended};

const FIRST: char = '\u{e000}';

/// Where tabs lead to.
#[derive(Debug, Default)]
struct Stops {
    list: Vec<usize>,
    /// Behind the list, every multiple of this.
    every: Option<usize>,
    /// Behind the list, every so many columns from its last one.
    more: Option<usize>,
}

impl Stops {
    /// The next stop, if there is one.
    fn behind(&self, column: usize) -> Option<usize> {
        if let Some(stop) = self.list.iter().find(|stop| **stop > column) {
            return Some(*stop);
        }
        if let Some(every) = self.every {
            return Some(column + every - column % every);
        }
        let more = self.more?;
        let last = self.list.last().copied().unwrap_or(0);
        Some(column + more - (column - last) % more)
    }

    fn read<'t>(lists: impl Iterator<Item = &'t BString>) -> Result<Stops, String> {
        let mut stops = Stops::default();
        for list in lists {
            for part in list.split(|byte| matches!(byte, b',' | b' ' | b'\t')).filter(|part| !part.is_empty()) {
                stops.add(part)?;
            }
        }
        match (&*stops.list, stops.every, stops.more) {
            ([], None, None) => stops.every = Some(8),
            ([only], None, None) => {
                stops.every = Some(*only);
                stops.list.clear();
            }
            (_, Some(_), Some(_)) => return Err("'/' specifier is mutually exclusive with '+'".to_owned()),
            _ => (),
        }
        Ok(stops)
    }

    fn add(&mut self, part: &[u8]) -> Result<(), String> {
        let (mark, digits) = match part {
            [mark @ (b'/' | b'+'), digits @ ..] => (Some(*mark), digits),
            digits => (None, digits),
        };
        let Some(stop) = number(digits) else {
            return Err(format!("tab size contains invalid character(s): {}", quoted(digits)));
        };
        if self.every.is_some() || self.more.is_some() {
            let mark = if self.every.is_some() { '/' } else { '+' };
            return Err(format!("'{mark}' specifier only allowed with the last value"));
        }
        match mark {
            // None at all is the usual one.
            Some(_) if stop == 0 => (),
            Some(b'/') => self.every = Some(stop),
            Some(_) => self.more = Some(stop),
            None if stop == 0 => return Err("tab size cannot be 0".to_owned()),
            None if self.list.last().is_some_and(|last| *last >= stop) => {
                return Err("tab sizes must be ascending".to_owned());
            }
            None => self.list.push(stop),
        }
        Ok(())
    }
}

/// Takes away tab sizes that are options, as in `-4` or `-4,8`.
fn sizes(args: &mut Vec<BString>) -> Vec<BString> {
    let is_size = |arg: &BString| match arg.strip_prefix(b"-") {
        Some(digits) => !digits.is_empty() && digits.iter().all(|byte| byte.is_ascii_digit() || *byte == b','),
        None => false,
    };
    let end = args.iter().position(|arg| arg == "--").unwrap_or(args.len());
    let sizes = args[..end].iter().filter(|arg| is_size(arg)).map(|arg| arg[1..].into()).collect();
    let mut at = 0;
    args.retain(|arg| {
        at += 1;
        at > end || !is_size(arg)
    });
    sizes
}

async fn stops(call: &mut Call<'_>, sizes: &[BString], given: &Given) -> Result<Stops, Ended> {
    match Stops::read(sizes.iter().chain(given.values('t'))) {
        Ok(stops) => Ok(stops),
        Err(message) => Err(fail(call, message, 1).await),
    }
}

/// Replaces tabs by blanks.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    const FLAGS: &[Flag] = &[flag('i', "initial"), valued('t', "tabs")];
    let sizes = sizes(&mut call.args);
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let stops = stops(call, &sizes, &given).await?;
    let only_initial = given.has('i');
    let mut feed = Feed::new(given.operands, b'\n');
    let (mut column, mut converts) = (0, true);
    let mut out = Vec::new();
    while let Some(line) = feed.line(call).await? {
        out.clear();
        for byte in &line {
            if converts && *byte == b'\t' {
                let next = stops.behind(column).unwrap_or(column + 1);
                call.shell.hold(out.len() + next)?;
                out.resize(out.len() + next - column, b' ');
                column = next;
                continue;
            }
            column = if *byte == 8 { column.saturating_sub(1) } else { column + 1 };
            converts &= !only_initial || *byte == b' ';
            out.push(*byte);
        }
        call.print(&out).await?;
        if line.ends_with(b"\n") {
            (column, converts) = (0, true);
        }
    }
    Ok(feed.status)
}

/// Replaces blanks by tabs.
pub async fn unexpand(call: &mut Call<'_>) -> Result<i32, Ended> {
    const FLAGS: &[Flag] = &[flag('a', "all"), flag(FIRST, "first-only"), valued('t', "tabs")];
    let sizes = sizes(&mut call.args);
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let stops = stops(call, &sizes, &given).await?;
    let entire = (given.has('a') || given.has('t')) && !given.has(FIRST);
    let mut feed = Feed::new(given.operands, b'\n');
    let mut state = Tabbed::new();
    let mut out = Vec::new();
    while let Some(line) = feed.line(call).await? {
        out.clear();
        for byte in &line {
            state.put(*byte, &stops, entire, &mut out);
        }
        call.print(&out).await?;
        if line.ends_with(b"\n") {
            state = Tabbed::new();
        }
    }
    // Blanks at the very end are kept.
    call.print(state.blanks()).await?;
    Ok(feed.status)
}

/// Where `unexpand` is in a line.
struct Tabbed {
    converts: bool,
    column: usize,
    after_blank: bool,
    /// Blanks of which it is not known yet whether they become a tab.
    pending: Vec<u8>,
    /// Whether the first of them is a single one in front of a stop, which is a tab only if more blanks follow.
    single: bool,
}

impl Tabbed {
    fn new() -> Tabbed {
        Tabbed { converts: true, column: 0, after_blank: true, pending: Vec::new(), single: false }
    }

    fn put(&mut self, byte: u8, stops: &Stops, entire: bool, out: &mut Vec<u8>) {
        if !self.converts {
            out.push(byte);
            return;
        }
        let is_blank = matches!(byte, b' ' | b'\t');
        let mut byte = byte;
        if is_blank {
            match stops.behind(self.column) {
                None => self.converts = false,
                Some(_) if byte == b' ' && !self.fills(stops) => return,
                Some(stop) => {
                    // What is pending, is part of the tab, but for a single blank, which becomes one of its own.
                    self.column = stop;
                    byte = b'\t';
                    self.pending.truncate(usize::from(self.single));
                    self.pending.fill(b'\t');
                }
            }
        } else {
            self.column = if byte == 8 { self.column.saturating_sub(1) } else { self.column + 1 };
        }
        out.append(&mut self.blanks());
        self.after_blank = is_blank;
        self.converts &= entire || is_blank;
        out.push(byte);
    }

    /// Whether a blank, after others, reaches the next stop. If not, it is pending.
    fn fills(&mut self, stops: &Stops) -> bool {
        let reaches = stops.behind(self.column) == Some(self.column + 1);
        if reaches && self.after_blank {
            return true;
        }
        self.column += 1;
        self.single |= reaches;
        self.pending.push(b' ');
        self.after_blank = true;
        false
    }

    fn blanks(&mut self) -> Vec<u8> {
        let mut blanks = std::mem::take(&mut self.pending);
        if blanks.len() > 1 && self.single {
            blanks[0] = b'\t';
        }
        self.single = false;
        blanks
    }
}
