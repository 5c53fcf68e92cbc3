//! The roles.

use serde::{Deserialize, Serialize};

/// The purpose of a sandbox's token. None of them creates sandboxes: that is the operator's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// A person who may do everything with it.
    Owner,
    /// A person who sees it, and decides what leaves it.
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
