//! Where a call is suspended: what it needs from its body, and what the body resumes it with.
//!
//! What is near answers at once: the component, the store, a repository on the same disk. A person
//! and a server far away do not. A call that needs one of them halts, and its body asks. The call then
//! takes up the question at which it halted from its beginning, and finds what it was given. So
//! everything that has an effect comes after the last need of its question.

use std::time::Duration;

use gate::forge::{Cut, Request, Response};
use gate::ledger::How;

use crate::approve::{self, CallDecision, CallRequest, Offer, PushDecision};
use crate::error::HostError;

/// How far a call has come.
#[derive(Debug)]
pub enum Advance<T> {
    /// It is over.
    Done(T),
    /// It goes on when it is given this.
    Need(Need),
}

impl<T> Advance<T> {
    /// The same with another end.
    pub fn map<U>(self, end: impl FnOnce(T) -> U) -> Advance<U> {
        match self {
            Advance::Done(done) => Advance::Done(end(done)),
            Advance::Need(need) => Advance::Need(need),
        }
    }
}

/// What a call needs from its body.
#[derive(Clone, Debug)]
pub enum Need {
    /// The answer of a person, or of who stands in for one.
    Ask(Ask),
    /// The answer of a server to this request. The body adds the server's address and its token, and
    /// has made durable what the store has before it sends it.
    Http(Request),
    /// Some time.
    Sleep(Duration),
}

/// A question for a person.
#[derive(Clone, Debug)]
pub enum Ask {
    /// May this call go on?
    Call(CallRequest),
    /// May this push leave? The call has its proposal.
    Push(PushRequest),
}

/// What goes with the question about a push.
#[derive(Clone, Debug)]
pub struct PushRequest {
    /// Why they are asked, as far as the review does not say it.
    pub reasons: Vec<String>,
    /// The rule that the person may save.
    pub offer: Option<Offer>,
}

/// What a body gives for a need.
#[derive(Clone, Debug)]
pub enum Given {
    /// For [`Need::Ask`].
    Answer(Answered),
    /// For [`Need::Http`].
    Http(Result<Response, Cut>),
    /// The request had no answer, and this is why, in one line that is safe to show.
    Cut(Cut, String),
    /// For [`Need::Sleep`].
    Slept,
    /// The need cannot be met: the call fails with this, and changes nothing.
    Failed(HostError),
}

/// The answer to a question.
#[derive(Clone, Debug)]
pub struct Answered {
    /// What was said.
    pub said: Said,
    /// How, for the audit log.
    pub how: How,
    /// Whether a person has seen what was asked, so that nobody has to print a push that they left.
    pub was_shown: bool,
}

/// What was said to a question.
#[derive(Clone, Debug)]
pub enum Said {
    /// To [`Ask::Call`].
    Call(approve::Response<CallDecision>),
    /// To [`Ask::Push`].
    Push(approve::Response<PushDecision>),
}

/// Why a call cannot go on.
#[derive(Debug)]
pub(crate) enum Halt {
    /// It needs something first.
    Need(Box<Need>),
    /// It has failed.
    Failed(HostError),
}

impl From<Need> for Halt {
    fn from(need: Need) -> Self {
        Halt::Need(Box::new(need))
    }
}

impl From<HostError> for Halt {
    fn from(error: HostError) -> Self {
        Halt::Failed(error)
    }
}

/// The result of a step that may have to be taken again, once what it needs is there.
pub(crate) type Halting<T> = Result<T, Halt>;

/// What `advance` returns for such a step.
pub(crate) fn advanced<T>(halting: Halting<T>) -> Result<Advance<T>, HostError> {
    match halting {
        Ok(done) => Ok(Advance::Done(done)),
        Err(Halt::Need(need)) => Ok(Advance::Need(*need)),
        Err(Halt::Failed(error)) => Err(error),
    }
}
