//! Other servers, mounted by the person: their tools are offered beside gitgate's, under names of
//! their own (FR-GIT-MCP-01 to 03).

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use gate::policy::MOUNTED;
use host::settings::McpServer;
use rmcp::model::{CallToolRequestParams, CallToolResult, JsonObject, Tool};
use rmcp::service::{RoleClient, RunningService, ServiceExt};
use tokio::process::{Child, Command};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::Serving;
use super::offer::Toolsets;
use crate::error::{Doing, ErrorKind, HostError, Result};
use crate::limits;
use crate::report::{self, ToolFailure};
use crate::sandbox::wit;
use crate::screen;
use crate::store::disk;

/// The time in which a server has to answer at first.
const START: Duration = Duration::from_secs(30);
/// The time in which a call has to be over, as for any other.
const CALL: Duration = Duration::from_millis(limits::CALL_MS);
/// What every program needs of the environment. Tokens are not among it.
const VARIABLES: [&str; 8] = ["PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "LANG", "LC_ALL", "SHELL"];

/// The servers that run, and their tools.
#[derive(Debug, Default)]
pub struct Mount {
    servers: BTreeMap<String, Running>,
    tools: Vec<Mounted>,
}

#[derive(Debug)]
struct Running {
    client: RunningService<RoleClient, ()>,
    /// The time that a call of it has.
    time: Duration,
    /// The process of one that was started here, which ends with this.
    _child: Option<Child>,
}

/// A tool of another server.
#[derive(Clone, Debug)]
struct Mounted {
    /// As it is offered: `mcp__SERVER__TOOL`.
    tool: Tool,
    server: String,
    /// Its own name.
    name: String,
}

impl Mount {
    /// Starts the servers.
    ///
    /// # Errors
    /// If one does not start, or does not speak the protocol.
    pub async fn start(serving: &Serving) -> Result<Mount> {
        let mut mount = Mount::default();
        for (name, server) in &serving.servers {
            let failed = |what: String| {
                HostError::new(ErrorKind::Usage, format!("the server '{name}' of gitgate.toml {what}"))
                    .hint("correct [mcp.servers] in gitgate.toml: `gitgate config --edit` opens it")
            };
            let begun = timeout(START, begin(server, serving.errors.as_deref())).await;
            let (running, tools) = begun
                .map_err(|_| failed(format!("has not answered within {} seconds", START.as_secs())))?
                .map_err(|error| failed(format!("cannot be used: {error:#}")))?;
            for tool in tools {
                mount.add(name, tool);
            }
            mount.servers.insert(name.clone(), running);
        }
        Ok(mount)
    }

    fn add(&mut self, server: &str, mut tool: Tool) {
        let is_name = |name: &str| name.chars().all(|char| char.is_ascii_alphanumeric() || "_-.".contains(char));
        let name = tool.name.into_owned();
        let full = format!("{MOUNTED}{server}__{name}");
        if name.is_empty() || full.len() > 128 || !is_name(&name) {
            report::note(&format!("a tool of {server} is not offered for its name: {}", screen::line(&name)));
            tool.name = name.into();
            return;
        }
        if self.tools.iter().any(|mounted| mounted.tool.name == full) {
            report::note(&format!("{server} lists its tool {name} twice; the first is offered"));
            return;
        }
        // It reaches beyond the sandbox, whatever it says of itself.
        let mut annotations = tool.annotations.take().unwrap_or_default().open_world(true).read_only(false);
        annotations.title = annotations.title.as_deref().map(screen::line);
        tool.annotations = Some(annotations);
        tool.title = tool.title.as_deref().map(screen::line);
        tool.description = tool.description.as_deref().map(|text| screen::block(text).into());
        tool.name = full.into();
        self.tools.push(Mounted { tool, server: server.to_owned(), name });
    }

    /// The toolsets that the servers are: `mcp__SERVER`.
    pub fn toolsets(&self) -> Toolsets {
        self.servers.keys().map(|name| format!("{MOUNTED}{name}")).collect()
    }

    /// The tools of these toolsets, or of all if there are none, with their own names.
    pub fn tools<'a>(&'a self, chosen: &'a Toolsets) -> impl Iterator<Item = (&'a str, &'a Tool)> {
        let is_chosen = |tool: &&Mounted| chosen.is_empty() || chosen.contains(&format!("{MOUNTED}{}", tool.server));
        self.tools.iter().filter(is_chosen).map(|tool| (tool.name.as_str(), &tool.tool))
    }

    /// Calls a tool by the name that it is offered by. `off` calls it off: before it is made, or else
    /// at its server, as does the end of its time.
    ///
    /// # Errors
    /// If the server is gone, refuses the call or takes too long.
    pub async fn call(
        &self,
        tool: &str,
        arguments: JsonObject,
        off: &CancellationToken,
    ) -> anyhow::Result<CallToolResult> {
        let unknown = || HostError::new(ErrorKind::Usage, format!("there is no tool '{tool}'"));
        let mounted = self.tools.iter().find(|mounted| mounted.tool.name == tool).ok_or_else(unknown)?;
        let running = self.servers.get(&mounted.server).ok_or_else(unknown)?;
        let params = CallToolRequestParams::new(mounted.name.clone()).with_arguments(arguments);
        let called = tokio::select! {
            // What was called off before is never made.
            biased;
            () = off.cancelled() => return Err(called_off(&mounted.server).into()),
            // The client tells the server to cancel a request that nobody waits for any more.
            called = timeout(running.time, running.client.call_tool(params)) => called,
        };
        let called = called.map_err(|_| too_long(&mounted.server, running.time))?;
        called.map(complete).map_err(|error| {
            let what = format!("the server '{}' failed: {}", mounted.server, screen::line(&error.to_string()));
            HostError::new(ErrorKind::Usage, what).hint("call it with other arguments, or do without it").into()
        })
    }
}

