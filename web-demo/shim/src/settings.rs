//! How a sandbox is described when it is opened or made.

use std::path::PathBuf;

use ::host::error::{HostError, Result};
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
    /// The targets that an agent may name, in their canonical spelling.
    targets: Vec<String>,
    /// Who may start a push. Default: as the configuration says.
    push: Option<PushMode>,
}

impl New {
    /// Reads what a caller says.
    pub fn read(value: &Value) -> Result<Self> {
        value.only(&["identity", "policy", "targets", "push"])?;
        let policy =
            value.field("policy")?.option().map(|policy| policy.word(&Base::ALL.map(|base| (base.name(), base))));
        let modes = [("manual", PushMode::Manual), ("assisted", PushMode::Assisted)];
        let targets = value.field("targets")?.option().map(|targets| targets.list(Value::text));
        Ok(New {
            identity: value.field("identity")?.optional_text()?,
            policy: policy.transpose()?.unwrap_or_default(),
            targets: targets.transpose()?.unwrap_or_default(),
            push: value.field("push")?.option().map(|push| push.word(&modes)).transpose()?,
        })
    }

    /// The settings to store.
    pub fn file(self, id: HexId, created: String) -> Result<SandboxFile> {
        for target in &self.targets {
            target.parse::<CanonicalTarget>().map_err(HostError::from)?;
        }
        Ok(SandboxFile {
            version: SandboxFile::VERSION,
            id,
            created,
            // Nothing here is in a folder, and no path of a target is relative.
            base: PathBuf::from("/"),
            repository: None,
            on_disk: None,
            identity: self.identity.map(|who| who.parse::<Identity>()).transpose()?,
            policy: self.policy,
            policy_file: None,
            targets: self.targets,
            worker: None,
            push: self.push,
            tasks: None,
            default_target: None,
            auto_pull: Vec::new(),
        })
    }
}
