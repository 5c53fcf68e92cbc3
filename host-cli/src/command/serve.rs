use std::net::SocketAddr;

use clap::Args;
use gate::id::SandboxId;

use super::Context;
use crate::error::{ErrorKind, HostError};
use crate::report::{self, Exit};
use crate::serve::{self, Allowed, Listening};

/// Serve sandboxes over HTTP, to agents, reviewers and owners with tokens of their own
///
/// Whoever has the operator's token, which this prints, makes sandboxes with `POST /sandboxes`;
/// GITGATE_SERVE_TOKEN sets it. `GET /openapi.json` describes the rest. HTTP is not encrypted: put a
/// server with TLS before it where others than this machine are to reach it, and name it with --allow-host.
/// Pages from elsewhere than this machine may not ask, unless --allow-origin names where they are from.
#[derive(Debug, Args)]
pub struct Serve {
    /// Address to listen on; with port 0 the system chooses one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8420")]
    listen: SocketAddr,
    /// Answer by this name as well, such as that of a tunnel; else by localhost and the address only
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
    /// Let pages from there ask as well, such as https://example.org
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<String>,
    /// Print address and token as JSON
    #[arg(long)]
    pub json: bool,
}

impl Serve {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        if context.is_named && !context.is_named_by_environment {
            return Err(HostError::new(
                ErrorKind::Usage,
                "serve has no -s: it serves every sandbox, each to its own tokens",
            )
            .hint("serve one alone with `gitgate mcp --http`, or give another folder with --home")
            .into());
        }
        if !self.listen.ip().is_loopback() {
            report::note("others can reach this address, and read along: HTTP is not encrypted");
        }
        let allowed = Allowed { hosts: self.allow_host, origins: self.allow_origin };
        serve::over_http(&context, self.listen, &allowed, |listening| {
            tell(listening, self.json)?;
            let names = context.home.sandboxes()?;
            let names: Vec<&str> = names.iter().map(SandboxId::as_str).collect();
            // What it serves, whatever folder it was started in.
            match names.is_empty() || self.json {
                true => Ok(()),
                false => report::print(&format!("  Serves: {}\n", names.join(", "))).map(drop),
            }
        })?;
        context.clock.ensure_wanted()?;
        Ok(Exit::Done)
    }
}

fn tell(Listening { url, token }: &Listening, json: bool) -> crate::error::Result<()> {
    report::print(&match json {
        true => format!("{}\n", serde_json::json!({ "url": url, "token": token })),
        false => format!("Sandboxes: {url}\n  Authorization: Bearer {token}\n"),
    })?;
    Ok(())
}
