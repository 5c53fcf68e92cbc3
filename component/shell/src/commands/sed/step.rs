//! Runs one command.

use bstr::{BString, ByteSlice};

use super::replace::Substitution;
use super::run::{Later, MAIN, Next, Runner, Space};
use super::script::{Action, Script};
use super::{WRONG, failed};
use crate::exec::{Call, Ended};

impl Runner {
    /// Runs the command at a place.
    pub async fn step(
        &mut self,
        call: &mut Call<'_>,
        script: &Script,
        at: usize,
        action: &Action,
    ) -> Result<Next, Ended> {
        let next = Next::At(at + 1);
        match action {
            Action::Block(_) | Action::Nothing => (),
            Action::Number => {
                let number = self.input.number.to_string();
                self.outputs[MAIN].line(call, number.as_bytes(), true).await?;
            }
            Action::FileName => self.outputs[MAIN].line(call, &self.input.name, true).await?,
            Action::Append(text) => self.add(call, Later::Text(text.clone()))?,
            Action::ReadFile(name) => self.add(call, Later::File(name.clone()))?,
            Action::ReadLine(name) => self.read_line(call, name).await?,
            Action::Insert(text) => self.insert(call, text).await?,
            Action::Change(text) => {
                if !self.goes_on(at) {
                    self.outputs[MAIN].raw(call, text).await?;
                }
                return Ok(Next::Cycle { prints: false });
            }
            Action::Branch(to) => return Ok(Next::At(*to)),
            Action::IfReplaced(to) => {
                if std::mem::take(&mut self.replaced) {
                    return Ok(Next::At(*to));
                }
            }
            Action::IfNotReplaced(to) => {
                if !std::mem::take(&mut self.replaced) {
                    return Ok(Next::At(*to));
                }
            }
            Action::Delete => return Ok(Next::Cycle { prints: false }),
            Action::DeleteFirst => {
                let Some(length) = self.first() else { return Ok(Next::Cycle { prints: false }) };
                self.space.text.drain(..=length);
                return Ok(Next::Again);
            }
            Action::Get => self.space = self.held.clone(),
            Action::Hold => self.held = self.space.clone(),
            Action::GetMore => join(&mut self.space, &self.held, self.options.end),
            Action::HoldMore => join(&mut self.held, &self.space, self.options.end),
            Action::Exchange => std::mem::swap(&mut self.space, &mut self.held),
            Action::Empty => self.space.text.clear(),
            Action::List(length) => {
                let lines = listed(&self.space.text, length.unwrap_or(self.options.wrap));
                self.outputs[MAIN].line(call, &lines, true).await?;
            }
            Action::Next => return self.next(call, script, at, false).await,
            Action::NextMore => return self.next(call, script, at, true).await,
            Action::Print => self.print(call).await?,
            Action::PrintFirst => self.write_first(call, MAIN).await?,
            Action::Write(file) => self.write(call, self.files[*file]).await?,
            Action::WriteFirst(file) => self.write_first(call, self.files[*file]).await?,
            Action::Quit(status) => return Ok(Next::Quit { status: *status, prints: true }),
            Action::QuitSilently(status) => return Ok(Next::Quit { status: *status, prints: false }),
            Action::Substitute(substitution) => self.substitute(call, substitution).await?,
            Action::Translate(pairs) => self.space.text = translated(&self.space.text, pairs),
        }
        Ok(next)
    }

    /// Reads the next line. If there is none, the script is over: POSIX does not print the line then.
    async fn next(&mut self, call: &mut Call<'_>, script: &Script, at: usize, more: bool) -> Result<Next, Ended> {
        if self.input.is_last(call, &self.options).await? {
            return Ok(Next::Cycle { prints: !(self.options.posix && more) });
        }
        if !more && !self.options.silent {
            self.print(call).await?;
        }
        match self.read(call, script, more).await? {
            true => Ok(Next::At(at + 1)),
            false => Ok(Next::Cycle { prints: true }),
        }
    }

