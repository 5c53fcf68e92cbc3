//! The MCP server, as a client starts it, against the running host: the same calls on the same sandbox, in turns.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::host::Host;
use super::place::Place;
use super::timing::{Pair, pair, time};

/// Calls of each kind in one session.
const CALLS: usize = 1000;

/// Measures the cheapest possible calls.
pub fn all(place: &Place, file: &str) -> Result<Vec<(&'static str, Pair)>> {
    let (mut host, mut session) = (Host::start(place.gitgate("bench"))?, Session::start(place.gitgate("bench"))?);
    let mut measure = |tool: &str, arguments: Value| {
        pair(CALLS, |_| Ok((host.timed(tool, &arguments)?.0, session.timed(tool, &arguments)?)))
    };
    let times = vec![
        ("status over MCP, against the running host", measure("git_status", json!({}))?),
        ("a file read over MCP, against the running host", measure("read_file", json!({ "path": file }))?),
    ];
    session.end()?;
    host.end()?;
    Ok(times)
}

/// A client's session: one message a line.
struct Session {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    id: u64,
}

impl Session {
    fn start(mut gitgate: Command) -> Result<Session> {
        let mut child = gitgate.arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take().expect("it is piped");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut session = Session { child, input, output, id: 0 };
        let client = json!({ "name": "bench", "version": "1" });
        session.request(
            "initialize",
            &json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client }),
        )?;
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        session.input.write_all(format!("{ready}\n").as_bytes())?;
        Ok(session)
    }

    /// The time until the whole answer to a call was read.
    fn timed(&mut self, tool: &str, arguments: &Value) -> Result<Duration> {
        let (took, answer) = self.request("tools/call", &json!({ "name": tool, "arguments": arguments }))?;
        ensure!(answer["result"]["isError"] != true, "{tool}: {answer}");
        Ok(took)
    }

    fn request(&mut self, method: &str, params: &Value) -> Result<(Duration, Value)> {
        self.id += 1;
        let message = json!({ "jsonrpc": "2.0", "id": self.id, "method": method, "params": params });
        let (line, mut answer) = (format!("{message}\n"), String::new());
        let took = time(|| {
            self.input.write_all(line.as_bytes())?;
            self.output.read_line(&mut answer)?;
            Ok(())
        })?;
        let answer: Value = serde_json::from_str(&answer).with_context(|| format!("{method} gives {answer:?}"))?;
        ensure!(answer["id"] == self.id && answer.get("error").is_none(), "{method}: {answer}");
        Ok((took, answer))
    }

    fn end(self) -> Result<()> {
        let Session { mut child, input, .. } = self;
        drop(input);
        ensure!(child.wait()?.success(), "the server ended with an error");
        Ok(())
    }
}
