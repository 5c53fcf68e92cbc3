//! A call as the host decides about it and the component makes it: in the sandbox's own names, whatever the caller calls tools, arguments and
//! files.

use dialect::Spoken;
use serde_json::Value;

use super::paths;
use crate::answer::Call;
use crate::sandbox::Sandbox;

/// The call in the sandbox's own names. What is no call in any names is left as it is, and the component refuses it: it reads with the same
/// function.
pub(crate) fn heard(call: Call, sandbox: &Sandbox) -> Call {
    let Ok(Value::Object(arguments)) = serde_json::from_str(&call.arguments) else { return call };
    let Ok(spoken) = dialect::read(call.dialect, &call.tool, arguments) else { return call };
    let Spoken { tool, arguments, dialect, mut changed } = spoken;
    let mut arguments = Value::Object(arguments);
    let outside = sandbox.file.repository.as_ref().and_then(|repository| repository.worktree.as_deref());
    if let Some(outside) = outside {
        paths::each(&tool, &mut arguments, &mut |path| {
            if let Some(inside) = paths::inside(outside, path) {
                *path = inside;
                changed = true;
            }
        });
    }
    // The text stays as it was if it can: what waits for an answer is known by it, and it may be long.
    let arguments = if changed { arguments.to_string() } else { call.arguments };
    Call { tool: tool.into_owned(), arguments, dialect, ..call }
}
