//! `xargs`

mod items;

use bstr::{BString, ByteSlice};

use self::items::{Item, Items, Parts};
use super::arguments::{Flag, Given, Reading, flag, maybe, read, valued};
use super::numbers::{count, whole};
use super::program::{self, Ran};
use crate::exec::{Call, Ended};
use crate::io::{Source, reason};

const FLAGS: &[Flag] = &[
    flag('0', "null"),
    valued('a', "arg-file"),
    valued('d', "delimiter"),
    valued('E', ""),
    maybe('e', "eof"),
    valued('I', ""),
    maybe('i', "replace"),
    valued('L', ""),
    maybe('l', "max-lines"),
    valued('n', "max-args"),
    valued('P', "max-procs"),
    flag('r', "no-run-if-empty"),
    valued('s', "max-chars"),
    flag('t', "verbose"),
    flag('x', "exit"),
];

/// Bytes of the arguments of one command, as GNU has them if nothing else is wanted.
const MOST: usize = 128 * 1024;

/// How arguments are put together.
enum Way {
    /// As many as there is room for.
    Fill,
    /// So many.
    Args(usize),
    /// Those of so many lines.
    Lines(u64),
    /// One, in the place of this text.
    Replace(BString),
}

struct Xargs {
    way: Way,
    most: usize,
    exits: bool,
    shows: bool,
    command: Vec<BString>,
    /// What commands read. None for what xargs itself would read.
    stdin: Option<Source>,
    args: Vec<BString>,
    /// The room that these arguments take.
    bytes: usize,
    ran: bool,
    status: i32,
}

/// Runs a command with arguments that are read.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: true }).await?;
    for letter in ['n', 'L', 'l', 's', 'P'] {
        let least = u64::from(letter != 'P');
        for text in given.values(letter).filter(|text| letter != 'l' || !text.is_empty()) {
            match whole(text) {
                None => return call.misused(format!("invalid number \"{text}\" for -{letter} option"), 1).await,
                Some(number) if number < least => {
                    return call.misused(format!("value {text} for -{letter} option should be >= 1"), 1).await;
                }
                Some(_) => (),
            }
        }
    }
    let way = way(&given);
    let mut command = given.operands.clone();
    if command.is_empty() {
        command.push("echo".into());
    }
    let source = match given.value('a').filter(|name| *name != "-") {
        None => call.stdin.clone(),
        Some(name) => match call.open(name) {
            Ok(source) => source,
            Err(error) => {
                call.complain(format!("Cannot open input file '{name}': {}", reason(&error))).await?;
                return Ok(1);
            }
        },
    };
    let parts = match parts(&given, &way) {
        Ok(parts) => parts,
        Err(message) => {
            call.complain(message).await?;
            return Ok(1);
        }
    };
    let end = given.last(&['E', 'e']).and_then(|letter| given.value(letter)).filter(|end| !end.is_empty()).cloned();
    let items = Items::new(source, parts, end);
    let most = given.value('s').and_then(|text| whole(text)).map_or(MOST, |number| count(number).min(MOST));
    let stdin = (!given.has('a')).then(|| Source::text(""));
    let mut xargs = Xargs {
        exits: given.has('x') || matches!(way, Way::Replace(_) | Way::Lines(_)),
        way,
        most,
        shows: given.has('t'),
        command,
        stdin,
        args: Vec::new(),
        bytes: 0,
        ran: false,
        status: 0,
    };
    xargs.all(call, items, given.has('r')).await
}

fn way(given: &Given) -> Way {
    let mut way = Way::Fill;
    for (letter, text) in &given.flags {
        let or = |usual: &str| if text.is_empty() { BString::from(usual) } else { text.clone() };
        way = match letter {
            // One argument at a time is what a replacement means anyway.
            'n' if text == "1" && matches!(way, Way::Replace(_)) => way,
            'n' => Way::Args(count(whole(text).unwrap_or(1))),
            'L' | 'l' => Way::Lines(whole(&or("1")).unwrap_or(1)),
            'I' | 'i' => Way::Replace(or("{}")),
            _ => way,
        };
    }
    way
}

fn parts(given: &Given, way: &Way) -> Result<Parts, String> {
    Ok(match given.last(&['0', 'd']) {
        Some('0') => Parts::Byte(0),
        Some(_) => {
            let text = given.value('d').cloned().unwrap_or_default();
            Parts::Byte(delimiter(&text).ok_or_else(|| {
                format!("Invalid input delimiter specification {text}: the delimiter must be either a single character or an escape sequence starting with \\.")
            })?)
        }
        None if matches!(way, Way::Replace(_)) => Parts::Lines,
        None => Parts::Words,
    })
}

