//! How gitgate asks a person at a terminal, and how they can answer in advance.

mod approver;
mod full;
mod hunk;
mod offered;
mod pressed;
mod prompt;
mod revising;
mod scripted;
mod subject;
mod talk;
mod walk;

pub use approver::Approver;
pub use host::approve::{CallDecision, CallRequest, LeftOut, Offer, PushDecision, Response, Revision};
pub use pressed::Pressed;
pub use prompt::Prompt;
pub use revising::Revising;
pub use scripted::Scripted;
#[cfg(test)]
pub(crate) use talk::Played;
pub use talk::{After, Talk};
