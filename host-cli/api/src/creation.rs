//! Creates a sandbox: its settings, and its initial contents.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::rc::Rc;
use std::vec::IntoIter;

use gate::forge::Forge;
use gate::id::SandboxId;
use gate::ledger::How;
use gate::policy::{Base, Caller, Policy};
use gate::target::CanonicalTarget;
use host::answer::{Advance, Answered, Ask, Call, Given, Making, Need, Reply, Run, Said, Wanted};
use host::approve::{CallDecision, Response as Decided};
use host::error::{ErrorKind, HostError, Result};
use host::platform::{Platform, random};
use host::sandbox::Sandbox;
use host::settings::own_branch::on_server;
use host::settings::{HexId, Identity, Place, SandboxFile};
use host::store::{Held, Store};
use host::target::{TargetError, TargetSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::answer::reply;
use crate::authority::Authorized;
use crate::decision;
use crate::message::Response;
use crate::role::Role;
use crate::token;

/// The author of commits if the request names none: never the operator of the server.
const NOBODY: &str = "gitgate <gitgate@localhost>";

/// The depth of history if the request names none: a server's memory serves many sandboxes.
const DEPTH: u32 = 1;

/// The settings of a new sandbox in a request. The description defines the body's shape.
#[derive(Clone, Debug)]
pub struct NewSandbox {
    /// Its name.
    pub name: SandboxId,
    identity: Identity,
    policy: Base,
    from: Option<From>,
    default_target: Option<Place>,
}

/// The GitHub repository to start from. Users name only repositories on a server: nothing on the
/// machine that serves them is theirs.
#[derive(Clone, Debug)]
struct From {
    spec: TargetSpec,
    target: CanonicalTarget,
    paths: Vec<String>,
    /// All, if empty.
    depth: Option<NonZeroU32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    name: SandboxId,
    from: Option<BodyFrom>,
    identity: Option<String>,
    policy: Option<String>,
    #[serde(rename = "pushTo")]
    push_to: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BodyFrom {
    github: Option<String>,
    git: Option<String>,
    branch: Option<String>,
    #[serde(default)]
    paths: Vec<String>,
    depth: Option<u32>,
}

impl NewSandbox {
    /// Reads the request.
    ///
    /// # Errors
    /// If such a sandbox cannot exist.
    pub fn read(wanted: &Authorized) -> Result<Self> {
        let Body { name, from, identity, policy, push_to } = decision::read(&wanted.body)?;
        let policy = policy.map(|named| {
            let found = Base::ALL.into_iter().find(|base| base.name() == named);
            found.ok_or_else(|| HostError::new(ErrorKind::Usage, format!("there is no policy {named}")))
        });
        let from = from.map(From::read).transpose()?;
        let default_target = match (&from, &push_to) {
            (Some(from), named) => Some(on_server(name.as_str(), &from.target, named.as_deref())?),
            (None, None) => None,
            (None, Some(_)) => {
                return Err(HostError::new(ErrorKind::Usage, "pushTo names a branch of the repository in from")
                    .hint("name that repository in from, or leave pushTo out"));
            }
        };
        Ok(NewSandbox {
            name,
            identity: identity.as_deref().unwrap_or(NOBODY).parse()?,
            policy: policy.transpose()?.unwrap_or_default(),
            from,
            default_target,
        })
    }

    /// The settings to store.
    ///
    /// # Errors
    /// If there is no source of randomness.
    pub fn settings(&self, platform: &dyn Platform) -> Result<SandboxFile> {
        Ok(SandboxFile {
            version: SandboxFile::VERSION,
            id: HexId(random(platform)?),
            created: platform.now().rfc3339(),
            // No path of a target is relative, because a server has no working directory.
            base: PathBuf::from("/"),
            repository: None,
            on_disk: None,
            identity: Some(self.identity.clone()),
            committer: None,
            policy: self.policy,
            policy_file: None,
            targets: self.from.iter().map(|from| from.target.to_string()).collect(),
            worker: None,
            push: None,
            tasks: None,
            default_target: self.default_target.clone(),
            auto_pull: Vec::new(),
        })
    }

    /// The calls that bring in the initial contents.
    fn calls(&self) -> Result<Vec<Call>> {
        let call = |tool: &str, arguments: &Value| Call::new(tool, arguments.to_string(), Caller::User);
        let mut calls = vec![call("sandbox_import", &json!({}))];
        if let Some(From { spec, paths, depth, .. }) = &self.from {
            let mut arguments = json!({ "source": spec.place().map_err(wrong)? });
            if !paths.is_empty() {
                arguments["paths"] = json!(paths);
            }
            if let Some(depth) = depth {
                arguments["depth"] = json!(depth);
            }
            calls.push(call("git_pull", &arguments));
        }
        Ok(calls)
    }
}

impl From {
    fn read(BodyFrom { github, git, branch, paths, depth }: BodyFrom) -> Result<Self> {
        let (forge, repo) = match (github, git) {
            (Some(repo), None) => (Forge::Github, repo),
            (None, Some(repo)) => (Forge::Git, repo),
            (None, None) | (Some(_), Some(_)) => {
                return Err(HostError::new(ErrorKind::Usage, "from names no repository, or two")
                    .hint("give github as OWNER/REPO, or git as an address such as https://HOST/PATH"));
            }
        };
        let spec = TargetSpec::of(&Place::Server { forge, repo, branch }).map_err(wrong)?;
        let target = spec.location.on_server().expect("it is on a server")?;
        Ok(From { spec, target, paths, depth: NonZeroU32::new(depth.unwrap_or(DEPTH)) })
    }
}

fn wrong(error: TargetError) -> HostError {
    HostError::new(ErrorKind::Usage, error.message).hint(error.hint.unwrap_or_default())
}

/// The running calls that fill a new sandbox. Its creator asked for them, so nobody is asked again.
pub struct Filling {
    new: NewSandbox,
    calls: Option<IntoIter<Call>>,
    making: Option<Making>,
    /// The output of the calls.
    text: String,
}

impl Filling {
    /// Starts the work.
    pub fn new(new: NewSandbox) -> Self {
        Filling { new, calls: None, making: None, text: String::new() }
    }

    /// Continues until the sandbox is filled, or until it needs a server's answer or time. Ends
    /// with the owner's token, or with the failure.
    ///
    /// # Errors
    /// Errors of the host, which end it.
    pub fn advance(&mut self, sandbox: &mut Sandbox) -> Result<Advance<Response>> {
        loop {
            let Some(making) = &mut self.making else {
                let calls = match &mut self.calls {
                    Some(calls) => calls,
                    None => self.calls.insert(self.new.calls()?.into_iter()),
                };
                match calls.next() {
                    Some(call) => self.making = Some(Run::new(Wanted::new(call, Rc::new(Policy::default()))).into()),
                    None => {
                        let held = sandbox.store.lock.acquire()?;
                        let (store, platform) = (&sandbox.store, sandbox.platform());
                        return created(&self.new.name, &self.text, store, &held, &*platform).map(Advance::Done);
                    }
                }
                continue;
            };
            match making.advance(sandbox)? {
                Advance::Need(Need::Ask(ask)) => making.give(Given::Answer(approved(&ask)?)),
                Advance::Need(need) => return Ok(Advance::Need(need)),
                Advance::Done(Reply::Done(Ok(result))) => {
                    self.text.push_str(&result.text);
                    self.making = None;
                }
                Advance::Done(ended) => {
                    let platform = sandbox.platform();
                    return Ok(Advance::Done(reply(&ended, |hint| platform.words(hint))));
                }
            }
        }
    }

    /// Supplies what the last step asked for.
    pub fn give(&mut self, given: Given) {
        if let Some(making) = &mut self.making {
            making.give(given);
        }
    }
}

/// The answer about a new sandbox, with its owner's token. `text` is for a person.
pub fn created(name: &SandboxId, text: &str, store: &Store, held: &Held, platform: &dyn Platform) -> Result<Response> {
    let wanted = token::Wanted { role: Role::Owner, note: String::new(), expires_in: None };
    let owner = token::make(store, held, platform, &wanted)?;
    Ok(Response::json(201, &json!({ "name": name, "text": text, "owner": owner.shown() })))
}

/// A pull only brings data in, so it is approved. None of these calls can push.
fn approved(ask: &Ask) -> Result<Answered> {
    match ask {
        Ask::Call(_) => {
            let said = Said::Call(Decided::Given(CallDecision::Approve));
            Ok(Answered { said, how: How::Command, was_shown: false })
        }
        Ask::Push(_) => Err(HostError::new(ErrorKind::Component, "a new sandbox asks for a push")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_branch_may_have_any_name_that_git_gives_it() {
        let target = |github: &str, branch: Option<&str>| {
            let body = json!({ "github": github, "branch": branch });
            From::read(decision::read(&body)?).map(|from| from.spec.to_string())
        };
        assert_eq!(target("ada/engine", None).unwrap(), "github:ada/engine");
        assert_eq!(target("ada/engine", Some("fix/#12")).unwrap(), "github:ada/engine#fix/#12");
        let wrong = target("ada/engine", Some("a..b")).unwrap_err();
        assert_eq!((wrong.kind, wrong.message.contains("`a..b` is not a valid branch name")), (ErrorKind::Usage, true));
    }
}
