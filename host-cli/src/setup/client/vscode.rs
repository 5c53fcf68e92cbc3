//! Visual Studio Code.
//!
//! - Servers are under `servers` in `.vscode/mcp.json`, or in `mcp.json` of the user's profile
//!   (documentation: "MCP configuration reference"). The default profile's folder is where the user's
//!   `settings.json` is ("User and workspace settings").
//! - A custom agent is `.github/agents/NAME.agent.md`, or in `~/.copilot/agents`. Its `tools` are all
//!   that it has; `gitgate/*` are all tools of that server ("Custom agents").
//! - Instructions are `.github/instructions/NAME.instructions.md`. Those with `applyTo: "**"` always
//!   apply ("Use custom instructions in VS Code").

use super::{AROUND, Content, DESCRIPTION, Edit, NAME, Wiring, whole};
use crate::setup::change::Change;
use crate::setup::place::Place;
use crate::setup::server::Server;

pub fn wiring(place: &Place, server: &Server, keep_tools: bool) -> Wiring {
    let (servers, agents) = match place {
        Place::Project(root) => (root.join(".vscode/mcp.json"), root.join(".github/agents")),
        Place::User(user) => (user.code.join("mcp.json"), user.home.join(".copilot/agents")),
    };
    let servers = Edit::new(servers, Content::Json(vec![Change::set(&["servers", NAME], server.stdio())]));
    let mut wiring = Wiring { edits: vec![servers], notes: Vec::new() };
    if let Place::Project(root) = place {
        let instructions = whole(&format!("description: {DESCRIPTION}\napplyTo: \"**\"\n"));
        wiring.edits.push(Edit::new(root.join(".github/instructions/gitgate.instructions.md"), instructions));
    }
    if !keep_tools {
        let agent = whole(&format!("name: {NAME}\ndescription: {DESCRIPTION}\ntools: ['{NAME}/*']\nagents: []\n"));
        wiring.edits.push(Edit::new(agents.join("gitgate.agent.md"), agent));
        wiring.notes.push(format!(
            "Choose the agent \"{NAME}\" in the chat: it has gitgate's tools and no others. VS Code has no setting \
             that takes the tools for files and terminal from its other agents, which keep them. {AROUND}"
        ));
    }
    wiring.notes.push("VS Code asks you to trust the server when it starts it first.".to_owned());
    wiring
}
