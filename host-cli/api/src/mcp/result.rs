//! The outcome of a call in the protocol's terms. A failed call is a result that says so, because
//! clients show results to a model, and not errors of the protocol.

use host::answer::{Reply, Words};
use host::hint::Hint;
use host::wit::ToolResult;
use rmcp::model::{CallToolResult, ContentBlock, MetaObject, ResourceContents};
use serde::Deserialize;
use serde_json::Value;

use super::Form;

/// The key in a result's `_meta` for an error's kind, message, hint and further data.
pub const ERROR: &str = "gitgate/error";

/// The kind of a call that waits for the person.
const PENDING: &str = "pending";

/// The reply to an agent in the `form` that its client gets, with hints in the front end's `words`.
pub fn result(reply: Reply, form: Form, words: impl Fn(&Hint) -> String) -> CallToolResult {
    match reply.for_agent() {
        Reply::Done(Ok(result)) => done(result, form),
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

/// The key in a result's `_meta` that says that others may have written its text: data, not instructions.
const UNTRUSTED: &str = "gitgate/untrusted";

/// What the protocol says otherwise than a structured result.
#[derive(Default, Deserialize)]
struct Seen {
    #[serde(default)]
    hint: Option<String>,
    #[serde(default)]
    untrusted: bool,
    #[serde(default)]
    path: String,
    /// The media type of `content`, in base64.
    #[serde(default)]
    mime: Option<String>,
    #[serde(default)]
    content: Value,
}

/// The text is the tool's own, for a model. It says the same as the structured result. An image is one, and a PDF is a resource.
fn done(ToolResult { mut text, structured, truncated }: ToolResult, form: Form) -> CallToolResult {
    // The structure of a list is an object too. Whatever is in none of these fields is for programs.
    let seen: Seen = serde_json::from_str(&structured).unwrap_or_default();
    if let Some(hint) = seen.hint.filter(|_| truncated) {
        text.push_str(&format!("\nhint: {hint}\n"));
    }
    let mut content = vec![ContentBlock::text(text)];
    if let (Some(mime), Value::String(data)) = (seen.mime, seen.content) {
        content.push(match mime.starts_with("image/") {
            true => ContentBlock::image(data, mime),
            false => ContentBlock::resource(
                ResourceContents::blob(data, format!("gitgate:/{}", seen.path)).with_mime_type(mime),
            ),
        });
    }
    let mut result = CallToolResult::success(content);
    if form.structured {
        result.structured_content = serde_json::from_str(&structured).ok();
    }
    if seen.untrusted {
        let mut meta = MetaObject::default();
        meta.insert(UNTRUSTED.to_owned(), true.into());
        result.meta = Some(meta);
    }
    result
}

#[cfg(test)]
mod tests {
    use host::answer::NotApproved;
    use host::wit::{ErrorKind, ToolError};

    use super::*;

    fn of(reply: Reply) -> CallToolResult {
        result(reply, Form { structured: true, ..Form::default() }, |hint| hint.words(|_| "review it".to_owned()))
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
            topic: None,
            inside: None,
            script: None,
        };
        let pending = of(Reply::NotApproved(Box::new(not(true))));
        assert!(text(&pending).contains("kind: pending\n"), "{}", text(&pending));
        assert!(!text(&pending).contains("--yes"));
        let kind = of(Reply::NotApproved(Box::new(not(false)))).meta.unwrap()[ERROR]["kind"].clone();
        assert_eq!(kind, "not-approved");
    }
}
