//! A call as the host decides about it and the component makes it: in the sandbox's own names, whatever the caller calls tools, arguments and
//! files.

use dialect::{Spoken, json};
use serde_json::Value;

use super::paths;
use crate::answer::Call;
use crate::sandbox::Sandbox;

/// The call in the sandbox's own names, if it is in any others. What is no call in any names is left as it is, and the component refuses it: it
/// reads with the same function.
pub(crate) fn heard(call: &Call, sandbox: &Sandbox) -> Option<Call> {
    // As the component reads it.
    let text = if call.arguments.trim().is_empty() { "{}" } else { &call.arguments };
    let Ok(Value::Object(arguments)) = json::from_str(text) else { return None };
    let Spoken { tool, arguments, dialect, mut changed } = dialect::read(call.dialect, &call.tool, arguments).ok()?;
    let mut arguments = Value::Object(arguments);
    let outside = sandbox.file.repository.as_ref().and_then(|repository| repository.worktree.as_deref());
    if let Some(outside) = outside {
        if tool == "bash"
            && let Some(Value::String(script)) = arguments.get_mut("command")
            && let Some(inside) = paths::in_script(outside, script)
        {
            *script = inside;
            changed = true;
        }
        paths::each(&tool, &mut arguments, &mut |path| {
            if let Some(inside) = paths::inside(outside, path) {
                *path = inside;
                changed = true;
            }
        });
    }
    // An unchanged text stays as it was: what waits for an answer is known by it.
    changed.then(|| Call { tool: tool.into_owned(), arguments: arguments.to_string(), dialect, ..call.clone() })
}
