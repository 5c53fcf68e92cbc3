//! Exports a branch as a bundle. The bundle leaves the sandbox like a push: after the same review,
//! by its digest.

use std::path::PathBuf;
use std::rc::Rc;

use gate::policy::{Caller, Policy};
use gate::refname::BranchRef;
use host::answer::{self, Advance, Call, Export, Given, Reply, Run, Wanted};
use host::approve::Revision;
use host::error::{ErrorKind, HostError, Result};
use host::sandbox::Sandbox;
use host::target::Keeping;
use serde::Deserialize;

use crate::answer::reply;
use crate::authority::Authorized;
use crate::decision::{self, Edits};
use crate::making::{Answers, Made};
use crate::message::Response;

/// A running export.
pub struct Exporting {
    step: Step,
    /// The target that a person reads. There is no such file.
    file: PathBuf,
    digest: Option<String>,
    /// Present until someone takes it.
    revision: Option<Revision>,
    policy: Rc<Policy>,
    /// The output of the bundle.
    kept: Rc<Keeping>,
}

enum Step {
    /// Asks which branch is checked out.
    Looking(Box<Run>),
    /// Exports the branch.
    Making(Box<Made>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    branch: Option<String>,
    digest: Option<String>,
    revision: Option<Edits>,
}

impl Exporting {
    /// Starts an export.
    ///
    /// # Errors
    /// If the branch or the digest is invalid.
    pub fn new(wanted: &Authorized, sandbox: &mut Sandbox, policy: Rc<Policy>) -> Result<Self> {
        let Body { branch, digest, revision } = decision::read(&wanted.body)?;
        // The key is the same for each request, so that the approved export is the one that was
        // shown.
        let file = PathBuf::from(format!("/{}.bundle", sandbox.name()));
        let kept = Rc::new(Keeping::new(sandbox.near()));
        let step = Step::Looking(Box::new(look()));
        let revision = revision.map(Edits::revision);
        let mut exporting = Exporting { step, file, digest, revision, policy, kept };
        if let Some(branch) = branch {
            exporting.make(sandbox, &BranchRef::from_branch(&branch).map_err(HostError::from)?)?;
        }
        Ok(exporting)
    }

    fn make(&mut self, sandbox: &Sandbox, branch: &BranchRef) -> Result<()> {
        let digest = self.digest.as_deref().map(decision::digest).transpose()?;
        let near = Rc::clone(&self.kept);
        let (policy, revision) = (Rc::clone(&self.policy), self.revision.take());
        let export = Export::new(sandbox, near, &self.file, branch, policy, digest, revision)?;
        self.step = Step::Making(Box::new(Made::new(export, Answers::by_digest(self.digest.clone()), false)));
        Ok(())
    }

    /// Continues until it ends, or until it needs a server's answer or time. Ends with the bundle,
    /// with a pending digest, or with the obstacle.
    ///
    /// # Errors
    /// Errors of the host, which end it.
    pub fn advance(&mut self, sandbox: &mut Sandbox) -> Result<Advance<Response>> {
        loop {
            match &mut self.step {
                Step::Looking(run) => match run.advance(sandbox)? {
                    Advance::Need(need) => return Ok(Advance::Need(need)),
                    Advance::Done(Reply::Done(Ok(result))) => {
                        self.make(sandbox, &answer::branch_to_export(&result.structured)?)?;
                    }
                    Advance::Done(ended) => {
                        let platform = sandbox.platform();
                        return Ok(Advance::Done(reply(&ended, |hint| platform.words(hint))));
                    }
                },
                Step::Making(made) => {
                    return Ok(match made.advance(sandbox)? {
                        Advance::Done(response) if response.status == 200 => Advance::Done(self.bundle()?),
                        turn => turn,
                    });
                }
            }
        }
    }

    fn bundle(&self) -> Result<Response> {
        let lost = || HostError::new(ErrorKind::Component, "the export was approved, but there is no bundle");
        Ok(Response::of(200, "application/octet-stream", self.kept.take().ok_or_else(lost)?))
    }

    /// Supplies what the last step asked for.
    pub fn give(&mut self, given: Given) {
        match &mut self.step {
            Step::Looking(run) => run.give(given),
            Step::Making(made) => made.give(given),
        }
    }
}

/// The status call, which says what branch is checked out.
fn look() -> Run {
    // Nothing leaves, so the person's rules do not apply.
    Run::new(Wanted::new(of_user("git_status", "{}"), Rc::default()))
}

fn of_user(tool: &str, arguments: &str) -> Call {
    Call::new(tool, arguments.to_owned(), Caller::User)
}
