//! The command line: what it takes, and how a process begins and ends.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use gate::id::SandboxId;

use crate::command::{Command, Context, completions};
use crate::error::{ErrorKind, HostError};
use crate::report::{self, Exit};
use crate::sandbox::{Clock, STACK};
use crate::screen::colour::When;
use crate::{home::Home, interrupt, mcp};

/// The heading of the options that every command has: below its own.
const GLOBAL: &str = "Global options";

/// A sandbox for AI agents whose only door is git
///
/// An agent's tools work on a repository inside a sealed component. Only commits leave the
/// sandbox, and only after you approve the diff.
#[derive(Debug, Parser)]
#[command(name = "gitgate", version, max_term_width = 100)]
pub struct Cli {
    /// Folder that holds the sandboxes [env: GITGATE_HOME] [default: gitgate in the user's data folder]
    #[arg(long, value_name = "DIR", global = true, help_heading = GLOBAL)]
    home: Option<PathBuf>,
    /// Sandbox to work on [env: GITGATE_SANDBOX] [default: the one of the repository in the current
    /// folder; `review` goes through all]
    #[arg(short, long, value_name = "NAME", global = true, value_parser = sandbox_name, help_heading = GLOBAL)]
    sandbox: Option<SandboxId>,
    /// When to use colours
    #[arg(long, value_name = "WHEN", value_enum, default_value_t, global = true, help_heading = GLOBAL)]
    color: When,
    #[command(subcommand)]
    command: Command,
}

/// A sandbox's name, as an option gives it.
pub(crate) fn sandbox_name(name: &str) -> Result<SandboxId, String> {
    name.parse().map_err(|fault: gate::Fault| format!("{}: {}", fault.message, fault.hint))
}

/// The sandbox that `GITGATE_SANDBOX` names.
pub(crate) fn sandbox_of_environment() -> Result<Option<SandboxId>, HostError> {
    let Some(name) = std::env::var_os(SANDBOX).filter(|name| !name.is_empty()) else { return Ok(None) };
    let name = sandbox_name(&name.to_string_lossy());
    name.map(Some).map_err(|error| HostError::new(ErrorKind::Usage, format!("{SANDBOX}: {error}")))
}

/// The variable that names a sandbox.
const SANDBOX: &str = "GITGATE_SANDBOX";

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

/// Refuses options in the place of a tool or its arguments. An agent chooses both, and whoever runs
/// `gitgate call "$TOOL" "$JSON"` for it must not thereby let it choose the sandbox or the caller.
fn ensure_call_is_plain(arguments: &[OsString]) -> Result<(), clap::Error> {
    let is_option = |word: &&OsString| word.as_encoded_bytes().starts_with(b"-") && word.as_encoded_bytes() != b"-";
    let mut words = arguments.iter().skip(1);
    // The options before the command, and the values of those that stand by themselves.
    let command = loop {
        match words.next() {
            Some(word) if ["-s", "--sandbox", "--home", "--color"].iter().any(|option| word == option) => {
                words.next();
            }
            Some(word) if is_option(&word) => {}
            other => break other,
        }
    };
    let places: Vec<&OsString> = words.take(2).collect();
    if command.is_none_or(|command| command != "call") {
        return Ok(());
    }
    let begins_with = |options: &[&str]| places.first().is_some_and(|word| options.iter().any(|option| word == option));
    if begins_with(&["--help", "-h", "--"]) || !places.iter().any(is_option) {
        return Ok(());
    }
    // Calls come from the input, which only another option of the command may follow.
    let is_of_call = |word: &&OsString| ["--json", "--yes", "--as"].iter().any(|option| *word == option);
    if begins_with(&["--batch"]) && places.get(1).is_none_or(is_of_call) {
        return Ok(());
    }
    let message = "options come after the tool and its arguments: gitgate call TOOL JSON [OPTIONS]\n";
    Err(Cli::command().error(clap::error::ErrorKind::ArgumentConflict, message))
}

