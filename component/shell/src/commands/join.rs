//! `join`

mod row;

use std::cmp::Ordering;

use bstr::{BString, ByteSlice};

use self::row::{Row, Separator, order};
use super::arguments::{Flag, Given, Reading, flag, read, valued};
use super::feed::{body, fail, misuse, number, quoted};
use crate::exec::{Call, Ended};
use crate::io::{Source, reason};

const CHECK: char = '\u{e000}';
const NO_CHECK: char = '\u{e001}';
const HEADER: char = '\u{e002}';

const FLAGS: &[Flag] = &[
    valued('a', ""),
    valued('e', ""),
    flag('i', "ignore-case"),
    valued('j', ""),
    valued('o', ""),
    valued('t', ""),
    valued('v', ""),
    valued('1', ""),
    valued('2', ""),
    flag('z', "zero-terminated"),
    flag(CHECK, "check-order"),
    flag(NO_CHECK, "nocheck-order"),
    flag(HEADER, "header"),
];

/// A field of the output: the key, or a field of one of the files.
#[derive(Clone, Copy)]
enum Place {
    Key,
    Field(usize, usize),
}

struct Joining {
    keys: [usize; 2],
    separator: Separator,
    joint: u8,
    end: u8,
    ignores_case: bool,
    /// Whether lines of each file without a partner are printed.
    alone: [bool; 2],
    pairs: bool,
    empty: BString,
    /// None for the key and all other fields.
    output: Option<Vec<Place>>,
    automatic: bool,
    check: Option<bool>,
    header: bool,
}

/// A file of sorted lines: those with the next key.
struct Sorted {
    name: BString,
    source: Source,
    group: Vec<Row>,
    /// The line behind them.
    next: Option<Row>,
    last: Option<Row>,
    number: u64,
    disordered: bool,
}

/// Joins the lines of two files that have the same key.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let (one, other) = match &*given.operands {
        [one, other] => (one, other),
        [] => return Err(misuse(call, "missing operand", 1).await),
        [only] => return Err(misuse(call, format!("missing operand after {}", quoted(only)), 1).await),
        [_, _, extra, ..] => return Err(misuse(call, format!("extra operand {}", quoted(extra)), 1).await),
    };
    let joining = match joining(&given) {
        Ok(joining) => joining,
        Err(message) => return Err(fail(call, message, 1).await),
    };
    if one == "-" && other == "-" {
        return Err(fail(call, "both files cannot be standard input", 1).await);
    }
    let mut files = [open(call, one).await?, open(call, other).await?];
    let mut join = Join { joining, unpaired: false };
    for (at, file) in files.iter_mut().enumerate() {
        join.read(call, file, at).await?;
    }
    join.all(call, &mut files).await?;
    if files.iter().any(|file| file.disordered) {
        call.flush().await?;
        return Err(fail(call, "input is not in sorted order", 1).await);
    }
    Ok(0)
}

async fn open(call: &mut Call<'_>, name: &BString) -> Result<Sorted, Ended> {
    match call.open(name) {
        Ok(source) => Ok(Sorted {
            name: name.clone(),
            source,
            group: Vec::new(),
            next: None,
            last: None,
            number: 0,
            disordered: false,
        }),
        Err(error) => Err(fail(call, format!("{name}: {}", reason(&error)), 1).await),
    }
}

struct Join {
    joining: Joining,
    /// Whether a line without a partner was seen: only then the order matters, unless it is to be checked.
    unpaired: bool,
}

