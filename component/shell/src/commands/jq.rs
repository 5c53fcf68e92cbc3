//! `jq`, as of version 1.6 and 1.7. jaq's interpreter runs the programs, on values that know what they cost.

mod access;
mod arithmetic;
mod compile;
mod inputs;
mod kind;
mod ledger;
mod map;
mod natives;
mod number;
mod options;
mod paths;
mod program;
mod read;
mod sort;
mod stream;
mod value;
mod write;

use std::rc::Rc;

use bstr::{BString, ByteSlice};
use jaq_core::{Ctx, Filter, Vars};

use self::inputs::{Inputs, Piece};
use self::kind::{Around, Data, Kind};
use self::options::{Ends, Named, Options};
use self::value::Val;
use crate::exec::{Call, Ended};
use crate::io::reason;
use crate::world::Halt;

/// The arguments are wrong, or a file cannot be read.
const MISUSED: i32 = 2;
/// The program is wrong.
const UNREADABLE: i32 = 3;
/// An input is no JSON: so Debian's 1.6. Upstream has 2 in 1.6, and 5 in 1.7.
const BROKEN: i32 = 4;
/// There was no result, if that is asked for.
const EMPTY: i32 = 4;
/// The program had an error.
const FAILED: i32 = 5;

const HELP: &str = "Usage:\tjq [options] <jq filter> [file...]
\tjq [options] --args <jq filter> [strings...]
\tjq [options] --jsonargs <jq filter> [JSON_TEXTS...]

Options: -c -n -e -s -r -j -a -S -C -M -R --tab --indent n --stream --raw-output0
  --arg a v  --argjson a v  --slurpfile a f  --rawfile a f  --args  --jsonargs  -f file  -h  -V
";

/// Runs a program on JSON values.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let args = std::mem::take(&mut call.args);
    let section = ledger::enter(&call.shell.base.files, call.shell.base.most);
    let options = options::read(&args);
    section.end()?;
    let mut options = match options {
        Ok(options) => options,
        Err(message) => return misused(call, &message).await,
    };
    if options.help || options.version {
        call.print(if options.help { HELP } else { "jq-1.6\n" }).await?;
        return Ok(0);
    }
    let Some(text) = program(call, &mut options).await? else { return Ok(MISUSED) };
    let Some(variables) = variables(call, &mut options).await? else { return Ok(MISUSED) };
    let environment = environment(call)?;
    let mut names: Vec<String> = variables.iter().map(|(name, _)| format!("${name}")).collect();
    names.push("$ENV".to_owned());
    let section = ledger::enter(&call.shell.base.files, call.shell.base.most);
    let filter = compile::compile(&text, &names);
    section.end()?;
    let filter = match filter {
        Ok(filter) => filter,
        Err(message) => {
            call.say(message).await?;
            return Ok(UNREADABLE);
        }
    };
    let offset = super::date::offset(call.shell);
    let inputs = Inputs::new(options.shape);
    let around = Around::new(Rc::clone(&call.shell.base.files), offset, environment.clone(), inputs, &filter);
    let values = variables.into_iter().map(|(_, value)| value).chain([environment]).collect();
    let mut run = Run { filter: &filter, around: &around, values, options: &options, status: 0 };
    run.all(call, compile::reads(&text)).await
}

async fn misused(call: &mut Call<'_>, message: &str) -> Result<i32, Ended> {
    let rest = "Use jq --help for help with command-line options,\nor see the jq manpage\n";
    call.say(format!("jq: {message}\n{rest}")).await?;
    Ok(MISUSED)
}

/// The text of the program.
async fn program(call: &mut Call<'_>, options: &mut Options) -> Result<Option<String>, Ended> {
    let text = match options.program.take() {
        Some(name) if options.from_file => match call.open(&name) {
            Ok(source) => source.all().await.to_vec().into(),
            Err(error) => {
                call.say(format!("jq: error: Could not open {name}: {}\n", reason(&error))).await?;
                return Ok(None);
            }
        },
        Some(text) => text,
        // As when its input is no terminal.
        None => BString::from("."),
    };
    Ok(Some(text.to_str_lossy().into_owned()))
}

