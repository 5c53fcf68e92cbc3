//! A sandbox on a real directory, for debugging: the same tools, compiled natively. It is not a
//! security boundary: only the tools' own rules keep them in the directory.
//!
//! | file | what it does |
//! |---|---|
//! | `place` | the directory: its owner and its layout |
//! | `guard` | refuses a repository that leads outside it |
//! | `embedding` | what the tools need from the host |
//! | `history` | the calls that changed something |
//! | `step` | how far a call has come, as the host has it from the component |
//!
//! There is no tree to restore and no journal. The tools record in the directory itself what they
//! change. The host uses these records to undo a failed call, and the next process uses them if the
//! host was killed. A line of the history marks a call as over.

mod embedding;
mod guard;
mod history;
mod place;
pub mod registry;
mod step;

use std::cell::RefCell;
use std::path::Path;

use tools::Deadline;
use tools::approval::Mode;
use tools::platform::undo;

pub use place::{Claimed, claim};

use self::embedding::HostEmbedding;
use self::history::{History, Line};
use self::place::Place;
use crate::error::{self, Doing, ErrorKind, HostError, Result};
use crate::sandbox::{Clock, Step, wit};
use crate::store::{Attachment, AttachmentId, Held, Mark, Store};
use host::sandbox::Tools;

/// The file of a sandbox that has its history.
pub const HISTORY: &str = "history";

/// A sandbox on a directory, open.
pub struct OnDisk {
    place: Place,
    session: tools::Session,
    history: History,
    clock: Clock,
}

thread_local! {
    /// The clock that the running call polls. A deadline takes a function as its clock, as in the
    /// component.
    static CLOCK: RefCell<Option<Clock>> = const { RefCell::new(None) };
}

fn now() -> u64 {
    CLOCK.with_borrow(|clock| clock.as_ref().map_or(0, Clock::now))
}

impl OnDisk {
    /// Opens the sandbox whose own files are in `folder`, and whose directory is `directory`.
    pub fn open(folder: &Path, directory: &Path, options: &wit::Options, clock: &Clock) -> Result<Self> {
        let place = Place::open(directory)?;
        let zones = tools::paths::Zones::new(place.workspace(), Vec::new());
        let options = convert::options(options).map_err(|error| {
            HostError::new(ErrorKind::Usage, format!("cannot open the sandbox: {error}")).hint("rebuild gitgate")
        })?;
        Ok(OnDisk {
            session: tools::Session::new(options, zones),
            history: History::open(folder.join(HISTORY))?,
            place,
            clock: clock.clone(),
        })
    }

    /// Keeps the call's changes.
    fn keep(&mut self, call: &tools::ToolCall, text: &str) -> Result<()> {
        let changed = undo::changed();
        undo::end();
        if changed.is_empty() {
            return Ok(());
        }
        if let Err(error) = self.history.append(&Line::of(call, text, &changed, &self.place)) {
            self.take_back()?;
            return Err(error);
        }
        let notes = self.place.undo();
        undo::forget(&notes).doing("remove", &notes)
    }

    /// The error if the changes cannot be undone. Nothing else runs until they are.
    fn stuck(&self, error: &std::io::Error) -> HostError {
        let notes = self.place.undo();
        error::io("undo the call recorded in", &notes, error).hint(format!(
            "fix the cause, or check the files in {} yourself and remove {}",
            self.place.workspace().display(),
            notes.display()
        ))
    }

    /// Undoes the recorded changes, and reports which files were moved aside.
    fn take_back(&self) -> Result<Vec<String>> {
        let notes = self.place.undo();
        let kept = undo::roll_back(&notes, &self.place.kept()).map_err(|error| self.stuck(&error))?;
        Ok(kept
            .into_iter()
            .map(|kept| format!("your version of {} is now in {}", kept.path.display(), kept.place.display()))
            .collect())
    }
}

impl Tools for OnDisk {
    /// Undoes the unfinished call of a killed process, and reports it.
    fn settle(&mut self, _: &Held) -> Result<Vec<String>> {
        let notes = self.place.undo();
        match undo::pending(&notes).map_err(|error| self.stuck(&error))? {
            None => Ok(Vec::new()),
            // Only its reply is missing.
            Some(call) if self.history.last()?.is_some_and(|line| line.id == call) => {
                undo::forget(&notes).doing("remove", &notes).map(|()| Vec::new())
            }
            Some(_) => {
                let kept = self.take_back()?;
                let cut_off = format!(
                    "a call was interrupted; {} is as it was before the call",
                    self.place.workspace().display()
                );
                Ok(std::iter::once(cut_off).chain(kept).collect())
            }
        }
    }

    fn has_moved(&self) -> Result<bool> {
        self.history.has_moved()
    }

    fn tools(&mut self) -> Result<Vec<wit::ToolSpec>> {
        let tools = tools::registry::enabled(&self.session.options);
        Ok(tools.map(|tool| convert::tool(tool, |mode| mode != Mode::Both)).collect())
    }

    /// Changes nothing unless the call succeeds.
    ///
    /// Packs go into the directory. The host keeps the indexes of what was fetched, which list the
    /// objects that it has verified.
    fn call(
        &mut self,
        held: &Held,
        call: &wit::ToolCall,
        answers: &[wit::Answer],
        brought: &[Attachment],
        store: &Store,
    ) -> Result<Step> {
        guard::ensure_inside(&self.place.workspace())?;
        let answers = match convert::answers(answers.to_vec()) {
            Ok(answers) => answers,
            Err(error) => return Ok(step::done(Err(error))),
        };
        let history = self.history.lines()?;
        // Other programs may have changed any file.
        self.session.forget();
        CLOCK.set(Some(self.clock.clone()));
        let deadline = Deadline::after(now, call.time_allowed);
        let call = convert::call(call.clone());
        undo::begin(&self.place.undo(), &call.id);
        let mut embedding = HostEmbedding { place: &self.place, history, attached: brought };
        match tools::dispatch(&mut self.session, &call, &answers, deadline, &mut embedding) {
            tools::Step::Done(Ok(finished)) => {
                if let Err(error) = keep_indices(brought, held, store) {
                    self.take_back()?;
                    return Err(error);
                }
                self.keep(&call, &finished.text)?;
                Ok(step::done(Ok(finished)))
            }
            tools::Step::Done(Err(error)) => {
                self.take_back()?;
                Ok(step::done(Err(error)))
            }
            tools::Step::Ask(question) => {
                self.take_back()?;
                step::ask(*question)
            }
        }
    }

    /// Other programs may have changed any file.
    fn mark(&self) -> Option<Mark> {
        None
    }

    fn is_long(&self, _: &Held, _: &Store) -> Result<bool> {
        Ok(false)
    }

    fn compact(&mut self, _: &Held) -> Result<Option<Vec<AttachmentId>>> {
        Ok(None)
    }
}

fn keep_indices(brought: &[Attachment], held: &Held, store: &Store) -> Result<()> {
    let mut indices = brought.iter().filter(|attachment| attachment.is_index() && attachment.is_kept);
    indices.try_for_each(|index| store.attachments.add(held, index))
}

#[cfg(test)]
mod tests;
