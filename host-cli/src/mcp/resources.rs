//! What a client can read without a call of its own: staged commits with their diffs, files, and what
//! was decided. Each is read by a tool as the agent, so that nothing is seen here that it may not see.

use percent_encoding::percent_decode_str;
use rmcp::model::{ErrorData, ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::offer::Offer;
use super::whole::{self, Content, LARGEST, Unread, tool};
use crate::command::Context;
use crate::desk::Desk;
use crate::error::{ErrorKind, HostError};
use crate::report;
use crate::sandbox::Sandbox;
use crate::screen;
use crate::store;

const LOG: &str = "gitgate://log";
const STAGED: &str = "gitgate://staged";
const COMMIT: &str = "gitgate://staged/";
const FILE: &str = "gitgate://workspace/";

/// What there is to read by its name, of what the client is offered tools for.
pub fn templates(offer: &Offer) -> Vec<ResourceTemplate> {
    let file = ResourceTemplate::new(format!("{FILE}{{+path}}"), "file")
        .with_title("A file of the workspace")
        .with_description("The content of a file, by its path in /workspace");
    let commit = ResourceTemplate::new(format!("{COMMIT}{{commit}}"), "staged-commit")
        .with_title("A staged commit")
        .with_description("The message and the diff of a staged commit")
        .with_mime_type("text/x-diff");
    let all = [("read_file", file), ("git_show", commit)];
    all.into_iter().filter(|(tool, _)| offer.find(tool).is_some()).map(|(_, template)| template).collect()
}

/// What there is to read now. What the agent may not read is not listed.
pub async fn list(desk: &Desk, offer: &Offer, off: &CancellationToken) -> Result<Vec<Resource>, ErrorData> {
    let log = Resource::new(LOG, "log")
        .with_title("Log of decisions")
        .with_description("What the user approved and rejected, and what became of pushes")
        .with_mime_type("text/plain");
    let mut all = vec![log];
    if offer.find("git_status").is_none() {
        return Ok(all);
    }
    let staged = match staged(desk, off).await {
        Ok((staged, _)) => staged,
        Err(error) if error.is::<Unread>() => {
            tracing::debug!("the staged commits are not listed: {error}");
            return Ok(all);
        }
        Err(error) => return Err(failed(error, STAGED)),
    };
    let resource = Resource::new(STAGED, "staged")
        .with_title("Staged commits")
        .with_description("The commits that wait to be pushed, as git_status tells them")
        .with_mime_type("application/json");
    all.push(resource);
    for commit in staged.as_array().into_iter().flatten().filter(|_| offer.find("git_show").is_some()) {
        let Some(id) = commit["commitId"].as_str() else { continue };
        let subject = commit["message"].as_str().unwrap_or_default().lines().next().unwrap_or_default();
        let short = id.get(..8).unwrap_or(id);
        let title = format!("{short} {}", screen::line(subject));
        let resource = Resource::new(format!("{COMMIT}{id}"), format!("staged-{short}"));
        all.push(resource.with_title(title).with_mime_type("text/x-diff"));
    }
    Ok(all)
}

/// Reads one. One whose tool is not offered is not there.
pub async fn read(
    desk: &Desk,
    offer: &Offer,
    uri: &str,
    off: &CancellationToken,
) -> Result<ReadResourceResult, ErrorData> {
    let is_offered = |tool: &str| offer.find(tool).is_some();
    let content = if uri == LOG {
        ResourceContents::text(log(desk).await?, uri).with_mime_type("text/plain")
    } else if uri == STAGED && is_offered("git_status") {
        let staged = all_staged(desk, off).await.map_err(|error| failed(error, uri))?;
        ResourceContents::text(staged, uri).with_mime_type("application/json")
    } else if let Some(commit) = uri.strip_prefix(COMMIT).filter(|_| is_offered("git_show")) {
        let shown = self::commit(desk, off, uri, &decoded(commit, uri)?).await?;
        ResourceContents::text(shown, uri).with_mime_type("text/x-diff")
    } else if let Some(path) = uri.strip_prefix(FILE).filter(|_| is_offered("read_file")) {
        file(desk, off, uri, &decoded(path, uri)?).await?
    } else {
        return Err(ErrorData::resource_not_found(format!("there is no resource {uri}"), Some(json!({ "uri": uri }))));
    };
    Ok(ReadResourceResult::new(vec![content]))
}

/// The staged commits, as `git_status` tells them, and how many it leaves out.
async fn staged(desk: &Desk, off: &CancellationToken) -> anyhow::Result<(Value, u64)> {
    let status = desk.run(off, |context, sandbox| tool(context, sandbox, "git_status", json!({}))).await?;
    let mut status: Value = serde_json::from_str(&status.structured)?;
    // The count is not there where it is none.
    Ok((status["staged"].take(), status["stagedOmitted"].as_u64().unwrap_or_default()))
}

/// All of them, to be read.
async fn all_staged(desk: &Desk, off: &CancellationToken) -> anyhow::Result<String> {
    let (staged, omitted) = staged(desk, off).await?;
    if omitted > 0 {
        return Err(HostError::new(ErrorKind::Usage, "there are too many staged commits to be read at once")
            .hint("git_status tells the latest, and git_log goes on from there")
            .into());
    }
    Ok(serde_json::to_string_pretty(&staged).expect("it has only string keys"))
}

async fn file(desk: &Desk, off: &CancellationToken, uri: &str, path: &str) -> Result<ResourceContents, ErrorData> {
    let path = format!("/workspace/{path}");
    // In one turn, so that no other call of this process comes between its pages.
    let read = desk.run(off, move |context, sandbox| whole::read(context, sandbox, &path)).await;
    Ok(match read.map_err(|error| failed(error, uri))? {
        Content::Text(text) => ResourceContents::text(text, uri),
        Content::Blob(blob) => ResourceContents::blob(blob, uri).with_mime_type("application/octet-stream"),
    })
}

/// A staged commit with its diff.
async fn commit(desk: &Desk, off: &CancellationToken, uri: &str, commit: &str) -> Result<String, ErrorData> {
    let arguments = json!({ "commit": commit, "max_bytes": LARGEST });
    let show = |context: &Context, sandbox: &mut Sandbox| {
        let shown = tool(context, sandbox, "git_show", arguments)?;
        if shown.truncated {
            return Err(HostError::new(ErrorKind::Usage, "the commit's diff is too large to be read at once")
                .hint("read it with git_show, path by path")
                .into());
        }
        Ok(shown.text)
    };
    desk.run(off, show).await.map_err(|error| failed(error, uri))
}

/// What was decided, without what an approval names.
async fn log(desk: &Desk) -> Result<String, ErrorData> {
    let (home, name) = (desk.home.clone(), desk.name.clone());
    let look = move || -> anyhow::Result<String> {
        let (ledger, damage) = store::open(&home.sandbox(&name)?)?.ledger.look()?;
        if let Some(fault) = damage {
            return Err(crate::error::HostError::from(fault).into());
        }
        let whole = screen::audit::screen(&ledger, screen::times::Times::EXACT);
        Ok(whole.split_inclusive('\n').filter(|line| !line.starts_with("    digest ")).collect())
    };
    let found = tokio::task::spawn_blocking(look).await.map_err(internal)?;
    found.map_err(|error| failed(error, LOG))
}

fn failed(error: anyhow::Error, uri: &str) -> ErrorData {
    let words = match error.downcast() {
        Ok(Unread(words)) => words,
        Err(error) => report::explain(&error),
    };
    let mut data = serde_json::to_value(&words).expect("it has only string keys");
    data["uri"] = uri.into();
    match words.said.kind.as_str() {
        "not-found" => ErrorData::resource_not_found(format!("there is no {uri}"), Some(data)),
        _ => ErrorData::invalid_params(words.said.message, Some(data)),
    }
}

fn internal(error: impl std::fmt::Display) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

fn decoded(part: &str, uri: &str) -> Result<String, ErrorData> {
    let decoded = percent_decode_str(part).decode_utf8();
    Ok(decoded.map_err(|_| ErrorData::invalid_params(format!("{uri} is not UTF-8"), None))?.into_owned())
}

#[cfg(test)]
mod tests;
