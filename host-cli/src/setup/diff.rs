//! What a person sees of a plan: unified diffs.

use std::path::Path;

use similar::TextDiff;

use super::plan::Step;

/// The diff of a file.
pub fn unified(step: &Step) -> String {
    let (before, after) = (step.before.as_deref().unwrap_or_default(), step.after.as_deref().unwrap_or_default());
    let side = |text: &Option<String>| match text {
        Some(_) => step.file.display().to_string(),
        None => Path::new("/dev/null").display().to_string(),
    };
    let diff = TextDiff::from_lines(before, after);
    diff.unified_diff().header(&side(&step.before), &side(&step.after)).to_string()
}
