//! What a client can read without a call of its own: staged commits with their diffs, files, and what
//! was decided. Each is read by a tool as the agent, so that nothing is seen here that it may not see.

use gate::policy::Caller;
use host::answer::{Call, Reply};
use percent_encoding::percent_decode_str;
use rmcp::model::{ErrorData, ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::desk::Desk;
use crate::report;
use crate::screen;
use crate::store;

const LOG: &str = "gitgate://log";
const STAGED: &str = "gitgate://staged";
const COMMIT: &str = "gitgate://staged/";
const FILE: &str = "gitgate://workspace/";
/// Bytes of the largest file or diff that is read as one. The tools page what is larger.
const LARGEST: usize = 4 << 20;

/// What there is to read by its name.
pub fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(format!("{FILE}{{+path}}"), "file")
            .with_title("A file of the workspace")
            .with_description("The content of a file, by its path in /workspace"),
        ResourceTemplate::new(format!("{COMMIT}{{commit}}"), "staged-commit")
            .with_title("A staged commit")
            .with_description("The message and the diff of a staged commit")
            .with_mime_type("text/x-diff"),
    ]
}

/// What there is to read now.
pub async fn list(desk: &Desk, off: &CancellationToken) -> Result<Vec<Resource>, ErrorData> {
    let mut all = vec![
        Resource::new(STAGED, "staged")
            .with_title("Staged commits")
            .with_description("The commits that wait to be pushed, as git_status tells them")
            .with_mime_type("application/json"),
        Resource::new(LOG, "log")
            .with_title("Log of decisions")
            .with_description("What the user approved and rejected, and what became of pushes")
            .with_mime_type("text/plain"),
    ];
    for commit in staged(desk, off).await?.as_array().into_iter().flatten() {
        let Some(id) = commit["commitId"].as_str() else { continue };
        let subject = commit["message"].as_str().unwrap_or_default().lines().next().unwrap_or_default();
        let short = id.get(..8).unwrap_or(id);
        let title = format!("{short} {}", screen::line(subject));
        let resource = Resource::new(format!("{COMMIT}{id}"), format!("staged-{short}"));
        all.push(resource.with_title(title).with_mime_type("text/x-diff"));
    }
    Ok(all)
}

/// Reads one.
pub async fn read(desk: &Desk, uri: &str, off: &CancellationToken) -> Result<ReadResourceResult, ErrorData> {
    let content = if uri == LOG {
        ResourceContents::text(log(desk).await?, uri).with_mime_type("text/plain")
    } else if uri == STAGED {
        let staged = serde_json::to_string_pretty(&staged(desk, off).await?).expect("it has only string keys");
        ResourceContents::text(staged, uri).with_mime_type("application/json")
    } else if let Some(commit) = uri.strip_prefix(COMMIT) {
        let shown = tool(desk, off, uri, "git_show", json!({"commit": decoded(commit, uri)?, "max_bytes": LARGEST}));
        ResourceContents::text(shown.await?.text, uri).with_mime_type("text/x-diff")
    } else if let Some(path) = uri.strip_prefix(FILE) {
        file(desk, off, uri, &decoded(path, uri)?).await?
    } else {
        return Err(ErrorData::resource_not_found(format!("there is no resource {uri}"), Some(json!({ "uri": uri }))));
    };
    Ok(ReadResourceResult::new(vec![content]))
}

/// The staged commits, as `git_status` tells them.
async fn staged(desk: &Desk, off: &CancellationToken) -> Result<Value, ErrorData> {
    Ok(tool(desk, off, STAGED, "git_status", json!({})).await?.structured["staged"].take())
}

async fn file(desk: &Desk, off: &CancellationToken, uri: &str, path: &str) -> Result<ResourceContents, ErrorData> {
    let path = format!("/workspace/{path}");
    let mut text = String::new();
    let mut offset = 1;
    loop {
        let part = tool(desk, off, uri, "read_file", json!({"path": path, "offset": offset})).await?.structured;
        let content = part["content"].as_str().unwrap_or_default();
        if part["encoding"] == "base64" {
            return Ok(ResourceContents::blob(content, uri).with_mime_type("application/octet-stream"));
        }
        text.push_str(content);
        if text.len() > LARGEST {
            let message = format!("{path} is too large to be read at once: read it with read_file, part by part");
            return Err(ErrorData::invalid_params(message, None));
        }
        match part["nextOffset"].as_u64() {
            Some(next) if next > offset => offset = next,
            _ => return Ok(ResourceContents::text(text, uri)),
        }
    }
}

/// What was decided, without what an approval names.
async fn log(desk: &Desk) -> Result<String, ErrorData> {
    let (home, name) = (desk.home.clone(), desk.name.clone());
    let look = move || -> anyhow::Result<String> {
        let (ledger, damage) = store::open(&home.sandbox(&name)?)?.ledger.look()?;
        if let Some(fault) = damage {
            return Err(crate::error::HostError::from(fault).into());
        }
        let whole = screen::audit::screen(&ledger);
        Ok(whole.split_inclusive('\n').filter(|line| !line.starts_with("    digest ")).collect())
    };
    let found = tokio::task::spawn_blocking(look).await.map_err(internal)?;
    found.map_err(|error| failed(&report::explain(&error), LOG))
}

struct Found {
    text: String,
    structured: Value,
}

/// Calls a tool that asks nobody, as the agent.
async fn tool(
    desk: &Desk,
    off: &CancellationToken,
    uri: &str,
    tool: &'static str,
    arguments: Value,
) -> Result<Found, ErrorData> {
    let call = Call { tool: tool.to_owned(), arguments: arguments.to_string(), caller: Caller::Agent };
    match desk.call(call, off).await {
        Ok(Reply::Done(Ok(result))) => {
            let structured = serde_json::from_str(&result.structured).map_err(internal)?;
            Ok(Found { text: result.text, structured })
        }
        Ok(Reply::Done(Err(error))) => Err(failed(&report::tool_error(&error), uri)),
        Ok(Reply::NotApproved(not)) => Err(ErrorData::invalid_params(not.reason, None)),
        Err(error) => Err(failed(&report::explain(&error), uri)),
    }
}

fn failed(words: &report::Words, uri: &str) -> ErrorData {
    let mut data = serde_json::to_value(words).expect("it has only string keys");
    data["uri"] = uri.into();
    match words.kind.as_str() {
        "not-found" => ErrorData::resource_not_found(format!("there is no {uri}"), Some(data)),
        _ => ErrorData::invalid_params(words.message.clone(), Some(data)),
    }
}

fn internal(error: impl std::fmt::Display) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

fn decoded(part: &str, uri: &str) -> Result<String, ErrorData> {
    let decoded = percent_decode_str(part).decode_utf8();
    Ok(decoded.map_err(|_| ErrorData::invalid_params(format!("{uri} is not UTF-8"), None))?.into_owned())
}
