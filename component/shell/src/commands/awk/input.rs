//! What is read: the operands, files, and what commands print.

use std::collections::BTreeMap;
use std::rc::Rc;

use bstr::{BString, ByteSlice};

use super::code::{ARGC, ARGV, ERRNO, FILENAME, FNR, From, NR, RS, RT, Slot, Target};
use super::machine::{Machine, Place, fatal};
use super::value::{Text, Value};
use crate::exec::{Call, Ended, call, ended, scripted};
use crate::io::{Sink, Source, reason};
use crate::regexp::Regex;

/// What is read, and what was read ahead.
pub struct Reader {
    source: Source,
    ahead: Vec<u8>,
    is_over: bool,
    /// The status of the command that printed it.
    pub status: Option<i32>,
}

/// All that is open to be read.
#[derive(Default)]
pub struct Inputs {
    main: Option<Reader>,
    /// The next operand.
    next: usize,
    /// Whether a file was read, or there is none left.
    has_read: bool,
    is_over: bool,
    pub files: BTreeMap<Vec<u8>, Reader>,
    pub commands: BTreeMap<Vec<u8>, Reader>,
}

/// What ends a record.
enum Separator {
    Byte(u8),
    /// Empty lines.
    Paragraphs,
    Regex(Rc<Regex>),
}

/// A record, and what ended it.
type Taken = Option<(Vec<u8>, Vec<u8>)>;

impl Reader {
    fn new(source: Source) -> Reader {
        Reader { source, ahead: Vec::new(), is_over: false, status: None }
    }

    async fn record(&mut self, call: &Call<'_>, separator: &Separator) -> Result<Taken, Ended> {
        match separator {
            Separator::Byte(byte) => Ok(self.until(*byte).await.map(|mut line| {
                let end: Vec<u8> = line.pop_if(|last| last == byte).into_iter().collect();
                (line, end)
            })),
            Separator::Paragraphs => self.paragraph(call).await,
            Separator::Regex(regex) => self.matched(call, regex).await,
        }
    }

    /// A line with what ends it.
    async fn until(&mut self, byte: u8) -> Option<Vec<u8>> {
        if self.ahead.is_empty() {
            return self.source.line(byte).await;
        }
        if let Some(at) = self.ahead.find_byte(byte) {
            return Some(self.ahead.drain(..=at).collect());
        }
        let mut line = std::mem::take(&mut self.ahead);
        line.extend(self.source.line(byte).await.unwrap_or_default());
        Some(line)
    }

    async fn paragraph(&mut self, call: &Call<'_>) -> Result<Taken, Ended> {
        let mut text = Vec::new();
        let mut end = Vec::new();
        while let Some(line) = self.until(b'\n').await {
            call.work(1)?;
            if line != b"\n" {
                if !end.is_empty() {
                    self.ahead.splice(..0, line);
                    break;
                }
                text.extend_from_slice(&line);
                call.shell.hold(text.len())?;
            } else if !text.is_empty() {
                end.push(b'\n');
            }
        }
        if text.is_empty() {
            return Ok(None);
        }
        if text.last() == Some(&b'\n') {
            text.pop();
            end.push(b'\n');
        }
        Ok(Some((text, end)))
    }

    async fn matched(&mut self, call: &Call<'_>, regex: &Regex) -> Result<Taken, Ended> {
        loop {
            if let Some((from, to)) = regex.find(&self.ahead, 0).filter(|(from, to)| from < to) {
                // With more to come the match may be longer.
                if self.is_over || to < self.ahead.len() {
                    let end = self.ahead[from..to].to_vec();
                    let mut text: Vec<u8> = self.ahead.drain(..to).collect();
                    text.truncate(from);
                    return Ok(Some((text, end)));
                }
            }
            if self.is_over {
                let text = std::mem::take(&mut self.ahead);
                return Ok((!text.is_empty()).then_some((text, Vec::new())));
            }
            call.work(1)?;
            match self.source.some().await {
                Some(part) => self.ahead.extend_from_slice(&part),
                None => self.is_over = true,
            }
            call.shell.hold(self.ahead.len())?;
        }
    }
}

impl Machine {
    fn separator(&mut self) -> Result<Separator, Ended> {
        let value = self.globals[RS].clone();
        let text = self.text(&value);
        Ok(match text.as_slice() {
            [] => Separator::Paragraphs,
            [byte] if !(self.ignores_case() && byte.is_ascii_alphabetic()) => Separator::Byte(*byte),
            _ => Separator::Regex(self.regex(&value)?),
        })
    }

    fn count(&mut self, slot: usize) {
        let number = self.globals[slot].number();
        self.globals[slot] = Value::Num(number + 1.0);
    }

    fn taken(&mut self, taken: Taken) -> Result<Option<Text>, Ended> {
        let Some((text, end)) = taken else { return Ok(None) };
        self.hold(text.len())?;
        self.globals[RT] = Value::text(end);
        Ok(Some(Rc::new(text)))
    }

    /// The next record of the operands.
    pub async fn next_record(&mut self, call: &mut Call<'_>) -> Result<Option<Text>, Ended> {
        loop {
            if self.inputs.main.is_none() && !self.next_file(call).await? {
                return Ok(None);
            }
            let separator = self.separator()?;
            let main = self.inputs.main.as_mut().expect("it was opened");
            let taken = main.record(call, &separator).await?;
            if let Some(text) = self.taken(taken)? {
                self.count(NR);
                self.count(FNR);
                return Ok(Some(text));
            }
            self.inputs.main = None;
        }
    }

