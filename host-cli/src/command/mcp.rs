use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use gate::id::SandboxId;

use super::Context;
use crate::cli::sandbox_name;
use crate::limits;
use crate::mcp::{self, Listening, Serving, Speaks};
use crate::report::{self, Exit};

/// Serve the tools to an agent's client over MCP
///
/// Over standard input and output, as clients start it, or with --http on a loopback address. Calls
/// are an agent's. What needs you waits for `gitgate review` at a terminal.
#[derive(Debug, Args)]
pub struct Mcp {
    /// Serve over streamable HTTP, at this loopback address, or at a free port of 127.0.0.1. Prints the
    /// address and the token
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, require_equals = true, default_missing_value = "127.0.0.1:0")]
    http: Option<SocketAddr>,
    /// Serve this sandbox as well, with a path and a token of its own
    #[arg(long, value_name = "NAME", value_parser = sandbox_name, requires = "http")]
    also: Vec<SandboxId>,
    /// Offer only tools that change nothing
    #[arg(long)]
    read_only: bool,
    /// Offer only the tools of these toolsets; `lean` has the few that most work needs
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    toolsets: Vec<String>,
    /// Show clients the names of this dialect: auto, gitgate, claude-code, codex, gemini, opencode or vscode
    #[arg(long, value_name = "DIALECT", value_parser = |name: &str| Speaks::try_from(name.to_owned()))]
    dialect: Option<Speaks>,
    /// Send results as structures too, with their schemas. Some clients show a model only these
    #[arg(long)]
    structured: bool,
    /// How long a call that needs you waits for your answer, before it comes back as pending
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(..=limits::WAIT_SECONDS))]
    wait: Option<u64>,
    /// Pass everything on to the `gitgate run` that serves at this socket. `run` tells clients of it.
    #[arg(long, value_name = "SOCKET", hide = true, conflicts_with_all = ["http", "read_only", "toolsets", "wait", "dialect", "structured"])]
    pub connect: Option<PathBuf>,
    /// Print each address as JSON
    #[arg(long, requires = "http")]
    pub json: bool,
}

impl Mcp {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let mut serving = Serving::of(&context.config()?);
        serving.choice.read_only |= self.read_only;
        serving.choice.structured |= self.structured;
        serving.speaks = self.dialect.unwrap_or(serving.speaks);
        if !self.toolsets.is_empty() {
            serving.choice.toolsets = self.toolsets.into_iter().collect();
        }
        if let Some(seconds) = self.wait {
            serving.wait = Duration::from_secs(seconds);
        }
        match self.http {
            None => mcp::over_stdio(&context, &serving)?,
            Some(address) => {
                let mut names = vec![context.name.clone()];
                for name in self.also {
                    if !names.contains(&name) {
                        names.push(name);
                    }
                }
                let tell = |all: &[Listening]| tell(all, self.json);
                mcp::over_http(&context, &names, &serving, address, tell)?;
            }
        }
        context.clock.ensure_wanted()?;
        Ok(Exit::Done)
    }
}

fn tell(all: &[Listening], json: bool) -> crate::error::Result<()> {
    for Listening { sandbox, url, token } in all {
        report::print(&match json {
            true => format!("{}\n", serde_json::json!({ "sandbox": sandbox.as_str(), "url": url, "token": token })),
            false => format!("Sandbox {sandbox}: {url}\n  Authorization: Bearer {token}\n"),
        })?;
    }
    Ok(())
}
