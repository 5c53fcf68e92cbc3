//! Runs a script.

use std::collections::BTreeMap;
use std::rc::Rc;

use bstr::{BString, ByteSlice};

use super::input::{Event, Input, replace};
use super::output::Output;
use super::range::Range;
use super::script::{Action, Address, Command, Pattern, Script, To};
use super::{Options, PANIC, WRONG, failed};
use crate::exec::{Call, Ended};
use crate::io::{Source, reason};
use crate::regexp::Regex;

/// A space for lines.
#[derive(Clone, Debug)]
pub(super) struct Space {
    pub text: BString,
    /// Whether the line had its end.
    pub ends: bool,
}

/// What is written behind a line.
#[derive(Debug)]
pub(super) enum Later {
    Text(BString),
    File(BString),
}

/// How a command goes on.
#[derive(Debug)]
pub(super) enum Next {
    /// With the command at this place.
    At(usize),
    /// With the next line.
    Cycle { prints: bool },
    /// With the same text, from the first command on.
    Again,
    /// Not at all.
    Quit { status: i32, prints: bool },
}

/// A script that runs.
pub(super) struct Runner {
    pub options: Options,
    pub input: Input,
    /// What is printed, and then the files that are written.
    pub outputs: Vec<Output>,
    /// The places of those files in `outputs`.
    pub files: Vec<usize>,
    pub space: Space,
    pub held: Space,
    pub later: Vec<Later>,
    /// The bytes of `later`.
    pub later_bytes: usize,
    /// Whether something was replaced since a line was read.
    pub replaced: bool,
    /// The files of `R`.
    pub readers: BTreeMap<BString, Option<Source>>,
    ranges: Vec<Range>,
    last: Option<Rc<Regex>>,
}

/// The place of what is printed.
pub(super) const MAIN: usize = 0;

/// Runs a script on files.
pub async fn run(call: &mut Call<'_>, script: Script, options: Options, names: Vec<BString>) -> Result<i32, Ended> {
    if options.in_place.is_some() && names.is_empty() {
        return failed(call, "no input files", PANIC).await;
    }
    let mut options = options;
    options.silent |= script.silent;
    let end = options.end;
    let mut outputs = vec![if options.in_place.is_some() { Output::memory(end) } else { Output::stdout(end) }];
    let mut files = Vec::new();
    for name in &script.files {
        if name == "/dev/stdout" && options.in_place.is_none() {
            files.push(MAIN);
            continue;
        }
        match Output::named(call, name, end) {
            Ok(output) => outputs.push(output),
            Err(Ended::Failed(why)) => return failed(call, format!("couldn't open file {why}"), PANIC).await,
            Err(ended) => return Err(ended),
        }
        files.push(outputs.len() - 1);
    }
    let empty = Space { text: BString::default(), ends: true };
    let mut runner = Runner {
        options,
        input: Input::new(names),
        outputs,
        files,
        space: empty.clone(),
        held: empty,
        later: Vec::new(),
        later_bytes: 0,
        replaced: false,
        readers: BTreeMap::new(),
        ranges: script.commands.iter().map(Range::first).collect(),
        last: None,
    };
    runner.lines(call, &script).await
}

impl Runner {
    async fn lines(&mut self, call: &mut Call<'_>, script: &Script) -> Result<i32, Ended> {
        let mut again = false;
        while again || self.read(call, script, false).await? {
            let next = self.cycle(call, script).await?;
            again = matches!(next, Next::Again);
            if let Next::Cycle { prints: true } | Next::Quit { prints: true, .. } = next
                && !self.options.silent
            {
                self.print(call).await?;
            }
            if let Next::Quit { status, prints } = next {
                if prints {
                    self.write_later(call).await?;
                }
                if let Some(name) = self.input.current() {
                    self.over(call, &name).await?;
                }
                return Ok(status);
            }
            self.write_later(call).await?;
            if self.options.unbuffered {
                call.flush().await?;
            }
        }
        Ok(self.input.status)
    }

    /// Runs the commands for a line.
    async fn cycle(&mut self, call: &mut Call<'_>, script: &Script) -> Result<Next, Ended> {
        let mut at = 0;
        while let Some(command) = script.commands.get(at) {
            let bytes = self.space.text.len() + self.held.text.len();
            call.work(1 + u32::try_from(bytes / 1024).unwrap_or(u32::MAX))?;
            call.shell.hold(bytes + self.outputs[MAIN].held())?;
            if self.is_for(call, at, command).await? == command.negated {
                at = match &command.action {
                    Action::Block(end) => *end,
                    _ => at + 1,
                };
                continue;
            }
            match self.step(call, script, at, &command.action).await? {
                Next::At(next) => at = next,
                next => return Ok(next),
            }
        }
        Ok(Next::Cycle { prints: true })
    }

