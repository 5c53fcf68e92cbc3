//! A client of `gitgate mcp`, which speaks the protocol line by line.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::cli::Cli;

/// A client, and the server that it has started.
#[derive(Debug)]
pub struct Client {
    server: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    id: u64,
    /// What the server says of itself.
    pub server_says: Value,
}

impl Client {
    /// A client that calls itself `name`, of a server started with these options.
    pub fn start(cli: &Cli, name: &str, options: &[&str]) -> Client {
        let words: Vec<&str> = ["mcp"].iter().chain(options).copied().collect();
        let mut command = cli.command(&words);
        let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the command starts");
        let to = server.stdin.take().expect("it is piped");
        let from = BufReader::new(server.stdout.take().expect("it is piped"));
        let mut client = Client { server, to, from, id: 0, server_says: Value::Null };
        let info = json!({ "name": name, "version": "1" });
        let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info });
        client.server_says = client.request("initialize", hello);
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    /// The tools, and the bytes of the list that the server sends.
    pub fn tools(&mut self) -> (Vec<Value>, usize) {
        let listed = self.request("tools/list", json!({}));
        let tools = listed["tools"].as_array().expect("it lists tools").clone();
        (tools, listed["tools"].to_string().len())
    }

    /// The result of a call.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.request("tools/call", json!({ "name": tool, "arguments": arguments }))
    }

    /// The text of a call that has to succeed.
    #[track_caller]
    pub fn ok(&mut self, tool: &str, arguments: &Value) -> String {
        let result = self.call(tool, arguments);
        let text = result["content"][0]["text"].as_str().unwrap_or_default().to_owned();
        assert_ne!(result["isError"], true, "{tool} {arguments}: {text}");
        text
    }

    /// The answer to a request: its result, or the error of the protocol as `{"error": ...}`.
    fn request(&mut self, method: &str, params: Value) -> Value {
        self.id += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.id, "method": method, "params": params }));
        loop {
            let mut line = String::new();
            assert_ne!(self.from.read_line(&mut line).expect("it answers"), 0, "the server has gone");
            let mut answer: Value = serde_json::from_str(&line).expect("it answers in JSON");
            if answer["id"] == self.id {
                return match answer["result"].take() {
                    Value::Null => json!({ "error": answer["error"] }),
                    result => result,
                };
            }
        }
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.to, "{message}").expect("the server reads");
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It ends with its input. Whatever is the matter with it, the test has said so.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
