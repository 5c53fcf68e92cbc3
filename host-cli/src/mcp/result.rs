//! How a call ended, in the protocol's words. A call that fails is a result that says so, because
//! clients show a model results, and not errors of the protocol.

use host::answer::Reply;
use rmcp::model::{CallToolResult, ContentBlock, MetaObject};
use serde_json::Value;

use crate::report::{self, Words};
use crate::sandbox::wit;

/// The key in a result's `_meta` with an error's kind, message, hint and what else there is.
pub const ERROR: &str = "gitgate/error";

/// The kind of a call that waits for the person.
const PENDING: &str = "pending";

/// A reply to an agent.
pub fn of(reply: Reply) -> CallToolResult {
    match reply.for_agent() {
        Reply::Done(Ok(result)) => done(result),
        Reply::Done(Err(error)) => failed(report::tool_error(&error)),
        Reply::NotApproved(not) => {
            let mut words = report::not_approved(&not);
            if not.waits {
                words.kind = PENDING.to_owned();
            }
            failed(words)
        }
    }
}

/// An error as a result that a model can act on.
pub fn failed(words: Words) -> CallToolResult {
    let mut text = String::new();
    if let Some(partial) = words.more.get("partial").and_then(Value::as_str) {
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
    let error = serde_json::to_value(&words).expect("it has only string keys");
    let mut meta = MetaObject::default();
    meta.insert(ERROR.to_owned(), error);
    let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
    result.meta = Some(meta);
    result
}

/// The text is the tool's own, for a model to read. It says what the structured result says.
fn done(wit::ToolResult { text, structured, .. }: wit::ToolResult) -> CallToolResult {
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = serde_json::from_str(&structured).ok();
    result
}
