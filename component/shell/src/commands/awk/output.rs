//! What is written: the output, files, and commands that read it when it is complete.

use std::collections::BTreeMap;

use super::code::{OFMT, OFS, ORS, To};
use super::input::run;
use super::machine::Machine;
use super::value::Value;
use crate::exec::{Call, Ended};
use crate::io::Sink;

/// Bytes that are collected before they are written.
const COLLECTED: usize = 16 * 1024;

/// A file that is written.
pub struct File {
    sink: Sink,
    ahead: Vec<u8>,
}

/// All that is open to be written.
#[derive(Default)]
pub struct Outputs {
    files: BTreeMap<Vec<u8>, File>,
    /// What commands read at the end, in the order in which they were opened.
    commands: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Machine {
    /// What `print` writes.
    pub fn printed(&mut self, count: usize) -> Vec<u8> {
        let mut text = Vec::new();
        if count == 0 {
            text.extend_from_slice(&self.whole_record().shown(b""));
        } else {
            let values = self.stack.split_off(self.stack.len() - count);
            let (between, format) = (self.text(&self.globals[OFS]), self.text(&self.globals[OFMT]));
            for (at, value) in values.iter().enumerate() {
                if at > 0 {
                    text.extend_from_slice(&between);
                }
                text.extend_from_slice(&value.shown(&format));
            }
        }
        text.extend_from_slice(&self.text(&self.globals[ORS]));
        text
    }

    /// Writes a text to where it is printed to.
    pub async fn write(&mut self, call: &mut Call<'_>, to: To, name: &[u8], text: &[u8]) -> Result<(), Ended> {
        match (to, name) {
            (To::Stdout, _) | (To::File | To::Append, b"/dev/stdout" | b"/dev/fd/1" | b"-") => call.print(text).await,
            (To::File | To::Append, b"/dev/stderr" | b"/dev/fd/2") => call.say(text).await,
            (To::Pipe, name) => {
                let commands = &mut self.outputs.commands;
                let at = match commands.iter().position(|(known, _)| known == name) {
                    Some(at) => at,
                    None => {
                        // What was printed before comes before what the command prints.
                        call.flush().await?;
                        commands.push((name.to_vec(), Vec::new()));
                        commands.len() - 1
                    }
                };
                commands[at].1.extend_from_slice(text);
                let held = commands.iter().map(|(_, text)| text.len()).sum();
                Ok(call.shell.hold(held)?)
            }
            (to, name) => {
                if !self.outputs.files.contains_key(name) {
                    let sink = call.create(name, to == To::Append).map_err(|ended| match ended {
                        Ended::Failed(why) => Ended::Failed(format!("cannot redirect to {why}")),
                        ended => ended,
                    })?;
                    self.outputs.files.insert(name.to_vec(), File { sink, ahead: Vec::new() });
                }
                let file = self.outputs.files.get_mut(name).expect("it was opened");
                file.ahead.extend_from_slice(text);
                if file.ahead.len() >= COLLECTED { self.flush_file(call, name).await } else { Ok(()) }
            }
        }
    }

    async fn flush_file(&mut self, call: &Call<'_>, name: &[u8]) -> Result<(), Ended> {
        let Some(file) = self.outputs.files.get_mut(name) else { return Ok(()) };
        file.sink.write(&std::mem::take(&mut file.ahead)).await?;
        Ok(call.shell.hold(call.shell.base.files.held())?)
    }

    /// Writes all that was collected for the output and for files.
    pub async fn flush(&mut self, call: &mut Call<'_>) -> Result<(), Ended> {
        call.flush().await?;
        let names: Vec<Vec<u8>> = self.outputs.files.keys().cloned().collect();
        for name in names {
            self.flush_file(call, &name).await?;
        }
        Ok(())
    }

    /// `close`: the status of a command, 0 for a file, -1 if it is not open.
    pub async fn close(&mut self, call: &mut Call<'_>, name: &[u8]) -> Result<Value, Ended> {
        let mut status = -1;
        if self.outputs.files.contains_key(name) {
            self.flush_file(call, name).await?;
            self.outputs.files.remove(name);
            status = 0;
        }
        if let Some(at) = self.outputs.commands.iter().position(|(known, _)| known == name) {
            let (command, text) = self.outputs.commands.remove(at);
            status = run(call, &command, Some(text), None).await?;
        }
        if self.inputs.files.remove(name).is_some() {
            status = 0;
        }
        if let Some(reader) = self.inputs.commands.remove(name) {
            status = reader.status.unwrap_or(0);
        }
        Ok(Value::Num(f64::from(status)))
    }

    /// Closes all that is open.
    pub async fn close_all(&mut self, call: &mut Call<'_>) -> Result<(), Ended> {
        let names: Vec<Vec<u8>> = self.outputs.files.keys().cloned().collect();
        for name in names {
            self.flush_file(call, &name).await?;
        }
        while let Some((command, _)) = self.outputs.commands.last().cloned() {
            self.close(call, &command).await?;
        }
        call.flush().await
    }
}
