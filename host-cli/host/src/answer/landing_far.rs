//! Writes an approved push to a server, request by request. The sandbox's lock is held from the intent
//! to the outcome, also while the server is waited for.
//!
//! Recovery relies on the order, as in [`landing`](super::landing). In addition, that a request which
//! may move the branch is about to be sent is durable before it is: until some time has passed, the
//! branch proves nothing about such a request.

use gate::github;
use gate::id::Nonce;
use gate::ledger::PushResult;

use super::going::{End, Found, Going};
use super::landing::{conclude, finish};
use super::turn::{Halt, Halting};
use super::unsettled::in_doubt_now;
use super::{Reply, said};
use crate::around::Phase;
use crate::error::HostError;
use crate::sandbox::Sandbox;
use crate::store::Held;
use crate::wit;

/// A push that is on its way.
pub(super) struct Landing {
    pub(super) land: github::Land,
    pub(super) nonce: Nonce,
    /// What the sandbox learns when it has landed.
    pub(super) fact: wit::Landed,
    pub(super) held: Held,
    /// Whether a request was sent that may move the branch.
    pub(super) has_sent: bool,
}

/// Goes on with the landing of `going`.
pub(super) fn go_on(going: &mut Going, key: &[u8], answers: &[wit::Answer], sandbox: &mut Sandbox) -> Halting<Found> {
    let around = sandbox.around();
    let _landing = around.during(Phase::Landing);
    let Some(mut landing) = going.landing.take() else {
        return Err(super::misbehaved("it goes on with a push that has not begun").into());
    };
    let (nonce, sent) = (landing.nonce, &sandbox.store.sent);
    let mut has_sent = landing.has_sent;
    let ended = going.exchanges.drive(&mut landing.land, |request| {
        if request.moves {
            sent.note(&landing.held, nonce, around.now().timestamp())?;
            has_sent = true;
        }
        Ok(())
    });
    landing.has_sent = has_sent;
    let ended = match ended {
        Ok(ended) => ended,
        Err(Halt::Failed(error)) => return Err(cut_off(landing, error, sandbox)),
        Err(need) => {
            going.landing = Some(landing);
            return Err(need);
        }
    };
    let mut locked = sandbox.resume(landing.held)?;
    match ended {
        Ok(github::Landing::Landed { .. }) => {
            let result = finish(&mut locked, &going.call, key, nonce, landing.fact, answers, &going.brought)?;
            Ok(Found::Break(End::Over(Reply::Done(Ok(result)))))
        }
        Ok(github::Landing::Conflict(fault)) => {
            conclude(&locked, nonce, PushResult::NotLanded)?;
            Ok(Found::Continue(said::fault(&fault)))
        }
        // The intent stays open; the next start settles it.
        Ok(github::Landing::InDoubt(fault)) => Err(in_doubt_now(&fault.message).into()),
        Err(fault) => {
            conclude(&locked, nonce, PushResult::NotLanded)?;
            Ok(Found::Continue(wit::AnswerBody::Failed(said::server(&fault))))
        }
    }
}

/// The end of a landing that cannot go on. Nothing has moved the branch if nothing was sent that
/// might have.
fn cut_off(landing: Landing, error: HostError, sandbox: &mut Sandbox) -> Halt {
    if landing.has_sent {
        return in_doubt_now(&error.message).into();
    }
    let concluded =
        sandbox.resume(landing.held).and_then(|locked| conclude(&locked, landing.nonce, PushResult::NotLanded));
    concluded.map_or_else(Halt::Failed, |()| error.into())
}
