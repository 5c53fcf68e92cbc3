//! The platform of this process.

use gate::target::CanonicalTarget;
use host::hint::Act;
use host::platform::{Guard, Phase, Platform, Signer};
use host::settings::{Identity, SandboxFile};
use host::target::Progress;

use crate::error::{ErrorKind, HostError, Result};
use crate::home;
use crate::home::git_config::GitPlace;
use crate::moment::{self, Moment};
use crate::program::Environment;
use crate::remote::Target;
use crate::sandbox::Clock;
use crate::screen::{self, progress};
use crate::signing::ConfiguredKey;
use crate::{interrupt, user};

/// The system's clock, randomness and user, and the clock that running calls poll.
#[derive(Clone, Debug)]
pub struct Native {
    clock: Clock,
}

impl Native {
    /// A person calls off what runs with `clock`.
    pub fn new(clock: Clock) -> Self {
        Native { clock }
    }
}

/// Bytes from the system's source of randomness.
pub fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    fill(&mut bytes)?;
    Ok(bytes)
}

fn fill(bytes: &mut [u8]) -> Result<()> {
    getrandom::fill(bytes)
        .map_err(|error| HostError::new(ErrorKind::Storage, format!("the system provides no random bytes: {error}")))
}

/// A repository on this machine, for git's configuration.
fn place(target: &CanonicalTarget) -> Option<GitPlace> {
    let near = Some(target).filter(|target| target.kind().forge().is_none())?;
    Target::known(near, None).and_then(|target| target.git_place()).ok()
}

/// The repository that the sandbox came from, if it is on this machine.
fn origin(file: &SandboxFile) -> Option<GitPlace> {
    place(&file.targets.first()?.parse().ok()?)
}

impl Platform for Native {
    fn now(&self) -> Moment {
        moment::now()
    }

    fn fill(&self, bytes: &mut [u8]) -> Result<()> {
        fill(bytes)
    }

    fn who(&self) -> String {
        user::name()
    }

    /// As git says it now in the repository that the sandbox came from.
    fn who_commits(&self, file: &SandboxFile) -> Option<(Identity, Option<Identity>)> {
        home::author(origin(file).as_ref()).map(|author| (author.identity, author.committer))
    }

    /// As git says it now in the target, or, if that is on a server, in the repository that the sandbox came from.
    fn signer(&self, target: &CanonicalTarget, file: &SandboxFile) -> Option<Box<dyn Signer>> {
        let place = place(target).or_else(|| origin(file));
        let key = ConfiguredKey::find(place.as_ref(), Environment::of_process(), self.clock.clone())?;
        Some(Box::new(key))
    }

    fn act(&self, act: &Act) -> String {
        screen::hint::act(act)
    }

    fn ensure_wanted(&self) -> Result<()> {
        self.clock.ensure_wanted()
    }

    fn during(&self, phase: Phase) -> Guard {
        match phase {
            Phase::Call => Box::new(interrupt::during(interrupt::Phase::Call)),
            Phase::Landing => Box::new((self.clock.landing(), interrupt::during(interrupt::Phase::Landing))),
        }
    }

    fn doing(&self, what: &str) -> Guard {
        Box::new(progress::spinner(screen::line(what)))
    }

    fn progress(&self) -> Box<dyn Progress> {
        Box::new(progress::Bars::default())
    }
}