    /// Goes on with the next operand.
    pub fn skip_file(&mut self) {
        self.inputs.main = None;
    }

    async fn next_file(&mut self, call: &mut Call<'_>) -> Result<bool, Ended> {
        while !self.inputs.is_over {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is the number of operands")]
            let count = self.globals[ARGC].number() as usize;
            if self.inputs.next + 1 >= count {
                self.inputs.is_over = true;
                if self.inputs.has_read {
                    break;
                }
                self.inputs.main = Some(Reader::new(call.stdin.clone()));
                self.globals[FNR] = Value::Num(0.0);
                self.globals[FILENAME] = Value::input("-");
                return Ok(true);
            }
            call.work(1)?;
            self.inputs.next += 1;
            let table = self.table(super::code::Arr::Slot(Slot::Global(ARGV)))?;
            let operand = table.borrow().get(&self.inputs.next.to_string().into_bytes()).cloned();
            let operand = self.text(&operand.unwrap_or_default());
            if operand.is_empty() || self.preset(&operand)? {
                continue;
            }
            self.inputs.has_read = true;
            match call.open(&operand) {
                Ok(source) => {
                    self.inputs.main = Some(Reader::new(source));
                    self.globals[FNR] = Value::Num(0.0);
                    self.globals[FILENAME] = Value::Input(operand);
                    return Ok(true);
                }
                Err(error) if error.kind() == std::io::ErrorKind::IsADirectory => {
                    let name = operand.as_bstr();
                    call.complain(format!("warning: command line argument `{name}' is a directory: skipped")).await?;
                }
                Err(error) => {
                    let name = operand.as_bstr();
                    return fatal(format!("cannot open file `{name}' for reading: {}", reason(&error)));
                }
            }
        }
        Ok(false)
    }

    /// Assigns a variable, if that is what an operand says.
    pub fn preset(&mut self, operand: &[u8]) -> Result<bool, Ended> {
        let Some((name, text)) = operand.split_once_str("=") else { return Ok(false) };
        let is_name = name.first().is_some_and(|first| !first.is_ascii_digit())
            && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        if !is_name {
            return Ok(false);
        }
        let value = Value::input(super::lex::unescaped(text));
        let found = self.program.globals.iter().position(|known| known.as_bytes() == name);
        // A variable that the program does not have changes nothing.
        if let Some(number) = found {
            self.set(&Place::Slot(Slot::Global(number)), value)?;
        }
        Ok(true)
    }

    /// `getline`: 1 for a record, 0 at the end, -1 if it cannot be read.
    pub async fn getline(&mut self, call: &mut Call<'_>, from: From, target: Target) -> Result<f64, Ended> {
        if from == From::Main {
            let place = self.place(target)?;
            return match self.next_record(call).await? {
                Some(text) => self.got(&place, text),
                None => Ok(0.0),
            };
        }
        // The name of a file is above the place on the stack, that of a command is below.
        let (name, place) = if from == From::File {
            let name = self.pop_text();
            (name, self.place(target)?)
        } else {
            let place = self.place(target)?;
            (self.pop_text(), place)
        };
        let is_open = match from {
            From::File => self.inputs.files.contains_key(&*name),
            _ => self.inputs.commands.contains_key(&*name),
        };
        if !is_open && !self.open_input(call, from, &name).await? {
            return Ok(-1.0);
        }
        let separator = self.separator()?;
        let readers = if from == From::File { &mut self.inputs.files } else { &mut self.inputs.commands };
        let reader = readers.get_mut(&*name).expect("it was opened");
        let taken = reader.record(call, &separator).await?;
        match self.taken(taken)? {
            Some(text) => self.got(&place, text),
            None => Ok(0.0),
        }
    }

    fn got(&mut self, place: &Place, text: Text) -> Result<f64, Ended> {
        self.set(place, Value::Input(text))?;
        Ok(1.0)
    }

    async fn open_input(&mut self, call: &mut Call<'_>, from: From, name: &Text) -> Result<bool, Ended> {
        if self.inputs.files.len() + self.inputs.commands.len() > 1_000 {
            return fatal("too many open files");
        }
        if from == From::Command {
            self.flush(call).await?;
            let (output, status) = captured(call, name).await?;
            let reader = Reader { status: Some(status), ..Reader::new(Source::text(output)) };
            self.inputs.commands.insert(name.to_vec(), reader);
            return Ok(true);
        }
        match call.open(name) {
            Ok(source) => drop(self.inputs.files.insert(name.to_vec(), Reader::new(source))),
            Err(error) => {
                self.globals[ERRNO] = Value::text(reason(&error));
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Runs a command in a shell of its own, and gives its status.
pub async fn run(call: &mut Call<'_>, text: &[u8], stdin: Option<Vec<u8>>, stdout: Option<Sink>) -> Result<i32, Ended> {
    let mut shell = call::fresh(call.shell);
    shell.name = BString::from("sh");
    if let Some(stdin) = stdin {
        shell.fds.set(0, Source::text(stdin));
    }
    if let Some(stdout) = stdout {
        shell.fds.set(1, stdout);
    }
    let flow = Box::pin(scripted(&mut shell, text)).await;
    Ok(Box::pin(ended(&mut shell, flow)).await?)
}

async fn captured(call: &mut Call<'_>, text: &[u8]) -> Result<(Vec<u8>, i32), Ended> {
    let target = Rc::new(crate::io::Target::default());
    let status = run(call, text, None, Some(Sink::Target(Rc::clone(&target)))).await?;
    let output = target.take();
    call.shell.hold(output.len())?;
    Ok((output, status))
}
