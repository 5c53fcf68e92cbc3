//! The sets of `tr`: ranges, classes and repeats.

use bstr::{BString, ByteSlice};

use super::super::feed::quoted;

/// A part of a set.
#[derive(Clone, Debug)]
enum Item {
    Byte(u8),
    Range(u8, u8),
    Class(&'static str, fn(u8) -> bool),
    Repeat(u8, usize),
    /// As often as it takes to make both sets equally long.
    Fill(u8),
}

/// A set.
#[derive(Debug)]
pub struct Set(Vec<Item>);

/// A class by its name.
type Named = (&'static str, fn(u8) -> bool);

const CLASSES: &[Named] = &[
    ("alnum", |byte| byte.is_ascii_alphanumeric()),
    ("alpha", |byte| byte.is_ascii_alphabetic()),
    ("blank", |byte| matches!(byte, b' ' | b'\t')),
    ("cntrl", |byte| byte.is_ascii_control()),
    ("digit", |byte| byte.is_ascii_digit()),
    ("graph", |byte| byte.is_ascii_graphic()),
    ("lower", |byte| byte.is_ascii_lowercase()),
    ("print", |byte| byte.is_ascii_graphic() || byte == b' '),
    ("punct", |byte| byte.is_ascii_punctuation()),
    ("space", |byte| matches!(byte, b' ' | 9..=13)),
    ("upper", |byte| byte.is_ascii_uppercase()),
    ("xdigit", |byte| byte.is_ascii_hexdigit()),
];

impl Item {
    fn size(&self) -> usize {
        match self {
            Item::Byte(_) => 1,
            Item::Range(first, last) => usize::from(last - first) + 1,
            Item::Class(_, has) => (0..=255).filter(|byte| has(*byte)).count(),
            Item::Repeat(_, count) => *count,
            Item::Fill(_) => 0,
        }
    }

    fn is_case(&self) -> bool {
        matches!(self, Item::Class("lower" | "upper", _))
    }
}

/// The most bytes of a repeat that can matter.
const MOST: usize = 256;

impl Set {
    /// Its bytes in order. A repeat without end fills it up to a length.
    pub fn bytes(&self, length: Option<usize>) -> Vec<u8> {
        let fixed: usize = self.0.iter().map(Item::size).sum();
        let mut bytes = Vec::new();
        for item in &self.0 {
            match item {
                Item::Byte(byte) => bytes.push(*byte),
                Item::Range(first, last) => bytes.extend(*first..=*last),
                Item::Class(_, has) => bytes.extend((0..=255).filter(|byte| has(*byte))),
                Item::Repeat(byte, count) => bytes.extend(std::iter::repeat_n(*byte, *count)),
                Item::Fill(byte) => {
                    let missing = length.unwrap_or(0).saturating_sub(fixed);
                    bytes.extend(std::iter::repeat_n(*byte, missing));
                }
            }
        }
        bytes
    }

    fn fills(&self) -> usize {
        self.0.iter().filter(|item| matches!(item, Item::Fill(_))).count()
    }

    /// Fails if something is repeated: that is for the second set only.
    pub fn without_repeats(&self) -> Result<(), String> {
        if self.fills() > 0 {
            return Err("the [c*] repeat construct may not appear in string1".to_owned());
        }
        Ok(())
    }

    /// Fails if something is repeated without end though nothing is translated.
    pub fn finite(&self) -> Result<(), String> {
        if self.fills() > 0 {
            return Err("the [c*] construct may appear in string2 only when translating".to_owned());
        }
        Ok(())
    }

    /// Where classes of upper and lower case begin.
    fn cases(&self, length: usize) -> Vec<usize> {
        let fixed: usize = self.0.iter().map(Item::size).sum();
        let mut at = 0;
        let mut cases = Vec::new();
        for item in &self.0 {
            if item.is_case() {
                cases.push(at);
            }
            at += if matches!(item, Item::Fill(_)) { length.saturating_sub(fixed) } else { item.size() };
        }
        cases
    }

    fn has_class(&self) -> bool {
        self.0.iter().any(|item| matches!(item, Item::Class(..)))
    }
}

/// What the bytes of the first set become.
pub fn targets(
    first: &Set,
    second: &Set,
    from: &mut Vec<u8>,
    complements: bool,
    truncates: bool,
) -> Result<Vec<u8>, String> {
    if second.fills() > 1 {
        return Err("only one [c*] repeat construct may appear in string2".to_owned());
    }
    let mut to = second.bytes(Some(from.len()));
    if second.0.iter().any(|item| matches!(item, Item::Class(..)) && !item.is_case()) {
        let why = "when translating, the only character classes that may appear in\nstring2 are 'upper' and 'lower'";
        return Err(why.to_owned());
    }
    if !complements && second.has_class() {
        let cases = first.cases(from.len());
        if second.cases(from.len()).iter().any(|at| !cases.contains(at)) {
            return Err("misaligned [:upper:] and/or [:lower:] construct".to_owned());
        }
    }
    if from.len() > to.len() {
        if truncates {
            from.truncate(to.len());
        } else if matches!(second.0.last(), Some(Item::Class(..))) {
            let why = "when translating with string1 longer than string2,\nthe latter string must not end with a character class";
            return Err(why.to_owned());
        } else {
            let last = to.last().copied().ok_or("when not truncating set1, string2 must be non-empty")?;
            to.resize(from.len(), last);
        }
    }
    to.truncate(from.len());
    if complements && first.has_class() && to.iter().any(|byte| Some(byte) != to.first()) {
        let why = "when translating with complemented character classes,\nstring2 must map all characters in the domain to one";
        return Err(why.to_owned());
    }
    Ok(to)
}

/// A byte of a set, and whether a backslash made it an ordinary one.
type Byte = (u8, bool);

/// Reads a set.
pub fn read(text: &[u8]) -> Result<Set, String> {
    let bytes = unescaped(text);
    let mut items = Vec::new();
    let mut at = 0;
    while let Some((byte, escaped)) = bytes.get(at).copied() {
        if (byte, escaped) == (b'[', false)
            && let Some((item, length)) = bracket(&bytes[at..])?
        {
            items.push(item);
            at += length;
            continue;
        }
        match bytes.get(at + 1..at + 3) {
            Some([(b'-', false), (last, _)]) => {
                if *last < byte {
                    let (first, last) = (shown(byte), shown(*last));
                    return Err(format!("range-endpoints of '{first}-{last}' are in reverse collating sequence order"));
                }
                items.push(Item::Range(byte, *last));
                at += 3;
            }
            _ => {
                items.push(Item::Byte(byte));
                at += 1;
            }
        }
    }
    Ok(Set(items))
}

fn shown(byte: u8) -> String {
    if byte.is_ascii_graphic() || byte == b' ' { char::from(byte).to_string() } else { format!("\\{byte:03o}") }
}

/// Reads what begins with a bracket: the item and its length. None if it is nothing but a bracket.
fn bracket(bytes: &[Byte]) -> Result<Option<(Item, usize)>, String> {
    if let Some(kind @ (b':' | b'=', false)) = bytes.get(1) {
        let behind = bytes.get(2..).unwrap_or_default();
        let close = behind.windows(2).position(|two| two == [*kind, (b']', false)]);
        let is_repeat = bytes.get(2) == Some(&(b'*', false)) && repeat(bytes)?.is_some();
        if let Some(close) = close.filter(|_| !is_repeat) {
            let name: BString = behind[..close].iter().map(|(byte, _)| *byte).collect::<Vec<u8>>().into();
            return Ok(Some((named(kind.0, &name)?, close + 4)));
        }
    }
    repeat(bytes)
}

fn named(kind: u8, name: &BString) -> Result<Item, String> {
    if kind == b':' {
        let class = CLASSES.iter().find(|(known, _)| name == known);
        return match class {
            Some((known, has)) => Ok(Item::Class(known, *has)),
            None if name.is_empty() => Err("missing character class name '[::]'".to_owned()),
            None => Err(format!("invalid character class {}", quoted(name))),
        };
    }
    match name.as_slice() {
        [byte] => Ok(Item::Byte(*byte)),
        [] => Err("missing equivalence class character '[==]'".to_owned()),
        name => Err(format!("{}: equivalence class operand must be a single character", name.to_str_lossy())),
    }
}

/// Reads a byte with the number of its repeats.
fn repeat(bytes: &[Byte]) -> Result<Option<(Item, usize)>, String> {
    let (Some((byte, _)), Some((b'*', false))) = (bytes.get(1), bytes.get(2)) else { return Ok(None) };
    let behind = &bytes[3..];
    let Some(close) = behind.iter().position(|byte| *byte == (b']', false)) else { return Ok(None) };
    let digits: Vec<u8> = behind[..close].iter().map(|(digit, _)| *digit).collect();
    let base = if digits.first() == Some(&b'0') { 8 } else { 10 };
    let mut count = 0_usize;
    for digit in &digits {
        let Some(digit) = char::from(*digit).to_digit(base) else {
            if digits.iter().all(u8::is_ascii_digit) {
                return Err(format!("invalid repeat count {} in [c*n] construct", quoted(&digits)));
            }
            return Ok(None);
        };
        count = count.saturating_mul(base as usize).saturating_add(digit as usize);
    }
    let item = if count == 0 { Item::Fill(*byte) } else { Item::Repeat(*byte, count.min(MOST)) };
    Ok(Some((item, close + 4)))
}

fn unescaped(text: &[u8]) -> Vec<Byte> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let [byte, behind @ ..] = rest {
        rest = behind;
        let [escaped, behind @ ..] = behind else {
            bytes.push((*byte, *byte == b'\\'));
            break;
        };
        if *byte != b'\\' {
            bytes.push((*byte, false));
            continue;
        }
        rest = behind;
        let is = match escaped {
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 11,
            b'0'..=b'7' => octal(*escaped, &mut rest),
            other => *other,
        };
        bytes.push((is, true));
    }
    bytes
}

/// Up to three octal digits, as long as they fit a byte.
fn octal(first: u8, rest: &mut &[u8]) -> u8 {
    let mut number = first - b'0';
    for _ in 0..2 {
        let [digit @ b'0'..=b'7', behind @ ..] = *rest else { break };
        let Some(next) = number.checked_mul(8).and_then(|number| number.checked_add(digit - b'0')) else { break };
        number = next;
        *rest = behind;
    }
    number
}
