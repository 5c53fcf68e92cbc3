//! A running call of a client. Every outcome is a result, because clients show results to a model,
//! and not HTTP errors.

use host::answer::{Advance, Given, Making, Need, Reply, Words};
use host::error::HostError;
use host::hint::Hint;
use host::sandbox::Sandbox;
use rmcp::model::{CallToolResult, ServerResult};

use super::asked::Asker;
use super::result::{failed, result};
use crate::making::later;
use crate::message::Response;

/// A call, and who waits for its result.
pub(crate) struct Speaking {
    asker: Asker,
    making: Making,
}

impl Speaking {
    /// Starts a call.
    pub(crate) fn new(asker: Asker, making: Making) -> Self {
        Speaking { asker, making }
    }

    /// Continues until it ends, or until it needs a server's answer or time.
    pub(crate) fn advance(&mut self, sandbox: &mut Sandbox) -> Advance<Response> {
        let ended = loop {
            match self.making.advance(sandbox) {
                Ok(Advance::Need(Need::Ask(ask))) => {
                    self.making.give(Given::Answer(later(&ask, "nobody has decided yet")))
                }
                Ok(Advance::Need(need)) => return Advance::Need(need),
                Ok(Advance::Done(reply)) => break Ok(reply),
                Err(error) => break Err(error),
            }
        };
        Advance::Done(self.said(ended, sandbox))
    }

    fn said(&self, ended: Result<Reply, HostError>, sandbox: &Sandbox) -> Response {
        let platform = sandbox.platform();
        let words = |hint: &Hint| platform.words(hint);
        let said: CallToolResult = match ended {
            Ok(reply) => result(reply, self.asker.form, words),
            Err(error) => failed(&Words::of_host(&error, words)),
        };
        self.asker.answer(Ok(ServerResult::CallToolResult(said)))
    }

    /// Supplies what the last step asked for.
    pub(crate) fn give(&mut self, given: Given) {
        self.making.give(given);
    }
}
