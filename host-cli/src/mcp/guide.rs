//! How to work in a sandbox, for agents: the server's instructions, and a prompt for clients that
//! show none.

use rmcp::model::{GetPromptResult, Prompt, PromptMessage, Role};

pub use api::mcp::INSTRUCTIONS as TEXT;

const NAME: &str = "work-in-the-sandbox";
const DESCRIPTION: &str = "How to work in this sandbox: look, change, stage, propose, and wait for the user";

/// The prompts that there are.
pub fn prompts() -> Vec<Prompt> {
    vec![Prompt::new(NAME, Some(DESCRIPTION), None)]
}

/// The prompt of that name.
pub fn prompt(name: &str) -> Option<GetPromptResult> {
    let message = PromptMessage::new_text(Role::User, TEXT);
    (name == NAME).then(|| GetPromptResult::new(vec![message]).with_description(DESCRIPTION))
}
