//! Cursor.
//!
//! - Servers are under `mcpServers` in `.cursor/mcp.json`, in the project or in the home folder, for
//!   the editor and its command line (documentation: "Model Context Protocol (MCP)").
//! - The command line's permissions are `permissions.allow` and `.deny` in `.cursor/cli.json` of a
//!   project and in `cli-config.json` in `~/.cursor`, or in `$XDG_CONFIG_HOME/cursor` if that is set
//!   ("CLI: Configuration"). `Shell(…)`, `Read(…)` and `Write(…)` take patterns with `**`, and deny
//!   rules precede others. "Relative paths are scoped to the current workspace. Absolute paths can
//!   target files outside the project" ("CLI: Permissions"), so each denial is there twice. Nobody has
//!   tried them against the program.
//! - The editor has no file that turns its agent's tools off: its `permissions.json` is about what runs
//!   without asking ("permissions.json reference").
//! - A project's rules are `.cursor/rules/NAME.mdc` with `description` and `alwaysApply`. Those of the
//!   user are in the editor's settings, in no file ("Rules").

use super::{AROUND, Content, DESCRIPTION, Edit, NAME, Wiring, whole};
use crate::setup::change::Change;
use crate::setup::place::Place;
use crate::setup::server::Server;

/// Everything that the command line's own tools do, in the workspace and elsewhere.
const OWN: [&str; 5] = ["Shell(**)", "Read(**)", "Read(/**)", "Write(**)", "Write(/**)"];

pub fn wiring(place: &Place, server: &Server, keep_tools: bool) -> Wiring {
    let servers = Content::Json(vec![Change::set(&["mcpServers", NAME], server.stdio())]);
    let (folder, cli) = match place {
        Place::Project(root) => (root, root.join(".cursor/cli.json")),
        Place::User(user) => (&user.home, user.cursor.join("cli-config.json")),
    };
    let mut edits = vec![Edit::new(folder.join(".cursor/mcp.json"), servers)];
    let mut notes = Vec::new();
    if !keep_tools {
        let changes = vec![Change::add(&["permissions", "allow"], &[]), Change::add(&["permissions", "deny"], &OWN)];
        edits.push(Edit::new(cli, Content::Json(changes)));
        notes.push(format!(
            "By Cursor's documentation, the agent of its command line can use its own tools for files and shell no \
             more. gitgate has not tried that: ask the agent to read a file before you rely on it. The editor has no \
             setting for that in a file: its agent keeps them. {AROUND}"
        ));
    }
    match place {
        Place::Project(root) => {
            let rule = whole(&format!("description: {DESCRIPTION}\nalwaysApply: true\n"));
            edits.push(Edit::new(root.join(".cursor/rules/gitgate.mdc"), rule));
        }
        Place::User(_) => notes.push(
            "Cursor keeps rules of yours in its settings, not in a file, so the agent gets no instructions from this."
                .to_owned(),
        ),
    }
    notes.push("Cursor asks you to approve the server when it sees it first.".to_owned());
    Wiring { edits, notes }
}
