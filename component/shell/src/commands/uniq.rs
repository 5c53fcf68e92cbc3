//! `uniq`

use bstr::{BString, ByteSlice};

use super::arguments::{Flag, Given, Reading, flag, maybe, read, valued};
use super::feed::{body, choice, fail, misuse, number, quoted};
use crate::exec::{Call, Ended};
use crate::io::{Sink, reason};

const ALL: char = '\u{e000}';
const GROUP: char = '\u{e001}';

const FLAGS: &[Flag] = &[
    flag('c', "count"),
    flag('d', "repeated"),
    flag('D', ""),
    maybe(ALL, "all-repeated"),
    valued('f', "skip-fields"),
    maybe(GROUP, "group"),
    flag('i', "ignore-case"),
    valued('s', "skip-chars"),
    flag('u', "unique"),
    flag('z', "zero-terminated"),
    valued('w', "check-chars"),
];

/// Which part of a line counts.
struct Part {
    fields: usize,
    bytes: usize,
    most: usize,
    ignores_case: bool,
}

impl Part {
    fn of<'t>(&self, line: &'t [u8]) -> &'t [u8] {
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n');
        let mut rest = line;
        for _ in 0..self.fields {
            if rest.is_empty() {
                break;
            }
            let blanks = rest.iter().take_while(|byte| is_blank(byte)).count();
            let filled = rest[blanks..].iter().take_while(|byte| !is_blank(byte)).count();
            rest = &rest[blanks + filled..];
        }
        let rest = &rest[self.bytes.min(rest.len())..];
        &rest[..self.most.min(rest.len())]
    }

    fn same(&self, one: &[u8], other: &[u8]) -> bool {
        let (one, other) = (self.of(one), self.of(other));
        if self.ignores_case { one.eq_ignore_ascii_case(other) } else { one == other }
    }
}

/// Which lines of a group are printed, and what is between groups.
struct Shown {
    single: bool,
    first: bool,
    later: bool,
    counts: bool,
    before: bool,
    between: bool,
    after: bool,
}

/// Prints what differs from the line before it, or groups of equal lines.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    if let [_, _, extra, ..] = &*given.operands {
        return Err(misuse(call, format!("extra operand {}", quoted(extra)), 1).await);
    }
    let part = match part(&given) {
        Ok(part) => part,
        Err(message) => return Err(fail(call, message, 1).await),
    };
    let shown = match shown(&given) {
        Ok(shown) => shown,
        Err(message) => return Err(misuse(call, message, 1).await),
    };
    let end = if given.has('z') { 0 } else { b'\n' };
    let name = given.operands.first().cloned().unwrap_or_else(|| BString::from("-"));
    let source = match call.open(&name) {
        Ok(source) => source,
        Err(error) => return Err(fail(call, format!("{name}: {}", reason(&error)), 1).await),
    };
    let sink = match given.operands.get(1).filter(|name| *name != "-") {
        Some(name) => Some(call.create(name, false)?),
        None => None,
    };
    let mut out = Out { sink, shown, end, groups: 0 };
    let mut group: Option<(Vec<u8>, u64)> = None;
    while let Some(line) = source.line(end).await {
        call.work(1)?;
        let line = body(&line, end).to_vec();
        match &mut group {
            Some((first, count)) if part.same(first, &line) => {
                *count += 1;
                if out.shown.later {
                    if *count == 2 && !out.shown.single {
                        out.begins(call).await?;
                        if out.shown.first {
                            out.print(call, first, 1).await?;
                        }
                    }
                    // Without the first line, it is the last one that is left out.
                    let next = if out.shown.first { line } else { std::mem::replace(first, line) };
                    out.print(call, &next, *count).await?;
                }
            }
            _ => {
                if let Some((first, count)) = group.take() {
                    out.ends(call, &first, count).await?;
                }
                if out.shown.later && out.shown.single {
                    out.begins(call).await?;
                    out.print(call, &line, 1).await?;
                } else if out.is_plain() {
                    out.print(call, &line, 1).await?;
                }
                group = Some((line, 1));
            }
        }
    }
    if let Some((first, count)) = group {
        out.ends(call, &first, count).await?;
        if out.shown.after {
            out.write(call, &[end]).await?;
        }
    }
    Ok(0)
}

