//! opencode.
//!
//! - The project's file is `opencode.json` or `.jsonc` in its folder, the user's in
//!   `~/.config/opencode` (documentation: "Config"). A server is under `mcp`, with `type`, `command` as
//!   a list and `enabled` ("MCP servers").
//! - `permission` maps tools to `"deny"`. `edit` covers all tools that write. The last rule that matches
//!   wins, and names may be patterns; tools of a server are named `gitgate_read_file`, which no bare name
//!   matches ("Permissions", "Tools"). Version 2 reads the same fields ("Migrate from V1").
//! - Instructions are `AGENTS.md` in the project, or beside the user's file ("Rules").

use serde_json::json;

use super::{Content, Edit, NAME, Wiring, section};
use crate::setup::change::Change;
use crate::setup::place::Place;
use crate::setup::server::Server;

/// The permissions that its tools for files and shell ask for.
const OWN: [&str; 7] = ["bash", "edit", "read", "glob", "grep", "list", "lsp"];

pub fn wiring(place: &Place, server: &Server, keep_tools: bool) -> Wiring {
    let folder = match place {
        Place::Project(root) => root.clone(),
        Place::User(user) => user.config.join("opencode"),
    };
    let command: Vec<&String> = std::iter::once(&server.program).chain(&server.arguments).collect();
    let entry = json!({ "type": "local", "command": command, "enabled": true });
    let mut changes = vec![Change::set(&["mcp", NAME], entry)];
    let mut notes = Vec::new();
    if !keep_tools {
        changes.extend(OWN.iter().map(|tool| Change::set_last(&["permission", tool], "deny")));
        notes.push(
            "opencode's own tools for files and shell are off. Permissions of single agents, other MCP servers and \
             plugins stay as they are: make sure that none of them gives an agent a shell."
                .to_owned(),
        );
    }
    let config = Edit {
        file: folder.join("opencode.json"),
        or: Some(folder.join("opencode.jsonc")),
        content: Content::Json(changes),
    };
    Wiring { edits: vec![config, Edit::new(folder.join("AGENTS.md"), section())], notes }
}
