//! What tools give an agent to read, and a file whole, page by page. A part is never taken for the
//! whole.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gate::policy::Caller;
use host::answer::{Call, Reply};
use host::store::Mark;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::approve::Scripted;
use crate::command::Context;
use crate::driver;
use crate::error::{ErrorKind, HostError};
use crate::report::{self, Words};
use crate::sandbox::{Sandbox, wit};

/// Bytes of the largest file or diff that is read as one. The tools page what is larger.
pub const LARGEST: usize = 4 << 20;
/// How often a file is read that changes meanwhile.
const READINGS: usize = 3;

/// Why a tool gives nothing to read, in the words for an agent.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.said.message)]
pub struct Unread(pub Words);

/// Calls a tool that asks nobody, as the agent.
///
/// # Errors
/// If it has no result: what it says then, or the host.
pub fn tool(
    context: &Context,
    sandbox: &mut Sandbox,
    tool: &'static str,
    arguments: Value,
) -> anyhow::Result<wit::ToolResult> {
    let call = Call::new(tool, arguments.to_string(), Caller::Agent);
    match context.run(sandbox, &call, &mut Scripted::default())?.for_agent() {
        Reply::Done(Ok(result)) => Ok(result),
        Reply::Done(Err(error)) => Err(Unread(report::tool_error(&error)).into()),
        Reply::NotApproved(not) => Err(Unread(report::not_approved(&not)).into()),
    }
}

/// The content of a file.
#[derive(Debug, PartialEq, Eq)]
pub enum Content {
    /// UTF-8.
    Text(String),
    /// Anything else, in base64.
    Blob(String),
}

/// What the tool tells of a page.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    content: String,
    encoding: Encoding,
    /// Bytes in the whole file.
    size: usize,
    /// The page after this one.
    next_offset: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
enum Encoding {
    #[serde(rename = "utf-8")]
    Utf8,
    #[serde(rename = "base64")]
    Base64,
}

/// Where pages come from.
trait Pages {
    /// What changes whenever a file does. `None` if that is unknown.
    fn mark(&mut self) -> anyhow::Result<Option<Mark>>;

    /// The page from this line on.
    fn page(&mut self, offset: u64) -> anyhow::Result<Page>;
}

/// The pages of a file in a sandbox, which another process may use as well.
struct InSandbox<'a> {
    context: &'a Context,
    sandbox: &'a mut Sandbox,
    path: &'a str,
}

impl Pages for InSandbox<'_> {
    fn mark(&mut self) -> anyhow::Result<Option<Mark>> {
        Ok(driver::enter(self.sandbox)?.mark())
    }

    fn page(&mut self, offset: u64) -> anyhow::Result<Page> {
        let arguments = json!({ "path": self.path, "offset": offset });
        let result = tool(self.context, self.sandbox, "read_file", arguments)?;
        let page = serde_json::from_str(&result.structured);
        Ok(page.map_err(|error| misbehaved(&error.to_string()))?)
    }
}

/// Reads the file at `path` whole.
///
/// # Errors
/// If it cannot be read, or not whole.
pub fn read(context: &Context, sandbox: &mut Sandbox, path: &str) -> anyhow::Result<Content> {
    settled(&mut InSandbox { context, sandbox, path }, path)
}

/// Reads all pages of one state of the file.
fn settled(pages: &mut impl Pages, path: &str) -> anyhow::Result<Content> {
    let mut former = None;
    for _ in 0..READINGS {
        let before = pages.mark()?;
        let read = all(pages, path);
        // One page is of one state. Where nothing marks states, what is read twice is taken for one.
        let is_settled = match (&read, before) {
            (Ok(Reading { pages: 1, .. }), _) => true,
            (Ok(reading), None) => former.as_ref() == Some(reading),
            (Err(_), None) => true,
            (_, Some(_)) => pages.mark()? == before,
        };
        if is_settled {
            return read?.whole(path);
        }
        former = read.ok();
    }
    Err(HostError::new(ErrorKind::Busy, format!("{path} changes while it is read")).hint("read it again").into())
}

/// The pages of a file, one after the other.
#[derive(Debug, PartialEq, Eq)]
struct Reading {
    encoding: Encoding,
    bytes: Vec<u8>,
    size: usize,
    pages: usize,
}

impl Reading {
    fn whole(self, path: &str) -> anyhow::Result<Content> {
        // The tool leaves out the rest of a line that is longer than a page.
        if self.bytes.len() != self.size {
            return Err(too_large(path).into());
        }
        Ok(match self.encoding {
            Encoding::Utf8 => Content::Text(String::from_utf8(self.bytes).expect("each page is UTF-8")),
            Encoding::Base64 => Content::Blob(STANDARD.encode(self.bytes)),
        })
    }
}

fn all(pages: &mut impl Pages, path: &str) -> anyhow::Result<Reading> {
    let mut page = pages.page(1)?;
    let mut reading = Reading { encoding: page.encoding, bytes: Vec::new(), size: page.size, pages: 0 };
    loop {
        if page.size > LARGEST || reading.bytes.len() > LARGEST {
            return Err(too_large(path).into());
        }
        reading.pages += 1;
        match page.encoding {
            // One that has changed is no page of this reading.
            encoding if encoding != reading.encoding => return Ok(reading),
            Encoding::Utf8 => reading.bytes.extend_from_slice(page.content.as_bytes()),
            Encoding::Base64 => {
                let bytes = STANDARD.decode(page.content).map_err(|error| misbehaved(&error.to_string()))?;
                reading.bytes.extend(bytes);
            }
        }
        let Some(next) = page.next_offset else { return Ok(reading) };
        page = pages.page(next)?;
    }
}

fn too_large(path: &str) -> HostError {
    HostError::new(ErrorKind::Usage, format!("{path} is too large to be read at once"))
        .hint("read it with read_file, part by part, or look for what you need with search_files")
}

fn misbehaved(why: &str) -> HostError {
    HostError::new(ErrorKind::Component, format!("read_file gives no page of a file: {why}"))
}

#[cfg(test)]
mod tests;
