//! What a body makes step by step and may ask a person about: a call or an export.

use gate::approval::Proposal;

use crate::answer::call::Reply;
use crate::answer::call::run::Run;
use crate::answer::call::suspend::{Advance, Given};
use crate::answer::export::Export;
use crate::error::Result;
use crate::sandbox::Sandbox;

/// A call or an export on its way.
pub enum Making {
    /// A call.
    Call(Box<Run>),
    /// An export.
    Export(Box<Export>),
}

impl From<Run> for Making {
    fn from(run: Run) -> Self {
        Making::Call(Box::new(run))
    }
}

impl From<Export> for Making {
    fn from(export: Export) -> Self {
        Making::Export(Box::new(export))
    }
}

impl Making {
    /// Goes on as far as it can.
    ///
    /// # Errors
    /// The host's own, which end it.
    pub fn advance(&mut self, sandbox: &mut Sandbox) -> Result<Advance<Reply>> {
        match self {
            Making::Call(run) => run.advance(sandbox),
            Making::Export(export) => export.advance(sandbox),
        }
    }

    /// Gives what the last step needed. [`advance`](Self::advance) makes it count.
    pub fn give(&mut self, given: Given) {
        match self {
            Making::Call(run) => run.give(given),
            Making::Export(export) => export.give(given),
        }
    }

    /// The push that is asked about.
    pub fn proposal(&self) -> Option<&Proposal> {
        match self {
            Making::Call(run) => run.proposal(),
            Making::Export(export) => export.proposal(),
        }
    }
}
