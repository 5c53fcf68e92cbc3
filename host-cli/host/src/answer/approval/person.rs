//! What a person is asked about a call, and what they say.

use gate::ledger::How;

use crate::answer::call::suspend::{Answered, Ask, Given, Halt, Halting, Need, PushRequest, Said};
use crate::approve::{CallDecision, CallRequest, Offer, PushDecision, Response};
use crate::error::{ErrorKind, HostError};

/// The question that is open, if there is one, and the answer.
#[derive(Debug, Default)]
pub(crate) struct Person {
    /// The rule that was offered with the question.
    offered: Option<Offer>,
    /// Whether a question is open.
    is_asked: bool,
    /// The answer, or why there is none.
    given: Option<Result<Answered, HostError>>,
    last: Option<(How, bool)>,
}

impl Person {
    /// Takes the answer to the open question, or why it could not be asked. Gives back what is for
    /// somebody else.
    pub(crate) fn give(&mut self, given: Given) -> Option<Given> {
        self.given = match given {
            Given::Answer(answered) => Some(Ok(answered)),
            Given::Failed(error) if self.is_asked => Some(Err(error)),
            given => return Some(given),
        };
        None
    }

    /// The answer about a call, and the rule that was offered with the question.
    pub(crate) fn about_a_call(
        &mut self,
        request: impl FnOnce() -> CallRequest,
    ) -> Halting<(Response<CallDecision>, Option<Offer>)> {
        match self.take()? {
            Some(Said::Call(response)) => Ok((response, self.offered.take())),
            Some(Said::Push(_)) => Err(misplaced()),
            None => {
                let request = request();
                self.offered.clone_from(&request.offer);
                self.is_asked = true;
                Err(Need::Ask(Ask::Call(request)).into())
            }
        }
    }

    /// The answer about a push, and the rule that was offered with the question.
    pub(crate) fn about_a_push(
        &mut self,
        request: impl FnOnce() -> PushRequest,
    ) -> Halting<(Response<PushDecision>, Option<Offer>)> {
        match self.take()? {
            Some(Said::Push(response)) => Ok((response, self.offered.take())),
            Some(Said::Call(_)) => Err(misplaced()),
            None => {
                let request = request();
                self.offered.clone_from(&request.offer);
                self.is_asked = true;
                Err(Need::Ask(Ask::Push(request)).into())
            }
        }
    }

    /// How the last answer was given. Nobody decides about what nobody was asked.
    pub(crate) fn how(&self) -> How {
        self.last.as_ref().map_or(How::Unattended, |(how, _)| how.clone())
    }

    /// Whether a person has seen the last question.
    pub(crate) fn has_seen(&self) -> bool {
        self.last.as_ref().is_some_and(|(_, was_shown)| *was_shown)
    }

    fn take(&mut self) -> Halting<Option<Said>> {
        let Some(given) = self.given.take() else { return Ok(None) };
        self.is_asked = false;
        let Answered { said, how, was_shown } = given.map_err(Halt::Failed)?;
        self.last = Some((how, was_shown));
        Ok(Some(said))
    }
}

fn misplaced() -> Halt {
    Halt::Failed(
        HostError::new(ErrorKind::Usage, "the answer is to another question than the one that was asked")
            .hint("answer the question that the last turn asked"),
    )
}