fn main(arguments: impl Iterator<Item = OsString>) -> Exit {
    let arguments: Vec<OsString> = arguments.collect();
    if let Some(words) = completions::asked(&arguments) {
        return completions::answer(words);
    }
    let cli = match ensure_call_is_plain(&arguments).and_then(|()| Cli::try_parse_from(arguments)) {
        Ok(cli) => cli,
        Err(error) => return report::usage(error),
    };
    cli.color.choose();
    let json = cli.command.wants_json();
    let done = (|| {
        if let Some(socket) = cli.command.elsewhere() {
            mcp::connect(socket)?;
            return Ok(Exit::Done);
        }
        let clock = Clock::default();
        interrupt::watch(clock.clone())?;
        let (sandbox, is_named_by_environment) = match cli.sandbox {
            Some(name) => (Some(name), false),
            None => (sandbox_of_environment()?, true),
        };
        let context = Context::new(Home::find(cli.home)?, sandbox, clock);
        cli.command.run(Context { is_named_by_environment, ..context })
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
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    /// All commands, with the words that name each.
    fn all(command: &clap::Command, before: &str) -> Vec<(String, clap::Command)> {
        let name = format!("{before}{}", command.get_name());
        let below = command.get_subcommands().filter(|below| below.get_name() != "help");
        let below: Vec<_> = below.flat_map(|below| all(below, &format!("{name} "))).collect();
        [(name, command.clone())].into_iter().chain(below).collect()
    }

    #[test]
    fn a_commands_own_options_come_before_those_that_all_have() {
        let mut cli = Cli::command();
        cli.build();
        for (name, mut command) in all(&cli, "") {
            let help = command.render_long_help().to_string();
            let (own, global) = help.split_once("\nGlobal options:\n").unwrap_or_else(|| panic!("{name}: {help}"));
            for option in ["--home", "--sandbox", "--color"] {
                assert!(
                    !own.contains(&format!("{option} <")) && global.contains(&format!("{option} <")),
                    "{name}: {help}"
                );
            }
            let is_global = |arg: &clap::Arg| arg.get_help_heading() == Some(GLOBAL);
            let others = command.get_arguments().filter(|arg| !is_global(arg) && !arg.is_hide_set());
            for long in others.filter_map(clap::Arg::get_long) {
                assert!(own.contains(&format!("--{long}")), "{name} --{long}: {help}");
            }
        }
    }

    #[test]
    fn the_main_commands_have_examples_of_what_they_take() {
        let mut cli = Cli::command();
        cli.build();
        for name in ["new", "status", "push", "pull", "review", "run", "setup", "export", "ls", "undo", "log", "call"] {
            let command = cli.find_subcommand_mut(name).unwrap();
            let help = command.render_long_help().to_string();
            let examples = help.split_once("\nExamples:\n").unwrap_or_else(|| panic!("{name}: {help}")).1;
            assert!((1..=3).contains(&examples.trim_end().lines().count()), "{name}: {examples}");
            for line in examples.lines() {
                let words: Vec<&str> = line.split_whitespace().take_while(|word| *word != "#").collect();
                assert!(words[0] == "gitgate" && words[1..].contains(&name), "{name}: {line}");
                let long = words.iter().take_while(|word| **word != "--").filter_map(|word| word.strip_prefix("--"));
                for option in long {
                    assert!(command.get_arguments().any(|arg| arg.get_long() == Some(option)), "{name}: --{option}");
                }
            }
        }
    }

    #[test]
    fn attack_01_a_tool_and_its_arguments_are_no_options() {
        let refused = |words: &[&str]| {
            let words: Vec<OsString> = ["gitgate"].iter().chain(words).map(OsString::from).collect();
            ensure_call_is_plain(&words).is_err()
        };
        for words in [
            &["call", "--sandbox=w1", "read_file"][..],
            &["call", "-sw1", "read_file"],
            &["call", "read_file", "--as=user"],
            &["call", "git_stage", "--yes"],
            &["-s", "call", "--home", "call", "call", "--yes", "git_stage"],
            &["--color=never", "-swork", "call", "--json", "git_status"],
        ] {
            assert!(refused(words), "{words:?}");
        }
        for words in [
            &["call", "read_file", "{}", "--json"][..],
            &["call", "read_file", "-"],
            &["call", "git_status"],
            &["call", "--batch", "--as", "user"],
            &["call", "--", "--sandbox=w1"],
            &["-s", "call", "push", "--yes"],
            &[],
        ] {
            assert!(!refused(words), "{words:?}");
        }
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
