//! Recording an intent spends its nonce: one line and one sync do both at once.

use gate::approval::Nonces;
use gate::id::Nonce;
use gate::ledger::{Intent, Record};
use gate::{Fault, FaultKind};

use crate::store::{Held, LedgerLog};

/// Spends the nonce of one intent, once, by recording the intent.
pub(crate) struct SpendByIntent<'a> {
    ledger: &'a LedgerLog,
    held: &'a Held,
    intent: Option<Box<Intent>>,
}

impl<'a> SpendByIntent<'a> {
    /// Prepares to record `intent`.
    pub(crate) fn new(ledger: &'a LedgerLog, held: &'a Held, intent: Intent) -> Self {
        SpendByIntent { ledger, held, intent: Some(Box::new(intent)) }
    }
}

impl Nonces for SpendByIntent<'_> {
    fn spend(&mut self, nonce: Nonce) -> Result<(), Fault> {
        match self.intent.take() {
            Some(intent) if intent.nonce == nonce => self.ledger.append(self.held, Record::Intent(intent)),
            _ => Err(Fault::new(FaultKind::Spent, format!("the nonce {nonce} was used before"))),
        }
    }
}
