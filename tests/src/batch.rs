//! A gitgate process that stays open: one call on a line, one result on a line, and its peak
//! memory.

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
    /// Starts one on the existing sandbox. If `--yes` answers for pushes, it does here.
    pub fn start(cli: &Cli) -> Batch {
        let mut command = cli.command(&["call", "--batch", "--as", "user", "--yes"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("gitgate was built");
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("it is piped"));
        Batch { child, input, output: BufReader::new(output) }
    }

    /// Makes a call as the user, and returns the line of the answer.
    pub fn line(&mut self, tool: &str, arguments: &Value) -> Value {
        let line = format!("{}\n", json!({ "tool": tool, "arguments": arguments, "as": "user" }));
        self.input.as_mut().expect("it is open").write_all(line.as_bytes()).expect("gitgate reads its calls");
        let mut answer = String::new();
        self.output.read_line(&mut answer).expect("the answer is UTF-8");
        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{tool} gives {answer:?}: {error}"))
    }

    /// Makes a call that succeeds, as the user, and returns its structured result.
    #[track_caller]
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let mut answer = self.line(tool, arguments);
        assert!(answer.get("error").is_none(), "{tool}: {answer}");
        answer["structured"].take()
    }

    /// The peak memory of the process in MiB (`VmHWM` in proc_pid_status(5)).
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
        // It ends with its input. After a failed test it may be gone already.
        let _ = self.child.wait();
    }
}