    /// Something that is written behind the line. A loop may ask for it often.
    fn add(&mut self, call: &Call<'_>, later: Later) -> Result<(), Ended> {
        let (Later::Text(text) | Later::File(text)) = &later;
        self.later_bytes += text.len() + size_of::<Later>();
        self.later.push(later);
        Ok(call.shell.hold(self.later_bytes)?)
    }

    async fn insert(&mut self, call: &mut Call<'_>, text: &BString) -> Result<(), Ended> {
        match text.strip_suffix(b"\n") {
            Some(text) => self.outputs[MAIN].line(call, text, true).await,
            None => Ok(()),
        }
    }

    async fn read_line(&mut self, call: &mut Call<'_>, name: &BString) -> Result<(), Ended> {
        if !self.readers.contains_key(name) {
            let source = call.open(name).ok();
            self.readers.insert(name.clone(), source);
        }
        let source = self.readers.get(name).cloned().flatten();
        if let Some(source) = source
            && let Some(line) = source.line(self.options.end).await
        {
            self.add(call, Later::Text(line.into()))?;
        }
        Ok(())
    }

    async fn write(&mut self, call: &mut Call<'_>, output: usize) -> Result<(), Ended> {
        self.outputs[output].line(call, &self.space.text, self.space.ends).await
    }

    async fn write_first(&mut self, call: &mut Call<'_>, output: usize) -> Result<(), Ended> {
        match self.first() {
            Some(length) => self.outputs[output].line(call, &self.space.text[..length], true).await,
            None => self.outputs[output].line(call, &self.space.text, true).await,
        }
    }

    async fn substitute(&mut self, call: &mut Call<'_>, substitution: &Substitution) -> Result<(), Ended> {
        let regex = self.regex(call, &substitution.pattern).await?;
        let group = substitution.replacement.groups;
        if group >= regex.groups {
            let message = format!("invalid reference \\{group} on `s' command's RHS");
            let status = failed(call, message, WRONG).await?;
            return Err(Ended::Status(status));
        }
        let Some(text) = substitution.apply(call, &regex, &self.space.text)? else { return Ok(()) };
        self.space.text = text;
        self.replaced = true;
        if substitution.prints {
            self.print(call).await?;
        }
        if let Some(file) = substitution.file {
            self.write(call, self.files[file]).await?;
        }
        Ok(())
    }
}

/// Appends a space to another, which then ends as it does.
fn join(space: &mut Space, more: &Space, end: u8) {
    space.text.push(end);
    space.text.extend_from_slice(&more.text);
    space.ends = more.ends;
}

fn translated(text: &BString, pairs: &[(BString, BString)]) -> BString {
    let mut out = BString::default();
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        let length = match bstr::decode_utf8(rest) {
            (Some(_), length) => length,
            (None, _) => 1,
        };
        let (char, behind) = rest.split_at(length);
        match pairs.iter().find(|(from, _)| from == char) {
            Some((_, to)) => out.extend_from_slice(to),
            None => out.extend_from_slice(char),
        }
        rest = behind;
    }
    out
}

/// A text with what cannot be seen written out, in lines of a length, if it is not 0.
fn listed(text: &[u8], length: usize) -> BString {
    let mut out = BString::default();
    let mut width = 0;
    for byte in text {
        let shown = match byte {
            b'\\' => "\\\\".to_owned(),
            7 => "\\a".to_owned(),
            8 => "\\b".to_owned(),
            12 => "\\f".to_owned(),
            b'\n' => "\\n".to_owned(),
            b'\r' => "\\r".to_owned(),
            b'\t' => "\\t".to_owned(),
            11 => "\\v".to_owned(),
            b' '..=b'~' => char::from(*byte).to_string(),
            byte => format!("\\{byte:03o}"),
        };
        if length > 0 && width + shown.len() > length - 1 {
            out.extend_from_slice(b"\\\n");
            width = 0;
        }
        width += shown.len();
        out.extend_from_slice(shown.as_bytes());
    }
    out.push(b'$');
    out
}
