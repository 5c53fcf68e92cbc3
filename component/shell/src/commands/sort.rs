//! `sort`

mod compare;
mod key;
pub mod version;

use std::cmp::Ordering;

use bstr::{BString, ByteSlice};
use bytes::Bytes;

use self::key::{Key, Order};
use super::arguments::{Flag, Given, Reading, flag, maybe, read, valued};
use super::feed::{all, choice, fail, lines, misuse, quoted};
use crate::exec::{Call, Ended};
use crate::io::reason;

const KIND: char = '\u{e000}';
const CHECK: char = '\u{e001}';
const PARALLEL: char = '\u{e002}';
const BATCH: char = '\u{e003}';

const FLAGS: &[Flag] = &[
    flag('b', "ignore-leading-blanks"),
    flag('c', ""),
    flag('C', ""),
    flag('d', "dictionary-order"),
    flag('f', "ignore-case"),
    flag('g', "general-numeric-sort"),
    flag('h', "human-numeric-sort"),
    flag('i', "ignore-nonprinting"),
    valued('k', "key"),
    flag('m', "merge"),
    flag('M', "month-sort"),
    flag('n', "numeric-sort"),
    valued('o', "output"),
    flag('r', "reverse"),
    flag('R', "random-sort"),
    flag('s', "stable"),
    valued('S', "buffer-size"),
    valued('t', "field-separator"),
    valued('T', "temporary-directory"),
    flag('u', "unique"),
    flag('V', "version-sort"),
    flag('z', "zero-terminated"),
    maybe(CHECK, "check"),
    valued(KIND, "sort"),
    valued(PARALLEL, "parallel"),
    valued(BATCH, "batch-size"),
];

const KINDS: &[(&str, u8)] = &[
    ("general-numeric", b'g'),
    ("human-numeric", b'h'),
    ("month", b'M'),
    ("numeric", b'n'),
    ("random", b'R'),
    ("version", b'V'),
];

const CHECKS: &[(&str, bool)] = &[("quiet", true), ("silent", true), ("diagnose-first", false)];

/// How lines are compared.
struct Sorting {
    keys: Vec<Key>,
    reverse: bool,
    unique: bool,
    stable: bool,
    tab: Option<u8>,
    end: u8,
}

/// A line with its first key.
#[derive(Clone, Copy)]
struct Line<'t> {
    text: &'t [u8],
    key: &'t [u8],
}

impl Sorting {
    fn line<'t>(&self, text: &'t [u8]) -> Line<'t> {
        Line { text, key: self.keys.first().map_or(text, |key| key.of(text, self.tab)) }
    }

    fn order(&self, one: &Line<'_>, other: &Line<'_>) -> Ordering {
        if let [first, others @ ..] = &*self.keys {
            let mut order = first.order(one.key, other.key);
            for key in others {
                if order != Ordering::Equal {
                    break;
                }
                order = key.order(key.of(one.text, self.tab), key.of(other.text, self.tab));
            }
            if order != Ordering::Equal || self.unique || self.stable {
                return order;
            }
        }
        let order = one.text.cmp(other.text);
        if self.reverse { order.reverse() } else { order }
    }
}

/// Sorts lines, merges sorted ones, or checks whether they are sorted.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 2, stops: false }).await?;
    if let Err(message) = words(&given) {
        return Err(misuse(call, message, 1).await);
    }
    let sorting = match sorting(&given) {
        Ok(sorting) => sorting,
        Err(message) => return Err(fail(call, message, 2).await),
    };
    match checks(&given) {
        [false, false] => (),
        [true, true] => return Err(fail(call, "options '-cC' are incompatible", 2).await),
        [_, quiet] => return check(call, &sorting, &given, quiet).await,
    }
    let names = if given.operands.is_empty() { vec![BString::from("-")] } else { given.operands.clone() };
    let mut inputs = Vec::new();
    let mut held = 0;
    for name in &names {
        let input = content(call, name).await?;
        held += input.len();
        call.shell.hold(held)?;
        inputs.push(input);
    }
    let mut sorted = if given.has('m') { merged(call, &sorting, &inputs)? } else { ordered(call, &sorting, &inputs)? };
    if sorting.unique {
        sorted.dedup_by(|one, other| sorting.order(other, one) == Ordering::Equal);
    }
    write(call, &sorting, &sorted, given.value('o')).await?;
    Ok(0)
}

fn sorting(given: &Given) -> Result<Sorting, String> {
    let mut all = Order::default();
    let mut keys = Vec::new();
    let mut tab = None;
    for (letter, value) in &given.flags {
        match letter {
            'b' => all = all.with(b'b').with(b'B'),
            'd' | 'f' | 'g' | 'h' | 'i' | 'M' | 'n' | 'r' | 'R' | 'V' => all = all.with(*letter as u8),
            'k' => keys.push(Key::read(value)?),
            't' => {
                let byte = separator(value)?;
                if tab.is_some_and(|tab| tab != byte) {
                    return Err("incompatible tabs".to_owned());
                }
                tab = Some(byte);
            }
            &KIND => all = all.with(choice(value, "--sort", KINDS)?),
            _ => (),
        }
    }
    if keys.is_empty() && !all.is_plain() {
        keys.push(Key::whole());
    }
    for key in &mut keys {
        key.settle(all)?;
    }
    Ok(Sorting {
        keys,
        reverse: all.has(b'r'),
        unique: given.has('u'),
        stable: given.has('s'),
        tab,
        end: if given.has('z') { 0 } else { b'\n' },
    })
}