struct Out {
    sink: Option<Sink>,
    shown: Shown,
    end: u8,
    /// How many groups were begun.
    groups: u64,
}

impl Out {
    /// Whether the first line of each group is all that is printed: it need not wait for the others.
    fn is_plain(&self) -> bool {
        self.shown.single && self.shown.first && !self.shown.later && !self.shown.counts
    }

    async fn begins(&mut self, call: &mut Call<'_>) -> Result<(), Ended> {
        let delimits = if self.groups == 0 { self.shown.before } else { self.shown.between };
        self.groups += 1;
        if delimits { self.write(call, &[self.end]).await } else { Ok(()) }
    }

    async fn ends(&mut self, call: &mut Call<'_>, first: &[u8], count: u64) -> Result<(), Ended> {
        let shows = if count == 1 { self.shown.single } else { self.shown.first };
        if shows && !self.shown.later && !self.is_plain() { self.print(call, first, count).await } else { Ok(()) }
    }

    async fn print(&mut self, call: &mut Call<'_>, line: &[u8], count: u64) -> Result<(), Ended> {
        let counted = if self.shown.counts { format!("{count:>7} ") } else { String::new() };
        let text = [counted.as_bytes(), line, &[self.end]].concat();
        self.write(call, &text).await
    }

    async fn write(&mut self, call: &mut Call<'_>, text: &[u8]) -> Result<(), Ended> {
        match &self.sink {
            Some(sink) => Ok(sink.write(text).await?),
            None => call.print(text).await,
        }
    }
}

fn part(given: &Given) -> Result<Part, String> {
    let value = |letter: char, what: &str, default: usize| match given.value(letter) {
        Some(text) => number(text).ok_or_else(|| format!("{}: invalid number of {what}", text.to_str_lossy())),
        None => Ok(default),
    };
    Ok(Part {
        fields: value('f', "fields to skip", 0)?,
        bytes: value('s', "bytes to skip", 0)?,
        most: value('w', "bytes to compare", usize::MAX)?,
        ignores_case: given.has('i'),
    })
}

fn shown(given: &Given) -> Result<Shown, String> {
    let all = given.has('D') || given.has(ALL);
    let counts = given.has('c');
    let (mut before, mut between, mut after) = (false, false, false);
    let mut shown = Shown {
        single: !given.has('d') && !all,
        first: !given.has('u'),
        later: all,
        counts,
        before: false,
        between: false,
        after: false,
    };
    if let Some(method) = given.value(GROUP) {
        if counts || all || given.has('d') || given.has('u') {
            return Err("--group is mutually exclusive with -c/-d/-D/-u".to_owned());
        }
        shown.later = true;
        between = true;
        const METHODS: &[(&str, (bool, bool))] = &[
            ("prepend", (true, false)),
            ("append", (false, true)),
            ("separate", (false, false)),
            ("both", (true, true)),
        ];
        if !method.is_empty() {
            (before, after) = choice(method, "--group", METHODS)?;
        }
    } else if all && counts {
        return Err("printing all duplicated lines and repeat counts is meaningless".to_owned());
    } else if let Some(method) = given.value(ALL) {
        const METHODS: &[(&str, (bool, bool))] =
            &[("none", (false, false)), ("prepend", (true, true)), ("separate", (false, true))];
        if !method.is_empty() {
            (before, between) = choice(method, "--all-repeated", METHODS)?;
        }
    }
    (shown.before, shown.between, shown.after) = (before, between, after);
    Ok(shown)
}
