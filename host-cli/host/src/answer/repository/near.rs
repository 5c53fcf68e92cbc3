//! A repository on this disk, as a call uses it: it answers at once.

use gate::approval::Redeemed;
use gate::forge::Along;
use gate::refname::BranchRef;
use gate::target::CanonicalTarget;

use crate::answer::call::suspend::Halting;
use crate::answer::push::check::Shown;
use crate::answer::repository::exchanges::Exchanges;
use crate::answer::repository::opened::{Basis, Ended, Landing, Opened};
use crate::answer::wording::tool_error;
use crate::error::{ErrorKind, HostError, Result};
use crate::platform::Platform;
use crate::sandbox::Sandbox;
use crate::target::{BlobAt, CommitsWanted, Fetched, LandError, RawPlan, RefListing, Remotes, Repository, TargetError};
use crate::wit;

/// A repository that the body reaches synchronously.
pub(crate) struct OnDisk(pub(crate) Box<dyn Repository>);

impl Opened for OnDisk {
    fn canonical(&self) -> &CanonicalTarget {
        self.0.canonical()
    }

    fn refs(&mut self, _: &mut Exchanges) -> Halting<Result<RefListing, wit::ToolError>> {
        Ok(self.0.refs(Remotes::Without).map_err(|error| tool_error::target(&error)))
    }

    fn fetch_commits(
        &mut self,
        wanted: &CommitsWanted,
        _: &mut Exchanges,
        sandbox: &mut Sandbox,
    ) -> Halting<Result<Fetched, wit::ToolError>> {
        let fetched = self.0.fetch_commits(wanted, &*sandbox.platform().progress());
        Ok(fetched.map_err(|error| tool_error::target(&error)))
    }

    fn fetch_blobs(
        &mut self,
        wanted: &[BlobAt],
        _: &mut Exchanges,
        sandbox: &mut Sandbox,
    ) -> Halting<Result<Fetched, wit::ToolError>> {
        let fetched = self.0.fetch_blobs(wanted, &*sandbox.platform().progress());
        Ok(fetched.map_err(|error| tool_error::target(&error)))
    }

    /// Against the repository's state at this moment.
    fn check(
        &mut self,
        branch: &BranchRef,
        check: &dyn Fn(&Basis<'_>, &Sandbox) -> Shown,
        _: &mut Exchanges,
        sandbox: &mut Sandbox,
    ) -> Halting<Shown> {
        Ok(self
            .basis(branch, |basis| check(basis, sandbox))
            .unwrap_or_else(|error| Err(wit::AnswerBody::Failed(tool_error::target(&error)))))
    }

    fn holds_policy(&self, sandbox: &Sandbox) -> Result<bool, TargetError> {
        sandbox.holds_policy(&*self.0)
    }

    fn land(
        self: Box<Self>,
        push: Redeemed,
        plan: &RawPlan,
        platform: &dyn Platform,
        _: Option<Along>,
    ) -> Result<Landing> {
        Ok(Landing::Ended(match self.0.execute(&push, plan, &*platform.progress()) {
            Ok(landed) => Ended::Landed(landed),
            // gitgate finishes it at its next start.
            Err(error @ LandError::Unfinished { .. }) => {
                Ended::Open(HostError::new(ErrorKind::Storage, error.to_string()).hint(error.hint()))
            }
            Err(error) => Ended::NotLanded(tool_error::land(&error, platform)),
        }))
    }
}

impl OnDisk {
    fn basis<T>(&self, branch: &BranchRef, use_it: impl FnOnce(&Basis<'_>) -> T) -> Result<T, TargetError> {
        let tip = self.0.tip(branch)?;
        let objects = self.0.objects()?;
        let refs = self.0.refs(Remotes::With)?;
        let peculiarities = self.0.peculiarities(branch)?;
        let plan = |push: &_, nonce: &_, committer: &_| self.0.plan(push, nonce, committer);
        Ok(use_it(&Basis { objects: &*objects, tip, refs: &refs, peculiarities, plan: &plan }))
    }
}
