//! What a host needs of the platform that it runs on: a clock, randomness, a user, and whether it is wanted.

use std::any::Any;

use gate::target::CanonicalTarget;

use crate::error::Result;
use crate::hint::{Act, Hint};
use crate::limits;
use crate::moment::Moment;
use crate::settings::{Identity, SandboxFile};
use crate::target::Progress;

/// What the host is doing, as far as it matters for ending it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// A tool is running. It can be ended in an orderly way, and changes nothing then.
    Call,
    /// A push is being written. It is finished first, and nothing starts after it. Recovery could
    /// handle a crash, but avoiding one is better.
    Landing,
}

/// Ends a phase or takes away a word of progress when it is dropped.
pub type Guard = Box<dyn Any>;

/// Signs commits with a person's key.
pub trait Signer {
    /// The signature of this commit: its lines, each with its end. git would sign the same bytes.
    ///
    /// # Errors
    /// There is no key, or its program fails or is called off.
    fn sign(&self, commit: &[u8]) -> Result<String>;
}

/// The platform, as a body knows it.
pub trait Platform {
    /// The wall time and its zone.
    fn now(&self) -> Moment;

    /// Fills `bytes` from the best source of randomness there is.
    fn fill(&self, bytes: &mut [u8]) -> Result<()>;

    /// Who uses this host, for the audit log. Never what anybody could claim.
    fn who(&self) -> String;

    /// Who commits in a sandbox whose settings name nobody, as far as the platform knows by now: the author, and the committer if that is
    /// another.
    fn who_commits(&self, _file: &SandboxFile) -> Option<(Identity, Option<Identity>)> {
        None
    }

    /// What signs the person's commits to `target`, as git is configured for it. `None` if they sign none, or this body has no keys.
    fn signer(&self, _target: &CanonicalTarget, _file: &SandboxFile) -> Option<Box<dyn Signer>> {
        None
    }

    /// What a person can do, as a clause in this body's words, such as "review it".
    fn act(&self, act: &Act) -> String;

    /// A hint in this body's words.
    fn words(&self, hint: &Hint) -> String {
        hint.words(|act| self.act(act))
    }

    /// The most bytes that a sandbox may have here, of its files and objects together. A body with little
    /// memory says less than what sandboxes have elsewhere.
    fn most_bytes(&self) -> u64 {
        limits::SANDBOX.bytes
    }

    /// Fails if the person has called off what is going on. Nothing new may start then.
    fn ensure_wanted(&self) -> Result<()>;

    /// Enters a phase, until the guard is dropped.
    fn during(&self, phase: Phase) -> Guard;

    /// Shows a person what takes its time, until the guard is dropped.
    fn doing(&self, what: &str) -> Guard;

    /// Shows a person how far a fetch or a landing has come.
    fn progress(&self) -> Box<dyn Progress>;
}

/// Random bytes.
pub fn random<const N: usize>(platform: &dyn Platform) -> Result<[u8; N]> {
    let mut bytes = [0; N];
    platform.fill(&mut bytes)?;
    Ok(bytes)
}