/// How the keys begin that only this server gives a result.
const OWN: &str = "gitgate/";

/// What it has done by then, nobody here can tell.
const UNKNOWN: &str = "find out what it has done there before you call it again";

fn called_off(server: &str) -> HostError {
    HostError::new(ErrorKind::Interrupted, format!("the call of the server '{server}' was called off")).hint(UNKNOWN)
}

fn too_long(server: &str, time: Duration) -> ToolFailure {
    let ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    ToolFailure(wit::ToolError::new(
        wit::ErrorKind::Timeout(wit::Timeout { ms, partial: String::new() }),
        format!("the server '{server}' has not answered within {} seconds", time.as_secs()),
        UNKNOWN.to_owned(),
    ))
}

/// A result as it is told again: what revision its server speaks is nothing to the client.
fn complete(from: CallToolResult) -> CallToolResult {
    let mut result = CallToolResult::success(from.content);
    result.structured_content = from.structured_content;
    result.is_error = from.is_error.or(result.is_error);
    // What this server says of a result is not for others to say.
    result.meta = from.meta.map(|mut meta| {
        meta.0.retain(|key, _| !key.starts_with(OWN));
        meta
    });
    result
}

async fn begin(server: &McpServer, errors: Option<&Path>) -> anyhow::Result<(Running, Vec<Tool>)> {
    let variables = VARIABLES.iter().copied().chain(server.env.iter().map(String::as_str));
    let variables = variables.filter_map(|name| Some((name, std::env::var_os(name)?)));
    let errors = match errors {
        Some(file) => {
            disk::private(OpenOptions::new().append(true).create(true)).open(file).doing("open", file)?.into()
        }
        None => Stdio::inherit(),
    };
    let mut child = Command::new(&server.command)
        .args(&server.args)
        .env_clear()
        .envs(variables)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(errors)
        .kill_on_drop(true)
        .spawn()?;
    let pipes = (child.stdout.take().expect("it is piped"), child.stdin.take().expect("it is piped"));
    let client = ().serve(pipes).await?;
    let tools = client.list_all_tools().await?;
    Ok((Running { client, time: CALL, _child: Some(child) }, tools))
}

#[cfg(test)]
mod tests;
