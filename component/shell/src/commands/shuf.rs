//! `shuf`, whose order is the same each time.

use bstr::{BString, ByteSlice};

use super::arguments::{Flag, Given, Reading, flag, read, valued};
use super::feed::{all, fail, lines, misuse, number, quoted};
use crate::exec::{Call, Ended};
use crate::io::{Sink, reason};

const SOURCE: char = '\u{e000}';

const FLAGS: &[Flag] = &[
    flag('e', "echo"),
    valued('i', "input-range"),
    valued('n', "head-count"),
    valued('o', "output"),
    flag('r', "repeat"),
    valued(SOURCE, "random-source"),
    flag('z', "zero-terminated"),
];

/// What is shuffled.
enum Lines<'t> {
    Texts(Vec<&'t [u8]>),
    /// The first one, and how many.
    Numbers(u64, u64),
}

impl Lines<'_> {
    fn count(&self) -> u64 {
        match self {
            Lines::Texts(texts) => texts.len() as u64,
            Lines::Numbers(_, count) => *count,
        }
    }

    fn at(&self, at: u64) -> BString {
        match self {
            Lines::Texts(texts) => texts[usize::try_from(at).expect("it is one of them")].into(),
            Lines::Numbers(low, _) => (low + at).to_string().into(),
        }
    }
}

/// Numbers that look as if they were random (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let wide = u128::from(mixed ^ (mixed >> 31)) * u128::from(limit);
        u64::try_from(wide >> 64).expect("it is below the limit")
    }
}

/// Prints lines, arguments or numbers in another order.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let end = if given.has('z') { 0 } else { b'\n' };
    let most = match given.value('n').map(|text| number(text).ok_or(text)) {
        None => u64::MAX,
        Some(Ok(most)) => most as u64,
        Some(Err(text)) => return Err(fail(call, format!("invalid line count: {}", quoted(text)), 1).await),
    };
    if given.has('i') && given.has('e') {
        return Err(misuse(call, "cannot combine -e and -i options", 1).await);
    }
    let extra = if given.has('i') { given.operands.first() } else { given.operands.get(1) };
    if let Some(extra) = extra.filter(|_| !given.has('e')) {
        return Err(misuse(call, format!("extra operand {}", quoted(extra)), 1).await);
    }
    let text = match &*given.operands {
        _ if given.has('i') || given.has('e') => bytes::Bytes::new(),
        operands => {
            let name = operands.first().cloned().unwrap_or_else(|| "-".into());
            match call.open(&name) {
                Ok(source) => all(call, &source).await?,
                Err(error) => return Err(fail(call, format!("{name}: {}", reason(&error)), 1).await),
            }
        }
    };
    let what = match range(&given) {
        Some(Ok((low, count))) => Lines::Numbers(low, count),
        Some(Err(message)) => return Err(fail(call, message, 1).await),
        None if given.has('e') => Lines::Texts(given.operands.iter().map(|operand| operand.as_slice()).collect()),
        None => Lines::Texts(lines(&text, end).collect()),
    };
    let sink = match given.value('o') {
        Some(name) => Some(call.create(name, false)?),
        None => None,
    };
    if given.has('r') { repeat(call, &what, most, end, sink).await } else { once(call, &what, most, end, sink).await }
}

fn range(given: &Given) -> Option<Result<(u64, u64), String>> {
    let text = given.value('i')?;
    let bounds = text.split_once_str("-").and_then(|(low, high)| Some((number(low)? as u64, number(high)? as u64)));
    // An empty range is one whose end is just below its begin.
    let counted = bounds.and_then(|(low, high)| Some((low, high.saturating_add(1).checked_sub(low)?)));
    Some(counted.ok_or_else(|| format!("invalid input range: {}", quoted(text))))
}

async fn repeat(call: &mut Call<'_>, what: &Lines<'_>, most: u64, end: u8, sink: Option<Sink>) -> Result<i32, Ended> {
    let mut random = Random(1);
    if what.count() == 0 && most > 0 {
        return Err(fail(call, "no lines to repeat", 1).await);
    }
    for _ in 0..most {
        call.work(1)?;
        let line = what.at(random.below(what.count()));
        print(call, &line, end, sink.as_ref()).await?;
    }
    Ok(0)
}

/// Moves lines to the front, one after the other, and remembers only what was moved.
async fn once(call: &mut Call<'_>, what: &Lines<'_>, most: u64, end: u8, sink: Option<Sink>) -> Result<i32, Ended> {
    let mut random = Random(1);
    let mut moved = std::collections::HashMap::new();
    for at in 0..what.count().min(most) {
        call.work(1)?;
        call.shell.hold(moved.len() * 32)?;
        let from = at + random.below(what.count() - at);
        let here = moved.remove(&at).unwrap_or(at);
        let chosen = if from == at { here } else { moved.insert(from, here).unwrap_or(from) };
        print(call, &what.at(chosen), end, sink.as_ref()).await?;
    }
    Ok(0)
}

async fn print(call: &mut Call<'_>, line: &[u8], end: u8, sink: Option<&Sink>) -> Result<(), Ended> {
    let text = [line, &[end]].concat();
    match sink {
        Some(sink) => Ok(sink.write(&text).await?),
        None => call.print(text).await,
    }
}
