//! A server of one sandbox, and requests to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Stdio};

use serde_json::{Value, json};
use tests::cli::Cli;
use tests::repo::Repo;

/// A server, which ends when this is dropped.
pub struct Served {
    child: Child,
    /// Held open, because it may write more.
    _output: BufReader<ChildStdout>,
    pub address: String,
    pub operator: String,
}

impl Served {
    pub fn start(cli: &Cli) -> Served {
        Served::start_with(cli, &[])
    }

    /// A server with further arguments.
    pub fn start_with(cli: &Cli, more: &[&str]) -> Served {
        let mut command = cli.command(&[&["serve", "--listen", "127.0.0.1:0", "--json"], more].concat());
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let told: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
        let address = told["url"].as_str().unwrap().strip_prefix("http://").unwrap().to_owned();
        let operator = told["token"].as_str().unwrap().to_owned();
        Served { child, _output: output, address, operator }
    }

    /// Sends a request with these further header lines, and returns status and body.
    pub fn send(&self, head: &str, body: &[u8]) -> (u16, Value) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let (first, more) = head.split_once('\n').unwrap_or((head, ""));
        let mut text = format!("{first} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.address);
        text.push_str(&format!("Content-Length: {}\r\n", body.len()));
        more.lines().for_each(|line| text.push_str(&format!("{line}\r\n")));
        stream.write_all(format!("{text}\r\n").as_bytes()).unwrap();
        // A server that refused the head need not read the rest.
        let _ = stream.write_all(body);
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status: u16 = head.split(' ').nth(1).unwrap().parse().unwrap();
        let json = if body.is_empty() { Value::Null } else { serde_json::from_str(body).unwrap() };
        let is_problem = head.to_ascii_lowercase().contains("content-type: application/problem+json");
        assert_eq!(is_problem, status >= 400, "{answer}");
        if is_problem {
            assert_eq!(json["status"], status, "{answer}");
            assert!(json["kind"].is_string() && json["detail"].is_string() && json["hint"].is_string(), "{answer}");
        }
        (status, json)
    }

    pub fn get(&self, token: &str, path: &str) -> (u16, Value) {
        self.send(&format!("GET {path}\nAuthorization: Bearer {token}"), b"")
    }

    pub fn post(&self, token: &str, path: &str, body: &Value) -> (u16, Value) {
        let head = format!("POST {path}\nAuthorization: Bearer {token}\nContent-Type: application/json");
        self.send(&head, body.to_string().as_bytes())
    }

    /// Creates a token of the sandbox.
    pub fn token(&self, by: &str, role: &str) -> String {
        let wanted = json!({ "role": role, "note": "Ada" });
        let (status, made) = self.post(by, "/sandboxes/default/tokens", &wanted);
        assert_eq!(status, 201, "{made}");
        made["token"].as_str().unwrap().to_owned()
    }

    pub fn call(&self, token: &str, tool: &str, arguments: &Value) -> (u16, Value) {
        self.post(token, &format!("/sandboxes/default/tools/{tool}"), arguments)
    }

    /// Lets the agent stage a file, and returns the beginning of the commit's id.
    pub fn stage(&self, agent: &str, path: &str) -> String {
        let (status, written) = self.call(agent, "write_file", &json!({ "path": path, "content": "one\n" }));
        assert_eq!(status, 200, "{written}");
        let (status, staged) = self.call(agent, "git_stage", &json!({ "files": [path], "message": "Add a file" }));
        assert_eq!(status, 200, "{staged}");
        staged["structured"]["commitId"].as_str().unwrap().to_owned()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A server of a sandbox with a repository's content, whose agent may propose pushes, and a token of each role: owner, reviewer, agent.
pub fn scene() -> (Cli, Repo, Served, [String; 3]) {
    let cli = Cli::default();
    cli.configure("[tools.git]\npush = \"assisted\"\n");
    let repo = cli.repository("project");
    let (served, tokens) = opened(&cli);
    (cli, repo, served, tokens)
}

/// The same of the repository `project` that is there already.
pub fn opened(cli: &Cli) -> (Served, [String; 3]) {
    cli.run(&["new", "--from", "local:project", "--identity", "Ada <ada@example.org>"]).ok();
    let served = Served::start(cli);
    let owner = served.token(&served.operator, "owner");
    let (reviewer, agent) = (served.token(&owner, "reviewer"), served.token(&owner, "agent"));
    (served, [owner, reviewer, agent])
}
