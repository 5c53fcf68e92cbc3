//! A running gitgate, controlled through pipes: one call a line, one result a line.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::memory;
use super::timing::time;

/// The process and its pipes.
pub struct Host {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Host {
    /// Starts the command `gitgate`, which names its sandbox.
    pub fn start(mut gitgate: Command) -> Result<Host> {
        gitgate.args(["call", "--batch", "--as", "user", "--yes"]);
        let mut child = gitgate.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("gitgate was built")?;
        let input = child.stdin.take().expect("it is piped");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        Ok(Host { child, input, output })
    }

    /// Makes a call as the user, and expects success.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Result<Value> {
        Ok(self.timed(tool, arguments)?.1)
    }

    /// As [`call`](Host::call), but also returns the time until the whole answer was read. The time excludes parsing, as with git's output.
    pub fn timed(&mut self, tool: &str, arguments: &Value) -> Result<(Duration, Value)> {
        let line = format!("{}\n", json!({ "tool": tool, "arguments": arguments, "as": "user" }));
        let mut answer = String::new();
        let took = time(|| {
            self.input.write_all(line.as_bytes())?;
            self.output.read_line(&mut answer)?;
            Ok(())
        })?;
        let answer: Value = serde_json::from_str(&answer).with_context(|| format!("{tool} gives {answer:?}"))?;
        ensure!(answer.get("error").is_none(), "{tool}: {answer}");
        Ok((took, answer["structured"].clone()))
    }

    /// Peak memory of the process in bytes. `None` if the system does not tell.
    pub fn peak(&self) -> Option<u64> {
        memory::peak(self.child.id())
    }

    /// Closes the input, and waits for the process to end.
    pub fn end(self) -> Result<()> {
        let Host { mut child, input, .. } = self;
        drop(input);
        ensure!(child.wait()?.success(), "gitgate ended with an error");
        Ok(())
    }
}
