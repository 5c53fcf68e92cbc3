//! A scripted agent for `gitgate run`: it makes its calls over MCP, and reports what it sees.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::built::built;
use crate::cli::Cli;

/// The program, and the file for its report.
#[derive(Debug)]
pub struct Agent {
    /// The program.
    pub program: PathBuf,
    seen: PathBuf,
    socket: PathBuf,
}

/// Its first act: it looks around.
const LOOK: &str = "env > $seen/environment\ncp .mcp.json $seen/mcp.json\n";

/// Its MCP client gets only arguments and pipes. Its input stays open until the last answer arrives, or for a minute.
const TALK: &str = "touch $seen/answers
answered() { grep -q '\"id\":LAST' $seen/answers; }
{ cat $seen/requests; for _ in $(seq 1200); do answered && break; sleep 0.05; done; } |
    env -i $gitgate mcp --connect $socket | cat > $seen/answers
";

impl Agent {
    /// An agent that looks around, and then runs the shell script `script`, with `$gitgate`, `$socket` and `$seen` set.
    pub fn of(cli: &Cli, script: &str) -> Agent {
        let (program, seen) = (cli.folder().join("agent.sh"), cli.folder().join("seen"));
        let socket = cli.home().join("agents/default/socket");
        fs::create_dir(&seen).expect("the folder is new");
        let set = [("gitgate", &built().cli), ("socket", &socket), ("seen", &seen)];
        let set: String = set.iter().map(|(name, path)| format!("{name}='{}'\n", path.display())).collect();
        fs::write(&program, format!("#!/bin/sh\n{set}{LOOK}{script}\n")).expect("the folder is writable");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).expect("the file is ours");
        Agent { program, seen, socket }
    }

    /// An agent that makes these calls.
    pub fn calling(cli: &Cli, calls: &[(&str, Value)]) -> Agent {
        let agent = Agent::of(cli, &TALK.replace("LAST", &calls.len().to_string()));
        let client = json!({ "name": "agent", "version": "1" });
        let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
        let mut requests = vec![
            json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello }),
            json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        ];
        for (id, (name, arguments)) in (1..).zip(calls) {
            let params = json!({ "name": name, "arguments": arguments });
            requests.push(json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }));
        }
        let lines: String = requests.iter().map(|request| format!("{request}\n")).collect();
        fs::write(agent.seen.join("requests"), lines).expect("the folder is writable");
        agent
    }

    /// The program as a command line argument.
    pub fn name(&self) -> &str {
        self.program.to_str().expect("the folder's path is UTF-8")
    }

    /// A file that it wrote.
    #[track_caller]
    pub fn saw(&self, name: &str) -> String {
        fs::read_to_string(self.seen.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The results of its calls, in order.
    pub fn results(&self) -> Vec<Value> {
        let answers = self.saw("answers");
        let mut answers: Vec<Value> = answers.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        answers.retain(|answer| answer["id"].as_u64().is_some_and(|id| id > 0));
        answers.sort_by_key(|answer| answer["id"].as_u64());
        answers.into_iter().map(|answer| answer["result"].clone()).collect()
    }

    /// Its path to the process that serves it.
    pub fn socket(&self) -> &Path {
        &self.socket
    }
}
