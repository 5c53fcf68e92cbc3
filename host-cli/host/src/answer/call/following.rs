//! The push that a script asks for.
//!
//! A call that waits for a person is taken back and made again, and a script would then run twice. So a script ends first, and what it did
//! stays. Its push is a call of its own behind it, with its own rules and its own question, and both are one reply.

use gate::policy::Caller;
use serde_json::{Map, Value, json};

use crate::answer::wording::json;
use crate::answer::{Call, Reply};
use crate::hint::Hint;
use crate::wit::ToolResult;

/// The tool whose calls are scripts.
const SCRIPT: &str = "bash";

/// The result of a script whose push is being made.
#[derive(Debug)]
pub(crate) struct Script {
    result: ToolResult,
    structured: Map<String, Value>,
    caller: Caller,
}

/// Whether the push of a script that has run waits for a person.
pub(crate) fn waits(result: &ToolResult) -> bool {
    // In a text these quotes would be escaped.
    result.structured.contains("\"status\":\"pending\"")
        && serde_json::from_str(&result.structured).is_ok_and(|ran: Value| ran["push"]["status"] == "pending")
}

impl Script {
    /// The script that `call` was, and the call that follows it. None if nothing does.
    pub(crate) fn followed(call: &Call, result: &ToolResult) -> Option<(Script, Call)> {
        // Most scripts push nothing, and what they print can be long.
        if call.tool != SCRIPT || !result.structured.contains("\"push\":") {
            return None;
        }
        let structured: Map<String, Value> = serde_json::from_str(&result.structured).ok()?;
        let arguments = structured.get("push")?.to_string();
        let following = Call { tool: "git_push".to_owned(), arguments, ..call.clone() };
        Some((Script { result: result.clone(), structured, caller: call.caller }, following))
    }

    /// The reply to both, with hints in the `words` of a body.
    pub(crate) fn with(mut self, push: Reply, words: impl Fn(&Hint) -> String) -> Reply {
        let said = |message: &str, hint: &str| match hint {
            "" => format!("git push: {message}\n"),
            hint => format!("git push: {message}\nhint: {hint}\n"),
        };
        let push = if self.caller == Caller::Agent { push.for_agent() } else { push };
        let (text, mut push, has_landed) = match push {
            Reply::Done(Ok(result)) => {
                self.result.truncated |= result.truncated;
                let push = serde_json::from_str(&result.structured).unwrap_or(Value::Null);
                let has_landed = push["status"] == "success";
                (result.text, push, has_landed)
            }
            Reply::Done(Err(error)) => {
                let text = said(&error.message, &error.hint);
                (text, json!({ "status": "failed", "error": json::tool_error(&error) }), false)
            }
            Reply::NotApproved(not) => {
                let hint = words(&not.hint);
                let again = "run `git push` again after that, by itself, and it goes on";
                let text = said(&not.reason, &[hint.as_str(), again].join(if hint.is_empty() { "" } else { "; " }));
                (text, json!({ "status": "pending", "pending": json::not_approved(&not, words) }), false)
            }
        };
        if !self.result.text.is_empty() && !self.result.text.ends_with('\n') {
            self.result.text.push('\n');
        }
        self.result.text.push_str(&text);
        if let Some(push) = push.as_object_mut() {
            push.insert("text".to_owned(), text.into());
        }
        if !has_landed && self.structured.get("exitCode") == Some(&json!(0)) {
            self.structured.insert("exitCode".to_owned(), 1.into());
            self.result.text.push_str("[exit code 1]\n");
        }
        self.structured.insert("push".to_owned(), push);
        self.result.structured = Value::Object(self.structured).to_string();
        Reply::Done(Ok(self.result))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::NotApproved;
    use crate::answer::wording::tool_error;

    fn script(structured: &Value) -> Option<(Script, Call)> {
        let result = ToolResult { text: "made".to_owned(), structured: structured.to_string(), truncated: false };
        Script::followed(&Call::new("bash", r#"{"command": "make"}"#, Caller::Agent), &result)
    }

    fn with(reply: Reply) -> (String, Value) {
        let push = json!({ "commitId": "5e0f0d1c" });
        let (script, following) = script(&json!({ "exitCode": 0, "push": push })).unwrap();
        assert_eq!((following.tool.as_str(), following.arguments), ("git_push", push.to_string()));
        let Reply::Done(Ok(result)) = script.with(reply, |_| "review it".to_owned()) else {
            panic!("a script that has run has a result");
        };
        (result.text, serde_json::from_str(&result.structured).unwrap())
    }

    #[test]
    fn a_script_without_a_push_is_followed_by_nothing() {
        assert!(script(&json!({ "exitCode": 0, "stdout": "\"push\":{}" })).is_none());
        let result = ToolResult { text: String::new(), structured: r#"{"push":{}}"#.to_owned(), truncated: false };
        assert!(Script::followed(&Call::new("git_status", "{}", Caller::Agent), &result).is_none());
    }

    #[test]
    fn what_has_landed_is_told_behind_what_the_script_printed() {
        let structured = r#"{"status":"success"}"#.to_owned();
        let landed = ToolResult { text: "To it\n".to_owned(), structured, truncated: false };
        let (text, structured) = with(Reply::Done(Ok(landed)));
        assert_eq!(text, "made\nTo it\n");
        assert_eq!(structured, json!({ "exitCode": 0, "push": { "status": "success", "text": "To it\n" } }));
    }

    #[test]
    fn what_has_not_landed_is_an_exit_code_with_its_reason() {
        let (text, structured) = with(Reply::Done(Err(tool_error::rejected("no".to_owned()))));
        assert!(text.starts_with("made\ngit push: Rejected by the user: no\n"), "{text}");
        assert!(text.ends_with("[exit code 1]\n"), "{text}");
        assert_eq!((&structured["exitCode"], &structured["push"]["status"]), (&json!(1), &json!("failed")));

        let waits = NotApproved { waits: true, ..NotApproved::unasked("It waits".to_owned(), "review") };
        let (text, structured) = with(Reply::NotApproved(Box::new(waits)));
        let hint = "review it; run `git push` again after that, by itself, and it goes on";
        assert_eq!(text, format!("made\ngit push: It waits\nhint: {hint}\n[exit code 1]\n"));
        assert_eq!(structured["push"]["status"], "pending");
        let result = |structured: Value| ToolResult { text, structured: structured.to_string(), truncated: false };
        assert!(super::waits(&result(structured)));
    }
}
