//! The environment of every process: no configuration of the machine, one language, one clock for commits.

use std::path::Path;
use std::process::Command;

/// The second of the first commit.
pub const EPOCH: u64 = 1_700_000_000;

/// Replaces the environment of `command` by a pinned one, with `home` as the home folder.
pub fn pin<'c>(command: &'c mut Command, home: &Path) -> &'c mut Command {
    command.env_clear();
    for name in ["PATH", "TMPDIR", "SYSTEMROOT"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    let who = [("NAME", "Ada Example"), ("EMAIL", "ada@example.org")];
    for role in ["AUTHOR", "COMMITTER"] {
        for (what, value) in who {
            command.env(format!("GIT_{role}_{what}"), value);
        }
        command.env(format!("GIT_{role}_DATE"), format!("{EPOCH} +0000"));
    }
    command
        .env("HOME", home)
        .env("LC_ALL", "C")
        .env("TZ", "UTC")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_TERMINAL_PROMPT", "0")
}
