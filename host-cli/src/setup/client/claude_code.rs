//! Claude Code.
//!
//! - Servers of a project are in `.mcp.json`, those of the user in `~/.claude.json`, both under
//!   `mcpServers` (documentation: "Connect Claude Code to tools via MCP", scopes). `CLAUDE_CONFIG_DIR`
//!   is where all of the user's files are instead, that one, too ("Environment variables").
//! - A server in `.mcp.json` waits until the person approves it. `enabledMcpjsonServers` approves it.
//!   In a committed `.claude/settings.json` that does not count in a folder which is not trusted yet,
//!   in an uncommitted `.claude/settings.local.json` it does (ibid., "Project server approvals and
//!   workspace trust").
//! - "To disable a tool entirely, add its name to the deny array in your permission settings"
//!   ("Tools reference"). A bare name takes the tool out of the model's context, and denied tools
//!   stay denied in every mode ("Configure permissions"). Tools of MCP servers have names of their own,
//!   `mcp__gitgate__read_file`, which the bare ones do not match.
//! - Skills are `.claude/skills/NAME/SKILL.md` in the project or the home folder ("Extend Claude with
//!   skills").

use super::{Content, DESCRIPTION, Edit, NAME, Wiring, whole};
use crate::setup::change::Change;
use crate::setup::place::Place;
use crate::setup::server::Server;

/// The tools in "Tools reference" that run commands, or read or write files or worktrees.
const OWN: [&str; 11] =
    ["Bash", "PowerShell", "Monitor", "Read", "Edit", "Write", "NotebookEdit", "Glob", "Grep", "LSP", "EnterWorktree"];

pub fn wiring(place: &Place, server: &Server, keep_tools: bool) -> Wiring {
    let (servers, settings, folder) = match place {
        Place::Project(root) => (root.join(".mcp.json"), "settings.local.json", root.join(".claude")),
        Place::User(user) => (user.claude_servers.clone(), "settings.json", user.claude.clone()),
    };
    let mut changes = Vec::new();
    if matches!(place, Place::Project(_)) {
        changes.push(Change::add(&["enabledMcpjsonServers"], &[NAME]));
    }
    if !keep_tools {
        changes.push(Change::add(&["permissions", "deny"], &OWN));
    }
    let mut edits = vec![Edit::new(servers, Content::Json(vec![Change::set(&["mcpServers", NAME], server.stdio())]))];
    if !changes.is_empty() {
        edits.push(Edit::new(folder.join(settings), Content::Json(changes)));
    }
    let skill = whole(&format!("name: {NAME}\ndescription: {DESCRIPTION}\n"));
    edits.push(Edit::new(folder.join("skills/gitgate/SKILL.md"), skill));
    let mut notes = Vec::new();
    if !keep_tools {
        notes.push(
            "Claude Code's own tools for files, shell and worktrees are off. Other MCP servers, plugins and hooks \
             stay as they are: make sure that none of them runs commands for the agent."
                .to_owned(),
        );
    }
    if matches!(place, Place::Project(_)) {
        notes.push(
            ".mcp.json names this machine's gitgate: keep .claude/settings.local.json out of git, and share .mcp.json \
             only with those who have gitgate at the same place."
                .to_owned(),
        );
    }
    Wiring { edits, notes }
}
