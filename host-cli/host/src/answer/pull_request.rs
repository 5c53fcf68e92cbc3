//! Opens a pull request for a branch that was pushed to a server, step by step, and says how it stands.

use gate::forge::{self, Along, ChangeRequest, Forge, Proposed, Server, Standing};
use gate::ledger::PushResult;
use gate::refname::BranchRef;
use gate::target::CanonicalTarget;
use serde::Deserialize;

use crate::answer::call::suspend::{Advance, Given, Halting, advanced};
use crate::answer::repository::exchanges::Exchanges;
use crate::error::{ErrorKind, HostError, Result};
use crate::hint::Act;
use crate::sandbox::Sandbox;

/// A pull request that is to be opened.
pub struct Proposing {
    forge: Forge,
    target: CanonicalTarget,
    server: Box<dyn Server>,
    head: BranchRef,
    title: String,
    body: String,
    is_draft: bool,
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
    #[serde(default)]
    body: String,
}

impl Proposing {
    /// One for the push with this structured result, as the person wants it. Its title is the subject of the last commit, unless they give
    /// another; its text is what the commits say beside.
    ///
    /// # Errors
    /// [`ErrorKind::Usage`] if the push went to no server that has pull requests.
    pub fn new(pushed: &str, Along { title, is_draft }: Along) -> Result<Self> {
        let pushed: Pushed = serde_json::from_str(pushed).map_err(|_| no_server())?;
        let target: CanonicalTarget = pushed.target.parse().map_err(|_| no_server())?;
        let forge = forge_of(&target).ok_or_else(no_server)?;
        let server = forge.open(target.location()).map_err(refused)?;
        let subject = pushed.commits.last().map(|commit| commit.subject.clone());
        Ok(Proposing {
            forge,
            server,
            title: title.or(subject).unwrap_or_else(|| pushed.branch.clone()),
            body: text_of(&pushed.commits),
            is_draft,
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
        let (title, body) = (self.title.clone(), self.body.clone());
        let proposed = Proposed { head: self.head.clone(), base, title, body, is_draft: self.is_draft };
        let proposing = self.forge.propose(self.target.location(), proposed).ok_or_else(no_server)?.map_err(refused)?;
        Ok(self.exchanges.go_on(|| proposing)?.map_err(refused)?)
    }
}

/// Bytes of a text. GitHub takes 65,536 characters.
const MOST_TEXT: usize = 60_000;

/// What the commits say beside the title: that of a single one its body, of several all subjects with their bodies below them. It is cut
/// where it is longer than servers take.
fn text_of(commits: &[PushedCommit]) -> String {
    let mut text = whole_text_of(commits);
    if text.len() > MOST_TEXT {
        text.truncate(text.floor_char_boundary(MOST_TEXT));
        text.push_str("…\n");
    }
    text
}

fn whole_text_of(commits: &[PushedCommit]) -> String {
    if let [only] = commits {
        return only.body.clone();
    }
    let item = |commit: &PushedCommit| {
        let body =
            commit.body.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("\n  {line}") });
        let gap = if commit.body.is_empty() { "" } else { "\n" };
        format!("- {}{gap}{}\n", commit.subject, body.collect::<String>())
    };
    commits.iter().map(item).collect()
}

/// A look at how the pull request of a sandbox's own branch stands.
pub struct Looking {
    forge: Forge,
    target: CanonicalTarget,
    head: BranchRef,
    exchanges: Exchanges,
}

impl Looking {
    /// One at that of the branch that the sandbox has pushed to last. `None` if nothing has landed on a server that has pull requests.
    ///
    /// # Errors
    /// The audit log cannot be read.
    pub fn at(sandbox: &Sandbox) -> Result<Option<Self>> {
        let ledger = sandbox.store.ledger.read().map_err(HostError::from)?;
        let landed = ledger.intents().filter(|intent| ledger.result(intent.nonce) == Some(PushResult::Landed)).last();
        Ok(landed.and_then(|intent| {
            let forge = forge_of(&intent.target)?;
            let (target, head) = (intent.target.clone(), intent.reference.clone());
            Some(Looking { forge, target, head, exchanges: Exchanges::default() })
        }))
    }

    /// Goes on as far as it can. `None` if the branch has no pull request.
    pub fn advance(&mut self) -> Result<Advance<Option<Standing>>> {
        advanced(self.go_on())
    }

    /// Answers what the last step needed.
    pub fn give(&mut self, given: Given) {
        self.exchanges.take(given);
    }

    fn go_on(&mut self) -> Halting<Option<Standing>> {
        let standing = self.forge.standing(self.target.location(), self.head.clone());
        let standing = standing.ok_or_else(no_server)?.map_err(refused)?;
        Ok(self.exchanges.go_on(|| standing)?.map_err(refused)?)
    }
}

/// The forge that a target is on, if it has pull requests.
fn forge_of(target: &CanonicalTarget) -> Option<Forge> {
    target.kind().forge().filter(|forge| Forge::with_change_requests().any(|one| one == *forge))
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
        let proposing = Proposing::new(&pushed("github:o/r"), Along::default()).unwrap();
        assert_eq!((proposing.title.as_str(), proposing.head.branch()), ("Two", "topic/x"));
        assert_eq!((proposing.body.as_str(), proposing.is_draft), ("- One\n- Two\n", false));
        let named = Along { title: Some("Named".to_owned()), is_draft: true };
        let named = Proposing::new(&pushed("github:o/r"), named).unwrap();
        assert_eq!((named.title.as_str(), named.is_draft), ("Named", true));
        for other in [pushed("local:/r"), "{}".to_owned()] {
            assert_eq!(Proposing::new(&other, Along::default()).err().unwrap().kind, ErrorKind::Usage);
        }
    }

    #[test]
    fn its_text_is_what_the_commits_say() {
        let commit = |subject: &str, body: &str| PushedCommit { subject: subject.to_owned(), body: body.to_owned() };
        assert_eq!(text_of(&[commit("One", "Why\nso.")]), "Why\nso.");
        let several = [commit("One", "Why\n\nso."), commit("Two", "")];
        assert_eq!(text_of(&several), "- One\n\n  Why\n\n  so.\n- Two\n");
        let long = text_of(&[commit("One", &"\u{e4}".repeat(MOST_TEXT))]);
        assert!(long.ends_with("\u{e4}…\n") && long.len() < MOST_TEXT + 8);
    }
}