/// The variables that the arguments name, and `$ARGS`.
async fn variables(call: &mut Call<'_>, options: &mut Options) -> Result<Option<Vec<(String, Val)>>, Ended> {
    let mut variables = Vec::new();
    for (name, named) in std::mem::take(&mut options.named) {
        let file = match named {
            Named::Value(value) => {
                variables.push((name, value));
                continue;
            }
            Named::Slurped(ref file) | Named::Raw(ref file) => file.clone(),
        };
        let text = match call.open(&file) {
            Ok(source) => source.all().await,
            Err(error) => {
                let message =
                    format!("Bad JSON in --slurpfile {name} {file}: Could not open {file}: {}", reason(&error));
                misused(call, &message).await?;
                return Ok(None);
            }
        };
        call.shell.hold(text.len())?;
        let section = ledger::enter(&call.shell.base.files, call.shell.base.most);
        let value = match named {
            Named::Raw(_) => Ok(Val::text(text.to_str_lossy())),
            _ => read::many(&text).map(|list| Val::List(Rc::new(list))),
        };
        section.end()?;
        match value {
            Ok(value) => variables.push((name, value)),
            Err(wrong) => {
                misused(call, &format!("Bad JSON in --slurpfile {name} {file}: {wrong}")).await?;
                return Ok(None);
            }
        }
    }
    let named = Val::map(variables.iter().map(|(name, value)| (name.as_str(), value.clone())));
    let positional = Val::list(std::mem::take(&mut options.positional));
    let args = Val::map([("positional", positional), ("named", named)]);
    if variables.iter().all(|(name, _)| name != "ARGS") {
        variables.push(("ARGS".to_owned(), args));
    }
    Ok(Some(variables))
}

/// The exported variables.
fn environment(call: &Call<'_>) -> Result<Val, Halt> {
    let section = ledger::enter(&call.shell.base.files, call.shell.base.most);
    let exported = call.shell.exported();
    let texts = exported.iter().map(|(name, text)| (name.as_str(), Val::text(text.to_str_lossy())));
    let environment = Val::map(texts);
    section.end()?;
    Ok(environment)
}

struct Run<'a> {
    filter: &'a Filter<Kind>,
    around: &'a Around,
    /// Those of its variables, in their order.
    values: Vec<Val>,
    options: &'a Options,
    /// That of the last input.
    status: i32,
}

/// What the next step of an evaluation came to.
enum Step {
    /// A result, as it is printed, and whether it is neither null nor false.
    Result(String, bool),
    /// An error, in words.
    Error(String),
    /// The program ended itself.
    Halted,
    End,
}

