//! Who may ask for what.

use serde::{Deserialize, Serialize};

/// What a token of a sandbox is for. None of them makes sandboxes: that is the operator's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// A person who does everything with it.
    Owner,
    /// A person who sees it, and decides about what leaves it.
    Reviewer,
    /// An agent, which calls its tools.
    Agent,
}

impl Role {
    /// All of them.
    pub const ALL: [Role; 3] = [Role::Owner, Role::Reviewer, Role::Agent];

    /// Its name in the description.
    pub fn name(self) -> &'static str {
        match self {
            Role::Owner => "owner",
            Role::Reviewer => "reviewer",
            Role::Agent => "agent",
        }
    }
}
