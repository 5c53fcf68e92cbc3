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
    /// Copies one.
    ForkSandbox,
    /// The tools.
    ListTools,
    /// Calls a tool.
    CallTool,
    /// The same over the Model Context Protocol.
    Mcp,
    /// What waits for a person.
    ListWaiting,
    /// The same, whenever it has changed.
    Listen,
    /// What a person is asked.
    Review,
    /// Answers that.
    Decide,
    /// Pushes as the user.
    Push,
    /// The same into a bundle.
    ExportBundle,
    /// The audit log, as records.
    ListDecisions,
    /// The same for a person to read.
    Audit,
    /// How it was made.
    Settings,
    /// What it can be restored from.
    Journal,
    /// The tokens.
    ListTokens,
    /// Makes one.
    MakeToken,
    /// Withdraws one.
    WithdrawToken,
}

impl Operation {
    /// All of them.
    pub const ALL: [Operation; 21] = [
        Operation::Describe,
        Operation::ListSandboxes,
        Operation::CreateSandbox,
        Operation::DeleteSandbox,
        Operation::ForkSandbox,
        Operation::ListTools,
        Operation::CallTool,
        Operation::Mcp,
        Operation::ListWaiting,
        Operation::Listen,
        Operation::Review,
        Operation::Decide,
        Operation::Push,
        Operation::ExportBundle,
        Operation::ListDecisions,
        Operation::Audit,
        Operation::Settings,
        Operation::Journal,
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
            Operation::ForkSandbox => "forkSandbox",
            Operation::ListTools => "listTools",
            Operation::CallTool => "callTool",
            Operation::Mcp => "mcp",
            Operation::ListWaiting => "listWaiting",
            Operation::Listen => "listen",
            Operation::Review => "review",
            Operation::Decide => "decide",
            Operation::Push => "push",
            Operation::ExportBundle => "exportBundle",
            Operation::ListDecisions => "listDecisions",
            Operation::Audit => "audit",
            Operation::Settings => "settings",
            Operation::Journal => "journal",
            Operation::ListTokens => "listTokens",
            Operation::MakeToken => "makeToken",
            Operation::WithdrawToken => "withdrawToken",
        }
    }
}
