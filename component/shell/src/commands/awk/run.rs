//! Runs a program: its rules for each record, and the instructions that read and write.

use super::code::{Builtin, Op, To};
use super::machine::Machine;
use super::value::Value;
use crate::exec::{Call, Ended};

/// How many instructions are counted as one step.
const STEPS: u32 = 16;

/// How a rule ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Came {
    Done,
    Next,
    NextFile,
    Exit,
}

impl Machine {
    /// Runs the whole program, and gives its status.
    pub async fn whole(&mut self, call: &mut Call<'_>) -> Result<i32, Ended> {
        let program = std::rc::Rc::clone(&self.program);
        let mut exits = false;
        for entry in &program.begin {
            if self.execute(call, *entry).await? == Came::Exit {
                exits = true;
                break;
            }
        }
        let reads = !program.rules.is_empty() || !program.end.is_empty();
        if reads && !exits {
            self.records(call).await?;
        }
        // What was exited from before, its end is still run.
        for entry in &program.end {
            if self.execute(call, *entry).await? == Came::Exit {
                break;
            }
        }
        self.close_all(call).await?;
        Ok(self.status)
    }

    /// Runs the rules for each record.
    async fn records(&mut self, call: &mut Call<'_>) -> Result<(), Ended> {
        let program = std::rc::Rc::clone(&self.program);
        while let Some(text) = self.next_record(call).await? {
            call.work(1)?;
            self.set_record(text);
            for entry in &program.rules {
                match self.execute(call, *entry).await? {
                    Came::Done => (),
                    Came::Next => break,
                    Came::NextFile => {
                        self.skip_file();
                        break;
                    }
                    Came::Exit => return Ok(()),
                }
            }
        }
        Ok(())
    }

    async fn execute(&mut self, call: &mut Call<'_>, entry: usize) -> Result<Came, Ended> {
        let program = std::rc::Rc::clone(&self.program);
        self.at = entry;
        let mut steps = 0;
        let came = loop {
            let op = program.code[self.at];
            self.at += 1;
            steps += 1;
            if steps == STEPS {
                steps = 0;
                call.work(1)?;
                self.hold(0)?;
            }
            match op {
                Op::Print(count, to) => {
                    let name = if to == To::Stdout { Default::default() } else { self.pop_text() };
                    let text = self.printed(count);
                    self.write(call, to, &name, &text).await?;
                }
                Op::Printf(count, to) => {
                    let name = if to == To::Stdout { Default::default() } else { self.pop_text() };
                    let text = self.formatted(count)?;
                    self.write(call, to, &name, &text).await?;
                }
                Op::Getline(from, target) => {
                    let got = self.getline(call, from, target).await?;
                    self.push(Value::Num(got));
                }
                Op::Builtin(builtin @ (Builtin::Close | Builtin::System | Builtin::Fflush), count) => {
                    let args = self.stack.split_off(self.stack.len() - count);
                    let value = self.outside(call, builtin, args).await?;
                    self.push(value);
                }
                Op::Builtin(builtin, count) => {
                    let args = self.stack.split_off(self.stack.len() - count);
                    let value = self.builtin(builtin, args)?;
                    call.work(u32::try_from(self.made >> 20).unwrap_or(u32::MAX))?;
                    self.push(value);
                }
                Op::Replace(all, target) => {
                    let count = self.replace(all, target)?;
                    self.push(Value::Num(count));
                }
                Op::Next => break Came::Next,
                Op::NextFile => break Came::NextFile,
                Op::Exit(given) => {
                    if given {
                        #[expect(clippy::cast_possible_truncation, reason = "only the last eight bits count")]
                        let status = self.pop_number() as i64;
                        self.status = i32::try_from(status & 255).expect("it is masked");
                    }
                    break Came::Exit;
                }
                Op::End => break Came::Done,
                op => self.step(op)?,
            }
        };
        self.stack.clear();
        self.frames.clear();
        Ok(came)
    }

    /// Functions that read, write, or run something.
    async fn outside(&mut self, call: &mut Call<'_>, builtin: Builtin, args: Vec<Value>) -> Result<Value, Ended> {
        let first = args.first().map(|first| self.text(first));
        match (builtin, first) {
            (Builtin::Close, Some(name)) => self.close(call, &name).await,
            (Builtin::System, Some(text)) => {
                self.flush(call).await?;
                let status = super::input::run(call, &text, None, None).await?;
                Ok(Value::Num(f64::from(status)))
            }
            _ => {
                self.flush(call).await?;
                Ok(Value::Num(0.0))
            }
        }
    }
}
