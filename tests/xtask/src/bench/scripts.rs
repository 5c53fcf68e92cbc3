//! Scripts in `bash`, against the same in a real bash with GNU's commands and git, and against the tools that they stand for.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::host::Host;
use super::place;
use super::timing::{Pair, median, pair, spawn, time};

/// The tool that runs them.
const TOOL: &str = "bash";

/// Lines of a file that is sorted.
const LINES: usize = 100_000;

/// What a script is measured against.
enum Against {
    /// A process that does the same in a clone.
    Process(&'static [&'static str]),
    /// A tool's call.
    Tool(&'static str, Value),
}

/// One script.
struct Script {
    /// The name in the table.
    operation: &'static str,
    command: &'static str,
    against: Against,
}

impl Script {
    /// The arguments of `bash`.
    fn arguments(&self) -> Value {
        json!({ "command": self.command, "max_bytes": 4 << 20 })
    }

    /// Runs it in the host's sandbox.
    fn timed(&self, host: &mut Host) -> Result<Duration> {
        let (took, ran) = host.timed(TOOL, &self.arguments())?;
        ensure!(ran["exitCode"] == 0, "{}: {ran}", self.operation);
        Ok(took)
    }
}

fn scripts() -> Vec<Script> {
    let script = |operation, command, against| Script { operation, command, against };
    vec![
        script("`true` in bash, against the tool git_status", "true", Against::Tool("git_status", json!({}))),
        script(
            "`grep -rn` in bash over all files",
            "grep -rn 'value_00f' .",
            Against::Process(&["grep", "-rn", "--exclude-dir=.git", "value_00f", "."]),
        ),
        script(
            "`find . -name` in bash",
            "find . -name '*7.txt'",
            Against::Process(&["find", ".", "-name", ".git", "-prune", "-o", "-name", "*7.txt", "-print"]),
        ),
        script(
            "`git log --oneline \\| head` in bash, against the tool git_log",
            "git log --oneline | head",
            Against::Tool("git_log", json!({ "oneline": true, "max_bytes": 5_000_000 })),
        ),
        script("`sort` of 100,000 lines in bash", "sort /tmp/lines", Against::Process(&["sort", ".git/lines"])),
    ]
}

/// The calls that give a sandbox what the scripts read. No tracked file changes.
pub fn before() -> [(&'static str, Value); 2] {
    [
        ("write_file", json!({ "path": "lines", "content": unsorted() })),
        (TOOL, json!({ "command": "mv lines /tmp/lines" })),
    ]
}

/// The measurements, in the host's sandbox and in a clone of the same repository.
pub fn all(host: &mut Host, clone: &Path, rounds: usize) -> Result<Vec<(&'static str, Pair)>> {
    std::fs::write(clone.join(".git/lines"), unsorted())?;
    before().iter().try_for_each(|(tool, arguments)| host.call(tool, arguments).map(drop))?;
    let measured = scripts().into_iter().map(|script| {
        let times = pair(rounds, |_| {
            let other = match &script.against {
                Against::Process(words) => time(|| spawn(&mut process(clone, words)))?,
                Against::Tool(tool, arguments) => host.timed(tool, arguments)?.0,
            };
            Ok((other, script.timed(host)?))
        })?;
        Ok((script.operation, times))
    });
    measured.collect()
}

/// The scripts alone, each again and again without anything in between.
pub fn again(host: &mut Host, rounds: usize) -> Result<Vec<(&'static str, Duration)>> {
    let measured = scripts().into_iter().map(|script| {
        let times = (0..rounds).map(|_| script.timed(host)).collect::<Result<_>>()?;
        Ok((script.operation, median(times)))
    });
    measured.collect()
}

/// The scripts as calls, for a sandbox in a page.
pub fn calls() -> Vec<(&'static str, &'static str, Value)> {
    scripts().into_iter().map(|script| (script.operation, TOOL, script.arguments())).collect()
}

/// A program in the clone, in the locale of the sandbox.
fn process(clone: &Path, words: &[&str]) -> Command {
    let (program, arguments) = words.split_first().expect("a command has a name");
    let mut command = place::program(program, clone);
    command.args(arguments).env("LC_ALL", "C.UTF-8");
    command
}

/// Lines in no order, the same on every machine.
fn unsorted() -> String {
    let mut random = fastrand::Rng::with_seed(3);
    (0..LINES).map(|number| format!("{:08x} line {number}\n", random.u32(..))).collect()
}