impl Join {
    async fn all(&mut self, call: &mut Call<'_>, files: &mut [Sorted; 2]) -> Result<(), Ended> {
        if self.joining.automatic {
            let count = |file: &Sorted| file.next.as_ref().map_or(0, Row::count);
            self.joining.output = Some(usual(self.joining.keys, [count(&files[0]), count(&files[1])]));
        }
        if self.joining.header && files.iter().any(|file| file.next.is_some()) {
            let [one, other] = &*files;
            self.print(call, one.next.as_ref(), other.next.as_ref()).await?;
            for (at, file) in files.iter_mut().enumerate() {
                file.last = None;
                self.read(call, file, at).await?;
            }
        }
        while let [Some(one), Some(other)] = [&files[0].next, &files[1].next] {
            match self.order(one.field(self.joining.keys[0]), other.field(self.joining.keys[1])) {
                Ordering::Less => self.alone(call, files, 0).await?,
                Ordering::Greater => self.alone(call, files, 1).await?,
                Ordering::Equal => self.pair(call, files).await?,
            }
        }
        let checks = self.joining.check != Some(false) && !files.iter().all(|file| file.disordered);
        for at in 0..2 {
            if !self.joining.alone[at] && !checks {
                continue;
            }
            while files[at].next.is_some() && (self.joining.alone[at] || !files[at].disordered) {
                if self.joining.alone[at] {
                    let row = files[at].next.as_ref();
                    let (one, other) = if at == 0 { (row, None) } else { (None, row) };
                    self.print(call, one, other).await?;
                }
                self.unpaired |= files[1 - at].number > 0 && files[1 - at].next.is_some();
                self.read(call, &mut files[at], at).await?;
            }
        }
        Ok(())
    }

    fn order(&self, one: &[u8], other: &[u8]) -> Ordering {
        order(one, other, self.joining.ignores_case)
    }

    /// Goes on behind a line that has no partner.
    async fn alone(&mut self, call: &mut Call<'_>, files: &mut [Sorted; 2], at: usize) -> Result<(), Ended> {
        if self.joining.alone[at] {
            let row = files[at].next.as_ref();
            let (one, other) = if at == 0 { (row, None) } else { (None, row) };
            self.print(call, one, other).await?;
        }
        self.read(call, &mut files[at], at).await?;
        self.unpaired = true;
        Ok(())
    }

    /// Prints all pairs of lines with the next key.
    async fn pair(&mut self, call: &mut Call<'_>, files: &mut [Sorted; 2]) -> Result<(), Ended> {
        let other = files[1].next.as_ref().map(|row| row.field(self.joining.keys[1]).to_vec()).unwrap_or_default();
        let one = files[0].next.as_ref().map(|row| row.field(self.joining.keys[0]).to_vec()).unwrap_or_default();
        for (at, partner) in [other, one].into_iter().enumerate() {
            let mut held = 0;
            while let Some(row) = &files[at].next {
                if self.order(row.field(self.joining.keys[at]), &partner) != Ordering::Equal {
                    break;
                }
                held += row.text.len() + 64;
                call.shell.hold(held)?;
                let row = row.clone();
                files[at].group.push(row);
                self.read(call, &mut files[at], at).await?;
            }
        }
        let groups = [std::mem::take(&mut files[0].group), std::mem::take(&mut files[1].group)];
        if self.joining.pairs {
            for one in &groups[0] {
                for other in &groups[1] {
                    self.print(call, Some(one), Some(other)).await?;
                }
            }
        }
        Ok(())
    }

    /// Reads the next line of a file, and checks its order.
    async fn read(&mut self, call: &mut Call<'_>, file: &mut Sorted, at: usize) -> Result<(), Ended> {
        call.work(1)?;
        if let Some(now) = file.next.take() {
            file.last = (!(self.joining.header && file.number == 1)).then_some(now);
        }
        let end = self.joining.end;
        let Some(line) = file.source.line(end).await else { return Ok(()) };
        let row = Row::of(body(&line, end), self.joining.separator);
        file.number += 1;
        let checks = self.joining.check.unwrap_or(self.unpaired) && !file.disordered;
        if let (true, Some(last)) = (checks, &file.last) {
            let key = self.joining.keys[at];
            if self.order(last.field(key), row.field(key)) == Ordering::Greater {
                file.disordered = true;
                let (name, number) = (&file.name, file.number);
                let message = format!("{name}:{number}: is not sorted: {}", row.text.to_str_lossy());
                call.flush().await?;
                call.complain(message).await?;
                if self.joining.check == Some(true) {
                    return Err(Ended::Status(1));
                }
            }
        }
        file.next = Some(row);
        Ok(())
    }

