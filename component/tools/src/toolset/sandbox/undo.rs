//! `sandbox_undo`

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use crate::approval::Annotations;
use crate::error::Stop;
use crate::options::Toolset;
use crate::output::{Effect, Output};
use crate::past::Past;
use crate::session::Context;
use crate::tool::{Call, schema_file};

/// Take back the latest calls that changed something: files, index, branches and commits. What was
/// pushed or fetched stays.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct SandboxUndo {
    /// Number of calls. Default: 1
    steps: Option<NonZeroU32>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Undone {
    /// Latest first.
    undone: Vec<UndoneCall>,
    count: usize,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct UndoneCall {
    id: String,
    tool: String,
    summary: String,
}

impl Call for SandboxUndo {
    const NAME: &'static str = "sandbox_undo";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Session];
    const ANNOTATIONS: Annotations = Annotations::writes().destructive();
    const FILE: &'static str = schema_file!("sandbox_undo");
    type Result = Undone;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        let steps = self.steps.map_or(1, NonZeroU32::get);
        let calls = context.embedding.calls_to_undo(steps as usize)?;
        let mut text = String::new();
        for call in &calls {
            context.deadline.poll()?;
            text.push_str(&format!("Undid {}: {}\n", call.tool, call.summary));
        }
        let undone: Vec<UndoneCall> =
            calls.into_iter().map(|Past { id, tool, summary, .. }| UndoneCall { id, tool, summary }).collect();
        let output = Output::new::<SandboxUndo>(text, Undone { count: undone.len(), undone });
        Ok(output.max_bytes(context.session.options.git.max_bytes).effect(Effect::Undo(steps)))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::output::Effect;
    use crate::past::{Horizon, Past};
    use crate::testing::Sandbox;

    /// A sandbox with a history, latest first, of calls that can be undone or not.
    fn with_past(undoable: &[bool]) -> Sandbox {
        let mut sandbox = Sandbox::new();
        let past = |(number, &undoable): (usize, &bool)| Past {
            id: format!("call-{number}"),
            tool: "write_file".to_owned(),
            summary: format!("Wrote {number}"),
            caller: "agent".to_owned(),
            at: "2026-11-20T10:00:00+01:00".to_owned(),
            undoable,
            changed: Vec::new(),
            changed_count: 0,
        };
        sandbox.embedding.past = undoable.iter().enumerate().map(past).collect();
        sandbox
    }

    #[test]
    fn t_sandbox_undo_01_takes_back_the_latest_call() {
        let undone = with_past(&[true, true]).ok("sandbox_undo", json!({}));
        assert_eq!((undone.text.as_str(), undone.effect), ("Undid write_file: Wrote 0\n", Effect::Undo(1)));
        let call = json!({"id": "call-0", "tool": "write_file", "summary": "Wrote 0"});
        assert_eq!(undone.structured(), json!({"undone": [call], "count": 1}));
    }

    #[test]
    fn t_sandbox_undo_02_calls_that_cannot_be_undone_do_not_count() {
        let undone = with_past(&[false, true, false, false, false, true, true]).ok("sandbox_undo", json!({"steps": 2}));
        assert_eq!(
            (undone.text.as_str(), undone.effect),
            ("Undid write_file: Wrote 1\nUndid write_file: Wrote 5\n", Effect::Undo(2))
        );
    }

    #[test]
    fn t_sandbox_undo_03_more_than_there_is_undoes_nothing() {
        for (past, message) in [
            (&[][..], "There is nothing to undo"),
            (&[false], "There is nothing to undo"),
            (&[true, false], "Only 1 call can be undone"),
            (&[true, true, true], "Only 3 calls can be undone"),
        ] {
            let error = with_past(past).fail("sandbox_undo", json!({"steps": 4_000_000_000_u32}));
            assert_eq!((error.kind.name(), error.message.as_str()), ("execution-failed", message));
            assert_eq!(error.hint, "Nothing has changed. Call sandbox_history to see which calls you can undo.");
        }
        assert_eq!(with_past(&[true]).fail("sandbox_undo", json!({"steps": 0})).kind.name(), "bad-args");
    }

    #[test]
    fn t_sandbox_undo_04_says_why_it_goes_back_no_further() {
        for (horizon, why) in [
            (Horizon::Kept, "The sandbox keeps no older calls for undo."),
            (Horizon::Call("sandbox_import".to_owned()), "Undo cannot go back past sandbox_import."),
            (Horizon::Zones, "Undo cannot go back to a time when the sandbox had other zones."),
        ] {
            let mut sandbox = with_past(&[true, false]);
            sandbox.embedding.horizon = horizon;
            let error = sandbox.fail("sandbox_undo", json!({"steps": 2}));
            assert_eq!(error.message, "Only 1 call can be undone");
            assert_eq!(
                error.hint,
                format!("Nothing has changed. {why} Call sandbox_history to see which calls you can undo.")
            );
        }
    }
}
