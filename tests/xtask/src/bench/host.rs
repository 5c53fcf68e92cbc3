//! A running gitgate, spoken to through pipes: one call a line, one result a line.

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
    /// Starts `gitgate`, given with its sandbox.
    pub fn start(mut gitgate: Command) -> Result<Host> {
        gitgate.args(["call", "--batch", "--as", "user", "--yes"]);
        let mut child = gitgate.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("gitgate was built")?;
        let input = child.stdin.take().expect("it is piped");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        Ok(Host { child, input, output })
    }

    /// Makes a call that succeeds, as the user.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Result<Value> {
        Ok(self.timed(tool, arguments)?.1)
    }

    /// The same, and how long it took until the whole answer was read. What git prints is not looked into either.
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

    /// Bytes of memory that the process has had at its peak; `None` where the system does not say.
    pub fn peak(&self) -> Option<u64> {
        memory::peak(self.child.id())
    }

    /// Ends it.
    pub fn end(self) -> Result<()> {
        let Host { mut child, input, .. } = self;
        drop(input);
        ensure!(child.wait()?.success(), "gitgate ended with an error");
        Ok(())
    }
}
