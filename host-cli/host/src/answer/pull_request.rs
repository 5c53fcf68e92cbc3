//! Opens a pull request for a branch that was pushed to a server, step by step.

use gate::forge::{self, ChangeRequest, Forge, Proposed, Server};
use gate::refname::BranchRef;
use gate::target::CanonicalTarget;
use serde::Deserialize;

use crate::answer::call::suspend::{Advance, Given, Halting, advanced};
use crate::answer::repository::exchanges::Exchanges;
use crate::error::{ErrorKind, HostError, Result};
use crate::hint::Act;

/// A pull request that is to be opened.
pub struct Proposing {
    forge: Forge,
    target: CanonicalTarget,
    server: Box<dyn Server>,
    head: BranchRef,
    title: String,
    /// The branch that it shall go to, once it is known.
    base: Option<BranchRef>,
    exchanges: Exchanges,
}

/// What a push says about itself.
#[derive(Deserialize)]
struct Pushed {
    target: String,
    branch: String,
    commits: Vec<PushedCommit>,
}

#[derive(Deserialize)]
struct PushedCommit {
    subject: String,
}

impl Proposing {
    /// One for the push with this structured result. Its title is the subject of the last commit,
    /// unless the person gives another.
    ///
    /// # Errors
    /// [`ErrorKind::Usage`] if the push went to no server that has pull requests.
    pub fn new(pushed: &str, title: Option<String>) -> Result<Self> {
        let pushed: Pushed = serde_json::from_str(pushed).map_err(|_| no_server())?;
        let target: CanonicalTarget = pushed.target.parse().map_err(|_| no_server())?;
        let has_some = |forge: &Forge| Forge::with_change_requests().any(|one| one == *forge);
        let forge = target.kind().forge().filter(has_some).ok_or_else(no_server)?;
        let server = forge.open(target.location()).map_err(refused)?;
        let subject = pushed.commits.last().map(|commit| commit.subject.clone());
        Ok(Proposing {
            forge,
            server,
            title: title.or(subject).unwrap_or_else(|| pushed.branch.clone()),
            head: BranchRef::from_branch(&pushed.branch)?,
            base: None,
            target,
            exchanges: Exchanges::default(),
        })
    }

    /// Goes on as far as it can.
    pub fn advance(&mut self) -> Result<Advance<ChangeRequest>> {
        advanced(self.go_on())
    }

    /// Answers what the last step needed.
    pub fn give(&mut self, given: Given) {
        self.exchanges.take(given);
    }

    fn go_on(&mut self) -> Halting<ChangeRequest> {
        let base = match &self.base {
            Some(base) => base.clone(),
            None => {
                let listing = self.exchanges.go_on(|| self.server.refs())?.map_err(refused)?;
                let head = listing.head.ok_or_else(|| {
                    HostError::new(ErrorKind::Usage, "the repository has no default branch to propose changes to")
                })?;
                self.base.insert(head.parse::<BranchRef>().map_err(HostError::from)?).clone()
            }
        };
        if base == self.head {
            let what = format!("{} is the branch that pull requests go to", base.branch());
            return Err(HostError::new(ErrorKind::Usage, what).hint(Act::PushToOwnBranch).into());
        }
        let proposed =
            Proposed { head: self.head.clone(), base, title: self.title.clone(), body: String::new(), is_draft: false };
        let proposing = self.forge.propose(self.target.location(), proposed).ok_or_else(no_server)?.map_err(refused)?;
        Ok(self.exchanges.go_on(|| proposing)?.map_err(refused)?)
    }
}

/// The push went where there are no pull requests.
fn no_server() -> HostError {
    let forges = Forge::names(Forge::with_change_requests());
    HostError::new(ErrorKind::Usage, format!("only a repository on {forges} has pull requests")).hint(Act::PushToServer)
}

fn refused(fault: forge::Fault) -> HostError {
    HostError::new(ErrorKind::Refused, fault.message).hint(fault.hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pull_request_is_for_a_push_to_github_and_bears_its_last_subject() {
        let pushed = |target: &str| {
            format!(r#"{{"target":"{target}","branch":"topic/x","commits":[{{"subject":"One"}},{{"subject":"Two"}}]}}"#)
        };
        let proposing = Proposing::new(&pushed("github:o/r"), None).unwrap();
        assert_eq!((proposing.title.as_str(), proposing.head.branch()), ("Two", "topic/x"));
        let named = Proposing::new(&pushed("github:o/r"), Some("Named".to_owned())).unwrap();
        assert_eq!(named.title, "Named");
        for other in [pushed("local:/r"), "{}".to_owned()] {
            assert_eq!(Proposing::new(&other, None).err().unwrap().kind, ErrorKind::Usage);
        }
    }
}
