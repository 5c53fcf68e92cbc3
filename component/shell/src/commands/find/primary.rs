//! Reads single tests and actions.

use bstr::{BStr, BString, ByteSlice};

use super::act::{Action, Output};
use super::entry::Links;
use super::exec::Exec;
use super::mode::Wanted;
use super::name::{Expression, Glob, Style};
use super::number::{Count, DAY, SECOND, Window};
use super::parse::Parser;
use super::plan::Node;
use super::printf::Format;
use super::test::{Access, Kinds, Test};
use crate::commands::date;
use crate::commands::numbers::{count, whole};
use crate::exec::Ended;
use crate::io::reason;
use crate::world::Stat;

type Parsed<T> = Result<T, String>;

impl Parser<'_, '_> {
    /// The test or action that a word begins.
    pub(super) fn primary(&mut self, word: &[u8]) -> Parsed<Node> {
        if let Some(test) = self.matching(word)? {
            return Ok(test.into());
        }
        if let Some(test) = self.measuring(word)? {
            return Ok(test.into());
        }
        if self.option(word)? {
            return Ok(Test::Always(true).into());
        }
        match self.action(word)? {
            Some(action) => Ok(action.into()),
            None => Err(format!("unknown predicate `{}'", word.as_bstr())),
        }
    }

    /// Tests of names and kinds.
    fn matching(&mut self, word: &[u8]) -> Parsed<Option<Test>> {
        let glob = |value: &BString, ignores_case| Glob::read(value, ignores_case);
        Ok(Some(match word {
            b"-name" => Test::Name(glob(self.value(word)?, false)),
            b"-iname" => Test::Name(glob(self.value(word)?, true)),
            b"-path" | b"-wholename" | b"-ipath" | b"-iwholename" => {
                let value = self.value(word)?;
                if value.len() > 1 && value.ends_with(b"/") {
                    let word = word.as_bstr();
                    self.warnings.push(format!("{word} {value} will not match anything because it ends with /."));
                }
                Test::Path(glob(value, word[1] == b'i'))
            }
            b"-lname" => Test::Link(glob(self.value(word)?, false)),
            b"-ilname" => Test::Link(glob(self.value(word)?, true)),
            b"-regex" | b"-iregex" => {
                let value = self.value(word)?;
                let expression = Expression::read(value, self.style, word == b"-iregex");
                Test::Regex(expression.map_err(|why| format!("failed to compile regular expression '{value}': {why}"))?)
            }
            b"-type" => Test::Type(kinds(word, self.value(word)?)?),
            b"-xtype" => Test::OtherType(kinds(word, self.value(word)?)?),
            b"-true" => Test::Always(true),
            b"-false" | b"-nouser" | b"-nogroup" => Test::Always(false),
            b"-empty" => Test::Empty,
            b"-readable" => Test::May(Access::Read),
            b"-writable" => Test::May(Access::Write),
            b"-executable" => Test::May(Access::Execute),
            _ => return Ok(None),
        }))
    }

    /// Tests of numbers and times.
    fn measuring(&mut self, word: &[u8]) -> Parsed<Option<Test>> {
        Ok(Some(match word {
            b"-size" => size(self.value(word)?)?,
            b"-links" => Test::Names(self.number(word)?),
            b"-inum" => Test::Inode(self.number(word)?),
            b"-uid" | b"-gid" => Test::Always(self.number(word)?.is(0)),
            b"-user" => owner(self.value(word)?, word, "the name of a known user")?,
            b"-group" => owner(self.value(word)?, word, "the name of an existing group")?,
            b"-perm" => {
                let value = self.value(word)?;
                let wanted = Wanted::read(value).ok_or_else(|| format!("invalid mode ‘{value}’"))?;
                if wanted.wants_none() && value != "/000" {
                    self.warnings.push(format!("you have specified a mode pattern {value} (which is equivalent to /000). The meaning of -perm /000 has now been changed to be consistent with -perm -000; that is, while it used to match no files, it now matches all files."));
                }
                Test::Mode(wanted)
            }
            b"-samefile" => {
                let value = self.value(word)?;
                Test::Same(self.stat(value)?.inode)
            }
            b"-newer" | b"-anewer" | b"-cnewer" => {
                let value = self.value(word)?;
                Test::Newer(self.stat(value)?.modified)
            }
            [b'-', b'n', b'e', b'w', b'e', b'r', kind, from] => {
                if !matches!((kind, from), (b'a' | b'c' | b'm', b'a' | b'c' | b'm' | b't')) {
                    return Err(format!("invalid predicate `{}'", word.as_bstr()));
                }
                let value = self.value(word)?;
                Test::Newer(if *from == b't' { self.time(value)? } else { self.stat(value)?.modified })
            }
            b"-mtime" | b"-atime" | b"-ctime" => self.age(word, DAY, self.day)?,
            b"-mmin" | b"-amin" | b"-cmin" => self.age(word, 60, self.day + DAY * SECOND)?,
            _ => return Ok(None),
        }))
    }

