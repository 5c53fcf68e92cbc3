//! How a sandbox is described when it is opened or made: objects of JavaScript's, read by serde.

use std::path::PathBuf;

use ::host::error::{ErrorKind, HostError, Result};
use ::host::settings::{HexId, Identity, SandboxFile};
use gate::policy::{Base, PushMode};
use gate::target::CanonicalTarget;
use js_sys::JSON;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::JsValue;

/// How a sandbox is opened.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Opened {
    /// How a person names it.
    pub name: String,
    /// The text of `gitgate.toml`. Default: empty.
    #[serde(default)]
    pub config: String,
    /// The text of the person's policy file, if there is one.
    pub rules: Option<String>,
}

/// What a new sandbox is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct New {
    /// Who commits, as `Name <email>`.
    identity: Option<String>,
    /// The base policy.
    #[serde(default)]
    policy: Base,
    /// The targets that an agent may name, in their canonical spelling.
    #[serde(default)]
    targets: Vec<String>,
    /// Who may start a push. Default: as the configuration says.
    push: Option<PushMode>,
}

impl New {
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
            on_disk: None,
            identity: self.identity.map(|who| who.parse::<Identity>()).transpose()?,
            policy: self.policy,
            policy_file: None,
            targets: self.targets,
            worker: None,
            push: self.push,
            default_target: None,
            auto_pull: Vec::new(),
        })
    }
}

/// Reads an object that a caller gave as `what`.
pub fn read<T: DeserializeOwned>(js: &JsValue, what: &str) -> Result<T> {
    let wrong = |why: String| HostError::new(ErrorKind::Usage, format!("{what} cannot be read: {why}"));
    let text = JSON::stringify(js).map_err(|error| wrong(crate::error::words(&error)))?;
    // Of `undefined` and functions there is no text.
    let text = JsValue::from(text).as_string().ok_or_else(|| wrong("it is no object".to_owned()))?;
    serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))
}