    async fn print(&self, call: &mut Call<'_>, one: Option<&Row>, other: Option<&Row>) -> Result<(), Ended> {
        call.work(1)?;
        let joining = &self.joining;
        let empty = Row::default();
        let rows = [one.unwrap_or(&empty), other.unwrap_or(&empty)];
        let places = match &joining.output {
            Some(places) => places,
            None => &usual(joining.keys, [rows[0].count(), rows[1].count()]),
        };
        let mut out = Vec::new();
        for (number, place) in places.iter().enumerate() {
            if number > 0 {
                out.push(joining.joint);
            }
            let field = match place {
                Place::Key if one.is_some() => rows[0].field(joining.keys[0]),
                Place::Key => rows[1].field(joining.keys[1]),
                Place::Field(file, at) => rows[*file].field(*at),
            };
            out.extend_from_slice(if field.is_empty() { &joining.empty } else { field });
        }
        out.push(joining.end);
        call.print(out).await
    }
}

/// The key, and all other fields of both files.
fn usual(keys: [usize; 2], counts: [usize; 2]) -> Vec<Place> {
    let others =
        |file: usize| (0..counts[file]).filter(move |at| *at != keys[file]).map(move |at| Place::Field(file, at));
    std::iter::once(Place::Key).chain(others(0)).chain(others(1)).collect()
}

fn joining(given: &Given) -> Result<Joining, String> {
    let mut keys = [None, None];
    let mut alone = [false; 2];
    for (letter, value) in &given.flags {
        match letter {
            'a' | 'v' => alone[file(value)?] = true,
            'j' | '1' | '2' => {
                let field = number(value).and_then(|field| field.checked_sub(1));
                let field = field.ok_or_else(|| format!("invalid field number: {}", quoted(value)))?;
                for (at, key) in keys.iter_mut().enumerate() {
                    if *letter == 'j' || (*letter == '1') == (at == 0) {
                        if let Some(known) = key.filter(|known| *known != field) {
                            return Err(format!("incompatible join fields {}, {}", known + 1, field + 1));
                        }
                        *key = Some(field);
                    }
                }
            }
            _ => (),
        }
    }
    let (separator, joint) = match given.value('t').map(|value| value.as_slice()) {
        None => (Separator::Blanks, b' '),
        Some([]) => (Separator::Nothing, b'\n'),
        Some([byte]) => (Separator::Byte(*byte), *byte),
        Some(b"\\0") => (Separator::Byte(0), 0),
        Some(value) => return Err(format!("multi-character tab {}", quoted(value))),
    };
    let automatic = given.value('o').is_some_and(|list| list == "auto");
    let mut output = None;
    for list in given.values('o').filter(|_| !automatic) {
        let places = list.split(|byte| matches!(byte, b',' | b' ' | b'\t')).map(place);
        output.get_or_insert_with(Vec::new).extend(places.collect::<Result<Vec<_>, _>>()?);
    }
    Ok(Joining {
        keys: keys.map(|key| key.unwrap_or(0)),
        separator,
        joint,
        end: if given.has('z') { 0 } else { b'\n' },
        ignores_case: given.has('i'),
        alone,
        pairs: !given.has('v'),
        empty: given.value('e').cloned().unwrap_or_default(),
        output,
        automatic,
        check: given.last(&[CHECK, NO_CHECK]).map(|letter| letter == CHECK),
        header: given.has(HEADER),
    })
}

fn file(text: &[u8]) -> Result<usize, String> {
    match text {
        b"1" => Ok(0),
        b"2" => Ok(1),
        text => Err(format!("invalid file number: {}", quoted(text))),
    }
}

fn place(text: &[u8]) -> Result<Place, String> {
    if text == b"0" {
        return Ok(Place::Key);
    }
    let Some((number_of_file, field)) = text.split_once_str(".") else {
        return Err(format!("invalid field specifier: {}", quoted(text)));
    };
    let file = file(number_of_file).map_err(|_| format!("invalid file number in field spec: {}", quoted(text)))?;
    let field = number(field).and_then(|field| field.checked_sub(1));
    Ok(Place::Field(file, field.ok_or_else(|| format!("invalid field number: {}", quoted(text)))?))
}