    fn age(&mut self, word: &[u8], unit: i128, from: i128) -> Parsed<Test> {
        let value = self.value(word)?;
        Ok(Test::Changed(Window::read(value, unit, from).ok_or_else(|| invalid(value, word))?))
    }

    fn number(&mut self, word: &[u8]) -> Parsed<Count> {
        let value = self.value(word)?;
        Count::read(value).ok_or_else(|| invalid(value, word))
    }

    /// The metadata of a file that others are compared to.
    fn stat(&self, name: &BString) -> Parsed<Stat> {
        let files = &self.call.shell.base.files;
        let path = self.call.shell.path(name);
        let followed = match self.options.links {
            Links::Never => None,
            Links::Given | Links::Always => files.stat(path.as_bstr(), true).ok(),
        };
        let own = match (followed, name.is_empty()) {
            (Some(followed), false) => Ok(followed),
            (None, false) => files.stat(path.as_bstr(), false),
            (_, true) => Err(std::io::ErrorKind::NotFound.into()),
        };
        own.map_err(|error| format!("‘{name}’: {}", reason(&error)))
    }

    fn time(&self, text: &BString) -> Parsed<i128> {
        let now = self.call.shell.base.files.now().nanos;
        let time = date::read::time(&text.to_str_lossy(), now, date::offset(self.call.shell));
        time.ok_or_else(|| format!("I cannot figure out how to interpret ‘{text}’ as a date or time"))
    }

