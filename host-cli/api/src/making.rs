//! A running call, and the answers to its questions. Nobody is there to ask.

use gate::ledger::How;
use host::answer::{self, Advance, Answered, Ask, Given, Making, Need, Reply, Said};
use host::approve;
use host::error::Result;
use host::sandbox::Sandbox;
use host::store::Waiting;

use crate::answer::{question, reply};
use crate::decision::Decision;
use crate::message::Response;
use crate::problem::Problem;

/// A call, and the answer to its questions.
pub struct Made {
    making: Making,
    answers: Answers,
    /// Whether an agent gets the reply, which then has no digest.
    for_agent: bool,
}

/// The answer to a question.
pub enum Answers {
    /// No answer: the call waits.
    Nobody,
    /// The client wants the question itself, about this waiting call.
    Look(Waiting),
    /// A person decided, about this waiting call if about one. The decision holds once: an edited
    /// push is another push.
    Decided { waiting: Option<Waiting>, decision: Decision, is_said: bool },
}

impl Answers {
    /// Approves the push with this digest, if there is one.
    pub fn by_digest(digest: Option<String>) -> Self {
        let approve = |digest| Decision::Approve { digest: Some(digest), remember: false };
        let decided = |digest| Answers::Decided { waiting: None, decision: approve(digest), is_said: false };
        digest.map_or(Answers::Nobody, decided)
    }
}

impl Made {
    /// Starts a call or an export.
    pub fn new(making: impl Into<Making>, answers: Answers, for_agent: bool) -> Self {
        Made { making: making.into(), answers, for_agent }
    }

    /// Continues until it ends, or until it needs a server's answer or time.
    ///
    /// # Errors
    /// Errors of the host, which end it.
    pub fn advance(&mut self, sandbox: &mut Sandbox) -> Result<Advance<Response>> {
        loop {
            let ask = match self.making.advance(sandbox)? {
                Advance::Done(reply) => return self.ended(reply, sandbox).map(Advance::Done),
                Advance::Need(Need::Ask(ask)) => ask,
                Advance::Need(need) => return Ok(Advance::Need(need)),
            };
            let given = match &mut self.answers {
                Answers::Nobody => later(&ask, "nobody has decided yet"),
                Answers::Look(waiting) => {
                    let question = question(&waiting.id, &ask, self.making.proposal(), sandbox)?;
                    return Ok(Advance::Done(question));
                }
                Answers::Decided { decision, is_said, .. } => {
                    let shown = self.making.proposal().map(|proposal| proposal.digest().to_string());
                    decided(decision, is_said, &ask, shown.as_deref())?
                }
            };
            self.making.give(Given::Answer(given));
        }
    }

    /// Supplies what the last step asked for.
    pub fn give(&mut self, given: Given) {
        self.making.give(given);
    }

    fn ended(&self, ended: Reply, sandbox: &mut Sandbox) -> Result<Response> {
        let platform = sandbox.platform();
        let words = |hint: &_| platform.words(hint);
        match &self.answers {
            Answers::Nobody | Answers::Decided { waiting: None, .. } => {}
            // The call ended before any question.
            Answers::Look(waiting) => {
                answer::settle_waiting(sandbox, waiting, &ended)?;
                return Ok(match &ended {
                    Reply::Done(Err(_)) => reply(&ended, words),
                    _ => Problem::gone("nothing is asked about it any more").response(),
                });
            }
            Answers::Decided { waiting: Some(waiting), .. } => drop(answer::settle_waiting(sandbox, waiting, &ended)?),
        }
        let ended = if self.for_agent { ended.for_agent() } else { ended };
        Ok(reply(&ended, words))
    }
}

/// The answer of a decision to a question. `shown` is the digest of the push in question.
fn decided(decision: &Decision, is_said: &mut bool, ask: &Ask, shown: Option<&str>) -> Result<Answered> {
    if let Ask::Call(_) = ask {
        return decision.about_call();
    }
    let is_approval = matches!(decision, Decision::Approve { .. });
    let is_another = matches!(decision, Decision::Approve { digest: Some(digest), .. } if shown != Some(digest));
    if is_another || (std::mem::replace(is_said, true) && !is_approval) {
        return Ok(later(ask, "it is another push than the one that was reviewed"));
    }
    decision.about_push()
}

/// Nobody decided.
pub(crate) fn later(ask: &Ask, reason: &str) -> Answered {
    let (reason, hint) = (reason.to_owned(), String::new());
    let said = match ask {
        Ask::Call(_) => Said::Call(approve::Response::Unavailable { reason, hint }),
        Ask::Push(_) => Said::Push(approve::Response::Unavailable { reason, hint }),
    };
    Answered { said, how: How::Prompt, was_shown: false }
}
