//! Settles pushes to servers that were interrupted between intent and outcome, by what their
//! branches show. Those to repositories nearby [`recovery`](super) settles.

use std::time::Duration;

use gate::forge::{Fault, Settled};
use gate::id::Nonce;
use gate::ledger::{Intent, Ledger, PushResult, Settlement};

use crate::answer::call::suspend::{Advance, Given, Halt, Halting, Need, advanced};
use crate::answer::recovery::{cannot_settle, sentence, settled};
use crate::answer::repository::exchanges::Exchanges;
use crate::answer::repository::opened::{is_on_server, server};
use crate::error::{ErrorKind, HostError, Result};
use crate::sandbox::Sandbox;
use crate::store::Held;

/// Seconds for which a server that could not settle a push is left alone.
const PAUSE: u64 = 60;

/// The longest pause that a call makes for a push of an earlier one.
const PATIENCE: Duration = Duration::from_secs(5);

/// The settling of such pushes, step by step. What cannot be settled is told and blocks its branch.
#[derive(Default)]
pub struct Settling {
    exchanges: Exchanges,
    /// The push whose server is being asked. The answers are about it, whichever is due meanwhile.
    asked: Option<Nonce>,
    /// The lock, from the first look at a push until all are settled.
    held: Option<Held>,
    /// True if a sandbox that another process uses is left to it.
    is_patient: bool,
}

impl Settling {
    /// Settles the pushes of a sandbox, unless another process uses it and does so itself.
    pub fn unless_in_use() -> Self {
        Settling { is_patient: true, ..Settling::default() }
    }

    /// Goes on as far as it can.
    pub fn advance(&mut self, sandbox: &mut Sandbox) -> Result<Advance<()>> {
        advanced(self.go_on(sandbox))
    }

    /// Answers what the last step needed.
    pub fn give(&mut self, given: Given) {
        self.exchanges.take(given);
    }

    pub(crate) fn go_on(&mut self, sandbox: &mut Sandbox) -> Halting<()> {
        loop {
            let ledger = sandbox.store.ledger.read().map_err(HostError::from)?;
            let Some((intent, known)) = next(&ledger, self.asked, sandbox) else {
                self.held = None;
                return Ok(());
            };
            if self.held.is_none() {
                self.held = match sandbox.store.lock.try_acquire() {
                    Ok(held) => Some(held),
                    Err(error) if error.kind == ErrorKind::Busy && self.is_patient => return Ok(()),
                    Err(error) if error.kind == ErrorKind::Busy => Some(sandbox.store.lock.acquire()?),
                    Err(error) => return Err(error.into()),
                };
                // Another process may have settled it before.
                continue;
            }
            self.asked = Some(intent.nonce);
            let found = match self.look(&intent, sandbox) {
                Ok(found) => found.map_err(|fault| HostError::new(ErrorKind::InDoubt, fault.message).hint(fault.hint)),
                // What cannot be asked cannot be settled, which is no reason to fail a call.
                Err(Halt::Failed(error)) => Err(error),
                Err(need) => return Err(need),
            };
            self.asked = None;
            let pause = if let Ok(Settled::NotYet { seconds }) = &found { *seconds } else { PAUSE };
            sandbox.look_again(intent.nonce, sandbox.platform().now().timestamp().plus(pause));
            let held = self.held.take().expect("it was taken above");
            let mut locked = sandbox.resume(held)?;
            match found {
                Ok(Settled::Landed) => settled(&mut locked, &intent, known, Settlement::Landed)?,
                Ok(Settled::NotLanded) => settled(&mut locked, &intent, known, Settlement::NotLanded)?,
                Ok(Settled::InDoubt) => settled(&mut locked, &intent, known, Settlement::InDoubt)?,
                Ok(Settled::NotYet { seconds }) => {
                    let why = format!("a request may still be on its way; gitgate looks again after {seconds} seconds");
                    cannot_settle(&mut locked, &intent, &why);
                }
                Err(error) => {
                    let why = sentence(&error, locked.sandbox());
                    cannot_settle(&mut locked, &intent, &why);
                }
            }
            self.held = Some(locked.into_held());
        }
    }

    /// Asks the server what became of a push.
    fn look(&mut self, intent: &Intent, sandbox: &Sandbox) -> Halting<Result<Settled, Fault>> {
        let (sent, now) = (sandbox.store.sent.last(intent.nonce)?, sandbox.platform().now().timestamp());
        let server = server(&intent.target).expect("only pushes to servers are looked at");
        let settle = match server.and_then(|server| server.settle(intent, sent, now)) {
            Ok(settle) => settle,
            Err(fault) => return Ok(Err(fault)),
        };
        match self.exchanges.go_on(|| settle) {
            // It will be looked at again. Whoever calls meanwhile may want something else.
            Err(Halt::Need(need)) if matches!(*need, Need::Sleep(time) if time > PATIENCE) => {
                self.exchanges = Exchanges::default();
                Err(HostError::new(ErrorKind::InDoubt, "the server asks to be left alone for a while").into())
            }
            looked => looked,
        }
    }
}

/// The next push to a server that is not settled, and what is known of it: the one that is `asked`
/// about, or else one that is due.
fn next(ledger: &Ledger, asked: Option<Nonce>, sandbox: &Sandbox) -> Option<(Intent, Option<PushResult>)> {
    let open = ledger.open_intents().map(|intent| (intent, None));
    let in_doubt = ledger.in_doubt().map(|intent| (intent, Some(PushResult::InDoubt)));
    let is_next = |nonce| asked.map_or_else(|| sandbox.may_look_at(nonce), |asked| asked == nonce);
    let mut all = open.chain(in_doubt);
    all.find(|(intent, _)| is_on_server(&intent.target) && is_next(intent.nonce))
        .map(|(intent, known)| (intent.clone(), known))
}
