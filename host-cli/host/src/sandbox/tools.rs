//! The tools of an open sandbox, wherever they run.

use crate::attachment::{Attachment, AttachmentId};
use crate::error::Result;
use crate::session::Step;
use crate::store::{Held, Mark, Store};
use crate::wit;

/// The tools of one sandbox, and what they work on. Whatever changes something takes the sandbox's
/// lock as its first argument.
pub trait Tools {
    /// True if another process has changed the sandbox since.
    fn has_moved(&self) -> Result<bool>;

    /// Repairs what another process left unfinished, and returns notes for the person.
    fn settle(&mut self, held: &Held) -> Result<Vec<String>>;

    /// The tools that are switched on.
    fn tools(&mut self) -> Result<Vec<wit::ToolSpec>>;

    /// Runs a call with `answers` and the attachments they name, until it ends or asks. Its changes
    /// are durable when this returns.
    fn call(
        &mut self,
        held: &Held,
        call: &wit::ToolCall,
        answers: &[wit::Answer],
        brought: &[Attachment],
        store: &Store,
    ) -> Result<Step>;

    /// The attachments that the sandbox holds. A call that failed may have left others in the store.
    /// `None` if it holds none of them itself.
    fn attachments(&mut self) -> Result<Option<Vec<AttachmentId>>> {
        Ok(None)
    }

    /// What changes whenever the sandbox does. `None` if that is unknown.
    fn mark(&self) -> Option<Mark>;

    /// Whether what they are restored from is long enough for [`compact`](Tools::compact) to pay.
    /// May note for later how long it is.
    fn is_long(&self, held: &Held, store: &Store) -> Result<bool>;

    /// Shortens what they are restored from. Returns the attachments that are still needed, or
    /// `None` if there is nothing to shorten.
    fn compact(&mut self, held: &Held) -> Result<Option<Vec<AttachmentId>>>;
}
