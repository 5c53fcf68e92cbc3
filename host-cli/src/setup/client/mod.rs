//! The clients: which files each reads, and what is written into them. One file each.

mod claude_code;
mod codex;
mod cursor;
mod gemini;
mod opencode;
mod vscode;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

// Each client wraps them in what it wants around them.
use api::mcp::INSTRUCTIONS;
use clap::ValueEnum;

use super::change::Change;
use super::place::Place;
use super::server::Server;

/// The heading of the instructions, where they are a part of a larger text.
const HEADING: &str = "## Working in the gitgate sandbox";
/// What the instructions are about, for clients that decide by it whether to read them.
const DESCRIPTION: &str = "How to read, change, commit and push this repository with gitgate's tools";
/// The server's name in every client. Tools are often named after it, so it is not a sandbox's.
const NAME: &str = "gitgate";

/// A program that an agent runs in, and that connects to MCP servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Client {
    /// Anthropic's Claude Code.
    ClaudeCode,
    /// OpenAI's Codex: its command line and its extensions read the same files.
    Codex,
    /// The editor Cursor, and its command line.
    Cursor,
    /// Visual Studio Code with its chat.
    Vscode,
    /// Google's Gemini CLI.
    Gemini,
    /// opencode.
    Opencode,
}

/// A file, and what it holds once the client is set up.
#[derive(Clone, Debug)]
pub struct Edit {
    /// The file.
    pub file: PathBuf,
    /// Another name of the file, which counts if a file of that name exists.
    pub or: Option<PathBuf>,
    /// What it holds.
    pub content: Content,
}

/// What a file holds once the client is set up.
#[derive(Clone, Debug)]
pub enum Content {
    /// JSON with these changes.
    Json(Vec<Change>),
    /// TOML with these changes.
    Toml(Vec<Change>),
    /// Markdown with a section of gitgate's.
    Section(String),
    /// Patterns for git, a line each.
    Ignored(Vec<String>),
    /// This and nothing else.
    Whole(String),
}

/// What is to be done for a client.
#[derive(Clone, Debug)]
pub struct Wiring {
    /// The files. None twice.
    pub edits: Vec<Edit>,
    /// What the person has to know or to do. Sentences.
    pub notes: Vec<String>,
}

impl Client {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Client::ClaudeCode => "claude-code",
            Client::Codex => "codex",
            Client::Cursor => "cursor",
            Client::Vscode => "vscode",
            Client::Gemini => "gemini",
            Client::Opencode => "opencode",
        }
    }

    /// Its own name.
    pub fn title(self) -> &'static str {
        match self {
            Client::ClaudeCode => "Claude Code",
            Client::Codex => "Codex",
            Client::Cursor => "Cursor",
            Client::Vscode => "VS Code",
            Client::Gemini => "Gemini CLI",
            Client::Opencode => "opencode",
        }
    }

    /// What connects the client to `server`. Its own tools for files, shell and git are turned off
    /// as far as it lets itself, unless the person keeps them.
    pub fn wiring(self, place: &Place, server: &Server, keep_tools: bool) -> Wiring {
        let mut wiring = match self {
            Client::ClaudeCode => claude_code::wiring(place, server, keep_tools),
            Client::Codex => codex::wiring(place, server, keep_tools),
            Client::Cursor => cursor::wiring(place, server, keep_tools),
            Client::Vscode => vscode::wiring(place, server, keep_tools),
            Client::Gemini => gemini::wiring(place, server, keep_tools),
            Client::Opencode => opencode::wiring(place, server, keep_tools),
        };
        if keep_tools {
            wiring.notes.insert(0, format!("{} keeps its own tools for files, shell and git. {AROUND}", self.title()));
        }
        wiring
    }
}

/// The client that a program is.
pub fn of_program(program: &Path) -> Option<Client> {
    Some(match program.file_name()?.to_str()? {
        "claude" => Client::ClaudeCode,
        "codex" => Client::Codex,
        "cursor" | "cursor-agent" => Client::Cursor,
        "code" | "code-insiders" | "codium" => Client::Vscode,
        "gemini" => Client::Gemini,
        "opencode" => Client::Opencode,
        _ => return None,
    })
}

/// Whether a program is an editor's launcher, which ends as soon as it has told the editor what to do.
/// What the editor then starts has the editor's environment.
pub fn opens_a_window(program: &Path) -> bool {
    let name = program.file_name().and_then(OsStr::to_str);
    name.is_some_and(|name| ["code", "code-insiders", "codium", "cursor"].contains(&name))
}

/// For a program that is none of them: the server in `.mcp.json`, which many read, and instructions in
/// `AGENTS.md`.
pub fn plain(folder: &Path, server: &Server) -> Wiring {
    let servers = Content::Json(vec![Change::set(&["mcpServers", NAME], server.stdio())]);
    let edits = vec![Edit::new(folder.join(".mcp.json"), servers), Edit::new(folder.join("AGENTS.md"), section())];
    let note = format!("gitgate does not know this program, and cannot turn its own tools off. {AROUND}");
    Wiring { edits, notes: vec![note] }
}

/// What it means that an agent has other tools.
const AROUND: &str = "With them, an agent can change your files and push without gitgate.";

impl Edit {
    fn new(file: PathBuf, content: Content) -> Self {
        Edit { file, or: None, content }
    }
}

/// The instructions as a section of a text about many things.
fn section() -> Content {
    Content::Section(format!("{HEADING}\n\n{INSTRUCTIONS}"))
}

/// The instructions as a file of their own, with `front` matter.
fn whole(front: &str) -> Content {
    Content::Whole(format!("---\n{front}---\n\n# {}\n\n{INSTRUCTIONS}", HEADING.trim_start_matches("## ")))
}
