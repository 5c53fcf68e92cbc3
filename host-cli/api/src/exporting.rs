//! A branch as a bundle. It leaves the sandbox as a push does: after the same review, by its digest.

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

/// An export on its way.
pub struct Exporting {
    step: Step,
    /// What a person reads as the target. There is no such file.
    file: PathBuf,
    digest: Option<String>,
    /// Until it is taken.
    revision: Option<Revision>,
    policy: Rc<Policy>,
    /// Where the bundle is made.
    kept: Rc<Keeping>,
}

enum Step {
    /// It is looked which branch is checked out.
    Looking(Box<Run>),
    /// The branch is exported.
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
    /// Nothing is exported yet.
    ///
    /// # Errors
    /// If there can be no such branch or digest.
    pub fn new(wanted: &Authorized, sandbox: &mut Sandbox, policy: Rc<Policy>) -> Result<Self> {
        let Body { branch, digest, revision } = decision::read(&wanted.body)?;
        // The same at each request: what is approved is what was shown.
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

    /// Goes on until it is over, or needs a server's answer or some time. Ends with the bundle, with
    /// what waits for its digest, or with what is in the way.
    ///
    /// # Errors
    /// The host's own, which end it.
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

    /// Gives what the last step needed.
    pub fn give(&mut self, given: Given) {
        match &mut self.step {
            Step::Looking(run) => run.give(given),
            Step::Making(made) => made.give(given),
        }
    }
}

/// The look at the status, which says what branch is checked out.
fn look() -> Run {
    // Nothing leaves, so no rule of the person's is concerned.
    Run::new(Wanted::new(of_user("git_status", "{}"), Rc::default()))
}

fn of_user(tool: &str, arguments: &str) -> Call {
    Call { tool: tool.to_owned(), arguments: arguments.to_owned(), caller: Caller::User }
}
