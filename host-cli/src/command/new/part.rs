//! The part of a repository that a new sandbox pulls.

use std::path::Path;

use gate::refname::BranchRef;
use gate::target::CanonicalTarget;
use host::settings::AutoPull;
use serde_json::{Value, json};

use super::{New, Source};
use crate::error::{ErrorKind, HostError};
use crate::home::Place;
use crate::home::git_config::GitPlace;
use crate::remote::{self, Target, TargetSpec};

impl New {
    /// Returns what comes with the first pull: the part of a repository that was asked for, and
    /// whatever comes from a server. `None` for the whole of a repository nearby.
    pub(super) fn part(&self, base: &Path) -> anyhow::Result<Option<Part>> {
        let spec = match &self.from {
            Some(Source::Repository(spec)) if spec.location.kind().forge().is_some() => spec,
            _ if self.paths.is_empty() && self.depth.is_none() => return Ok(None),
            Some(Source::Repository(spec)) => spec,
            Some(Source::Bundle(_)) | None => {
                return Err(HostError::new(ErrorKind::Usage, "a bundle cannot be opened in part")
                    .hint("omit --paths and --depth, or clone the bundle and open the clone")
                    .into());
            }
        };
        let (target, place) = match spec.location.kind().forge() {
            Some(_) => (remote::canonical(spec, base)?, None),
            None => {
                let target = Target::open(spec, base)?;
                (target.canonical().clone(), Some(target.git_place()?))
            }
        };
        let mut arguments = json!({ "source": named(&target, spec.branch.as_ref()) });
        if !self.paths.is_empty() {
            arguments["paths"] = json!(self.paths);
        }
        if let Some(depth) = self.depth {
            arguments["depth"] = json!(depth);
        }
        Ok(Some(Part { arguments, place, target: target.to_string() }))
    }
}

/// A part of a repository.
pub(super) struct Part {
    /// The arguments of `git_pull`.
    pub(super) arguments: Value,
    /// The repository, if it is on this machine.
    pub(super) place: Option<GitPlace>,
    pub(super) target: String,
}

/// A target as the tools name it.
pub(in crate::command) fn named(target: &CanonicalTarget, branch: Option<&BranchRef>) -> Value {
    json!(Place::of(target, branch))
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
        let target = remote::canonical(&spec, base)?;
        let source = named(&target, spec.branch.as_ref());
        // A pull into a named zone brings only files, even if the sandbox has no commit yet.
        let arguments = json!({ "source": source, "paths": [wanted.path], "destZone": "workspace" });
        Ok(Pull { arguments, target: target.to_string() })
    }
}
