//! How to work in a sandbox, for agents: the server's instructions, and a prompt for clients that
//! show none.

use std::path::Path;

use rmcp::model::{GetPromptResult, Prompt, PromptMessage, Role};

use crate::screen;

use api::mcp::INSTRUCTIONS;

const NAME: &str = "work-in-the-sandbox";
const DESCRIPTION: &str = "How to work in this sandbox: look, change, stage, propose, and wait for the user";

/// The instructions for the sandbox `name`, and which folder of the client's it is a copy of.
pub fn text(name: &str, worktree: Option<&Path>) -> String {
    let of = worktree.map_or_else(String::new, |worktree| {
        let worktree = screen::line(&worktree.display().to_string());
        format!(" {worktree} is /workspace here: its absolute paths name the same files.")
    });
    format!("This is the sandbox {}.{of}\n\n{INSTRUCTIONS}", screen::line(name))
}

/// The prompts that there are.
pub fn prompts() -> Vec<Prompt> {
    vec![Prompt::new(NAME, Some(DESCRIPTION), None)]
}

/// The prompt of that name.
pub fn prompt(name: &str, text: &str) -> Option<GetPromptResult> {
    let message = PromptMessage::new_text(Role::User, text);
    (name == NAME).then(|| GetPromptResult::new(vec![message]).with_description(DESCRIPTION))
}
