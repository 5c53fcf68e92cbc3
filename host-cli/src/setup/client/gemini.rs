//! Gemini CLI.
//!
//! - `settings.json` is in `.gemini` in the project or in the home folder; servers are under
//!   `mcpServers` (documentation: "Gemini CLI configuration", "MCP servers with Gemini CLI").
//! - `tools.exclude` names built-in tools that are not offered (ibid.); the names are in "Tools
//!   reference". An excluded name also takes away a server's tool of that name, with or without the
//!   server's before it (`isActiveTool` in the source's tool registry). So names that gitgate has, too,
//!   cannot be excluded: `read_file`, `write_file` and `glob`.
//! - `tools.core`, a list of built-in tools to keep, is no way out: any value of it takes away all tools
//!   of servers (google-gemini/gemini-cli#28361).
//! - Instructions are `GEMINI.md` in the project, or in `~/.gemini` ("Provide context with GEMINI.md
//!   files").

use super::{AROUND, Content, Edit, NAME, Wiring, section};
use crate::setup::change::Change;
use crate::setup::place::Place;
use crate::setup::server::Server;

/// Its tools for files and shell, as far as gitgate has none of that name.
const OWN: [&str; 5] = ["run_shell_command", "replace", "read_many_files", "list_directory", "grep_search"];

pub fn wiring(place: &Place, server: &Server, keep_tools: bool) -> Wiring {
    let (settings, context) = match place {
        Place::Project(root) => (root.join(".gemini/settings.json"), root.join("GEMINI.md")),
        Place::User(user) => (user.home.join(".gemini/settings.json"), user.home.join(".gemini/GEMINI.md")),
    };
    let mut changes = vec![Change::set(&["mcpServers", NAME], server.entry())];
    let mut notes = Vec::new();
    if !keep_tools {
        changes.push(Change::add(&["tools", "exclude"], &OWN));
        notes.push(format!(
            "Gemini CLI's shell and most of its file tools are off. Its read_file, write_file and glob stay, because it \
             would turn gitgate's tools of the same names off with them; it asks you before it writes, unless you tell \
             it not to. {AROUND}"
        ));
    }
    Wiring { edits: vec![Edit::new(settings, Content::Json(changes)), Edit::new(context, section())], notes }
}
