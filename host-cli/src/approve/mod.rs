//! How gitgate asks a person at a terminal, and how they can answer in advance.

mod hunk;
mod prompt;
mod scripted;
mod talk;
mod walk;

pub use host::approve::{
    Approver, CallDecision, CallRequest, LeftOut, Offer, PushDecision, Response, Revising, Revision,
};
pub use prompt::Prompt;
pub use scripted::Scripted;
pub use talk::{After, Talk};
