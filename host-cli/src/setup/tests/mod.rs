//! Set-ups on files in memory, as the plan sees them.

mod clients;
mod generated;
mod links;
mod texts;
mod undoing;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::client::Client;
use super::place::{Place, UserFolders};
use super::plan::{self, Plan};
use super::record::Written;
use super::server::Server;
use crate::error::Result;

/// All clients.
const ALL: [Client; 6] =
    [Client::ClaudeCode, Client::Codex, Client::Cursor, Client::Vscode, Client::Gemini, Client::Opencode];

/// Files by name, and what a set-up has written of them.
#[derive(Clone, Debug, Default, PartialEq)]
struct World {
    files: BTreeMap<PathBuf, String>,
    written: Vec<Written>,
}

impl World {
    fn of(files: &[(&str, &str)]) -> Self {
        let files = files.iter().map(|(name, text)| (PathBuf::from(name), (*text).to_owned())).collect();
        World { files, written: Vec::new() }
    }

    fn text(&self, name: &str) -> &str {
        self.files.get(Path::new(name)).unwrap_or_else(|| panic!("no {name} in {:?}", self.files.keys()))
    }

    fn plan(&self, client: Client, place: &Place, keep_tools: bool) -> Result<Plan> {
        let edits = client.wiring(place, &server(), keep_tools).edits;
        plan::set_up(&self.written, &edits, &|path| Ok(self.files.get(path).cloned()))
    }

    fn set_up(&mut self, client: Client, place: &Place) {
        let plan = self.plan(client, place, false).unwrap();
        self.take(plan);
    }

    fn undo(&mut self) -> Vec<PathBuf> {
        let plan = plan::undo(&self.written, &|path| Ok(self.files.get(path).cloned())).unwrap();
        let kept = plan.kept.clone();
        self.take(plan);
        kept
    }

    fn take(&mut self, plan: Plan) {
        for step in plan.steps {
            assert_eq!(self.files.get(&step.file), step.before.as_ref());
            match step.after {
                Some(text) => drop(self.files.insert(step.file, text)),
                None => drop(self.files.remove(&step.file)),
            }
        }
        // As it is after it was read again.
        let text = serde_json::to_string(&plan.written).unwrap();
        self.written = serde_json::from_str(&text).unwrap();
    }
}

fn server() -> Server {
    let arguments = ["-s", "work", "mcp"].map(str::to_owned).to_vec();
    Server { program: "/usr/bin/gitgate".to_owned(), arguments }
}

fn project() -> Place {
    Place::Project(PathBuf::from("/p"))
}

fn user() -> Place {
    Place::User(UserFolders {
        home: "/u".into(),
        claude: "/u/.claude".into(),
        claude_servers: "/u/.claude.json".into(),
        codex: "/u/.codex".into(),
        config: "/u/.config".into(),
        cursor: "/u/.cursor".into(),
        code: "/u/.config/Code/User".into(),
    })
}
