//! Reads a whole repository or bundle and imports it into a new sandbox.

use std::path::Path;

use gate::hex;
use host::target::spelling;
use serde_json::{Value, json};

use super::part::identity_of;
use super::{Context, Source, ask};
use crate::home::{Identity, git_config};
use crate::remote::Target;
use crate::remote::bundle::read_bundle;
use crate::remote::supply::Supplied;
use crate::report;
use crate::sandbox::Sandbox;
use crate::screen::progress;
use crate::store::Attachment;

/// A repository that was read.
pub(super) struct Read {
    supplied: Supplied,
    /// The full name of the branch to start on, or the detached commit.
    head: Option<Value>,
    /// Where it is. `None` for a bundle, which accepts no pushes.
    origin: Option<Value>,
    /// Who commits in that repository.
    pub(super) identity: Option<Identity>,
    pub(super) target: Option<String>,
}

impl Read {
    pub(super) fn from(source: &Source, base: &Path) -> anyhow::Result<Self> {
        let bars = progress::Bars::default();
        let (supplied, branch, origin, identity) = match source {
            Source::Bundle(file) => (read_bundle(&base.join(file), &bars)?, None, None, None),
            Source::Repository(spec) => {
                let target = Target::open(spec, base)?;
                if let Some(branch) = &spec.branch {
                    target.existing_branch(branch)?;
                }
                let place = target.canonical();
                let supplied = target.supply(&bars)?;
                let head = supplied.listing.head_branch(&git_config::default_branch());
                let origin = json!({
                    "kind": spelling::tool_word(place.kind()),
                    "location": place.location(),
                    "target": place.to_string(),
                    "head": head,
                });
                (supplied, spec.branch.clone(), Some(origin), identity_of(&target))
            }
        };
        let listing = &supplied.listing;
        for odd in &listing.left_out {
            report::note(&format!("skipped: {odd}"));
        }
        let head = match (branch, &listing.head, listing.detached) {
            (Some(branch), _, _) => Some(json!({ "branch": branch.as_str() })),
            (None, Some(head), _) => Some(json!({ "branch": head })),
            (None, None, Some(id)) => Some(json!({ "detached": id.to_string() })),
            (None, None, None) => None,
        };
        let target = origin.is_some().then(|| listing.canonical.to_string());
        Ok(Read { supplied, head, origin, identity, target })
    }
}

/// Imports the repository into the sandbox, or an empty one for `None`.
pub(super) fn import(context: &Context, sandbox: &mut Sandbox, read: Option<Read>) -> anyhow::Result<String> {
    let mut attached = Vec::new();
    let arguments = match read {
        None => json!({}),
        Some(read) => {
            let supply = &read.supplied.supply;
            if !supply.verified.objects().is_empty() {
                attached.push(Attachment::new(supply.verified.bytes().clone()));
                attached.push(Attachment::new(supply.verified.index()?));
            }
            let packs = attached
                .chunks_exact(2)
                .map(|pair| json!({ "pack": hex::encode(&pair[0].id), "index": hex::encode(&pair[1].id) }));
            let refs = read
                .supplied
                .listing
                .refs
                .iter()
                .map(|entry| json!({ "name": entry.name, "id": entry.id.to_string() }));
            json!({
                "origin": read.origin,
                "head": read.head,
                "refs": refs.collect::<Vec<_>>(),
                "packs": packs.collect::<Vec<_>>(),
                "shallow": supply.shallow.iter().map(ToString::to_string).collect::<Vec<_>>(),
            })
        }
    };
    ask(context, sandbox, "sandbox_import", &arguments, attached)
}
