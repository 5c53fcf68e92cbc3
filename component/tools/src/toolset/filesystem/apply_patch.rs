//! `apply_patch`

mod apply;
mod parse;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use self::apply::Applied;
use self::parse::{Change, FileChange};
use super::planned::Planned;
use crate::approval::Annotations;
use crate::error::{Stop, ToolError};
use crate::options::Toolset;
use crate::output::Output;
use crate::paths::Access;
use crate::platform::{self, Kind};
use crate::session::Context;
use crate::tool::{Call, schema_file};

/// Apply a patch in Codex's format: *** Begin Patch, then *** Add File:, *** Update File: (*** Move
/// to:) or *** Delete File:, then *** End Patch. All files change or none.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ApplyPatch {
    /// The patch
    patch: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Patched {
    /// In the order of the patch.
    files: Vec<PatchedFile>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PatchedFile {
    path: String,
    /// `A` for a new file, `M`, `D` or `R`, as in git's status.
    #[cfg_attr(test, schemars(extend("enum" = ["A", "M", "D", "R"])))]
    change: &'static str,
    /// Where it was before it was moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    added: usize,
    deleted: usize,
    /// Hunks that were found only where the file differs from the patch.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fuzz: Vec<Fuzz>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Fuzz {
    /// Counted from 1.
    hunk: usize,
    /// Where it was found.
    line: usize,
    /// In what the file differs there.
    #[cfg_attr(test, schemars(extend("enum" = ["whitespace at line ends", "whitespace", "punctuation"])))]
    differs: &'static str,
}

impl Call for ApplyPatch {
    const NAME: &'static str = "apply_patch";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Filesystem];
    const ANNOTATIONS: Annotations = Annotations::writes().destructive();
    const FILE: &'static str = schema_file!("apply_patch");
    type Result = Patched;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        let changes = parse::parse(&self.patch)?;
        let mut planned = Planned::default();
        let mut files = Vec::new();
        for change in &changes {
            files.push(make(change, &mut planned, context)?);
        }
        planned.write()?;
        let text = files.iter().map(PatchedFile::text).collect::<String>();
        Ok(Output::new::<ApplyPatch>(text, Patched { files }))
    }
}

/// Makes one change in what is planned.
fn make(change: &FileChange<'_>, planned: &mut Planned, context: &Context<'_>) -> Result<PatchedFile, ToolError> {
    if matches!(change.change, Change::Delete | Change::Update { to: Some(_), .. }) {
        ensure_no_link(context, change.path)?;
    }
    let file = planned.file(context, change.path)?;
    let path = file.path.shown();
    let plain =
        |path, change, added, deleted| PatchedFile { path, change, from: None, added, deleted, fuzz: Vec::new() };
    match &change.change {
        Change::Add(content) => {
            let change = if file.content.is_some() { "M" } else { "A" };
            let deleted = file.content.as_deref().map_or(0, lines);
            file.put(content.clone().into_bytes())?;
            Ok(plain(path, change, lines(content.as_bytes()), deleted))
        }
        Change::Delete => {
            let (content, _) = file.take()?;
            Ok(plain(path, "D", 0, lines(&content)))
        }
        Change::Update { to, hunks } => {
            let Applied { content, added, deleted, fuzz } =
                apply::apply(file.present()?, hunks, &file.named, context.deadline)?;
            let fuzz = fuzz.into_iter().map(|(hunk, line, differs)| Fuzz { hunk, line, differs }).collect();
            let Some(to) = to else {
                file.put(content)?;
                return Ok(PatchedFile { fuzz, ..plain(path, "M", added, deleted) });
            };
            let (_, executable) = file.take()?;
            let target = planned.file(context, to)?;
            if target.content.is_some() {
                return Err(ToolError::io(to, &std::io::ErrorKind::AlreadyExists.into())
                    .hint("Move to another path, or first delete what is there."));
            }
            target.put(content)?;
            target.set_executable(executable);
            let moved = plain(target.path.shown(), "R", added, deleted);
            Ok(PatchedFile { from: Some(path), fuzz, ..moved })
        }
    }
}

/// Refuses to take away a link: what it leads to would go in its place.
fn ensure_no_link(context: &Context<'_>, named: &str) -> Result<(), ToolError> {
    let entry = super::resolve(context, named, Access::Entry)?;
    match platform::stat(&entry.real()) {
        Ok(stat) if stat.kind == Kind::Link => Err(ToolError::failed(format!("{named} is a link"))
            .hint("Nothing has changed. Delete the link with delete_file, or move it with move_file.")),
        _ => Ok(()),
    }
}

fn lines(content: &[u8]) -> usize {
    content.split_inclusive(|byte| *byte == b'\n').count()
}

impl PatchedFile {
    /// As git's short status has it, with the hunks that were found only with fuzz below.
    fn text(&self) -> String {
        let PatchedFile { path, change, from, added, deleted, fuzz } = self;
        let from = from.as_ref().map_or_else(String::new, |from| format!("{from} -> "));
        let mut text = format!("{change} {from}{path} (+{added} -{deleted})\n");
        for Fuzz { hunk, line, differs } in fuzz {
            text.push_str(&format!("  hunk {hunk} was found at line {line}, where the file differs in {differs}\n"));
        }
        text
    }
}
