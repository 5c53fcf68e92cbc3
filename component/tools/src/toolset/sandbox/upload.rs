//! `sandbox_upload`: the pack that a client of git fetches from the sandbox, as `git upload-pack` makes it.
//!
//! | file | what it does |
//! |---|---|
//! | `wanted` | which objects a client may want |
//! | `history` | which commits it lacks |

mod history;
#[cfg(all(test, not(target_os = "wasi")))]
mod tests;
mod wanted;

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use gix::ObjectId;
use gix::objs::Kind;
use serde::{Deserialize, Serialize};

use self::history::Lacking;
use self::wanted::Wanted;
use crate::approval::{Annotations, Mode};
use crate::attachment;
use crate::error::{Stop, ToolError};
use crate::git::store::pack_objects::{self, Part};
use crate::options::Toolset;
use crate::output::Output;
use crate::session::Context;
use crate::tool::{Call, schema_file};
use crate::toolset::sandbox::named::id;

/// Make the pack that a client of git lacks, for a server to send. Only the user can call it.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SandboxUpload {
    /// Ids of objects that the client wants
    wants: Vec<String>,
    /// Ids of commits that it has
    #[serde(default)]
    haves: Vec<String>,
    /// Those of its commits whose parents it has not
    #[serde(default)]
    shallow: Vec<String>,
    /// Commits of history from each commit that is wanted. Default: all
    depth: Option<NonZeroU32>,
    /// Leave out blobs that are not wanted by their ids
    #[serde(default)]
    omit_blobs: bool,
    /// When to make the pack. Default: always
    #[serde(default)]
    pack: When,
}

/// When a pack is made.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
enum When {
    /// In any case.
    #[default]
    Always,
    /// If each commit that is wanted has an ancestor that the client has.
    IfReady,
    /// Not now.
    Never,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Uploaded {
    /// The commits that are here, of those that the client has.
    common: Vec<String>,
    /// Whether each commit that is wanted has one of them as an ancestor.
    ready: bool,
    /// Commits whose parents the client will not have, of which it does not know.
    shallow: Vec<String>,
    /// Commits whose parents it will have, and has not now.
    unshallow: Vec<String>,
    /// How many the pack has; null without one.
    objects: Option<usize>,
    /// What the pack consists of, but for the checksum at its end.
    parts: Vec<PartOfPack>,
}

/// Bytes of an attachment, or the next of those that the call made.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PartOfPack {
    /// The SHA-256 of the attachment; null for what the call made.
    attachment: Option<String>,
    /// Where the part begins in the attachment; 0 for what the call made.
    from: u64,
    size: u64,
}

impl Call for SandboxUpload {
    const NAME: &'static str = "sandbox_upload";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Session];
    const ANNOTATIONS: Annotations = Annotations::reads().only(Mode::Manual);
    /// A repository may be as large as the limits allow.
    const HURRIED: bool = false;
    const FILE: &'static str = schema_file!("sandbox_upload");
    type Result = Uploaded;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        let repo = context.session.repo()?;
        let deadline = context.deadline;
        let wanted = Wanted::find(&repo, &BTreeSet::from_iter(ids(&self.wants)?), deadline)?;
        let is_commit = |id: &ObjectId| {
            repo.gix.try_find_header(*id).is_ok_and(|found| found.is_some_and(|header| header.kind() == Kind::Commit))
        };
        let common: Vec<ObjectId> = ids(&self.haves)?.into_iter().filter(is_commit).collect();
        let shallow: BTreeSet<ObjectId> = ids(&self.shallow)?.into_iter().filter(is_commit).collect();
        let lacking = Lacking::of(&repo, &wanted.commits, &common, &shallow, self.depth, deadline)?;
        let hex = |ids: &[ObjectId]| ids.iter().map(ToString::to_string).collect();
        let mut uploaded = Uploaded {
            common: hex(&common),
            ready: lacking.is_ready,
            shallow: hex(&lacking.shallow),
            unshallow: hex(&lacking.unshallow),
            objects: None,
            parts: Vec::new(),
        };
        if self.pack == When::Never || (self.pack == When::IfReady && !lacking.is_ready) {
            return Ok(Output::new::<SandboxUpload>("No pack yet\n", uploaded));
        }
        let is_known = |parent: &ObjectId| lacking.is_known(&repo, parent);
        // A pack has newer trees whole, and older ones as deltas of those.
        let newest_first: Vec<ObjectId> = lacking.commits.iter().rev().copied().collect();
        let mut objects =
            pack_objects::objects(&repo, &newest_first, &lacking.known, &is_known, !self.omit_blobs, deadline)?;
        let mut seen: BTreeSet<ObjectId> = objects.iter().map(|(id, _)| *id).collect();
        objects.extend(wanted.others.into_iter().filter(|(id, _)| seen.insert(*id)));
        let made = pack_objects::make_as_stored(&repo, &objects, deadline)?;
        let bytes = made.len() + gix::hash::Kind::Sha1.len_in_bytes() as u64;
        let text = format!("A pack of {} objects, {bytes} bytes\n", objects.len());
        let (parts, made) = made.finish();
        uploaded.objects = Some(objects.len());
        uploaded.parts = parts.into_iter().map(PartOfPack::from).collect();
        Ok(Output::new::<SandboxUpload>(text, uploaded).pack(made))
    }
}

impl From<Part> for PartOfPack {
    fn from(part: Part) -> Self {
        match part {
            Part::Attached { id, from, size } => PartOfPack { attachment: Some(attachment::name(&id)), from, size },
            Part::Made { size } => PartOfPack { attachment: None, from: 0, size },
        }
    }
}

fn ids(hex: &[String]) -> Result<Vec<ObjectId>, ToolError> {
    hex.iter().map(|hex| id(hex)).collect()
}
