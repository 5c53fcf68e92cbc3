//! The push that a script asks for.
//!
//! A call that waits for a person is taken back and made again, and a script would then run twice. So a script ends first, and what it did
//! stays. Its push is a call of its own behind it, with its own rules and its own question, and both are one reply.

use serde_json::{Map, Value, json};

use crate::answer::wording::json;
use crate::answer::{Call, NotApproved, Reply};
use crate::wit::ToolResult;

/// The tool whose calls are scripts.
const SCRIPT: &str = "bash";

/// What an agent does about a push of its script that waits.
pub(crate) const AGAIN: &str =
    "Tell the user that it waits for their approval, and run `git push` by itself again after that.";

/// A script that has run, and whose push is being made.
#[derive(Clone, Debug)]
pub struct Script {
    result: ToolResult,
    structured: Map<String, Value>,
    push: Call,
}

impl Script {
    /// The script that `call` was. None if nothing follows it.
    pub(crate) fn followed(call: &Call, result: &ToolResult) -> Option<Script> {
        // Most scripts push nothing, and what they print can be long.
        if call.tool != SCRIPT || !result.structured.contains("\"push\":") {
            return None;
        }
        let structured: Map<String, Value> = serde_json::from_str(&result.structured).ok()?;
        let arguments = structured.get("push")?.to_string();
        let push = Call { tool: "git_push".to_owned(), arguments, ..call.clone() };
        Some(Script { result: result.clone(), structured, push })
    }

    /// The call that follows it.
    pub fn push(&self) -> &Call {
        &self.push
    }

    /// The reply to both, once the push is over. While it waits it goes on with the same script, and is made again by itself.
    pub fn with(self, push: Reply) -> Reply {
        match push {
            Reply::NotApproved(not) => {
                Reply::NotApproved(Box::new(NotApproved { script: Some(Box::new(self)), ..*not }))
            }
            Reply::Done(Ok(result)) => {
                let push: Value = serde_json::from_str(&result.structured).unwrap_or(Value::Null);
                let has_landed = push["status"] == "success";
                self.and(&result.text, push, has_landed, result.truncated)
            }
            Reply::Done(Err(error)) => {
                let push = json!({ "status": "failed", "error": json::tool_error(&error) });
                self.and(&said(&error.message, &error.hint), push, false, false)
            }
        }
    }

    /// The reply to both where nobody waits for the person any longer, with what to do about it.
    pub(crate) fn and_waits(self, not: &NotApproved, hint: &str) -> Reply {
        let push = json!({ "status": "pending", "pending": json::not_approved(not, |_| hint.to_owned()) });
        self.and(&said(&not.reason, hint), push, false, false)
    }

    /// Puts what the push came to behind what the script printed.
    fn and(mut self, text: &str, mut push: Value, has_landed: bool, is_cut: bool) -> Reply {
        let result = &mut self.result;
        if !result.text.is_empty() && !result.text.ends_with('\n') {
            result.text.push('\n');
        }
        result.text.push_str(text);
        result.truncated |= is_cut;
        if let Some(push) = push.as_object_mut() {
            push.insert("text".to_owned(), text.into());
        }
        if !has_landed && self.structured.get("exitCode") == Some(&json!(0)) {
            self.structured.insert("exitCode".to_owned(), 1.into());
            result.text.push_str("[exit code 1]\n");
        }
        self.structured.insert("push".to_owned(), push);
        result.structured = Value::Object(self.structured).to_string();
        Reply::Done(Ok(self.result))
    }
}

/// An error of a push, as git would say it.
fn said(message: &str, hint: &str) -> String {
    match hint {
        "" => format!("git push: {message}\n"),
        hint => format!("git push: {message}\nhint: {hint}\n"),
    }
}

#[cfg(test)]
mod tests {
    use gate::policy::Caller;

    use super::*;
    use crate::answer::wording::tool_error;

    fn script(structured: &Value) -> Option<Script> {
        let result = ToolResult { text: "made".to_owned(), structured: structured.to_string(), truncated: false };
        Script::followed(&Call::new("bash", r#"{"command": "make"}"#, Caller::Agent), &result)
    }

    fn with(reply: Reply) -> (String, Value) {
        let push = json!({ "commitId": "5e0f0d1c" });
        let script = script(&json!({ "exitCode": 0, "push": push })).unwrap();
        assert_eq!((script.push.tool.as_str(), &script.push.arguments), ("git_push", &push.to_string()));
        let Reply::Done(Ok(result)) = script.with(reply).for_agent() else {
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

        let waits = NotApproved { waits: true, ..NotApproved::unasked("It waits".to_owned(), "review it") };
        let (text, structured) = with(Reply::NotApproved(Box::new(waits)));
        assert_eq!(text, format!("made\ngit push: It waits\nhint: {AGAIN}\n[exit code 1]\n"));
        assert_eq!(structured["push"]["status"], "pending");
    }
}
