//! Actions, and what they leave behind.

use bstr::{BString, ByteSlice};

use super::entry::{Around, Entry};
use super::exec::{Batch, Exec};
use super::listing;
use super::plan::{Plan, Step};
use super::printf::Format;
use crate::exec::{Call, Ended};
use crate::io::{Sink, reason};
use crate::world::Kind;

/// Bytes that are collected before they are written to a file.
const COLLECTED: usize = 64 * 1024;

/// A file that is written.
#[derive(Debug)]
pub struct Output {
    /// Its absolute path.
    pub path: BString,
    /// The open file.
    pub sink: Sink,
    /// What is not written yet.
    pub waiting: Vec<u8>,
}

/// Something that is done with an entry. Where there is no number of an output, it is printed.
#[derive(Debug)]
pub enum Action {
    /// `-print` and its like.
    Print { output: Option<usize>, end: u8 },
    /// `-printf`
    Format { output: Option<usize>, format: Format },
    /// `-ls`
    List { output: Option<usize> },
    /// `-exec` and its like.
    Run(Exec),
    /// `-delete`
    Delete,
    /// `-prune`
    Prune,
    /// `-quit`
    Quit,
}

/// What changes during a walk.
#[derive(Debug)]
pub struct State {
    /// The exit status.
    pub status: i32,
    /// Whether the walk does not go into the entry that was tested last.
    pub prunes: bool,
    /// Whether the walk is over.
    pub quits: bool,
    /// How many commands have run, which may have changed anything.
    pub ran: u64,
    outputs: Vec<Output>,
    pub(super) batches: Vec<Batch>,
}

impl State {
    /// One for a walk that begins.
    pub fn new(outputs: Vec<Output>, batches: usize) -> State {
        let batches = (0..batches).map(|_| Batch::default()).collect();
        State { status: 0, prunes: false, quits: false, ran: 0, outputs, batches }
    }

    /// Evaluates the expression for an entry.
    pub async fn evaluate(
        &mut self,
        call: &mut Call<'_>,
        plan: &Plan,
        around: &Around,
        entry: &mut Entry,
    ) -> Result<(), Ended> {
        self.prunes = false;
        let mut next = plan.begin;
        while let Some(at) = next {
            let (step, yes, no) = &plan.steps[at];
            let holds = match step {
                Step::Test(test) if test.needs_stat() => {
                    self.settled(call, around, entry).await? && test.holds(entry, around)
                }
                Step::Test(test) => test.holds(entry, around),
                Step::Act(action) => self.act(call, action, around, entry).await?,
            };
            if self.quits {
                break;
            }
            next = if holds { *yes } else { *no };
        }
        Ok(())
    }

    /// Makes sure that the metadata is from after the last command, unless it was looked at before. False if the entry is gone.
    async fn settled(&mut self, call: &mut Call<'_>, around: &Around, entry: &mut Entry) -> Result<bool, Ended> {
        if entry.read_at.take().is_none_or(|read_at| read_at == self.ran) {
            return Ok(true);
        }
        match entry.refresh(around) {
            Ok(()) => Ok(true),
            Err(error) => {
                self.failed(call, format!("‘{}’: {}", entry.path, reason(&error))).await?;
                Ok(false)
            }
        }
    }

    /// Says what is wrong. The walk goes on.
    pub async fn failed(&mut self, call: &mut Call<'_>, message: String) -> Result<(), Ended> {
        self.status = 1;
        call.complain(message).await
    }

    async fn act(
        &mut self,
        call: &mut Call<'_>,
        action: &Action,
        around: &Around,
        entry: &mut Entry,
    ) -> Result<bool, Ended> {
        match action {
            Action::Print { output, end } => {
                self.write(call, *output, &entry.path).await?;
                self.write(call, *output, &[*end]).await?;
            }
            Action::Format { output, format } => {
                if format.needs_stat() && !self.settled(call, around, entry).await? {
                    return Ok(false);
                }
                self.write(call, *output, &format.written(entry, around)).await?;
            }
            Action::List { output } => {
                if !self.settled(call, around, entry).await? {
                    return Ok(false);
                }
                self.write(call, *output, &listing::line(entry, around)).await?;
            }
            Action::Run(exec) => return self.run(call, exec, entry).await,
            Action::Delete => return self.delete(call, around, entry).await,
            Action::Prune => self.prunes = true,
            Action::Quit => self.quits = true,
        }
        Ok(true)
    }

    async fn write(&mut self, call: &mut Call<'_>, output: Option<usize>, bytes: &[u8]) -> Result<(), Ended> {
        let Some(at) = output else { return call.print(bytes).await };
        let output = &mut self.outputs[at];
        output.waiting.extend_from_slice(bytes);
        // As C's library has it: nothing waits but what goes to a file.
        if output.waiting.len() >= COLLECTED || !matches!(output.sink, Sink::File(_)) {
            self.flush(call).await?;
        }
        Ok(())
    }

    /// Writes what is not written yet.
    async fn flush(&mut self, call: &mut Call<'_>) -> Result<(), Ended> {
        for output in self.outputs.iter_mut().filter(|output| !output.waiting.is_empty()) {
            // What is printed may go to the same place.
            call.flush().await?;
            output.sink.write(&std::mem::take(&mut output.waiting)).await?;
            call.shell.hold(call.shell.base.files.held())?;
        }
        Ok(())
    }

    /// Does what is left when the walk is over.
    pub async fn finish(&mut self, call: &mut Call<'_>, plan: &Plan) -> Result<(), Ended> {
        // The last steps of the plan are the first of the list.
        for (step, ..) in plan.steps.iter().rev() {
            if let Step::Act(Action::Run(exec)) = step {
                self.run_batch(call, exec).await?;
            }
        }
        self.flush(call).await
    }

    async fn delete(&mut self, call: &mut Call<'_>, around: &Around, entry: &Entry) -> Result<bool, Ended> {
        if entry.path == "." {
            return Ok(true);
        }
        let full = entry.full();
        let removed = around.files.world().and_then(|world| match entry.own.kind {
            Kind::Folder => world.remove_folder(full.as_bstr()),
            Kind::File | Kind::Link => world.remove_file(full.as_bstr()),
        });
        match removed {
            Ok(()) => Ok(true),
            Err(error) => {
                call.flush().await?;
                self.failed(call, format!("cannot delete ‘{}’: {}", entry.path, reason(&error))).await?;
                Ok(false)
            }
        }
    }
}
