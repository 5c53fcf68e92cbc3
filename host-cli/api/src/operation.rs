//! The operations.

/// An operation of the description, by its `operationId`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Returns the description itself.
    Describe,
    /// Lists the names of all sandboxes.
    ListSandboxes,
    /// Creates a sandbox.
    CreateSandbox,
    /// Removes a sandbox.
    DeleteSandbox,
    /// Copies a sandbox.
    ForkSandbox,
    /// Lists the tools.
    ListTools,
    /// Calls a tool.
    CallTool,
    /// Calls tools over the Model Context Protocol.
    Mcp,
    /// Lists the calls that wait for a person.
    ListWaiting,
    /// Streams the same list, whenever it changes.
    Listen,
    /// Returns the question to a person.
    Review,
    /// Answers the question.
    Decide,
    /// Lists the comments on the pushes to a branch.
    ListComments,
    /// Comments on a push.
    AddComment,
    /// Settles a comment, opens it again, withdraws or answers it.
    ChangeComment,
    /// Keeps which parts of a push a person has seen.
    MarkSeen,
    /// Pushes as the user.
    Push,
    /// Exports a branch into a bundle, as the user.
    ExportBundle,
    /// Returns the audit log, as records.
    ListDecisions,
    /// Returns the audit log, for a person to read.
    Audit,
    /// Returns the settings of the sandbox.
    Settings,
    /// Returns the data to restore it from.
    Journal,
    /// Lists the tokens.
    ListTokens,
    /// Creates a token.
    MakeToken,
    /// Revokes a token.
    WithdrawToken,
    /// Names the refs to a client of git.
    GitRefs,
    /// Sends objects to a client of git.
    GitUploadPack,
    /// Takes and proposes what a client of git pushes.
    GitReceivePack,
}

impl Operation {
    /// All of them.
    pub const ALL: [Operation; 28] = [
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
        Operation::ListComments,
        Operation::AddComment,
        Operation::ChangeComment,
        Operation::MarkSeen,
        Operation::Push,
        Operation::ExportBundle,
        Operation::ListDecisions,
        Operation::Audit,
        Operation::Settings,
        Operation::Journal,
        Operation::ListTokens,
        Operation::MakeToken,
        Operation::WithdrawToken,
        Operation::GitRefs,
        Operation::GitUploadPack,
        Operation::GitReceivePack,
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
            Operation::ListComments => "listComments",
            Operation::AddComment => "addComment",
            Operation::ChangeComment => "changeComment",
            Operation::MarkSeen => "markSeen",
            Operation::Push => "push",
            Operation::ExportBundle => "exportBundle",
            Operation::ListDecisions => "listDecisions",
            Operation::Audit => "audit",
            Operation::Settings => "settings",
            Operation::Journal => "journal",
            Operation::ListTokens => "listTokens",
            Operation::MakeToken => "makeToken",
            Operation::WithdrawToken => "withdrawToken",
            Operation::GitRefs => "gitRefs",
            Operation::GitUploadPack => "gitUploadPack",
            Operation::GitReceivePack => "gitReceivePack",
        }
    }
}