fn delimiter(text: &[u8]) -> Option<u8> {
    match text {
        [byte] => Some(*byte),
        [b'\\', escaped @ ..] => match crate::expand::quote::escape(escaped, false) {
            (taken, Some(bytes)) if taken == escaped.len() => bytes.first().copied(),
            _ => None,
        },
        _ => None,
    }
}

impl Xargs {
    async fn all(&mut self, call: &mut Call<'_>, mut items: Items, only_with_args: bool) -> Result<i32, Ended> {
        loop {
            call.work(1)?;
            let item = match items.next().await {
                Item::Text(item) => item,
                Item::End => break,
                Item::Open(quote) => {
                    if !self.args.is_empty() {
                        self.go(call).await?;
                    }
                    let why = "by default quotes are special to xargs unless you use the -0 option";
                    call.complain(format!("unmatched {quote} quote; {why}")).await?;
                    return Ok(1);
                }
            };
            if let Some(status) = self.take(call, item, &mut items.lines).await? {
                return Ok(status);
            }
        }
        let empty = !self.ran && !only_with_args && !matches!(self.way, Way::Replace(_));
        if (!self.args.is_empty() || empty)
            && let Some(status) = self.go(call).await?
        {
            return Ok(status);
        }
        Ok(self.status)
    }

    /// Takes one more argument. A status ends it all.
    async fn take(&mut self, call: &mut Call<'_>, item: BString, lines: &mut u64) -> Result<Option<i32>, Ended> {
        let fixed: usize = self.command.iter().map(|arg| arg.len() + 1).sum();
        if fixed + self.bytes + item.len() + 1 > self.most {
            let counts = self.exits && !matches!(self.way, Way::Fill);
            if self.args.is_empty() || counts {
                call.complain("argument line too long").await?;
                return Ok(Some(1));
            }
            if let Some(status) = self.go(call).await? {
                return Ok(Some(status));
            }
        }
        self.bytes += item.len() + 1;
        self.args.push(item);
        let full = match &self.way {
            Way::Fill => false,
            Way::Args(most) => self.args.len() >= *most,
            Way::Lines(most) => *lines >= *most,
            Way::Replace(_) => true,
        };
        if !full {
            return Ok(None);
        }
        *lines = 0;
        self.go(call).await
    }

    /// Runs the command with what was taken. A status ends it all.
    async fn go(&mut self, call: &mut Call<'_>) -> Result<Option<i32>, Ended> {
        self.ran = true;
        let taken = std::mem::take(&mut self.args);
        self.bytes = 0;
        let (name, given) = self.command.split_first().expect("there is a command");
        let args: Vec<BString> = match &self.way {
            Way::Replace(text) => {
                let item = taken.first().cloned().unwrap_or_default();
                given.iter().map(|arg| arg.replace(text.as_bytes(), &item).into()).collect()
            }
            _ => given.iter().cloned().chain(taken).collect(),
        };
        call.shell.hold(args.iter().map(|arg| arg.len()).sum())?;
        if self.shows {
            let words: Vec<BString> = [name].into_iter().chain(&args).map(|word| shown(word)).collect();
            call.say(format!("{}\n", bstr::join(" ", words).as_bstr())).await?;
        }
        match program::run(call, name, args, self.stdin.clone()).await? {
            Ran::Status(0) => Ok(None),
            Ran::Status(255) => {
                call.complain(format!("{name}: exited with status 255; aborting")).await?;
                Ok(Some(124))
            }
            Ran::Status(_) => {
                self.status = 123;
                Ok(None)
            }
            Ran::Broken => {
                call.complain(format!("{name}: terminated by signal 13")).await?;
                Ok(Some(125))
            }
            Ran::Missing(why, status) => {
                call.complain(format!("{name}: {why}")).await?;
                Ok(Some(status))
            }
        }
    }
}

/// A word as a shell would have it.
fn shown(word: &[u8]) -> BString {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-./:,+@%{}".contains(byte) || *byte >= 128;
    if !word.is_empty() && word.iter().all(is_plain) {
        return word.into();
    }
    match word.contains(&b'\'') && !word.iter().any(|byte| b"\"$`\\".contains(byte)) {
        true => [b"\"", word, b"\""].concat().into(),
        false => [&b"'"[..], &word.replace("'", "'\\''"), b"'"].concat().into(),
    }
}
