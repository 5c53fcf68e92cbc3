//! The names that agents' own tools have for the sandbox's tools and their arguments.
//!
//! A model calls tools as it learnt to, whatever a server calls them. So each client's names are a dialect, in [`table`], and [`read`]
//! translates a call into the sandbox's own names before anybody decides about it: policy, approval and tool see one call, however it was
//! spoken. A name that is in no dialect is left as it is, and the tool refuses it.
//!
//! Every caller may use every dialect. A client's dialect only chooses the names that it is shown, and what an argument that it left out
//! means to it.

mod convert;
pub mod json;
mod read;
mod say;
pub mod table;

pub use read::{Clash, Spoken, addressed, read, tool};
pub use say::{argument, names, schema, words};

/// The names of one client's own tools.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Dialect {
    /// Claude Code and the Claude Agent SDK.
    ClaudeCode,
    /// OpenAI's Codex.
    Codex,
    /// Google's Gemini CLI.
    Gemini,
    /// opencode.
    Opencode,
    /// GitHub Copilot in Visual Studio Code.
    VsCode,
}

use Dialect::{ClaudeCode, Codex, Gemini, Opencode, VsCode};

/// The dialects, each with its name in settings and the beginnings of its clients' names in MCP's `clientInfo`, in lower case.
const DIALECTS: [(Dialect, &str, &[&str]); 5] = [
    (ClaudeCode, "claude-code", &["claude-code", "claude-agent"]),
    (Codex, "codex", &["codex"]),
    (Gemini, "gemini", &["gemini-cli"]),
    (Opencode, "opencode", &["opencode"]),
    (VsCode, "vscode", &["visual studio code", "vscode", "github-copilot"]),
];

impl Dialect {
    /// All of them. The first one that has a call's names is taken for the caller's.
    pub fn all() -> impl Iterator<Item = Dialect> {
        DIALECTS.into_iter().map(|(dialect, ..)| dialect)
    }

    /// Its name in settings.
    pub fn name(self) -> &'static str {
        let row = DIALECTS.into_iter().find(|(dialect, ..)| *dialect == self);
        row.expect("the list has every dialect").1
    }

    /// The dialect of that name.
    pub fn from_name(name: &str) -> Option<Dialect> {
        DIALECTS.into_iter().find(|(_, own, _)| *own == name).map(|(dialect, ..)| dialect)
    }

    /// The dialect of a client that calls itself `client`.
    pub fn of_client(client: &str) -> Option<Dialect> {
        let client = client.to_ascii_lowercase();
        let is_of = |begins: &&[&str]| begins.iter().any(|begin| client.starts_with(begin));
        DIALECTS.into_iter().find(|(.., begins)| is_of(begins)).map(|(dialect, ..)| dialect)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_known_by_the_beginning_of_its_name() {
        for (client, name) in [
            ("claude-code", "claude-code"),
            ("codex-mcp-client", "codex"),
            ("gemini-cli-mcp-client", "gemini"),
            ("opencode", "opencode"),
            ("Visual Studio Code - Insiders", "vscode"),
        ] {
            let dialect = Dialect::of_client(client).unwrap();
            assert_eq!((dialect.name(), Dialect::from_name(name)), (name, Some(dialect)), "{client}");
        }
        for client in ["", "mcp", "my-claude-code", "inspector"] {
            assert_eq!(Dialect::of_client(client), None, "{client}");
        }
    }
}
