//! Options and operands, as getopt_long reads them.

use bstr::{BString, ByteSlice};

use crate::exec::{Call, Ended};

/// An option that a command has.
#[derive(Clone, Copy, Debug)]
pub struct Flag {
    /// Its letter, or what stands for one if it has none.
    pub letter: char,
    /// Its long name. Empty if it has none.
    pub long: &'static str,
    /// What follows it.
    pub value: Value,
}

/// What follows an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Nothing.
    None,
    /// Something.
    Needed,
    /// Something, in the same argument only.
    Possible,
}

/// One that nothing follows.
pub const fn flag(letter: char, long: &'static str) -> Flag {
    Flag { letter, long, value: Value::None }
}

/// One that something follows.
pub const fn valued(letter: char, long: &'static str) -> Flag {
    Flag { letter, long, value: Value::Needed }
}

/// One that something may follow.
pub const fn maybe(letter: char, long: &'static str) -> Flag {
    Flag { letter, long, value: Value::Possible }
}

/// What was given.
#[derive(Debug, Default)]
pub struct Given {
    /// Letters with what followed them, in order.
    pub flags: Vec<(char, BString)>,
    /// The rest, in order.
    pub operands: Vec<BString>,
}

impl Given {
    /// Whether an option was given.
    pub fn has(&self, letter: char) -> bool {
        self.flags.iter().any(|(given, _)| *given == letter)
    }

    /// What followed the last such option.
    pub fn value(&self, letter: char) -> Option<&BString> {
        self.flags.iter().rev().find(|(given, _)| *given == letter).map(|(_, value)| value)
    }

    /// What followed every such option.
    pub fn values(&self, letter: char) -> impl Iterator<Item = &BString> {
        self.flags.iter().filter(move |(given, _)| *given == letter).map(|(_, value)| value)
    }

    /// The last of these options that was given.
    pub fn last(&self, letters: &[char]) -> Option<char> {
        self.flags.iter().rev().map(|(letter, _)| *letter).find(|letter| letters.contains(letter))
    }
}

/// How a command reads its arguments.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// Its options.
    pub flags: &'static [Flag],
    /// The status if they are wrong.
    pub status: i32,
    /// Whether options end with the first operand.
    pub stops: bool,
}

/// Reads the arguments of a command. What is wrong is said.
pub async fn read(call: &mut Call<'_>, reading: Reading) -> Result<Given, Ended> {
    match parsed(&std::mem::take(&mut call.args), reading) {
        Ok(given) => Ok(given),
        Err(message) => {
            let status = call.misused(message, reading.status).await?;
            Err(Ended::Status(status))
        }
    }
}

/// Reads arguments.
pub fn parsed(args: &[BString], reading: Reading) -> Result<Given, String> {
    let mut given = Given::default();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        if arg == "--" {
            given.operands.extend(rest.cloned());
            break;
        }
        if let Some(long) = arg.strip_prefix(b"--") {
            self::long(&mut given, long, &mut rest, reading)?;
        } else if arg.len() > 1 && arg.starts_with(b"-") {
            short(&mut given, &arg[1..], &mut rest, reading)?;
        } else {
            given.operands.push(arg.clone());
            if reading.stops {
                given.operands.extend(rest.cloned());
                break;
            }
        }
    }
    Ok(given)
}

fn long(
    given: &mut Given,
    long: &[u8],
    rest: &mut std::slice::Iter<'_, BString>,
    reading: Reading,
) -> Result<(), String> {
    let (name, value) = match long.split_once_str("=") {
        Some((name, value)) => (name, Some(BString::from(value))),
        None => (long, None),
    };
    let name = name.to_str_lossy();
    let begins: Vec<&Flag> =
        reading.flags.iter().filter(|flag| !flag.long.is_empty() && flag.long.starts_with(&*name)).collect();
    let exact = begins.iter().find(|flag| flag.long == name);
    let flag = match (exact, &*begins) {
        (Some(flag), _) => *flag,
        (None, [only]) => *only,
        (None, []) => return Err(format!("unrecognized option '--{name}'")),
        // Several names of one option are one.
        (None, [first, others @ ..]) if others.iter().all(|other| other.letter == first.letter) => *first,
        (None, many) => {
            let names: Vec<String> = many.iter().map(|flag| format!("'--{}'", flag.long)).collect();
            return Err(format!("option '--{name}' is ambiguous; possibilities: {}", names.join(" ")));
        }
    };
    let value = match (flag.value, value) {
        (Value::None, Some(_)) => return Err(format!("option '--{}' doesn't allow an argument", flag.long)),
        (Value::None, None) => BString::default(),
        (_, Some(value)) => value,
        (Value::Possible, None) => BString::default(),
        (Value::Needed, None) => match rest.next() {
            Some(value) => value.clone(),
            None => return Err(format!("option '--{}' requires an argument", flag.long)),
        },
    };
    given.flags.push((flag.letter, value));
    Ok(())
}

fn short(
    given: &mut Given,
    letters: &[u8],
    rest: &mut std::slice::Iter<'_, BString>,
    reading: Reading,
) -> Result<(), String> {
    for (at, letter) in letters.iter().enumerate() {
        let letter = char::from(*letter);
        let Some(flag) = reading.flags.iter().find(|flag| flag.letter == letter) else {
            return Err(format!("invalid option -- '{letter}'"));
        };
        let behind = &letters[at + 1..];
        match flag.value {
            Value::None => given.flags.push((letter, BString::default())),
            Value::Possible => {
                given.flags.push((letter, behind.into()));
                return Ok(());
            }
            Value::Needed if !behind.is_empty() => {
                given.flags.push((letter, behind.into()));
                return Ok(());
            }
            Value::Needed => {
                let value = rest.next().ok_or_else(|| format!("option requires an argument -- '{letter}'"))?;
                given.flags.push((letter, value.clone()));
                return Ok(());
            }
        }
    }
    Ok(())
}
