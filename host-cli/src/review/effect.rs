//! What comes of a key, and what takes it back.

use std::collections::BTreeSet;

use host::review::{Change, Draft, Look};

use crate::approve::Revision;

/// How a review ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Without a decision.
    Left,
    Approve,
    Remember,
    Reject(String),
    AskChanges(String),
    Revise(Revision),
}

/// What is to be done for the person.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Keep what they have looked at.
    Look(Vec<Look>),
    /// Keep a comment.
    Comment(Draft),
    /// Change one.
    Change(String, Change),
    /// Let them edit what they type, in their editor.
    EditTyped(String),
    /// Let them edit the message of the last commit.
    EditMessage(String),
    /// End.
    End(Outcome),
}

/// What `u` takes back.
#[derive(Clone, Debug)]
pub enum Done {
    /// Parts that were marked as seen, or not.
    Look { scope: usize, parts: Vec<(usize, usize)>, seen: bool },
    /// What was left out of files before.
    Out(Vec<(usize, BTreeSet<usize>)>),
    /// A comment that was made.
    Made(String),
    /// An answer, which stays.
    Said,
    /// A comment that was changed, and what changes it back.
    Changed(String, Change),
}
