//! `git_merge`: merge three versions of a text, as `git merge-file` does.

use serde::{Deserialize, Serialize};

use crate::approval::Annotations;
use crate::deadline::Deadline;
use crate::error::Stop;
use crate::git::change::labels::LABELS;
use crate::options::Toolset;
use crate::output::Output;
use crate::session::Context;
use crate::tool::{Call, schema_file};

/// Merge three versions of a text, as git merge-file does. Changes no file.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct GitMerge {
    /// A name for messages
    path: Option<String>,
    /// What both sides started from
    #[serde(default)]
    base: String,
    /// The sandbox's version
    ours: String,
    /// The incoming version
    theirs: String,
    /// How to show a conflict, as git names it
    #[serde(default)]
    style: Style,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
enum Style {
    #[default]
    Merge,
    Diff3,
    Zdiff3,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Merged {
    #[cfg_attr(test, schemars(extend("enum" = ["clean", "conflict"])))]
    status: &'static str,
    content: String,
    has_conflicts: bool,
    /// How many places conflict; zero if it is not lines that do.
    conflicts: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

impl Call for GitMerge {
    const NAME: &'static str = "git_merge";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Git];
    const ANNOTATIONS: Annotations = Annotations::reads();
    const FILE: &'static str = schema_file!("git_merge");
    type Result = Merged;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        let versions = [(&self.ours, "ours"), (&self.base, "base"), (&self.theirs, "theirs")];
        let binary = versions.into_iter().find(|(text, _)| patch::binary::is_binary(text.as_bytes()));
        if let Some((_, which)) = binary {
            let name = self.path.as_deref().unwrap_or(which);
            let hint =
                format!("Cannot merge binary files: {name}. The returned content is ours. Choose one side as a whole.");
            return Ok(output(self.path, self.ours, 0, Some(hint)));
        }
        let merged = self.merge(context.deadline)?;
        let content = String::from_utf8(merged.content).expect("whole lines of UTF-8 are UTF-8");
        let hint = (merged.conflicts > 0)
            .then(|| "Edit the text between the markers <<<<<<< and >>>>>>>, and remove the markers.".to_owned());
        Ok(output(self.path, content, merged.conflicts, hint))
    }
}

impl GitMerge {
    fn merge(&self, deadline: &Deadline) -> Result<patch::merge::Merged, Stop> {
        let style = match self.style {
            Style::Merge => patch::merge::Style::Merge,
            Style::Diff3 => patch::merge::Style::Diff3,
            Style::Zdiff3 => patch::merge::Style::Zdiff3,
        };
        let poll = || deadline.flow(1024);
        let options = patch::merge::Options {
            style,
            labels: LABELS,
            deadline: patch::Deadline::new(&poll),
            ..patch::merge::Options::default()
        };
        let (base, ours, theirs) = (self.base.as_bytes(), self.ours.as_bytes(), self.theirs.as_bytes());
        patch::merge::merge(base, ours, theirs, &options).map_err(|_| deadline.timeout(String::new()).into())
    }
}

/// The text is the merged content, as `git merge-file -p` prints it.
fn output(path: Option<String>, content: String, conflicts: usize, hint: Option<String>) -> Output {
    let has_conflicts = hint.is_some();
    let status = if has_conflicts { "conflict" } else { "clean" };
    Output::new::<GitMerge>(content.clone(), Merged { status, content, has_conflicts, conflicts, path, hint })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::error::ErrorKind;
    use crate::testing::Sandbox;

    const MARKED: &str = "a\n<<<<<<< ours (sandbox)\nmine\n=======\nyours\n>>>>>>> theirs (incoming)\nc\n";

    #[test]
    fn t_git_merge_01_what_each_side_changed_is_in_the_content() {
        let mut sandbox = Sandbox::new();
        let merged = sandbox.ok(
            "git_merge",
            json!({ "path": "a.md", "base": "1\n2\n3\n4\n5\n", "ours": "one\n2\n3\n4\n5\n", "theirs": "1\n2\n3\n4\nfive\n" }),
        );
        assert_eq!(merged.text, "one\n2\n3\n4\nfive\n");
        assert_eq!(
            merged.structured(),
            json!({ "status": "clean", "content": "one\n2\n3\n4\nfive\n", "hasConflicts": false, "conflicts": 0, "path": "a.md" })
        );
    }

    #[test]
    fn t_git_merge_02_what_conflicts_stands_between_markers_and_is_no_error() {
        let mut sandbox = Sandbox::new();
        let merged =
            sandbox.ok("git_merge", json!({ "base": "a\nb\nc\n", "ours": "a\nmine\nc\n", "theirs": "a\nyours\nc\n" }));
        assert_eq!(merged.text, MARKED);
        assert_eq!(
            (&merged.structured()["status"], &merged.structured()["hasConflicts"]),
            (&json!("conflict"), &json!(true))
        );
        assert_eq!((&merged.structured()["content"], &merged.structured()["conflicts"]), (&json!(MARKED), &json!(1)));
    }

    #[test]
    fn t_git_merge_03_without_a_base_only_what_is_the_same_is_common() {
        let mut sandbox = Sandbox::new();
        let merged = sandbox.ok("git_merge", json!({ "ours": "a\nmine\nc\n", "theirs": "a\nyours\nc\n" }));
        assert_eq!(merged.text, MARKED);
    }

    #[test]
    fn t_git_merge_04_the_base_is_shown_where_the_style_says_so() {
        let mut sandbox = Sandbox::new();
        let mut merged = |style| {
            let sides = json!({ "base": "b\n", "ours": "x\nmine\n", "theirs": "x\nyours\n", "style": style });
            sandbox.ok("git_merge", sides).text
        };
        let both = "=======\nx\nyours\n>>>>>>> theirs (incoming)\n";
        assert_eq!(merged("diff3"), format!("<<<<<<< ours (sandbox)\nx\nmine\n||||||| base\nb\n{both}"));
        let both = "=======\nyours\n>>>>>>> theirs (incoming)\n";
        assert_eq!(merged("zdiff3"), format!("x\n<<<<<<< ours (sandbox)\nmine\n||||||| base\nb\n{both}"));
    }

    #[test]
    fn t_git_merge_05_binary_input_is_a_conflict_that_says_so() {
        let mut sandbox = Sandbox::new();
        let merged = sandbox.ok("git_merge", json!({ "path": "a.bin", "ours": "a\n", "theirs": "a\0b" }));
        assert_eq!((merged.text.as_str(), &merged.structured()["status"]), ("a\n", &json!("conflict")));
        let hint = merged.structured()["hint"].as_str().unwrap().to_owned();
        assert!(hint.starts_with("Cannot merge binary files: a.bin."), "{hint}");
    }

    #[test]
    fn t_git_merge_06_it_changes_nothing_needs_no_repository_and_stops_in_time() {
        let mut sandbox = Sandbox::new();
        let before = sandbox.tree();
        sandbox.ok("git_merge", json!({ "path": "a.md", "ours": "a\n", "theirs": "b\n" }));
        assert_eq!(sandbox.tree(), before);
        let lines: String = (0..10_000).map(|n| format!("{n}\n")).collect();
        let late = sandbox.calling("git_merge", json!({ "ours": lines, "theirs": "b\n" })).out_of_time().done();
        assert!(matches!(late.unwrap_err().kind, ErrorKind::Timeout { .. }));
    }

    #[test]
    fn t_git_merge_07_arguments_that_make_no_sense_are_refused() {
        let mut sandbox = Sandbox::new();
        for arguments in [
            json!({ "ours": "a" }),
            json!({ "ours": "a", "theirs": "b", "style": "ours" }),
            json!({ "ours": 1, "theirs": "b" }),
        ] {
            assert_eq!(sandbox.fail("git_merge", arguments).kind, ErrorKind::BadArgs);
        }
    }
}