    /// Options, which hold for every entry.
    fn option(&mut self, word: &[u8]) -> Parsed<bool> {
        match word {
            b"-maxdepth" => self.options.most = self.depth_value(word)?,
            b"-mindepth" => self.options.least = self.depth_value(word)?,
            b"-depth" | b"-d" => {
                self.options.depth_first = true;
                self.wants_depth = true;
            }
            b"-follow" => self.options.links = Links::Always,
            b"-daystart" => {
                let offset = i128::from(date::offset(self.call.shell)) * SECOND;
                let local = self.call.shell.base.files.now().nanos + offset;
                self.day = local - local.rem_euclid(DAY * SECOND) - offset;
            }
            b"-regextype" => self.style = Style::read(self.value(word)?)?,
            b"-xdev" | b"-mount" | b"-noleaf" | b"-warn" | b"-nowarn" => (),
            b"-ignore_readdir_race" | b"-noignore_readdir_race" => (),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn depth_value(&mut self, word: &[u8]) -> Parsed<usize> {
        let value = self.value(word)?;
        let what = word.as_bstr();
        let wrong = || format!("Expected a positive decimal integer argument to {what}, but got ‘{value}’");
        Ok(count(whole(value).ok_or_else(wrong)?))
    }

    fn action(&mut self, word: &[u8]) -> Parsed<Option<Action>> {
        let action = match word {
            b"-prune" => {
                self.prunes = true;
                return Ok(Some(Action::Prune));
            }
            b"-quit" => return Ok(Some(Action::Quit)),
            b"-print" => Action::Print { output: None, end: b'\n' },
            b"-print0" => Action::Print { output: None, end: 0 },
            b"-ls" => Action::List { output: None },
            b"-fprint" => Action::Print { output: self.output(word)?, end: b'\n' },
            b"-fprint0" => Action::Print { output: self.output(word)?, end: 0 },
            b"-fls" => Action::List { output: self.output(word)? },
            b"-printf" => Action::Format { output: None, format: self.format(word)? },
            b"-fprintf" => {
                let output = self.output(word)?;
                Action::Format { output, format: self.format(word)? }
            }
            b"-delete" => {
                self.deletes = true;
                self.options.depth_first = true;
                Action::Delete
            }
            b"-exec" | b"-execdir" => Action::Run(self.command(word)?),
            b"-ok" | b"-okdir" => {
                self.command(word)?;
                let word = word.to_str_lossy();
                let instead = word.replace("ok", "exec");
                return Err(format!("{word}: nobody sits at a terminal here who could answer: use {instead}"));
            }
            _ => return Ok(None),
        };
        self.acts = true;
        Ok(Some(action))
    }

    fn format(&mut self, word: &[u8]) -> Parsed<Format> {
        let value = self.value(word)?;
        Format::read(value, &mut self.warnings)
    }

    /// The number of the file that a word names. None for what is printed.
    fn output(&mut self, word: &[u8]) -> Parsed<Option<usize>> {
        let name = self.value(word)?;
        let path = self.call.shell.path(name);
        if path == "/dev/stdout" {
            return Ok(None);
        }
        if let Some(at) = self.outputs.iter().position(|output| output.path == path) {
            return Ok(Some(at));
        }
        match self.call.create(name, false) {
            Ok(sink) => {
                self.outputs.push(Output { path, sink, waiting: Vec::new() });
                Ok(Some(self.outputs.len() - 1))
            }
            Err(Ended::Failed(message)) => {
                let begin = format!("{}: ", name.to_str_lossy());
                Err(format!("‘{name}’: {}", message.strip_prefix(&begin).unwrap_or(&message)))
            }
            Err(_) => Err(format!("‘{name}’: cannot be written")),
        }
    }

    /// A command up to what ends it.
    fn command(&mut self, word: &[u8]) -> Parsed<Exec> {
        let begin = self.at;
        let collects = loop {
            let arg = self.value(word)?;
            let behind_braces = self.at > begin + 1 && self.args[self.at - 2] == "{}";
            match arg.as_bytes() {
                b";" => break false,
                b"+" if behind_braces => break true,
                _ => (),
            }
        };
        let end = self.args[self.at - 1].as_bstr();
        let mut command = self.args[begin..self.at - 1].to_vec();
        if collects {
            command.pop();
        }
        if command.is_empty() {
            return Err(invalid(end, word));
        }
        let word = word.as_bstr();
        if collects && command.iter().any(|arg| arg.contains_str("{}")) {
            return Err(format!("Only one instance of {{}} is supported with {word} ... +"));
        }
        let in_folder = word.ends_with(b"dir");
        let batch = collects.then_some(self.batches);
        self.batches += usize::from(collects);
        Ok(Exec { command, batch, in_folder })
    }
}

fn invalid(value: impl AsRef<[u8]>, word: &[u8]) -> String {
    format!("invalid argument `{}' to `{}'", value.as_ref().as_bstr(), word.as_bstr())
}

/// The letters of `-type`. A tree has none of the kinds beside files, folders and links.
fn kinds(word: &[u8], value: &BString) -> Parsed<Kinds> {
    let word: &BStr = word.as_bstr();
    let mut kinds = Kinds::default();
    if value.is_empty() {
        return Err(format!("Arguments to {word} should contain at least one letter"));
    }
    let mut seen = Vec::new();
    let mut rest = value.as_bytes();
    while let [letter, behind @ ..] = rest {
        match letter {
            b'f' => kinds.file = true,
            b'd' => kinds.folder = true,
            b'l' => kinds.link = true,
            b'b' | b'c' | b'p' | b's' | b'D' => (),
            _ => return Err(format!("Unknown argument to {word}: {}", char::from(*letter))),
        }
        if seen.contains(letter) {
            let letter = char::from(*letter);
            return Err(format!("Duplicate file type '{letter}' in the argument list to {word}."));
        }
        seen.push(*letter);
        rest = match behind {
            [b','] => {
                return Err(format!(
                    "Last file type in list argument to {word} is missing, i.e., list is ending on: ','"
                ));
            }
            [b',', behind @ ..] => behind,
            [] => behind,
            _ => return Err(format!("Must separate multiple arguments to {word} using: ','")),
        };
    }
    Ok(kinds)
}

fn size(value: &BString) -> Parsed<Test> {
    let (unit, digits) = match value.as_bytes() {
        [] => return Err("invalid null argument to -size".to_owned()),
        [digits @ .., last] if !last.is_ascii_digit() => {
            let unit = match last {
                b'b' => 512,
                b'c' => 1,
                b'w' => 2,
                b'k' => 1 << 10,
                b'M' => 1 << 20,
                b'G' => 1 << 30,
                _ => return Err(format!("invalid -size type `{}'", char::from(*last))),
            };
            (unit, digits)
        }
        digits => (512, digits),
    };
    let count = Count::read(digits).ok_or_else(|| format!("Invalid argument `{value}' to -size"))?;
    Ok(Test::Size(count, unit))
}

/// Everything belongs to root.
fn owner(value: &BString, word: &[u8], what: &str) -> Parsed<Test> {
    if value.is_empty() {
        return Err(format!("The argument to {} should not be empty", word.as_bstr()));
    }
    if value == super::fields::OWNER {
        return Ok(Test::Always(true));
    }
    match whole(value) {
        Some(number) => Ok(Test::Always(number == 0)),
        None => Err(format!("‘{value}’ is not {what}")),
    }
}
