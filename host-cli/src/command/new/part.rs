//! The part of a repository that a new sandbox pulls.

use std::path::Path;

use gate::refname::BranchRef;
use gate::target::CanonicalTarget;
use host::settings::AutoPull;
use serde_json::{Value, json};

use super::{New, Source};
use crate::error::{ErrorKind, HostError};
use crate::home::{Identity, Place};
use crate::remote::{Target, TargetSpec};

impl New {
    /// Returns the part of a repository that was asked for, or `None` for the whole. A part comes
    /// with the first pull.
    pub(super) fn part(&self, base: &Path) -> anyhow::Result<Option<Part>> {
        let spec = match &self.from {
            _ if self.paths.is_empty() && self.depth.is_none() => return Ok(None),
            Some(Source::Repository(spec)) => spec,
            Some(Source::Bundle(_)) | None => {
                return Err(HostError::new(ErrorKind::Usage, "a bundle cannot be opened in part")
                    .hint("omit --paths and --depth, or clone the bundle and open the clone")
                    .into());
            }
        };
        let target = Target::open(spec, base)?;
        let mut arguments = json!({ "source": named(target.canonical(), spec.branch.as_ref()) });
        if !self.paths.is_empty() {
            arguments["paths"] = json!(self.paths);
        }
        if let Some(depth) = self.depth {
            arguments["depth"] = json!(depth);
        }
        Ok(Some(Part { arguments, identity: identity_of(&target), target: target.canonical().to_string() }))
    }
}

/// A part of a repository.
pub(super) struct Part {
    /// The arguments of `git_pull`.
    pub(super) arguments: Value,
    /// Who commits in that repository.
    pub(super) identity: Option<Identity>,
    pub(super) target: String,
}

/// A target as the tools name it.
pub(in crate::command) fn named(target: &CanonicalTarget, branch: Option<&BranchRef>) -> Value {
    json!(Place::of(target, branch).expect("a repository that was opened is in a folder"))
}

pub(super) fn identity_of(target: &Target) -> Option<Identity> {
    target.identity().and_then(|(name, email)| format!("{name} <{email}>").parse().ok())
}

/// Files that a worker file brings into a new sandbox.
pub(super) struct Pull {
    /// The arguments of `git_pull`.
    pub(super) arguments: Value,
    pub(super) target: String,
}

impl Pull {
    /// Opens the repository to learn its canonical name.
    pub(super) fn of(wanted: &AutoPull, base: &Path) -> anyhow::Result<Self> {
        let spec = TargetSpec::of(&wanted.source)?;
        let target = Target::open(&spec, base)?;
        let source = named(target.canonical(), spec.branch.as_ref());
        // A pull into a named zone brings only files, even if the sandbox has no commit yet.
        let arguments = json!({ "source": source, "paths": [wanted.path], "destZone": "workspace" });
        Ok(Pull { arguments, target: target.canonical().to_string() })
    }
}
