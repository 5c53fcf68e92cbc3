//! Checks whether removing a sandbox would lose work.

use std::rc::Rc;

use gate::policy::{Caller, Policy};
use host::answer::{Advance, Call, Given, Reply, Run, Wanted};
use host::error::{HostError, Result};
use host::hint::Hint;
use host::sandbox::Sandbox;
use host::screen::status;

use crate::answer::reply;
use crate::message::Response;

/// The running status call.
pub struct Leaving(Run);

impl Default for Leaving {
    fn default() -> Self {
        let call = Call::new("git_status", "{}", Caller::User);
        // Nothing leaves, so the person's rules do not apply.
        Leaving(Run::new(Wanted::new(call, Rc::new(Policy::default()))))
    }
}

impl Leaving {
    /// Continues until the answer is known.
    ///
    /// # Errors
    /// If there is work that was not pushed.
    pub fn advance(&mut self, sandbox: &mut Sandbox) -> Result<Advance<Response>> {
        let ended = match self.0.advance(sandbox)? {
            Advance::Need(need) => return Ok(Advance::Need(need)),
            Advance::Done(ended) => ended,
        };
        if let Reply::Done(Ok(result)) = &ended {
            let hint = |error: HostError| error.hint("push it, or remove the sandbox with force");
            status::ensure_pushed(&status::read(&result.structured)?).map_err(hint)?;
            return Ok(Advance::Done(Response::empty()));
        }
        let platform = sandbox.platform();
        Ok(Advance::Done(reply(&ended, |hint: &Hint| platform.words(hint))))
    }

    /// Supplies what the last step asked for.
    pub fn give(&mut self, given: Given) {
        self.0.give(given);
    }
}
