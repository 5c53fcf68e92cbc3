//! The command line: what it takes, and how a process begins and ends.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use gate::id::SandboxId;

use crate::command::{Command, Context};
use crate::error::{ErrorKind, HostError};
use crate::report::{self, Exit};
use crate::sandbox::{Clock, STACK};
use crate::screen::colour::When;
use crate::{home::Home, interrupt};

/// A sandbox for AI agents whose only door is git
///
/// An agent's tools work on a repository inside a sealed component. Only commits leave the
/// sandbox, and only after you approve the diff.
#[derive(Debug, Parser)]
#[command(name = "gitgate", version, max_term_width = 100, disable_help_subcommand = true)]
pub struct Cli {
    /// Folder that holds the sandboxes [default: gitgate in the user's data folder]
    #[arg(long, value_name = "DIR", env = "GITGATE_HOME", hide_env_values = true, global = true)]
    home: Option<PathBuf>,
    /// Sandbox to work on
    #[arg(
        short,
        long,
        value_name = "NAME",
        env = "GITGATE_SANDBOX",
        hide_env_values = true,
        default_value = "default",
        global = true
    )]
    #[arg(value_parser = sandbox_name)]
    sandbox: SandboxId,
    /// When to use colours
    #[arg(long, value_name = "WHEN", value_enum, default_value_t, global = true)]
    color: When,
    #[command(subcommand)]
    command: Command,
}

fn sandbox_name(name: &str) -> Result<SandboxId, String> {
    name.parse().map_err(|fault: gate::Fault| format!("{}: {}", fault.message, fault.hint))
}

/// Runs the command line. Every failure that a user may see is printed here or below.
pub fn run() -> ExitCode {
    std::panic::set_hook(Box::new(|panic| {
        tracing::error!("{panic}");
        report::unexpected();
    }));
    watch_log();
    // The system sizes the main thread's stack, so the component's code runs on a thread of its
    // own.
    let worker = std::thread::Builder::new()
        .name("gitgate".to_owned())
        .stack_size(STACK + (16 << 20))
        .spawn(|| main(std::env::args_os()));
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(exit)) => exit.into(),
        Ok(Err(_)) => Exit::Error.into(),
        Err(error) => {
            report::error(&report::explain(
                &HostError::new(ErrorKind::Storage, format!("cannot start a thread: {error}")).into(),
            ));
            Exit::Error.into()
        }
    }
}

fn main(arguments: impl Iterator<Item = OsString>) -> Exit {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return report::usage(error),
    };
    cli.color.choose();
    let json = cli.command.wants_json();
    let done = (|| {
        let clock = Clock::default();
        interrupt::watch(clock.clone())?;
        let context = Context::new(Home::find(cli.home)?, cli.sandbox, clock);
        cli.command.run(context)
    })();
    match done {
        Ok(exit) => exit,
        Err(error) => report::failure(&error, json),
    }
}

/// Logs what `GITGATE_LOG` selects to the error stream: `debug`, or `gitgate::answer=trace`.
/// Logs nothing without it.
fn watch_log() {
    if let Ok(filter) = tracing_subscriber::EnvFilter::try_from_env("GITGATE_LOG") {
        let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).finish();
        if tracing::subscriber::set_global_default(subscriber).is_err() {
            report::note("logging is already set up");
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_sandbox_has_a_name_that_every_filesystem_can_hold() {
        for name in ["../x", "", ".x", "a/b", "-x", "con", "a b", "é"] {
            let parsed = Cli::try_parse_from(["gitgate", "-s", name, "ls"]);
            assert!(parsed.is_err(), "{name}");
        }
        Cli::try_parse_from(["gitgate", "-s", "my-work_2.1", "ls"]).unwrap();
    }
}