fn separator(value: &[u8]) -> Result<u8, String> {
    match value {
        [] => Err("empty tab".to_owned()),
        [byte] => Ok(*byte),
        b"\\0" => Ok(0),
        value => Err(format!("multi-character tab {}", quoted(value))),
    }
}

/// Fails if what a word chooses is not known.
fn words(given: &Given) -> Result<(), String> {
    for kind in given.values(KIND) {
        choice(kind, "--sort", KINDS)?;
    }
    for how in given.values(CHECK).filter(|how| !how.is_empty()) {
        choice(how, "--check", CHECKS)?;
    }
    Ok(())
}

/// Whether the order is to be checked with a message, and without one.
fn checks(given: &Given) -> [bool; 2] {
    let quiet = |how: &BString| !how.is_empty() && choice(how, "--check", CHECKS) == Ok(true);
    let long = |wanted: bool| given.values(CHECK).any(|how| quiet(how) == wanted);
    [given.has('c') || long(false), given.has('C') || long(true)]
}

async fn content(call: &mut Call<'_>, name: &BString) -> Result<Bytes, Ended> {
    match call.open(name) {
        Ok(source) => all(call, &source).await,
        Err(error) => {
            let did = if error.kind() == std::io::ErrorKind::IsADirectory { "read failed" } else { "cannot read" };
            Err(fail(call, format!("{did}: {name}: {}", reason(&error)), 2).await)
        }
    }
}

fn ordered<'t>(call: &Call<'_>, sorting: &Sorting, inputs: &'t [Bytes]) -> Result<Vec<Line<'t>>, Ended> {
    let texts = inputs.iter().flat_map(|input| lines(input, sorting.end));
    let mut all: Vec<Line<'t>> = texts.map(|text| sorting.line(text)).collect();
    count(call, &all)?;
    all.sort_by(|one, other| sorting.order(one, other));
    Ok(all)
}

/// Counts the work of sorting lines, and what it holds.
fn count(call: &Call<'_>, all: &[Line<'_>]) -> Result<(), Ended> {
    call.shell.hold(std::mem::size_of_val(all))?;
    let compares = all.len().saturating_mul(all.len().max(2).ilog2() as usize);
    Ok(call.work(u32::try_from(compares / 8).unwrap_or(u32::MAX))?)
}

/// Takes the least of the next lines, again and again: the first one of several that are equal.
fn merged<'t>(call: &Call<'_>, sorting: &Sorting, inputs: &'t [Bytes]) -> Result<Vec<Line<'t>>, Ended> {
    let mut rest: Vec<_> =
        inputs.iter().map(|input| lines(input, sorting.end).map(|text| sorting.line(text)).peekable()).collect();
    let mut all = Vec::new();
    loop {
        let mut least: Option<(usize, Line<'t>)> = None;
        for (at, lines) in rest.iter_mut().enumerate() {
            if let Some(line) = lines.peek()
                && least.is_none_or(|(_, least)| sorting.order(line, &least) == Ordering::Less)
            {
                least = Some((at, *line));
            }
        }
        let Some((at, line)) = least else { break };
        rest[at].next();
        all.push(line);
        call.work(1)?;
    }
    Ok(all)
}

async fn write(
    call: &mut Call<'_>,
    sorting: &Sorting,
    sorted: &[Line<'_>],
    name: Option<&BString>,
) -> Result<(), Ended> {
    let end = [sorting.end];
    let Some(name) = name else {
        for line in sorted {
            call.print(line.text).await?;
            call.print(end).await?;
        }
        return Ok(());
    };
    let sink = match call.create(name, false) {
        Ok(sink) => sink,
        Err(Ended::Failed(why)) => return Err(fail(call, format!("open failed: {why}"), 2).await),
        Err(ended) => return Err(ended),
    };
    let size = sorted.iter().map(|line| line.text.len() + 1).sum();
    call.shell.hold(size)?;
    let mut out = Vec::with_capacity(size);
    for line in sorted {
        out.extend_from_slice(line.text);
        out.extend_from_slice(&end);
    }
    Ok(sink.write(&out).await?)
}

async fn check(call: &mut Call<'_>, sorting: &Sorting, given: &Given, quiet: bool) -> Result<i32, Ended> {
    let option = if quiet { "-C" } else { "-c" };
    if let [_, extra, ..] = &*given.operands {
        return Err(fail(call, format!("extra operand '{extra}' not allowed with {option}"), 2).await);
    }
    let name = given.operands.first().cloned().unwrap_or_else(|| "-".into());
    let input = content(call, &name).await?;
    let mut last: Option<Line<'_>> = None;
    for (at, text) in lines(&input, sorting.end).enumerate() {
        call.work(1)?;
        let line = sorting.line(text);
        let order = last.map_or(Ordering::Less, |last| sorting.order(&last, &line));
        if order == Ordering::Greater || (sorting.unique && order == Ordering::Equal) {
            if !quiet {
                call.complain(format!("{name}:{}: disorder: {}", at + 1, text.to_str_lossy())).await?;
            }
            return Ok(1);
        }
        last = Some(line);
    }
    Ok(0)
}
