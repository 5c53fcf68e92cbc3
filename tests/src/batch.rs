//! A gitgate that stays open: one call a line, one result a line, and what it has needed so far.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::cli::Cli;

/// The process and its pipes. It ends when it is dropped.
#[derive(Debug)]
pub struct Batch {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Batch {
    /// Starts one on the sandbox that is there. Where `--yes` answers for pushes, it does.
    pub fn start(cli: &Cli) -> Batch {
        let mut command = cli.command(&["call", "--batch", "--as", "user", "--yes"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("gitgate was built");
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("it is piped"));
        Batch { child, input, output: BufReader::new(output) }
    }

    /// Makes a call as the user, and gives the line that answers it.
    pub fn line(&mut self, tool: &str, arguments: &Value) -> Value {
        let line = format!("{}\n", json!({ "tool": tool, "arguments": arguments, "as": "user" }));
        self.input.as_mut().expect("it is open").write_all(line.as_bytes()).expect("gitgate reads its calls");
        let mut answer = String::new();
        self.output.read_line(&mut answer).expect("the answer is UTF-8");
        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{tool} gives {answer:?}: {error}"))
    }

    /// Makes a call that succeeds, as the user, and gives its structured result.
    #[track_caller]
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let mut answer = self.line(tool, arguments);
        assert!(answer.get("error").is_none(), "{tool}: {answer}");
        answer["structured"].take()
    }

    /// The most MiB of memory that the process has had so far (`VmHWM` in proc_pid_status(5)).
    #[cfg(target_os = "linux")]
    pub fn peak_mib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("it is running");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("Linux says so");
        peak.trim().trim_end_matches(" kB").parse::<u64>().expect("it is a number") >> 10
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        drop(self.input.take());
        // It ends with its input; after a failed test it may be gone already.
        let _ = self.child.wait();
    }
}
