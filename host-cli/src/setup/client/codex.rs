//! Codex.
//!
//! - The user's file is `config.toml` in `CODEX_HOME`, a project's `.codex/config.toml`, which Codex
//!   reads only if the person trusts the project (documentation: "Config basics"). A server is a table
//!   `[mcp_servers.NAME]` with `command` and `args` ("Model Context Protocol").
//! - `shell_tool` under `[features]` is the shell tool ("Configuration reference"; it is no key that a
//!   project's file may not set).
//! - No setting takes `apply_patch` away: the request for one, openai/codex#8161, was not granted.
//! - Instructions are `AGENTS.md` in the project, or in `CODEX_HOME` ("Custom instructions with
//!   AGENTS.md").

use super::{AROUND, Content, Edit, NAME, Wiring, section};
use crate::setup::change::Change;
use crate::setup::place::Place;
use crate::setup::server::Server;

pub fn wiring(place: &Place, server: &Server, keep_tools: bool) -> Wiring {
    let (config, agents) = match place {
        Place::Project(root) => (root.join(".codex/config.toml"), root.join("AGENTS.md")),
        Place::User(user) => (user.codex.join("config.toml"), user.codex.join("AGENTS.md")),
    };
    let mut changes = vec![Change::set(&["mcp_servers", NAME], server.entry())];
    let mut notes = Vec::new();
    if !keep_tools {
        changes.push(Change::set(&["features", "shell_tool"], false));
        notes.push(format!(
            "Codex's shell tool is off, but Codex has no setting that turns its tool apply_patch off, which writes \
             files where its sandbox lets it. {AROUND} With sandbox_mode = \"read-only\" in config.toml, Codex asks you \
             before apply_patch writes."
        ));
    }
    if matches!(place, Place::Project(_)) {
        notes
            .push("Codex reads .codex/config.toml only in a project that you trust: it asks when you start it.".into());
    }
    Wiring { edits: vec![Edit::new(config, Content::Toml(changes)), Edit::new(agents, section())], notes }
}
