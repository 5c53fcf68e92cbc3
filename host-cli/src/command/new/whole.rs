//! Reads a whole repository or bundle and imports it into a new sandbox.

use std::path::Path;

use host::target::supply::{Import, Origin, Supplied};
use serde_json::json;

use super::{Context, Source, ask};
use crate::error::HostError;
use crate::home::git_config::{self, GitPlace};
use crate::remote::Target;
use crate::remote::bundle::read_bundle;
use crate::report;
use crate::sandbox::Sandbox;
use crate::screen::progress;

/// A repository that was read.
pub(super) struct Read {
    import: Import,
    /// The repository on this machine.
    pub(super) git: Option<GitPlace>,
    /// Where it is. `None` for a bundle, which accepts no pushes.
    pub(super) target: Option<String>,
}

impl Read {
    pub(super) fn from(source: &Source, base: &Path) -> anyhow::Result<Self> {
        let bars = progress::Bars::default();
        let (supplied, read) = match source {
            Source::Bundle(file) => {
                let supplied = read_bundle(&base.join(file), &bars)?;
                let import = supplied.import(None, None).map_err(HostError::from)?;
                (supplied, Read { import, git: None, target: None })
            }
            Source::Repository(spec) => {
                let target = Target::open(spec, base)?;
                if let Some(branch) = &spec.branch {
                    target.existing_branch(branch)?;
                }
                let supplied = target.supply(&bars)?;
                let default_branch = &git_config::default_branch();
                let import = supplied.import(spec.branch.as_ref(), Some(&Origin { default_branch }));
                let import = import.map_err(HostError::from)?;
                let target_name = Some(supplied.listing.canonical.to_string());
                (supplied, Read { import, git: Some(target.git_place()?), target: target_name })
            }
        };
        leave_out(&supplied);
        Ok(read)
    }
}

fn leave_out(supplied: &Supplied) {
    for odd in &supplied.listing.left_out {
        report::note(&format!("skipped: {odd}"));
    }
}

/// Imports the repository into the sandbox, or an empty one for `None`.
pub(super) fn import(context: &Context, sandbox: &mut Sandbox, read: Option<Read>) -> anyhow::Result<String> {
    let (arguments, attached) = match read {
        None => (json!({}), Vec::new()),
        Some(Read { import, .. }) => (import.arguments, import.attached),
    };
    ask(context, sandbox, "sandbox_import", &arguments, attached)
}
