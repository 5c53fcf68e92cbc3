//! Peak memory of a process, as Linux counts it (`VmHWM` in proc_pid_status(5)).

use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

/// Peak memory of the process so far, in bytes. `None` if the system does not tell.
pub fn peak(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

/// Runs a command that must succeed, and returns its peak memory, as last seen when looking every two milliseconds.
pub fn run(command: &mut Command) -> Result<Option<u64>> {
    let mut child = command.stdout(Stdio::null()).spawn().context("it was built")?;
    let mut seen = None;
    let status = loop {
        seen = seen.max(peak(child.id()));
        match child.try_wait()? {
            Some(status) => break status,
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    ensure!(status.success(), "{command:?} ended with {status}");
    Ok(seen)
}