    /// Reads the next line into the space, or behind what is there. False at the end.
    pub async fn read(&mut self, call: &mut Call<'_>, script: &Script, more: bool) -> Result<bool, Ended> {
        self.write_later(call).await?;
        self.replaced = false;
        loop {
            match self.input.next(call, &self.options).await? {
                Event::End => return Ok(false),
                Event::Over(name) => self.over(call, &name).await?,
                Event::Line(mut line, fresh) => {
                    if fresh && self.options.separate {
                        self.begin(script);
                    }
                    self.space.ends = line.last() == Some(&self.options.end);
                    if self.space.ends {
                        line.pop();
                    }
                    if more {
                        self.space.text.push(self.options.end);
                        self.space.text.extend_from_slice(&line);
                    } else {
                        self.space.text = line.into();
                    }
                    return Ok(true);
                }
            }
        }
    }

    /// A file begins that has nothing to do with those before.
    fn begin(&mut self, script: &Script) {
        self.held = Space { text: BString::default(), ends: true };
        self.ranges = script.commands.iter().map(Range::first).collect();
        self.readers.clear();
    }

    /// A file is over: if it is to be changed, it is now.
    async fn over(&mut self, call: &mut Call<'_>, name: &BString) -> Result<(), Ended> {
        if self.options.in_place.is_none() {
            return Ok(());
        }
        let content = self.outputs[MAIN].kept();
        if let Err(error) = replace(call, &self.options, name, content) {
            let status = failed(call, format!("couldn't edit {name}: {}", reason(&error)), PANIC).await?;
            return Err(Ended::Status(status));
        }
        Ok(())
    }

    /// Prints the space.
    pub async fn print(&mut self, call: &mut Call<'_>) -> Result<(), Ended> {
        self.outputs[MAIN].line(call, &self.space.text, self.space.ends).await
    }

    /// Writes what was to come behind the line.
    async fn write_later(&mut self, call: &mut Call<'_>) -> Result<(), Ended> {
        self.later_bytes = 0;
        for later in std::mem::take(&mut self.later) {
            match later {
                Later::Text(text) => self.outputs[MAIN].raw(call, &text).await?,
                Later::File(name) => {
                    // What cannot be read is as if it were empty.
                    let Ok(source) = call.open(&name) else { continue };
                    while let Some(part) = source.some().await {
                        call.work(1)?;
                        self.outputs[MAIN].raw(call, &part).await?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a command is for the line, but for a `!`.
    async fn is_for(&mut self, call: &mut Call<'_>, at: usize, command: &Command) -> Result<bool, Ended> {
        let Some(from) = &command.from else { return Ok(true) };
        let Some(to) = &command.to else { return self.is_at(call, from).await };
        let line = self.input.number;
        if let Range::Active(end) = self.ranges[at] {
            if let To::Other(address) = to {
                if self.is_at(call, address).await? {
                    self.ranges[at] = Range::Idle;
                }
                return Ok(true);
            }
            if line >= end {
                self.ranges[at] = Range::Idle;
            }
            return Ok(line <= end);
        }
        if !self.is_at(call, from).await? {
            return Ok(false);
        }
        self.ranges[at] = Range::begun(to, line);
        Ok(true)
    }

    async fn is_at(&mut self, call: &mut Call<'_>, address: &Address) -> Result<bool, Ended> {
        let line = self.input.number;
        match address {
            Address::Line(number) => Ok(line == *number),
            Address::Step(first, step) => Ok(line >= *first && (line - first).is_multiple_of(*step)),
            Address::Last => self.input.is_last(call, &self.options).await,
            Address::Match(pattern) => Ok(self.regex(call, pattern).await?.is_match(&self.space.text)),
        }
    }

    /// An expression: the last one that was used, if it is empty.
    pub async fn regex(&mut self, call: &mut Call<'_>, pattern: &Pattern) -> Result<Rc<Regex>, Ended> {
        let regex = match (pattern, &self.last) {
            (Some(regex), _) | (None, Some(regex)) => Rc::clone(regex),
            (None, None) => {
                let status = failed(call, "-e expression #1, char 0: no previous regular expression", WRONG).await?;
                return Err(Ended::Status(status));
            }
        };
        self.last = Some(Rc::clone(&regex));
        Ok(regex)
    }

    /// Whether the command at a place is inside its range, which goes on.
    pub fn goes_on(&self, at: usize) -> bool {
        self.ranges[at] != Range::Idle
    }

    /// The length of the first line of the space.
    pub fn first(&self) -> Option<usize> {
        self.space.text.find_byte(self.options.end)
    }
}
