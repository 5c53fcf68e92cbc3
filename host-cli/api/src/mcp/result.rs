//! The outcome of a call in the protocol's terms. A failed call is a result that says so, because
//! clients show results to a model, and not errors of the protocol.

use host::answer::{Reply, Words};
use host::hint::Hint;
use host::wit::ToolResult;
use rmcp::model::{CallToolResult, ContentBlock, MetaObject};
use serde_json::Value;

/// The key in a result's `_meta` for an error's kind, message, hint and further data.
pub const ERROR: &str = "gitgate/error";

/// The kind of a call that waits for the person.
const PENDING: &str = "pending";

/// The reply to an agent, with hints in the front end's `words`.
pub fn result(reply: Reply, words: impl Fn(&Hint) -> String) -> CallToolResult {
    match reply.for_agent() {
        Reply::Done(Ok(result)) => done(result),
        Reply::Done(Err(error)) => failed(&Words::of_tool(&error)),
        Reply::NotApproved(not) => {
            let mut said = Words::of_unapproved(&not, words);
            if not.waits {
                said.kind = PENDING.to_owned();
            }
            failed(&said)
        }
    }
}

/// An error as a result that a model can act on.
pub fn failed(words: &Words) -> CallToolResult {
    let mut text = String::new();
    let partial = words.more.get("partial").and_then(Value::as_str);
    if let Some(partial) = partial.filter(|partial| !partial.is_empty()) {
        text.push_str(partial);
        text.push('\n');
    }
    text.push_str(&format!("error: {}\nkind: {}\n", words.message, words.kind));
    for (name, key) in [("reason", "reason"), ("files", "summary"), ("warnings", "warnings")] {
        match words.more.get(key) {
            Some(Value::String(value)) => text.push_str(&format!("{name}: {value}\n")),
            Some(Value::Array(lines)) if !lines.is_empty() => {
                text.push_str(&format!("{name}:\n"));
                lines.iter().filter_map(Value::as_str).for_each(|line| text.push_str(&format!("  {line}\n")));
            }
            _ => {}
        }
    }
    if !words.hint.is_empty() {
        text.push_str(&format!("hint: {}\n", words.hint));
    }
    let error = serde_json::to_value(words).expect("it has only string keys");
    let mut meta = MetaObject::default();
    meta.insert(ERROR.to_owned(), error);
    let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
    result.meta = Some(meta);
    result
}

/// The text is the tool's own, for a model. It says the same as the structured result.
fn done(ToolResult { text, structured, .. }: ToolResult) -> CallToolResult {
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = serde_json::from_str(&structured).ok();
    result
}

#[cfg(test)]
mod tests {
    use host::answer::NotApproved;
    use host::wit::{ErrorKind, ToolError};

    use super::*;

    fn of(reply: Reply) -> CallToolResult {
        result(reply, |hint| hint.words(|_| "review it".to_owned()))
    }

    fn text(result: &CallToolResult) -> &str {
        &result.content[0].as_text().expect("it is text").text
    }

    #[test]
    fn a_result_is_the_tools_text_and_its_structured_form() {
        let structured = r#"{"branch":"main"}"#.to_owned();
        let result = ToolResult { text: "On branch main\n".to_owned(), structured, truncated: false };
        let result = of(Reply::Done(Ok(result)));
        assert_eq!(text(&result), "On branch main\n");
        assert_eq!(result.structured_content.unwrap()["branch"], "main");
        assert_eq!(result.is_error, Some(false));
    }

    #[test]
    fn an_error_has_kind_message_and_hint_for_models_and_programs() {
        let kind = ErrorKind::Rejected("No tests".to_owned());
        let error = ToolError::new(kind, "The push was rejected", "Add tests.");
        let result = of(Reply::Done(Err(error)));
        let words = "error: The push was rejected\nkind: rejected\nreason: No tests\nhint: Add tests.\n";
        assert_eq!(text(&result), words);
        assert_eq!((result.is_error, &result.structured_content), (Some(true), &None), "it is no result of the tool");
        assert_eq!(result.meta.unwrap()[ERROR]["reason"], "No tests");
    }

    #[test]
    fn attack_22_what_waits_does_not_say_how_it_is_approved() {
        let not = |waits| NotApproved {
            reason: "it needs approval".to_owned(),
            hint: "approve it with --yes".into(),
            waits,
            push: None,
            inside: None,
        };
        let pending = of(Reply::NotApproved(Box::new(not(true))));
        assert!(text(&pending).contains("kind: pending\n"), "{}", text(&pending));
        assert!(!text(&pending).contains("--yes"));
        let kind = of(Reply::NotApproved(Box::new(not(false)))).meta.unwrap()[ERROR]["kind"].clone();
        assert_eq!(kind, "not-approved");
    }
}
