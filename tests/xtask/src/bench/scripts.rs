//! Scripts in `bash`, against the same in a real bash with GNU's commands and git, and against the tools that they stand for.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};
use serde_json::json;

use super::host::Host;
use super::place;
use super::timing::{Pair, pair, spawn, time};

/// Lines of a file that is sorted.
const LINES: usize = 100_000;

/// What a script is measured against.
enum Against {
    /// A process that does the same in a clone.
    Process(&'static [&'static str]),
    /// A tool's call.
    Tool(&'static str, serde_json::Value),
}

/// The measurements, in the host's sandbox and in a clone of the same repository.
pub fn all(host: &mut Host, clone: &Path, rounds: usize) -> Result<Vec<(&'static str, Pair)>> {
    let lines = unsorted();
    std::fs::write(clone.join(".git/lines"), &lines)?;
    host.call("write_file", &json!({ "path": "lines", "content": lines }))?;
    host.call("bash", &json!({ "command": "mv lines /tmp/lines" }))?;
    let grep = "grep -rn 'value_00f' .";
    let one: &[(&str, &str, Against)] = &[
        ("`true` in bash, against the tool git_status", "true", Against::Tool("git_status", json!({}))),
        (
            "`grep -rn` in bash over all files",
            grep,
            Against::Process(&["grep", "-rn", "--exclude-dir=.git", "value_00f", "."]),
        ),
        (
            "`find . -name` in bash",
            "find . -name '*7.txt'",
            Against::Process(&["find", ".", "-name", ".git", "-prune", "-o", "-name", "*7.txt", "-print"]),
        ),
        (
            "`git log --oneline | head` in bash, against the tool git_log",
            "git log --oneline | head",
            Against::Tool("git_log", json!({ "oneline": true, "max_bytes": 5_000_000 })),
        ),
        ("`sort` of 100,000 lines in bash", "sort /tmp/lines", Against::Process(&["sort", ".git/lines"])),
    ];
    let measured = one.iter().map(|(operation, script, against)| {
        let script = json!({ "command": script, "max_bytes": 4 << 20 });
        let times = pair(rounds, |_| {
            let other = match against {
                Against::Process(words) => time(|| spawn(&mut process(clone, words)))?,
                Against::Tool(tool, arguments) => host.timed(tool, arguments)?.0,
            };
            let (took, ran) = host.timed("bash", &script)?;
            ensure!(ran["exitCode"] == 0, "{operation}: {ran}");
            Ok((other, took))
        })?;
        Ok((*operation, times))
    });
    measured.collect()
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
