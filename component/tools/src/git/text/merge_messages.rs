//! What git says about a merge of trees (merge-ort.c, `merge_display_update_messages`).

use gix::bstr::ByteSlice;
use patch::tree_merge::{Kind, Outcome};

use crate::git::text::patch_text::queue::rename_warning;
use crate::git::words::advice;
use crate::git::words::streams::Streams;

/// Appends git's messages about the merge.
pub fn say(outcome: &Outcome, streams: &mut Streams) {
    for message in &outcome.messages {
        streams.line(&[&message.text]);
    }
    let submodules = outcome.messages.iter().filter(|message| message.kind == Kind::SubmoduleNotInitialized);
    let mut names: Vec<&[u8]> = submodules.filter_map(|message| Some(message.paths.first()?.as_slice())).collect();
    names.reverse();
    if !names.is_empty() {
        streams.err.extend_from_slice(&submodule_advice(&names.join(&b' ')));
    }
    if let Some(needed) = outcome.needed_limit {
        let warning = rename_warning(needed).replace("diff.renameLimit", "merge.renamelimit");
        streams.err.extend_from_slice(warning.as_bytes());
    }
}

/// git's advice on merging submodules that both sides moved (git's merge-ort.c, `print_submodule_conflict_suggestion`).
fn submodule_advice(names: &[u8]) -> Vec<u8> {
    let text = format!(
        "Recursive merging with submodules currently only supports trivial cases.\n\
         Please manually handle the merging of each conflicted submodule.\n\
         This can be accomplished with the following steps:\n \
         - come back to superproject and run:\n\n      \
         git add {}\n\n   \
         to record the above merge or update\n \
         - resolve any other conflicts in the superproject\n \
         - commit the resulting index in the superproject\n",
        names.to_str_lossy()
    );
    advice::advice(&text, "submoduleMergeConflict").into_bytes()
}
