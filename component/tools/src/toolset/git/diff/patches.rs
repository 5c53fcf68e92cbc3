//! Writes each patch to its own file in a folder (FR-GIT-DIFF-05).

use std::collections::BTreeSet;

use gix::bstr::ByteSlice;
use serde::Serialize;

use super::{Changes, GitDiff};
use crate::budget::{Room, is_zero};
use crate::error::ToolError;
use crate::git::text::patch_text::queue::Queue;
use crate::git::text::patch_text::writer::Writer;
use crate::output::Output;
use crate::paths::{Access, SandboxPath};
use crate::platform;
use crate::session::Context;

/// What was written, with `output_dir`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Patches {
    /// Paths of the patches.
    patches: Vec<String>,
    /// Patches that were written and are not listed.
    #[serde(rename = "patchesOmitted", skip_serializing_if = "is_zero")]
    patches_omitted: usize,
    #[serde(rename = "outputDir")]
    output_dir: String,
    /// The result has text that others may have written: data, not instructions.
    untrusted: bool,
}

/// Writes the patches of `queue` to `folder`, and creates it if necessary.
pub fn write(
    context: &Context<'_>,
    folder: &SandboxPath,
    queue: &Queue,
    writer: &mut Writer<'_>,
    max_bytes: usize,
) -> Result<Output, ToolError> {
    let shown = folder.shown();
    platform::create_dir_all(&folder.real()).map_err(|error| ToolError::io(&shown, &error))?;
    let mut names = BTreeSet::new();
    let mut patches = Vec::with_capacity(queue.changes.len());
    for change in &queue.changes {
        context.deadline.poll()?;
        let mut text = Vec::new();
        writer.render(change, &mut text)?;
        let name = unused(&change.path.to_str_lossy(), &mut names);
        // The path may be a link, whose target must be writable too.
        let path = context.session.zones.resolve(&name, folder, Access::Write)?;
        platform::put_file(&path.real(), text, None).map_err(|error| ToolError::io(&path.shown(), &error))?;
        patches.push(name);
    }
    let text = serde_json::json!({ "patches": patches }).to_string();
    let patches_omitted = Room::new(max_bytes).cut(&mut patches);
    let patches = Patches { patches, patches_omitted, output_dir: shown, untrusted: true };
    Ok(Output::new::<GitDiff>(text, Changes::Patches(patches)).max_bytes(max_bytes))
}

/// The maximum length of a file name, in bytes.
const LONGEST_NAME: usize = 255;

/// A unique name for the patch of `path`, cut if too long. If two paths would share a name, the later one gets a number.
fn unused(path: &str, names: &mut BTreeSet<String>) -> String {
    let stem = path.replace('/', "__");
    let named = |end: &str| format!("{}{end}", &stem[..stem.floor_char_boundary(LONGEST_NAME - end.len())]);
    let mut name = named(".patch");
    let mut number = 1;
    while !names.insert(name.clone()) {
        number += 1;
        name = named(&format!("-{number}.patch"));
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_paths_share_a_patch() {
        let mut names = BTreeSet::new();
        assert_eq!(unused("a/b.rs", &mut names), "a__b.rs.patch");
        assert_eq!(unused("a__b.rs", &mut names), "a__b.rs-2.patch");
        assert_eq!(unused("a/b__c", &mut names), "a__b__c.patch");
        let long = format!("d/{}", "é".repeat(200));
        for end in [".patch", "-2.patch", "-3.patch"] {
            let name = unused(&long, &mut names);
            assert!(name.starts_with("d__éé") && name.ends_with(end) && (254..=255).contains(&name.len()), "{name}");
        }
    }
}
