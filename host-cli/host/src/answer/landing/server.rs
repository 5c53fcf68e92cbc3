//! Writes an approved push to a server, request by request. The sandbox's lock is held from the intent
//! to the outcome, also while the server is waited for.
//!
//! Recovery relies on the order, as in [`landing`](super). In addition, that a request which
//! may move the branch is about to be sent is durable before it is: until some time has passed, the
//! branch proves nothing about such a request.

use gate::forge::{self, Conversation};
use gate::id::Nonce;
use gate::ledger::PushResult;

use crate::answer::call::invocation::{Found, Invocation};
use crate::answer::call::suspend::{Halt, Halting};
use crate::answer::landing::{conclude, end};
use crate::answer::misbehaved;
use crate::answer::recovery::unsettled::in_doubt_now;
use crate::answer::repository::opened::Ended;
use crate::answer::wording::tool_error;
use crate::error::HostError;
use crate::platform::Phase;
use crate::sandbox::Sandbox;
use crate::store::Held;
use crate::target::Landed;
use crate::wit;

/// A push that is on its way.
pub(crate) struct OnItsWay {
    pub(crate) land: Conversation<forge::Landing>,
    pub(crate) nonce: Nonce,
    /// What the sandbox learns when it has landed.
    pub(crate) fact: wit::Landed,
    pub(crate) held: Held,
    /// Whether a request was sent that may move the branch.
    pub(crate) has_sent: bool,
}

/// Continues the landing of the call's push.
pub(crate) fn go_on(
    invocation: &mut Invocation,
    key: &[u8],
    answers: &[wit::Answer],
    sandbox: &mut Sandbox,
) -> Halting<Found> {
    let platform = sandbox.platform();
    let _landing = platform.during(Phase::Landing);
    let Some(mut landing) = invocation.landing.take() else {
        return Err(misbehaved("it goes on with a push that has not begun").into());
    };
    let (nonce, sent) = (landing.nonce, &sandbox.store.sent);
    let mut has_sent = landing.has_sent;
    let ended = invocation.exchanges.drive(&mut landing.land, |request| {
        if request.moves {
            sent.note(&landing.held, nonce, platform.now().timestamp())?;
            has_sent = true;
        }
        Ok(())
    });
    landing.has_sent = has_sent;
    let ended = match ended {
        Ok(ended) => ended,
        Err(Halt::Failed(error)) => return Err(cut_off(landing, error, sandbox)),
        Err(need) => {
            invocation.landing = Some(landing);
            return Err(need);
        }
    };
    let mut locked = sandbox.resume(landing.held)?;
    let ended = match ended {
        Ok(forge::Landing::Landed { said, .. }) => {
            said.into_iter().for_each(|line| locked.tell(format!("remote: {line}")));
            Ended::Landed(Landed::default())
        }
        Ok(forge::Landing::Conflict(fault)) => Ended::NotLanded(tool_error::fault(&fault)),
        // The next start settles it.
        Ok(forge::Landing::InDoubt(fault)) => Ended::Open(in_doubt_now(&fault.message)),
        Err(fault) => Ended::NotLanded(wit::AnswerBody::Failed(tool_error::server(&fault))),
    };
    end(ended, &mut locked, invocation, key, nonce, landing.fact, answers)
}

/// The end of a landing that cannot go on. Nothing has moved the branch if nothing was sent that
/// might have.
fn cut_off(landing: OnItsWay, error: HostError, sandbox: &mut Sandbox) -> Halt {
    if landing.has_sent {
        return in_doubt_now(&error.message).into();
    }
    let concluded =
        sandbox.resume(landing.held).and_then(|locked| conclude(&locked, landing.nonce, PushResult::NotLanded));
    concluded.map_or_else(Halt::Failed, |()| error.into())
}