impl Run<'_> {
    /// Runs the program on all inputs.
    async fn all(&mut self, call: &mut Call<'_>, reads: bool) -> Result<i32, Ended> {
        let mut files = self.options.files.clone();
        let mut unread = false;
        if self.options.no_input {
            if reads {
                unread = self.load(call, files).await?;
            }
            let halted = self.one(call, Val::Null).await?;
            return Ok(self.ended(halted, unread));
        }
        if files.is_empty() {
            files.push("-".into());
        }
        if reads {
            unread = self.load(call, std::mem::take(&mut files)).await?;
        }
        let mut files = files.into_iter();
        let mut open = None;
        loop {
            let section = ledger::enter(&call.shell.base.files, call.shell.base.most);
            let next = self.around.inputs.borrow_mut().next();
            section.end()?;
            call.work(1)?;
            match next {
                Some(Ok(value)) => {
                    let halted = self.one(call, value).await?;
                    if halted {
                        return Ok(self.ended(true, unread));
                    }
                    continue;
                }
                Some(Err(wrong)) => {
                    call.flush().await?;
                    call.say(format!("parse error: {wrong}\n")).await?;
                    return Ok(BROKEN);
                }
                None => (),
            }
            // More of what is open, or the next file.
            if open.is_none() {
                let Some(name) = files.next() else {
                    let mut inputs = self.around.inputs.borrow_mut();
                    if inputs.ended() {
                        break;
                    }
                    inputs.end();
                    continue;
                };
                match self.open(call, &name).await? {
                    Some(source) => open = Some((source, name)),
                    None => unread = true,
                }
            }
            if let Some((source, name)) = &open {
                // What is read next may come from whoever waits for this.
                call.flush().await?;
                match source.some().await {
                    Some(text) => self.around.inputs.borrow_mut().push(Piece { file: file(name), text }),
                    None => open = None,
                }
            }
        }
        Ok(self.ended(false, unread))
    }

    /// The status, when all is done.
    fn ended(&self, halted: bool, unread: bool) -> i32 {
        match self.around.halted.get() {
            Some(status) if halted => status,
            _ if unread => MISUSED,
            _ => self.status,
        }
    }

    async fn open(&self, call: &mut Call<'_>, name: &BString) -> Result<Option<crate::io::Source>, Ended> {
        match call.open(name) {
            Ok(source) => Ok(Some(source)),
            Err(error) => {
                call.flush().await?;
                call.say(format!("jq: error: Could not open file {name}: {}\n", reason(&error))).await?;
                Ok(None)
            }
        }
    }

    /// Reads all files, because the program itself may ask for more of them, and cannot wait. Returns whether some could
    /// not be read.
    async fn load(&self, call: &mut Call<'_>, mut files: Vec<BString>) -> Result<bool, Ended> {
        let (mut unread, mut held) = (false, 0);
        if files.is_empty() {
            files.push("-".into());
        }
        for name in files {
            let Some(source) = self.open(call, &name).await? else {
                unread = true;
                continue;
            };
            while let Some(text) = source.some().await {
                held += text.len();
                call.shell.hold(held)?;
                self.around.inputs.borrow_mut().push(Piece { file: file(&name), text });
            }
        }
        self.around.inputs.borrow_mut().end();
        Ok(unread)
    }

    /// Runs the program on one input. Returns whether it ended itself.
    async fn one(&mut self, call: &mut Call<'_>, input: Val) -> Result<bool, Ended> {
        let (files, most) = (Rc::clone(&call.shell.base.files), call.shell.base.most);
        let section = ledger::enter(&files, most);
        let context = Ctx::<Kind>::new(Data::new(self.filter, self.around), Vars::new(self.values.iter().cloned()));
        let mut results = self.filter.id.run((context, input));
        section.end()?;
        self.status = if self.options.tells { EMPTY } else { 0 };
        loop {
            let section = ledger::enter(&files, most);
            let step = match results.next() {
                None => Step::End,
                Some(Ok(value)) => Step::Result(self.printed(&value), value.truth()),
                Some(Err(thrown)) => match thrown.get_err() {
                    Ok(error) => Step::Error(self.told(&error.into_val())),
                    Err(_) => Step::Halted,
                },
            };
            section.end()?;
            call.work(1)?;
            let said = self.around.said.take();
            if !said.is_empty() {
                call.say(said).await?;
            }
            match step {
                Step::Result(text, truth) => {
                    self.status = i32::from(self.options.tells && !truth);
                    call.print(text).await?;
                }
                Step::Error(text) => {
                    self.status = FAILED;
                    call.flush().await?;
                    call.say(text).await?;
                    return Ok(false);
                }
                Step::Halted => return Ok(true),
                Step::End => return Ok(false),
            }
        }
    }

    fn printed(&self, value: &Val) -> String {
        let mut text = match value {
            Val::Text(text) if self.options.raw => {
                if self.options.style.ascii {
                    let quoted = write::styled(value, &write::Style { colours: false, ..self.options.style.clone() });
                    quoted.trim_matches('"').to_owned()
                } else {
                    text.text().to_owned()
                }
            }
            value => write::styled(value, &self.options.style),
        };
        match self.options.ends {
            Ends::Line => text.push('\n'),
            Ends::Null => text.push('\0'),
            Ends::Nothing => (),
        }
        text
    }

    fn told(&self, error: &Val) -> String {
        let inputs = self.around.inputs.borrow();
        let place = match &inputs.file {
            _ if !inputs.begun => "<unknown>".to_owned(),
            Some(file) => format!("{file}:{}", inputs.lines),
            None => format!("<stdin>:{}", inputs.lines),
        };
        match error {
            Val::Text(text) => format!("jq: error (at {place}): {}\n", text.text()),
            error => format!("jq: error (at {place}) (not a string): {}\n", write::compact(error)),
        }
    }
}

/// The name of a file, if it is not the standard input.
fn file(name: &BString) -> Option<String> {
    (name != "-").then(|| name.to_str_lossy().into_owned())
}
