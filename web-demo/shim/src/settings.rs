//! How a sandbox is described when it is opened or made.

use std::path::PathBuf;

use ::host::error::{ErrorKind, HostError, Result};
use ::host::settings::own_branch::on_server;
use ::host::settings::{HexId, Identity, SandboxFile};
use gate::policy::{Base, PushMode};
use gate::target::CanonicalTarget;

use crate::value::Value;

/// How a sandbox is opened.
#[derive(Debug)]
pub struct Opened {
    /// How a person names it.
    pub name: String,
    /// The text of `gitgate.toml`. Default: empty.
    pub config: String,
    /// The text of the person's policy file, if there is one.
    pub rules: Option<String>,
}

impl Opened {
    /// Reads what a caller says.
    pub fn read(value: &Value) -> Result<Self> {
        value.only(&["name", "config", "rules"])?;
        Ok(Opened {
            name: value.field("name")?.text()?,
            config: value.field("config")?.optional_text()?.unwrap_or_default(),
            rules: value.field("rules")?.optional_text()?,
        })
    }
}

/// What a new sandbox is.
#[derive(Debug)]
pub struct New {
    /// Who commits, as `Name <email>`.
    identity: Option<String>,
    /// The base policy.
    policy: Base,
    /// The repository that it comes from, as a target.
    from: Option<String>,
    /// The branch there that pushes go to which name no target. Default: one of its own.
    push_to: Option<String>,
    /// Further targets that an agent may name.
    targets: Vec<String>,
    /// Who may start a push. Default: as the configuration says.
    push: Option<PushMode>,
}

impl New {
    /// Reads what a caller says.
    pub fn read(value: &Value) -> Result<Self> {
        value.only(&["identity", "policy", "from", "pushTo", "targets", "push"])?;
        let policy =
            value.field("policy")?.option().map(|policy| policy.word(&Base::ALL.map(|base| (base.name(), base))));
        let modes = [("manual", PushMode::Manual), ("assisted", PushMode::Assisted)];
        let targets = value.field("targets")?.option().map(|targets| targets.list(Value::text));
        Ok(New {
            identity: value.field("identity")?.optional_text()?,
            policy: policy.transpose()?.unwrap_or_default(),
            from: value.field("from")?.optional_text()?,
            push_to: value.field("pushTo")?.optional_text()?,
            targets: targets.transpose()?.unwrap_or_default(),
            push: value.field("push")?.option().map(|push| push.word(&modes)).transpose()?,
        })
    }

    /// The settings to store of the sandbox `name`.
    pub fn file(self, name: &str, id: HexId, created: String) -> Result<SandboxFile> {
        let from = self.from.map(|from| from.parse::<CanonicalTarget>()).transpose()?;
        let further = self.targets.iter().map(|target| target.parse::<CanonicalTarget>());
        // The policy compares spellings.
        let targets = from.iter().cloned().map(Ok).chain(further).map(|target| Ok(target?.to_string()));
        let targets = targets.collect::<Result<Vec<String>>>()?;
        let default_target = match (&from, &self.push_to) {
            (Some(from), named) => Some(on_server(name, from, named.as_deref())?),
            (None, None) => None,
            (None, Some(_)) => {
                return Err(HostError::new(ErrorKind::Usage, "pushTo names a branch of the repository in from")
                    .hint("name that repository in from.github or from.git, or leave pushTo out"));
            }
        };
        Ok(SandboxFile {
            version: SandboxFile::VERSION,
            id,
            created,
            // Nothing here is in a folder, and no path of a target is relative.
            base: PathBuf::from("/"),
            repository: None,
            on_disk: None,
            identity: self.identity.map(|who| who.parse::<Identity>()).transpose()?,
            committer: None,
            policy: self.policy,
            policy_file: None,
            targets,
            worker: None,
            push: self.push,
            tasks: None,
            default_target,
            auto_pull: Vec::new(),
        })
    }
}
