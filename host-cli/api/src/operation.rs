//! What can be asked for.

/// An operation of the description, by its `operationId`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// The description itself.
    Describe,
    /// The names of all sandboxes.
    ListSandboxes,
    /// Makes a sandbox.
    CreateSandbox,
    /// Removes one.
    DeleteSandbox,
    /// The tools.
    ListTools,
    /// Calls a tool.
    CallTool,
    /// What waits for a person.
    ListWaiting,
    /// What a person is asked.
    Review,
    /// Answers that.
    Decide,
    /// Pushes as the user.
    Push,
    /// The audit log.
    ListDecisions,
    /// The tokens.
    ListTokens,
    /// Makes one.
    MakeToken,
    /// Withdraws one.
    WithdrawToken,
}

impl Operation {
    /// All of them.
    pub const ALL: [Operation; 14] = [
        Operation::Describe,
        Operation::ListSandboxes,
        Operation::CreateSandbox,
        Operation::DeleteSandbox,
        Operation::ListTools,
        Operation::CallTool,
        Operation::ListWaiting,
        Operation::Review,
        Operation::Decide,
        Operation::Push,
        Operation::ListDecisions,
        Operation::ListTokens,
        Operation::MakeToken,
        Operation::WithdrawToken,
    ];

    /// Its `operationId`.
    pub fn id(self) -> &'static str {
        match self {
            Operation::Describe => "describe",
            Operation::ListSandboxes => "listSandboxes",
            Operation::CreateSandbox => "createSandbox",
            Operation::DeleteSandbox => "deleteSandbox",
            Operation::ListTools => "listTools",
            Operation::CallTool => "callTool",
            Operation::ListWaiting => "listWaiting",
            Operation::Review => "review",
            Operation::Decide => "decide",
            Operation::Push => "push",
            Operation::ListDecisions => "listDecisions",
            Operation::ListTokens => "listTokens",
            Operation::MakeToken => "makeToken",
            Operation::WithdrawToken => "withdrawToken",
        }
    }
}
