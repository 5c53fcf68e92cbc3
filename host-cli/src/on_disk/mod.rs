//! A sandbox on a real directory: the same tools, compiled natively. It is for debugging, and it is no boundary: nothing but the tools' own
//! rules keeps them in the directory.
//!
//! | file | what it does |
//! |---|---|
//! | `place` | the directory: whose it is, and what lies where in it |
//! | `guard` | refuses a repository that leads out of it |
//! | `around` | what the tools need of the host |
//! | `history` | the calls that have changed something |
//! | `convert` | between the interface's types and the tools' |
//!
//! There is no tree to put back and no journal. The tools note what they change in the directory itself; a call that does not succeed is
//! taken back by these notes, and one whose process was killed by the next process. A line of the history says that a call is over.

mod around;
mod convert;
mod guard;
mod history;
mod place;
pub mod registry;

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;

use tools::Deadline;
use tools::platform::undo;

pub use place::{Claimed, claim};

use self::around::Around;
use self::history::{History, Line};
use self::place::Place;
use crate::error::{Doing, HostError, Result};
use crate::sandbox::{Clock, Step, wit};
use crate::store::disk::RealDisk;
use crate::store::{Attachment, Attachments};

/// A sandbox on a directory, open.
pub struct OnDisk {
    place: Place,
    session: tools::Session,
    history: History,
    attachments: Attachments,
    clock: Clock,
}

thread_local! {
    /// What the running call looks at. A deadline has a function for a clock, as the component has.
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
        Ok(OnDisk {
            session: tools::Session::new(convert::options(options)?, zones),
            history: History::open(folder.join("history"))?,
            attachments: Attachments::new(folder.join("attachments"), Arc::new(RealDisk)),
            place,
            clock: clock.clone(),
        })
    }

    /// Takes back what a process has left half done that was killed, and says so. Under the sandbox's lock.
    pub fn settle(&mut self) -> Result<Vec<String>> {
        let notes = self.place.undo();
        match undo::pending(&notes).map_err(|error| self.stuck(&error))? {
            None => Ok(Vec::new()),
            // Only its reply is missing.
            Some(call) if self.history.last()?.is_some_and(|line| line.id == call) => {
                undo::forget(&notes).doing("remove", &notes).map(|()| Vec::new())
            }
            Some(_) => {
                let kept = self.take_back()?;
                let cut_off =
                    format!("a call was cut off; {} is as it was before it", self.place.workspace().display());
                Ok(std::iter::once(cut_off).chain(kept).collect())
            }
        }
    }

    /// Whether another process has changed anything by a call.
    pub fn has_moved(&self) -> Result<bool> {
        self.history.has_moved()
    }

    /// The tools that are switched on.
    pub fn tools(&self) -> Vec<wit::ToolSpec> {
        tools::registry::enabled(&self.session.options).map(convert::tool).collect()
    }

    /// Runs a call as far as `answers` carry it, with what they name. Nothing has changed unless it has succeeded.
    ///
    /// Packs are placed in the directory. Of what was brought the host keeps the indices, by which it knows what it has verified.
    pub fn call(&mut self, call: &wit::ToolCall, answers: &[wit::Answer], brought: &[Attachment]) -> Result<Step> {
        guard::ensure_inside(&self.place.workspace())?;
        let answers = match convert::answers(answers) {
            Ok(answers) => answers,
            Err(error) => return Ok(convert::done(Err(convert::error(error)))),
        };
        let history = self.history.lines()?;
        // Anybody may have changed anything.
        self.session.forget();
        CLOCK.set(Some(self.clock.clone()));
        let deadline = Deadline::after(now, call.time_allowed);
        let call = convert::call(call);
        undo::begin(&self.place.undo(), &call.id);
        let mut around = Around { place: &self.place, history, attached: brought };
        match tools::dispatch(&mut self.session, &call, &answers, deadline, &mut around) {
            tools::Step::Done(Ok(finished)) => {
                if let Err(error) = self.keep_indices(brought) {
                    self.take_back()?;
                    return Err(error);
                }
                self.keep(&call, &finished.text)?;
                Ok(convert::done(Ok(convert::result(finished))))
            }
            tools::Step::Done(Err(error)) => {
                self.take_back()?;
                Ok(convert::done(Err(convert::error(error))))
            }
            tools::Step::Ask(question) => {
                self.take_back()?;
                Ok(convert::question(*question))
            }
        }
    }

    fn keep_indices(&self, brought: &[Attachment]) -> Result<()> {
        let mut indices = brought.iter().filter(|attachment| attachment.is_index());
        indices.try_for_each(|index| self.attachments.add(index))
    }

    /// Lets stay what the call has changed.
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

    /// What was changed cannot be taken back, and nothing else is done before it is.
    fn stuck(&self, error: &std::io::Error) -> HostError {
        let notes = self.place.undo();
        HostError::io("take back the call that is noted in", &notes, error).hint(format!(
            "mend what is in the way; or look at the files in {} by hand and remove {}",
            self.place.workspace().display(),
            notes.display()
        ))
    }

    /// Takes back what is noted, and says which files were in the way.
    fn take_back(&self) -> Result<Vec<String>> {
        let notes = self.place.undo();
        let kept = undo::roll_back(&notes, &self.place.kept()).map_err(|error| self.stuck(&error))?;
        Ok(kept
            .into_iter()
            .map(|kept| format!("what you had in {} is in {} now", kept.path.display(), kept.place.display()))
            .collect())
    }
}

#[cfg(test)]
mod tests;
